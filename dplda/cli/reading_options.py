"""Options of the command line on how files are read, the same wherever a command takes documents."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dplda.core.safe_open import printable, text_of
from dplda.core.types import Report
from dplda.corpus import Corpus, Label, Limits, StoredCorpus, Tokenisation, load, load_to
from dplda.corpus.readers.formats import preview
from dplda.corpus.words.english import english_words

ENGLISH = "english"
_ROWS = 3


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How files are read; names as in ``dplda.load``.

    Attributes:
        vocabulary: a file of words fixed beforehand, one a line, or ``english``; None takes the most frequent ones.
        n_words: how many of those; None for all that are met.
    """

    vocabulary: Path | None = None
    n_words: int | None = 1000
    text: str | None = None
    person: str | None = None
    encoding: str | None = None
    whole_files: bool | None = None
    counted_words: Path | None = None
    tokenisation: Tokenisation | None = None
    limits: Limits | None = None

    def load(self, documents: Path, *, label: Label) -> Corpus:
        """Read documents in this way; errors as for ``dplda.load``."""
        return load(
            documents,
            label=label,
            text=self.text,
            person=self.person,
            vocabulary=listed(self.vocabulary),
            n_words=self.n_words,
            encoding=self.encoding,
            words=self.counted_words,
            whole_files=self.whole_files,
            tokenisation=self.tokenisation,
            limits=self.limits,
        )

    def load_to(self, folder: Path, documents: Path, *, label: Label, report: Report) -> StoredCorpus:
        """Read documents into a folder; arguments and errors as for ``dplda.corpus.load_to``."""
        assert self.n_words is not None
        return load_to(
            folder,
            documents,
            label=label,
            text=self.text,
            vocabulary=listed(self.vocabulary),
            n_words=self.n_words,
            encoding=self.encoding,
            words=self.counted_words,
            whole_files=self.whole_files,
            tokenisation=self.tokenisation,
            limits=self.limits,
            report=report,
        )


def add(parser: argparse.ArgumentParser, *, chosen_from_them: bool = True) -> None:
    """Add the options; on how many words are taken from the documents, where that may be."""
    parser.add_argument("--text", help="column or key that holds the documents")
    parser.add_argument("--words", type=Path, help="a vocabulary fixed beforehand, one word a line, or english")
    if chosen_from_them:
        parser.add_argument(
            "--n-words", type=int, default=1000, help="words to take from the documents (default: %(default)s)"
        )
    group = parser.add_argument_group("how files are read")
    group.add_argument("--person", help="column, key or header of mail that says whose a document is")
    group.add_argument("--encoding", help="of text that is not UTF-8: cp1252, say")
    group.add_argument(
        "--whole-files",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="a file of plain text is one document (default: where there are several)",
    )
    group.add_argument("--counted-words", type=Path, help="the words of a file of counts, one a line")
    group.add_argument("--max-mb", type=int, default=200, help="bytes of content, in millions (default: 200)")
    group.add_argument("--max-documents", type=int, default=1_000_000, help="documents (default: 1,000,000)")
    group.add_argument("--pattern", help="a regular expression for words (default: runs of letters)")
    group.add_argument("--keep-case", action="store_true", help="words that differ in case are two")
    group.add_argument("--shortest", type=int, help="letters of the shortest word (default: 3)")
    group.add_argument("--stop-words", help="a file of words to leave out, or none (default: english)")
    group.add_argument("--pre-tokenised", action="store_true", help="spaces part words, and nothing else does")


def of(options: argparse.Namespace) -> ReadOptions:
    """What somebody asked for.

    Raises:
        DpldaError: an option out of range, or a file of stop words that cannot be read.
    """
    tokenisation = Tokenisation(
        pattern=options.pattern,
        lowercase=not options.keep_case,
        min_letters=options.shortest,
        stop_words=_stop_words(options.stop_words),
        pre_tokenised=options.pre_tokenised,
    )
    return ReadOptions(
        vocabulary=options.words,
        n_words=vars(options).get("n_words"),
        text=options.text,
        person=options.person,
        encoding=options.encoding,
        whole_files=options.whole_files,
        counted_words=options.counted_words,
        tokenisation=tokenisation,
        limits=Limits(max_bytes=options.max_mb * 1_000_000, max_documents=options.max_documents),
    )


def read(documents: Path, reading: ReadOptions) -> int:
    """Read documents and print what came in, after the first rows of a table; for the curator's eyes.

    Args:
        documents: as ``dplda.load`` takes them.

    Returns:
        0.

    Raises:
        DpldaError: what reading refuses.
    """
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


def _stop_words(given: str | None) -> "str | tuple[str, ...]":
    if given in (None, "english"):
        return "english"
    return () if given == "none" else tuple(text_of(str(given)).split())
