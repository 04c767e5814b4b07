"""Tables of public knowledge as owners give them: seed words, a CSV file, or the shipped table."""

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.safe_open import file_name, text_of
from dplda.core.types import Matrix
from dplda.corpus.words.vocabulary import english_words
from dplda.methods.base.prior_source import (
    ENGLISH_SOURCE,
    ENGLISH_TABLES,
    FILE_SOURCE,
    SEEDS_SOURCE,
    PriorKind,
    PriorSource,
)
from dplda.methods.refined.plan.constants import LOG_RATIO_STEP, MAX_PRIOR_RATIO, SEED_RATIO
from dplda.methods.refined.prior.topic_prior import TopicPrior

ENGLISH_TOPICS = (*range(2, 21), 30, 40, 50)


@lru_cache(maxsize=8)
def prior_from_source(source: PriorSource, n_topics: int) -> TopicPrior:
    """Read the table for k topics of what an owner gives.

    Raises:
        InputError: the content is empty, in another encoding or form, or for another k.
    """
    if source.kind is PriorKind.ENGLISH:
        return load_english_prior(n_topics)
    _check_content(source)
    parse_content = prior_from_csv if source.kind is PriorKind.FILE else _prior_from_lines
    prior = parse_content(source.content, n_topics)
    return replace(prior, name=source.title, file_sha256=source.digest)


def _check_content(source: PriorSource) -> None:
    """Refuse content that is blank, or was not UTF-8: it has a replacement character."""
    is_empty = not source.content.strip()
    if is_empty and source.kind is PriorKind.FILE and source.name:
        raise InputError(
            source.name,
            "a table of words",
            "an empty file",
            "Choose a CSV file with a column called word.",
        )
    if is_empty:
        raise InputError(
            "public knowledge",
            "typed or chosen",
            "none yet",
            "Type seed words, or choose a table.",
        )
    if "\ufffd" in source.content:
        raise InputError(
            source.title,
            "a CSV file in UTF-8",
            "another kind of file, or another encoding",
            "Save the table as CSV, in UTF-8.",
        )


def source_from_file(path: str | Path) -> PriorSource:
    """The source that a path names.

    A file whose name ends in ``.csv`` is a table, another one has lines of seed words; ``english``
    is the shipped table.
    """
    if path == "english":
        return PriorSource()
    kind = PriorKind.FILE if str(path).lower().endswith(".csv") else PriorKind.SEEDS
    return PriorSource(kind, text_of(path), file_name(path))


def prior_from_seed_words(themes: Mapping[str, Sequence[str]], n_topics: int) -> TopicPrior:
    """Make a table from words by theme; topics beyond the themes have no words of their own.

    A theme has its own words ``SEED_RATIO`` times as often as all topics together. Every topic has
    the words of other themes, as one beyond the themes has all of them, ``1/SEED_RATIO`` times as
    often. A word of several themes is each one's own.

    Raises:
        InputError: there are fewer than 2 topics, more themes than topics, no words, or no lists of
            words.
    """
    checks.integer_at_least("n_topics", n_topics, 2)
    if n_topics < len(themes):
        raise InputError(
            "the number of topics", f"at least {len(themes)}, one for each theme", str(n_topics)
        )
    if not all(_is_word_list(theme_words) for theme_words in themes.values()):
        raise InputError("prior", "a list of words for each theme", "another value")
    words = tuple(sorted({word for theme_words in themes.values() for word in theme_words}))
    if not words:
        raise InputError("prior", "at least one seed word", "none")
    ratios = np.full((n_topics, len(words)), 1 / SEED_RATIO)
    for topic_ratios, theme_words in zip(ratios, themes.values(), strict=False):
        topic_ratios[[words.index(word) for word in theme_words]] = SEED_RATIO
    return TopicPrior("seed words", SEEDS_SOURCE, words, ratios)


def _is_word_list(value: object) -> bool:
    """Whether a value is a list of texts, and not one text."""
    if isinstance(value, str) or not isinstance(value, Collection):
        return False
    return all(isinstance(word, str) for word in value)


