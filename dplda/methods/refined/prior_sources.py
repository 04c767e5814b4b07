"""Where tables of public knowledge come from: a public corpus, seed words, a file, or the one that is shipped."""

import csv
import hashlib
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeAlias

import numpy as np

from dplda.core import assets, checks
from dplda.core.errors import InputError
from dplda.core.safe_open import file_name, text_of
from dplda.core.types import Matrix
from dplda.corpus.corpus import Corpus, Label
from dplda.corpus.words.vocabulary import english_words
from dplda.evaluation.perplexity import completion_perplexity
from dplda.methods.refined.constants import (
    LOG_RATIO_STEP,
    MAX_PRIOR_RATIO,
    N_PRIOR_PASSES,
    N_PRIOR_STARTS,
    PRIOR_PSEUDOCOUNT,
    SEED_RATIO,
)
from dplda.methods.refined.noiseless import fit_noiseless
from dplda.methods.refined.prior import TopicPrior, describe_assumption
from dplda.spectral.topics import Topics

ENGLISH_TABLES = assets.folder() / "priors" / "english.npz"
ENGLISH_TOPICS = (*range(2, 21), 30, 40, 50)
ENGLISH_SOURCE = "first paragraphs of 25,831 articles of the English Wikipedia, 2015"
SEEDS_SOURCE, FILE_SOURCE = "words typed by the owner", "a file that belongs to the owner"


class PriorKind(StrEnum):
    """What an owner gives in the place of a table."""

    ENGLISH = "English"
    SEEDS = "Seed words"
    FILE = "A table"


SOURCES = {
    PriorKind.ENGLISH: ENGLISH_SOURCE,
    PriorKind.SEEDS: SEEDS_SOURCE,
    PriorKind.FILE: FILE_SOURCE,
}


@dataclass(frozen=True, slots=True)
class PriorSource:
    """Public knowledge as its owner gives it: any number of topics may be asked for later.

    Attributes:
        content: seed words, one line a topic (``space: orbit, nasa``), or a CSV table; empty for English.
        name: as a guarantee calls it; empty for that of its kind.
    """

    kind: PriorKind = PriorKind.ENGLISH
    content: str = ""
    name: str = ""

    @property
    def title(self) -> str:
        """As a guarantee calls it."""
        return self.name or ("seed words" if self.kind is PriorKind.SEEDS else str(self.kind))

    @property
    def digest(self) -> str:
        """SHA-256 of the content, hexadecimal: for a file in UTF-8, that of the file."""
        content = (
            ENGLISH_TABLES.read_bytes() if self.kind is PriorKind.ENGLISH else self.content.encode()
        )
        return hashlib.sha256(content).hexdigest()

    @property
    def assumption(self) -> str:
        """What a guarantee rests on with this table, whatever the number of topics."""
        return describe_assumption(self.title, self.digest, SOURCES[self.kind])

    @lru_cache(maxsize=8)  # noqa: B019 - equal tables are one
    def load_prior(self, n_topics: int) -> TopicPrior:
        """The table for k topics."""
        if self.kind is PriorKind.ENGLISH:
            return load_english_prior(n_topics)
        if not self.content.strip() and self.kind is PriorKind.FILE and self.name:
            fix = "Choose a CSV file with a column called word."
            raise InputError(self.name, "a table of words", "an empty file", fix)
        if not self.content.strip():
            raise InputError(
                "public knowledge",
                "typed or chosen",
                "none yet",
                "Type seed words, or choose a table.",
            )
        if "\ufffd" in self.content:
            raise InputError(
                self.title,
                "a CSV file in UTF-8",
                "another kind of file, or another encoding",
                "Save the table as CSV, in UTF-8.",
            )
        read = prior_from_csv if self.kind is PriorKind.FILE else _of_lines
        return replace(read(self.content, n_topics), name=self.title, file_sha256=self.digest)


