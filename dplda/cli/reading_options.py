"""``dplda read``, and the options that say how to read files, which every command shares."""

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click
from click import Option

from dplda.cli.options import DOCUMENTS, Command, OptionGroup, flatten
from dplda.core.safe_open import printable, text_of
from dplda.corpus import Corpus, Intake, Label, Limits, Tokenisation, load
from dplda.corpus.read_summary import remark_line
from dplda.corpus.readers.formats import preview
from dplda.corpus.readers.heading_rows import N_ROWS_LOOKED_AT
from dplda.corpus.readers.table import Head
from dplda.corpus.words.vocabulary import english_words
from dplda.corpus.words.word_lists import WordList, entries_of

ENGLISH = "english"
_ROWS = 3


def reading(load: Callable[..., object], *more: Option) -> OptionGroup:
    """Options that say how to read files, as one value: ``load`` without documents and label.

    The options are this module's fixed list, then further ones.

    Args:
        load: reads documents, with arguments of the options' names.
        more: further options, named as arguments of ``load``.
    """
    return OptionGroup("reading", partial(partial, load), (*_HOW, *more))


def _word_list(path: str) -> Sequence[str]:
    """The words of a file, one a line, or the built-in list for ``english``."""
    if path == ENGLISH:
        return english_words()
    return entries_of(text_of(path))


def _stop_words(path: str) -> str | tuple[str, ...]:
    """The words to leave out: those of a file, none for ``none``, or the name ``english``.

    Words of a file stand one a line. The list also keeps how an earlier version read it: at every
    blank.

    Raises:
        ReadError: the file cannot be read.
    """
    if path == ENGLISH:
        return ENGLISH
    if path == "none":
        return ()
    text = text_of(path)
    return WordList(entries_of(text), former=text.split())


def _megabytes(text: str) -> int:
    """Bytes of a whole number of megabytes."""
    try:
        return int(text) * 1_000_000
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a whole number.") from None


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
    Option(["--words", "vocabulary"], type=_word_list, metavar="FILE", help=_LIST_HELP),
    Option(["--encoding"], help="encoding of text that is not UTF-8, for example cp1252"),
    Option(["--counted-words", "words"], help="the words of a file of counts, one a line"),
    OptionGroup("limits", Limits, _LIMITS),
    OptionGroup("tokenisation", Tokenisation, _WORDS),
)
N_WORDS = Option(["--n-words"], default=1000, help="number of words to take from the documents")
READING = [str(option.name) for option in (*flatten(_HOW), N_WORDS)]
PERSON = Option(["--person"], help="column, key or mail header that names each document's author")


def say_remarks(intake: Intake | None) -> None:
    """Say on standard error what was read in another way than usual, or could not be read."""
    for line in intake.remark_lines() if intake else ():
        print(printable(f"dplda: {line}"), file=sys.stderr, flush=True)


def read(documents: Path, reading: partial[Corpus]) -> int:
    """Read documents and print, for their owner's eyes, what was kept, changed and why.

    The head of a table is printed first; a folder has none. If neither ``--text`` nor the head says
    which of several columns holds the documents, prints remarks on the table and the question, and
    stops there.

    Returns:
        0.

    Raises:
        DpldaError: the documents cannot be read, or an option does not apply.
    """
    options = reading.keywords
    if not os.path.isdir(documents):
        table_head = preview(documents, encoding=options["encoding"], n_rows=N_ROWS_LOOKED_AT)
        if table_head is not None:
            _show_head(table_head)
            if options["text"] is None and _needs_column(table_head):
                for remark in table_head.remarks:
                    print(remark_line(remark))
                print("Which column holds the documents? Add --text NAME.")
                return 0
    _show_corpus(reading(documents, label=Label.SENSITIVE, former=False))
    return 0


def _needs_column(head: Head) -> bool:
    """Whether nothing says which column holds documents; irregular tables are refused later."""
    return len(head.names) > 1 and "text" not in head.names and head.is_regular


def _show_corpus(corpus: Corpus) -> None:
    """Print counts of what was kept and left out, and the numbers of persons and words.

    Sentences on the share of words that are kept, and warnings, come last. A corpus without an
    intake has neither these nor counts of what was kept.
    """
    intake = corpus.intake
    for number, meaning in intake.lines() if intake else ():
        print(f"{number:>12,} {meaning}")
    if corpus.n_persons is not None:
        print(f"{corpus.n_persons:>12,} persons wrote them.")
    print(f"{corpus.n_words:>12,} words make the vocabulary.")
    print("\n".join(intake.kept_in_words() if intake else ()))


def _show_head(head: Head) -> None:
    """Print the first cells of each column; of a ragged table, those that there are."""
    first_rows = head.shortened()[:_ROWS]
    for column, name in enumerate(head.names):
        cells = [row[column] for row in first_rows if column < len(row)]
        print(printable(f"{name}: {' | '.join(cells)}"))


COMMAND = Command("read", read, DOCUMENTS, reading(load, N_WORDS, PERSON))
