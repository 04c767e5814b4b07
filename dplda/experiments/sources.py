"""Sources of documents, as data: a simulation, the embedded corpus, or a public file."""

import hashlib
import io
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from scipy.sparse import save_npz

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.safe_open import opened, text_of, write
from dplda.corpus import Corpus, Label, Simulation, Tokenisation, disk_cache, load, python_docs
from dplda.corpus.counts_readers import matrices
from dplda.corpus.python_docs import COUNTS_FILE
from dplda.corpus.simulation.newspaper import fingerprint


@dataclass(frozen=True, slots=True)
class Embedded:
    """The docstrings that come with dplda.

    Attributes:
        n_words: ``d``, 2 to 3,000.
        n_documents: ``N``, 3 to 1,000,000; all where there are fewer.
    """

    n_words: int = 1000
    n_documents: int = 10_000

    def __post_init__(self) -> None:
        checks.integer_between("n_words", self.n_words, 2, 3_000)
        checks.integer_between("n_documents", self.n_documents, 3, 1_000_000)


@dataclass(frozen=True, slots=True)
class FileSource:
    """A public file of documents.

    Attributes:
        path: of the file.
        label: who may see it; only public files are swept.
        text: column or key of the documents; None takes the only one, or one named ``text``.
        n_words: ``d``, 2 to 5,000 words to take from the data.
        vocabulary: path of a word list, one word per line; None takes words from the data.
        words: path of the file that names the words of a file of counts; None takes the one next to
            it.
        pattern: a regular expression for words; None takes runs of letters.
        min_letters: the shortest word; None takes 3, or 1 with a pattern or words that are already
            split.
        keep_case: whether Tea and tea are two words.
        pre_tokenised: whether words are already split by spaces; a vocabulary line is then one
            word.
    """

    path: str
    label: Label
    text: str | None = None
    n_words: int = 1000
    vocabulary: str | None = None
    words: str | None = None
    pattern: str | None = None
    min_letters: int | None = None
    keep_case: bool = False
    pre_tokenised: bool = False

    def __post_init__(self) -> None:
        """Refuse a file that is not public, and fields of another type or out of range.

        A pattern or a shortest word that no definition of a word allows is refused, too. A label
        given as text becomes a ``Label``. The file itself is not read.
        """
        self._check_text("path", self.path)
        for name, text in (
            ("text", self.text),
            ("vocabulary", self.vocabulary),
            ("words", self.words),
        ):
            if text is not None:
                self._check_text(name, text)
        object.__setattr__(self, "label", checks.one_of("label", self.label, Label))
        if self.label is not Label.PUBLIC:
            advice = (
                "A sweep runs a method many times and keeps exact errors, which no privacy budget"
                " covers. Sweep a simulated corpus of the same size instead."
            )
            raise InputError("label", "public for a file in a sweep", str(self.label), advice)
        checks.integer_between("n_words", self.n_words, 2, 5_000)
        for name, flag in (
            ("keep_case", self.keep_case),
            ("pre_tokenised", self.pre_tokenised),
        ):
            if not isinstance(flag, bool):
                raise InputError(name, "true or false", f"a {type(flag).__name__}")
        self.tokenisation  # noqa: B018 - checks what it is made of

    @staticmethod
    def _check_text(name: str, text: object) -> None:
        """Refuse anything but a printable text that is not empty."""
        if not isinstance(text, str) or not text or not text.isprintable():
            raise InputError(name, "printable text, not empty", f"a {type(text).__name__}")

    @property
    def tokenisation(self) -> Tokenisation:
        """The definition of a word."""
        return Tokenisation(
            self.pattern,
            lowercase=not self.keep_case,
            min_letters=self.min_letters,
            pre_tokenised=self.pre_tokenised,
        )

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of all files to read."""
        path = Path(self.path)
        words = self.words
        if words is None and matrices.is_bag(path.name):
            words = str(matrices.word_list_beside(path))
        return tuple(name for name in (self.path, words, self.vocabulary) if name is not None)


def keep_as_file(corpus: Corpus) -> FileSource:
    """Save a public corpus, once, for a sweep's child process to read.

    Counts are written without pickles, and words as text. Files that are there already stay.

    Returns:
        The source that reads these files, words as they are.

    Raises:
        InputError: it is not public, it has more than 5,000 words, or the cache folder is not
            writable.
    """
    if corpus.label is not Label.PUBLIC:
        raise InputError("corpus", "public to be kept as a file", f"a {corpus.label} one")
    folder = disk_cache.folder() / "uploads"
    digest_start = corpus.digest[:24]
    counts_path = folder / f"counts-{digest_start}.npz"
    words_path = folder / f"words-{digest_start}.txt"
    if not (counts_path.is_file() and words_path.is_file()):
        buffer = io.BytesIO()
        save_npz(buffer, corpus.counts, compressed=False)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write(words_path, "\n".join((*corpus.vocabulary, "")).encode())
            write(counts_path, buffer.getvalue())
        except OSError as error:
            advice = "Change DPLDA_CACHE."
            raise InputError("the cache folder", "writable", "one that is not", advice) from error
    return FileSource(
        path=str(counts_path),
        label=Label.PUBLIC,
        n_words=corpus.n_words,
        vocabulary=str(words_path),
        words=str(words_path),
        min_letters=1,  # words as they are, whatever they were read with
        keep_case=True,
        pre_tokenised=True,
    )


Source: TypeAlias = Simulation | Embedded | FileSource


def numbered_source(source: Source, index: int) -> Source:
    """The source of a setting's corpus by number, from 0, which is added to a simulation's seed."""
    if isinstance(source, Simulation):
        return replace(source, seed=source.seed + index)
    return source


def read_source(source: Source) -> Corpus:
    """Draw the documents of a simulation, or read the embedded ones or those of a file.

    The word list of a file has a word on each line if words are already split, and else words
    between blanks.

    Raises:
        DpldaError: they cannot be read.
    """
    if isinstance(source, Simulation):
        return source.draw()
    if isinstance(source, Embedded):
        return python_docs(n_words=source.n_words, n_documents=source.n_documents)
    given_words = None
    if source.vocabulary is not None:
        word_list_text = text_of(source.vocabulary)
        given_words = (
            word_list_text.splitlines() if source.pre_tokenised else word_list_text.split()
        )
    return load(
        source.path,
        text=source.text,
        label=source.label,
        vocabulary=given_words,
        n_words=source.n_words,
        words=source.words,
        tokenisation=source.tokenisation,
    )


def content_of(source: Source) -> str:
    """Digests of the files or newspaper that the documents depend on; empty if none."""
    if isinstance(source, Simulation):
        return fingerprint(source.newspaper) if source.newspaper else ""
    if isinstance(source, Embedded):
        return _file_digest(str(COUNTS_FILE))
    return " ".join(map(_file_digest, source.files))


def _file_digest(path: str) -> str:
    with opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # a buffered reader