def _of_lines(content: str, n_topics: int) -> TopicPrior:
    """From seed words by theme, in lines such as ``space: orbit, nasa``."""
    found: dict[str, list[str]] = {}
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        theme, colon, words = line.partition(":")
        own = words.lower().replace(",", " ").split()
        if not colon or not own:
            raise InputError(
                f"line {number} of the seed words", "like “space: orbit, nasa”", "another line"
            )
        found.setdefault(theme.strip(), []).extend(own)
    return prior_from_seed_words(found, n_topics)


def source_from_file(path: str | Path) -> PriorSource:
    """A CSV table, or lines of seed words where the name does not end in ``.csv``; ``english`` is the shipped one."""
    if path == "english":
        return PriorSource()
    kind = PriorKind.FILE if str(path).lower().endswith(".csv") else PriorKind.SEEDS
    return PriorSource(kind, text_of(path), file_name(path))


PriorLike: TypeAlias = TopicPrior | Corpus | Mapping[str, Sequence[str]] | Path | str
"""A table as it is, a public corpus, seed words by theme, a file of a table or of seed words, or ``"english"``."""


def make_prior(source: PriorLike, n_topics: int, words: tuple[str, ...]) -> TopicPrior:
    """The table of some public knowledge for k topics of documents over these words, of which it has some."""
    if isinstance(source, TopicPrior):
        checks.integer_between("n_topics", n_topics, len(source.ratios), len(source.ratios))
        found = source
    elif isinstance(source, Corpus):
        found = prior_from_corpus(source, n_topics, words)
    elif isinstance(source, Mapping):
        found = prior_from_seed_words(source, n_topics)
    elif isinstance(source, Path) or (isinstance(source, str) and source == "english"):
        found = source_from_file(source).load_prior(n_topics)
    else:
        raise InputError(
            "prior",
            "“english”, a public corpus, seed words by theme, a Path or a table",
            "another value",
        )
    return require_known_words(found, words)


def require_known_words(table: TopicPrior, words: Sequence[str]) -> TopicPrior:
    """The table, refused where it knows none of these words."""
    if set(table.words).isdisjoint(words):
        raise InputError(
            "public knowledge", "about words on the word list, written as they are there", "others"
        )
    return table


@lru_cache(maxsize=4)
def prior_from_corpus(
    corpus: Corpus, n_topics: int, words: tuple[str, ...], starts: int = N_PRIOR_STARTS
) -> TopicPrior:
    r"""From a public corpus, by un-noised topics: :math:`(E_{iw} + κ)/(n_i u_w + κ)` with expected counts E.

    Args:
        words: of the protected documents. Topics are fitted to the public ones' use of them: tables are some 4 % better
            than with all words.
        starts: fits, of which the one counts that predicts half of each public document best.

    Raises:
        InputError: the corpus is not public, or shares fewer words than there are topics.
    """
    if corpus.label is Label.SENSITIVE:
        raise InputError("prior", "a public corpus", "one marked sensitive")
    wanted = set(words)
    shared = [column for column, word in enumerate(corpus.vocabulary) if word in wanted]
    if len(shared) < n_topics:
        raise InputError(
            "prior",
            f"a corpus that shares at least {n_topics} words",
            f"{len(shared)} shared words",
        )
    names = tuple(corpus.vocabulary[column] for column in shared)
    here = Corpus.from_counts(
        corpus.counts[:, shared], vocabulary=names, label=Label.PUBLIC, name=corpus.name
    )
    counts = np.asarray(here.counts.sum(axis=0), dtype=float).ravel()
    total = float(np.sum(counts))
    alike = Topics.without_spectrum(
        np.tile(counts / total, (n_topics, 1)), np.ones(n_topics), counts / total
    )

    def missed(one: Topics) -> float:
        return completion_perplexity(
            one.words, one.alpha, test=here.counts, mean_words=one.mean_words, seed=0
        )

    fit = partial(
        fit_noiseless, here, replace(alike, resolved=0), alpha0=1.0, n_passes=N_PRIOR_PASSES
    )
    found = min((fit(seed=seed) for seed in range(starts)), key=missed)
    sizes = total * found.alpha[:, None] / np.sum(found.alpha)
    ratios = (sizes * found.words + PRIOR_PSEUDOCOUNT) / (
        sizes * counts / total + PRIOR_PSEUDOCOUNT
    )
    return TopicPrior(
        corpus.name, f"{corpus.name}, {corpus.n_documents:,} documents", names, ratios
    )


