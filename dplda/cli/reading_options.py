"""``dplda read``, and the options on how files are read, the same wherever a command takes documents."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from click import Option

from dplda.cli.options import DOCUMENTS, Command, Together
from dplda.core.safe_open import printable, text_of
from dplda.core.types import Report
from dplda.corpus import Corpus, Label, Limits, StoredCorpus, Tokenisation, load, load_to
from dplda.corpus.readers.formats import preview
from dplda.corpus.words.english import english_words

ENGLISH = "english"
_ROWS = 3

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How files are read, as the options of a command say it."""

    text: str | None
    words: Path | None
    n_words: int | None = None
    person: str | None
    encoding: str | None
    whole_files: bool | None
    counted_words: Path | None
    max_mb: int
    max_documents: int
    pattern: str | None
    keep_case: bool
    shortest: int | None
    stop_words: str
    pre_tokenised: bool

    def load(self, documents: Path, *, label: Label) -> Corpus:
        """Read documents in this way; errors as for ``dplda.load``."""
        return self._by(load)(documents, label=label, person=self.person)

    def load_to(self, folder: Path, documents: Path, *, label: Label, report: Report) -> StoredCorpus:
        """Read documents into a folder; arguments and errors as for ``dplda.corpus.load_to``."""
        return self._by(load_to)(folder, documents, label=label, report=report)

    def _by(self, reader: Callable[..., T]) -> Callable[..., T]:
        return partial(
            reader,
            text=self.text,
            vocabulary=listed(self.words),
            n_words=self.n_words,
            encoding=self.encoding,
            words=self.counted_words,
            whole_files=self.whole_files,
            limits=Limits(max_bytes=self.max_mb * 1_000_000, max_documents=self.max_documents),
            tokenisation=Tokenisation(
                pattern=self.pattern,
                lowercase=not self.keep_case,
                min_letters=self.shortest,
                stop_words=_stop_words(self.stop_words),
                pre_tokenised=self.pre_tokenised,
            ),
        )


GIVEN_WORDS = Together(
    "reading",
    ReadOptions,
    (
        Option(["--text"], help="column or key that holds the documents"),
        Option(["--words"], type=Path, help="a vocabulary fixed beforehand, one word a line, or english"),
        Option(["--person"], help="column, key or header of mail that says whose a document is"),
        Option(["--encoding"], help="of text that is not UTF-8: cp1252, say"),
        Option(
            ["--whole-files/--no-whole-files"],
            default=None,
            help="a file of plain text is one document (default: where there are several)",
        ),
        Option(["--counted-words"], type=Path, help="the words of a file of counts, one a line"),
        Option(["--max-mb"], default=200, help="bytes of content, in millions"),
        Option(["--max-documents"], default=1_000_000, help="documents"),
        Option(["--pattern"], help="a regular expression for words (default: runs of letters)"),
        Option(["--keep-case"], is_flag=True, help="words that differ in case are two"),
        Option(["--shortest"], type=int, help="letters of the shortest word (default: 3)"),
        Option(["--stop-words"], default=ENGLISH, help="a file of words to leave out, or none"),
        Option(["--pre-tokenised"], is_flag=True, help="spaces part words, and nothing else does"),
    ),
)
_N_WORDS = Option(["--n-words"], default=1000, help="words to take from the documents")
READING = Together("reading", ReadOptions, (*GIVEN_WORDS.options, _N_WORDS))


def read(documents: Path, reading: ReadOptions) -> int:
    """Read documents and print what came in, after the first rows of a table; for the curator's eyes."""
    found = None if os.path.isdir(documents) else preview(documents, encoding=reading.encoding, n_rows=_ROWS)
    if found is not None:
        for name, *cells in zip(found.names, *found.shortened(), strict=True):
            print(printable(f"{name}: {' | '.join(cells)}"))
        if reading.text is None and len(found.names) > 1 and "text" not in found.names:
            print("Say which column holds the documents: --text NAME")
            return 0
    corpus = reading.load(documents, label=Label.SENSITIVE)
    for number, meaning in corpus.intake.lines() if corpus.intake else ():
        print(f"{number:>12,} {meaning}")
    if corpus.n_persons is not None:
        print(f"{corpus.n_persons:>12,} persons wrote them.")
    print(f"{corpus.n_words:>12,} words make the vocabulary.")
    print("\n".join(kept(corpus)))
    return 0


def listed(path: Path | None) -> Sequence[str] | None:
    """The words of a file, one a line, or those that come with the program for ``english``; None for no file.

    Raises:
        ReadError: it cannot be read, or is not UTF-8.
    """
    if path is None:
        return None
    if str(path) == ENGLISH:
        return english_words()
    return [line.strip() for line in text_of(path).splitlines() if line.strip()]


def kept(corpus: Corpus) -> tuple[str, ...]:
    """Which share of the words the vocabulary keeps, for the curator's eyes, and a warning where it is small."""
    return () if corpus.intake is None else corpus.intake.kept_in_words()


def _stop_words(given: str) -> "str | tuple[str, ...]":
    if given == ENGLISH:
        return ENGLISH
    return () if given == "none" else tuple(text_of(given).split())


COMMAND = Command("read", read, DOCUMENTS, READING)