def _prior_from_lines(content: str, n_topics: int) -> TopicPrior:
    """Make a table from seed words by theme, in lines such as ``space: orbit, nasa``.

    Commas or spaces separate words, which become lower case; themes keep their case. Empty lines
    are passed over, and lines of one theme are put together.

    Raises:
        InputError: a line has no colon, or no word after its first colon, or
            ``prior_from_seed_words`` refuses the words.
    """
    themes: dict[str, list[str]] = {}
    for line_number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        theme, colon, word_list = line.partition(":")
        theme_words = word_list.lower().replace(",", " ").split()
        if not colon or not theme_words:
            raise InputError(
                f"line {line_number} of the seed words",
                "like “space: orbit, nasa”",
                "another line",
            )
        themes.setdefault(theme.strip(), []).extend(theme_words)
    return prior_from_seed_words(themes, n_topics)


def prior_from_csv(content: str, n_topics: int, *, name: str = "table") -> TopicPrior:
    """Read a table from CSV with a column called ``word`` and one of ratios for each topic.

    Empty rows are passed over. Words keep their case and the order of the rows.

    Args:
        content: of the file.
        name: of the table.

    Raises:
        InputError: a row is not a word and k ratios, a word is there twice, a ratio is no number
            within limits, the first row does not begin with ``word``, or there are no words. Of
            a wrong row it names the line.
    """
    reader = csv.reader(io.StringIO(content, newline=None))
    ratios_of_word: dict[str, list[float]] = {}
    try:
        header = next(reader, [])
        for word, *cells in filter(None, reader):
            ratios = [float(cell) for cell, _ in zip(cells, range(n_topics), strict=True)]
            is_new_word = bool(word.strip()) and word.strip() not in ratios_of_word
            if not is_new_word or not all(map(_is_within_limits, ratios)):
                raise ValueError
            ratios_of_word[word.strip()] = ratios
    except (ValueError, csv.Error):
        expected_line = (
            f"a new word and {n_topics} ratios from {1 / MAX_PRIOR_RATIO:g} to"
            f" {MAX_PRIOR_RATIO:g}, such as rain,2.5,0.8"
        )
        wrong_line = f"line {reader.line_num} of the table"
        raise InputError(wrong_line, expected_line, "another line") from None
    if "".join(header[:1]).strip().lower() != "word":
        raise InputError(
            "the table's first row", "names of columns, “word” before all others", "another row"
        )
    all_ratios = np.array(list(ratios_of_word.values())).T
    return TopicPrior(name, FILE_SOURCE, tuple(ratios_of_word), all_ratios)


def _is_within_limits(ratio: float) -> bool:
    return 1 / MAX_PRIOR_RATIO <= ratio <= MAX_PRIOR_RATIO


def prior_to_csv(prior: TopicPrior) -> str:
    """A table as CSV that ``prior_from_csv`` reads, to the last bit."""
    csv_buffer = io.StringIO()
    writer = csv.writer(csv_buffer, lineterminator="\n")
    writer.writerow(["word", *range(1, len(prior.ratios) + 1)])
    for word, ratios in zip(prior.words, prior.ratios.T.tolist(), strict=True):
        writer.writerow([word, *map(repr, ratios)])
    return csv_buffer.getvalue()


def load_english_prior(n_topics: int) -> TopicPrior:
    """Load the shipped table: topics of Wikipedia's leads over the public list of English words.

    Raises:
        InputError: no table has so many topics; the error names the nearest.
    """
    if n_topics not in ENGLISH_TOPICS:
        nearest_n_topics = min(ENGLISH_TOPICS, key=lambda k: abs(k - n_topics))
        sizes_phrase = "2 to 20, 30, 40 or 50 with the English table"
        raise InputError(
            "the number of topics", sizes_phrase, str(n_topics), f"Ask for {nearest_n_topics}."
        )
    with np.load(ENGLISH_TABLES) as tables:
        ratios: Matrix = np.exp(tables[f"k{n_topics}"].astype(float) * LOG_RATIO_STEP)
    return TopicPrior("English", ENGLISH_SOURCE, english_words(), ratios, PriorSource().digest)
