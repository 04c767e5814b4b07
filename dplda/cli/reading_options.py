"""``dplda read``, and the options on how files are read, the same wherever a command takes documents."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from click import Option

from dplda.cli.options import DOCUMENTS, Command, Together
from dplda.core.safe_open import printable, text_of
from dplda.corpus import Corpus, Label, Limits, Tokenisation, load
from dplda.corpus.readers.formats import preview
from dplda.corpus.words.english import english_words

ENGLISH = "english"
_ROWS = 3


def reading(load: Callable[..., object], *more: Option) -> Together:
    """How files are read: ``load`` but for the documents and their label, its arguments being named as options are."""
    return Together("reading", partial(partial, load), (*_HOW, *more))


def _listed(path: str) -> Sequence[str]:
    """The words of a file, one a line, or those that come with the program for ``english``."""
    if path == ENGLISH:
        return english_words()
    return [line.strip() for line in text_of(path).splitlines() if line.strip()]


def _stop_words(given: str) -> "str | tuple[str, ...]":
    if given == ENGLISH:
        return ENGLISH
    return () if given == "none" else tuple(text_of(given).split())


def _megabytes(given: str) -> int:
    return int(given) * 1_000_000


_WORDS = (
    Option(["--pattern"], help=r"a regular expression for words (default: runs of letters); \S+ parts them by spaces"),
    Option(["--lower-case/--keep-case", "lowercase"], default=True, help="whether case makes no other word"),
    Option(["--stop-words"], type=_stop_words, metavar="FILE", default=ENGLISH, help="words to leave out, or none"),
)
_LIMITS = (
    Option(["--max-mb", "max_bytes"], type=_megabytes, metavar="N", default=200, help="bytes of content, in millions"),
    Option(["--max-documents"], default=1_000_000, help="documents"),
)
_HOW = (
    Option(["--text"], help="column or key that holds the documents"),
    Option(
        ["--words", "vocabulary"],
        type=_listed,
        metavar="FILE",
        help="a vocabulary fixed beforehand, one word a line, or english",
    ),
    Option(["--encoding"], help="of text that is not UTF-8: cp1252, say"),
    Option(
        ["--whole-files/--no-whole-files"],
        default=None,
        help="a file of plain text is one document (default: where there are several)",
    ),
    Option(["--counted-words", "words"], help="the words of a file of counts, one a line"),
    Together("limits", Limits, _LIMITS),
    Together("tokenisation", Tokenisation, _WORDS),
)
N_WORDS = Option(["--n-words"], default=1000, help="words to take from the documents")
PERSON = Option(["--person"], help="column, key or header of mail that says whose a document is")


def read(documents: Path, reading: partial[Corpus]) -> int:
    """Read documents and print what came in, after the first rows of a table; for the curator's eyes."""
    asked = reading.keywords
    found = None if os.path.isdir(documents) else preview(documents, encoding=asked["encoding"], n_rows=_ROWS)
    if found is not None:
        for name, *cells in zip(found.names, *found.shortened(), strict=True):
            print(printable(f"{name}: {' | '.join(cells)}"))
        if asked["text"] is None and len(found.names) > 1 and "text" not in found.names:
            print("Say which column holds the documents: --text NAME")
            return 0
    corpus = reading(documents, label=Label.SENSITIVE)
    for number, meaning in corpus.intake.lines() if corpus.intake else ():
        print(f"{number:>12,} {meaning}")
    if corpus.n_persons is not None:
        print(f"{corpus.n_persons:>12,} persons wrote them.")
    print(f"{corpus.n_words:>12,} words make the vocabulary.")
    print("\n".join(kept(corpus)))
    return 0


def kept(corpus: Corpus) -> tuple[str, ...]:
    """Which share of the words the vocabulary keeps, for the curator's eyes, and a warning where it is small."""
    return () if corpus.intake is None else corpus.intake.kept_in_words()


COMMAND = Command("read", read, DOCUMENTS, reading(load, N_WORDS, PERSON))
