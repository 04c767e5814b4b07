"""``dplda read``, and the options that say how to read files, shared by every command that takes documents."""

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click
from click import Option

from dplda.cli.options import DOCUMENTS, Command, Together, flat
from dplda.core.safe_open import printable, text_of
from dplda.corpus import Corpus, Intake, Label, Limits, Tokenisation, load
from dplda.corpus.read_summary import remark_line
from dplda.corpus.readers.formats import preview
from dplda.corpus.readers.heading_rows import LOOKED_AT
from dplda.corpus.readers.table import Head
from dplda.corpus.words.vocabulary import english_words
from dplda.corpus.words.word_lists import WordList, entries_of

ENGLISH = "english"
_ROWS = 3


def reading(load: Callable[..., object], *more: Option) -> Together:
    """How to read files: ``load`` with everything but the documents and their label."""
    return Together("reading", partial(partial, load), (*_HOW, *more))


def _listed(path: str) -> Sequence[str]:
    """The words of a file, one a line, or the built-in list for ``english``."""
    return english_words() if path == ENGLISH else entries_of(text_of(path))


def _stop_words(given: str) -> str | tuple[str, ...]:
    if given in (ENGLISH, "none"):
        return ENGLISH if given == ENGLISH else ()
    text = text_of(given)
    return WordList(entries_of(text), former=text.split())


def _megabytes(given: str) -> int:
    try:
        return int(given) * 1_000_000
    except ValueError:
        raise click.BadParameter(f"{given!r} is not a whole number.") from None


_WORDS = (
    Option(
        ["--pattern"],
        help=r"regular expression for a word (default: runs of letters); \S+ splits at spaces",
    ),
    Option(
        ["--lower-case/--keep-case", "lowercase"],
        default=True,
        help="whether Tea and tea are the same word",
    ),
    Option(
        ["--stop-words"],
        type=_stop_words,
        metavar="FILE",
        default=ENGLISH,
        help="words to leave out, one a line, # or | before a comment; or none",
    ),
)
_LIMITS = (
    Option(
        ["--max-mb", "max_bytes"],
        type=_megabytes,
        metavar="N",
        default=200,
        help="read at most N million bytes",
    ),
    Option(["--max-documents"], default=1_000_000, help="read at most this many documents"),
)
_LIST_HELP = "word list chosen beforehand, one word per line, or english"
_HOW = (
    Option(["--text"], help="column or key that holds the documents"),
    Option(["--words", "vocabulary"], type=_listed, metavar="FILE", help=_LIST_HELP),
    Option(["--encoding"], help="encoding of text that is not UTF-8, for example cp1252"),
    Option(["--counted-words", "words"], help="the words of a file of counts, one a line"),
    Together("limits", Limits, _LIMITS),
    Together("tokenisation", Tokenisation, _WORDS),
)
N_WORDS = Option(["--n-words"], default=1000, help="number of words to take from the documents")
READING = [str(one.name) for one in (*flat(_HOW), N_WORDS)]
PERSON = Option(["--person"], help="column, key or mail header that names each document's author")


def say_remarks(intake: Intake | None) -> None:
    """Say beside a command's output what was read in another way than usual, or could not be read."""
    for line in intake.remark_lines() if intake else ():
        print(printable(f"dplda: {line}"), file=sys.stderr, flush=True)


def read(documents: Path, reading: partial[Corpus]) -> int:
    """Read documents and print, for their owner's eyes, what was kept, changed and why."""
    asked = reading.keywords
    found = (
        None
        if os.path.isdir(documents)
        else preview(documents, encoding=asked["encoding"], n_rows=LOOKED_AT)
    )
    if found is not None:
        _show_head(found)
        is_open = asked["text"] is None and len(found.names) > 1 and "text" not in found.names
        if is_open and found.is_regular:  # others are refused below
            for remark in found.remarks:
                print(remark_line(remark))
            print("Which column holds the documents? Add --text NAME.")
            return 0
    corpus = reading(documents, label=Label.SENSITIVE, former=False)
    for number, meaning in corpus.intake.lines() if corpus.intake else ():
        print(f"{number:>12,} {meaning}")
    if corpus.n_persons is not None:
        print(f"{corpus.n_persons:>12,} persons wrote them.")
    print(f"{corpus.n_words:>12,} words make the vocabulary.")
    print("\n".join(corpus.intake.kept_in_words() if corpus.intake else ()))
    return 0


def _show_head(head: Head) -> None:
    """Print the first cells of each column; of a ragged table, those that there are."""
    rows = head.shortened()[:_ROWS]
    for place, name in enumerate(head.names):
        cells = [row[place] for row in rows if place < len(row)]
        print(printable(f"{name}: {' | '.join(cells)}"))


COMMAND = Command("read", read, DOCUMENTS, reading(load, N_WORDS, PERSON))
