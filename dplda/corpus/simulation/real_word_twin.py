"""Twins with real words: documents of an invented newspaper over a word list, from public numbers.

A twin has the size of documents that must be protected, and nothing else of them. Its themes are
sections of the newspaper, as many as topics are asked for; where there are more topics than
sections, each section is divided among several themes. Some words of every document are common to
all themes, as in letters that people write.
"""

from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.core import checks
from dplda.core.types import Counts, Matrix
from dplda.corpus.corpus import Corpus, Label, Truth, VocabularySource
from dplda.corpus.simulation.newspaper import Newspaper, Section, read_newspaper
from dplda.corpus.simulation.simulate import draw_counts, draw_truth
from dplda.corpus.words.vocabulary import english_words

NEWSPAPER = "english"
COMMON_WORD_SHARE = 0.4
"""Share of all words that themes have in common. With .4, sections are found about as often as
themes of real messages."""

MIN_THEME_WORDS = 12
"""Fewest words of a theme; with fewer, ten leading words could not be its own."""

MAX_TWIN_WORDS = 10_000
"""Longest word list of a twin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealWordTwin:
    """Public numbers of documents, from which a twin is drawn.

    Attributes:
        n_rows: number of documents or persons, N.
        n_words: number of words on the list, d; the newspaper's own come first.
        n_topics: number of themes, k, at most ``max_themes``.
        alpha0: mixing of themes in a document, α0.
        mean_length: mean number of words of a document, which is Poisson.
        documents_per_row: mean number of a person's documents; 1 for rows that are documents.
        is_geometric: whether the number of a person's documents has a geometric distribution: of
            all with its mean the one of largest entropy. Many people then write once and a few
            often. Else it is 1 and a Poisson number.
        common_share: share of words that all themes have in common, in [0, 1).
        seed: seed of the draw.

    Raises:
        InputError: a number is out of its range.
    """

    n_rows: int
    n_words: int
    n_topics: int
    alpha0: float
    mean_length: float
    documents_per_row: float = 1.0
    is_geometric: bool = True
    common_share: float = COMMON_WORD_SHARE
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse a number out of its range; ``common_share`` alone is not checked.

        There may be no more themes than words.
        """
        checks.integer_at_least("n_rows", self.n_rows, 3)
        checks.integer_between("n_words", self.n_words, 2, MAX_TWIN_WORDS)
        checks.integer_between("n_topics", self.n_topics, 2, min(max_themes(), self.n_words))
        checks.alpha0(self.alpha0)
        checks.positive("mean_length", self.mean_length)
        checks.at_least("documents_per_row", self.documents_per_row, 1)
        checks.integer_at_least("seed", self.seed, 0)

    @property
    def n_documents(self) -> int:
        """Number of rows, under the name that a simulation has for it."""
        return self.n_rows

    @property
    def n_tokens(self) -> int:
        """Expected number of words in all documents."""
        return round(self.n_rows * self.documents_per_row * self.mean_length)

    @property
    def themes(self) -> tuple[Section, ...]:
        """Themes with their own words by weight."""
        return split_into_themes(read_newspaper(NEWSPAPER), self.n_topics)

    def draw(self) -> Corpus:
        """Draw the twin, with its themes as the truth; the same numbers draw the same twin.

        With several documents in a row, the documents of each row are added up.
        """
        themes = self.themes
        common = read_newspaper(NEWSPAPER).common
        vocabulary = self._vocabulary()
        topics = _topics(themes, common, vocabulary, self.common_share)
        drawn_truth = draw_truth(
            n_words=self.n_words, n_topics=self.n_topics, alpha0=self.alpha0, seed=self.seed
        )
        titles = tuple(theme.title for theme in themes)
        truth = Truth(topics, drawn_truth.alpha, titles)
        _, _, rng = np.random.default_rng(self.seed).spawn(3)
        row_of_document = self._draw_rows(rng)
        n_documents = len(row_of_document)
        lengths = rng.poisson(self.mean_length, n_documents)
        counts = draw_counts(truth, lengths, rng=rng)
        if self.documents_per_row > 1:
            counts = _sum_by_row(counts, row_of_document, self.n_rows)
        return Corpus(counts, vocabulary, Label.SIMULATED, "A twin", VocabularySource.FIXED, truth)

    def _draw_rows(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw the number of documents of each row; returns the row of every document, in order."""
        documents_of_row = np.ones(self.n_rows, dtype=np.int64)
        if self.documents_per_row > 1 and self.is_geometric:
            documents_of_row = rng.geometric(1 / self.documents_per_row, self.n_rows)
        elif self.documents_per_row > 1:
            documents_of_row += rng.poisson(self.documents_per_row - 1, self.n_rows)
        return np.repeat(np.arange(self.n_rows), documents_of_row)

    def _vocabulary(self) -> tuple[str, ...]:
        """Words of themes and common ones in turn, then English ones, then numbered ones.

        The first ``n_words`` of them, each once.
        """
        common = read_newspaper(NEWSPAPER).common
        sections = (*self.themes, common)
        rounds = zip_longest(*[section.words for section in sections])
        section_words = [word for words in rounds for word in words if word is not None]
        numbered_words = [f"word{number:04}" for number in range(MAX_TWIN_WORDS)]
        candidates = (*section_words, *english_words(), *numbered_words)
        distinct_words = tuple(dict.fromkeys(candidates))
        return distinct_words[: self.n_words]


def max_themes() -> int:
    """Largest number of themes that the newspaper has words for."""
    sections = read_newspaper(NEWSPAPER).sections
    return sum(len(section.words) // MIN_THEME_WORDS for section in sections)


def split_into_themes(newspaper: Newspaper, n_topics: int) -> tuple[Section, ...]:
    """Make as many themes as topics: sections, or numbered parts of them if there are more topics.

    Part i of n holds every n-th word of its section from the i-th on. The first parts of all
    sections come before the second ones.

    Args:
        newspaper: its sections are used, in order.
        n_topics: number of themes, k.
    """
    sections = newspaper.sections
    n_parts = -(-n_topics // len(sections))
    themes = []
    for part_index in range(n_parts):
        for section in sections:
            weighted_words = list(section.words.items())
            words_of_part = dict(weighted_words[part_index::n_parts])
            title = section.title
            if n_parts > 1:
                title = f"{section.title} ({part_index + 1})"
            themes.append(Section(title, words_of_part))
    return tuple(themes[:n_topics])


def _topics(
    themes: tuple[Section, ...], common: Section, vocabulary: tuple[str, ...], common_share: float
) -> Matrix:
    """Word distribution of every theme, shape (k, d).

    Without common words it is the theme's alone.
    """
    common_distribution = _distribution(common, vocabulary)
    used_common_share = 0.0
    if common_distribution.any():
        used_common_share = common_share
    common_part = used_common_share * common_distribution
    rows = []
    for theme in themes:
        own_part = (1 - used_common_share) * _distribution(theme, vocabulary)
        rows.append(own_part + common_part)
    topics = np.array(rows)
    row_sums = topics.sum(axis=1, keepdims=True)
    return np.asarray(topics / row_sums)


def _distribution(section: Section, vocabulary: tuple[str, ...]) -> NDArray[np.float64]:
    """Weights of a section's words that sum to 1, shape (d,); zeros if it has none of them."""
    weights: NDArray[np.float64] = np.array(section.weights(vocabulary))
    total = weights.sum()
    if not total:
        return weights
    return np.asarray(weights / total)


def _sum_by_row(counts: Counts, rows: NDArray[np.int64], n_rows: int) -> Counts:
    """Add up the counts of documents of the same row, shape (N, d)."""
    n_documents = len(rows)
    ones = np.ones(n_documents, dtype=np.int64)
    row_and_document = (rows, np.arange(n_documents))
    membership = csr_array((ones, row_and_document), shape=(n_rows, n_documents))
    return csr_array(membership @ counts)