def prior_from_seed_words(themes: Mapping[str, Sequence[str]], n_topics: int) -> TopicPrior:
    """From words of each theme; topics beyond the themes have no words of their own."""
    checks.integer_at_least("n_topics", n_topics, 2)
    if n_topics < len(themes):
        raise InputError(
            "the number of topics", f"at least {len(themes)}, one for each theme", str(n_topics)
        )
    lists = [
        own for own in themes.values() if isinstance(own, Collection) and not isinstance(own, str)
    ]
    if len(lists) < len(themes) or not all(isinstance(word, str) for own in lists for word in own):
        raise InputError("prior", "a list of words for each theme", "another value")
    words = tuple(sorted({word for own in themes.values() for word in own}))
    if not words:
        raise InputError("prior", "at least one seed word", "none")
    ratios = np.full((n_topics, len(words)), 1 / SEED_RATIO)
    for row, own in zip(ratios, themes.values(), strict=False):
        row[[words.index(word) for word in own]] = SEED_RATIO
    return TopicPrior("seed words", SEEDS_SOURCE, words, ratios)


def prior_from_csv(content: str, n_topics: int, *, name: str = "table") -> TopicPrior:
    """From a CSV table whose first row names its columns: one called ``word``, and one of ratios for each topic.

    Raises:
        InputError: no such row, another number of topics, a word twice, or a ratio that is no number within limits.
    """
    lines, rows = csv.reader(io.StringIO(content, newline=None)), dict[str, list[float]]()
    try:
        header = next(lines, [])
        for word, *cells in filter(None, lines):
            given = [float(cell) for cell, _ in zip(cells, range(n_topics), strict=True)]
            if (
                not word.strip()
                or word.strip() in rows
                or not all(1 / MAX_PRIOR_RATIO <= one <= MAX_PRIOR_RATIO for one in given)
            ):
                raise ValueError
            rows[word.strip()] = given
    except (ValueError, csv.Error):
        said = f"a new word and {n_topics} ratios from {1 / MAX_PRIOR_RATIO:g} to {MAX_PRIOR_RATIO:g}, such as rain,2.5,0.8"
        raise InputError(f"line {lines.line_num} of the table", said, "another line") from None
    if "".join(header[:1]).strip().lower() != "word":
        raise InputError(
            "the table's first row", "names of columns, “word” before all others", "another row"
        )
    return TopicPrior(name, FILE_SOURCE, tuple(rows), np.array(list(rows.values())).T)


def load_english_prior(n_topics: int) -> TopicPrior:
    """The table that is shipped: topics of Wikipedia's first paragraphs over the public list of English words.

    Raises:
        InputError: no table has so many topics; the error names the nearest.
    """
    if n_topics not in ENGLISH_TOPICS:
        nearest = min(ENGLISH_TOPICS, key=lambda k: abs(k - n_topics))
        known = "2 to 20, 30, 40 or 50 with the English table"
        raise InputError("the number of topics", known, str(n_topics), f"Ask for {nearest}.")
    with np.load(ENGLISH_TABLES) as tables:
        ratios: Matrix = np.exp(tables[f"k{n_topics}"].astype(float) * LOG_RATIO_STEP)
    return TopicPrior("English", ENGLISH_SOURCE, english_words(), ratios, PriorSource().digest)
