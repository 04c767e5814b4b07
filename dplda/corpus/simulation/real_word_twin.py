"""Twins with real words: documents of an invented newspaper over a word list, from public numbers.

A twin has the size of documents that must be protected, and nothing else of them. Its themes are
sections of the newspaper, as many as topics are asked for; where there are more topics than
sections, each section is dealt out to several themes. Some words of every document are common to
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
"""Share of all words that themes have in common. With .4 sections are found about as often as
themes of real messages are."""

MIN_THEME_WORDS = 12
"""Fewest words of a theme; with fewer, ten leading words could not be its own."""

MAX_TWIN_WORDS = 10_000
"""Longest word list of a twin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealWordTwin:
    """Public numbers of documents, of which a twin is drawn.

    Attributes:
        n_rows: documents or persons, N.
        n_words: words on the list, d; the newspaper's own come first.
        n_topics: themes, k, at most ``max_themes``.
        alpha0: mixing of themes in a document, α0.
        mean_length: words of a document, Poisson about this.
        documents_per_row: documents of a person, on average; 1 for rows that are documents.
        common_share: share of words that all themes have in common, in [0, 1).
        seed: of the draw.
    """

    n_rows: int
    n_words: int
    n_topics: int
    alpha0: float
    mean_length: float
    documents_per_row: float = 1.0
    common_share: float = COMMON_WORD_SHARE
    seed: int = 0

    def __post_init__(self) -> None:
        checks.integer_at_least("n_rows", self.n_rows, 3)
        checks.integer_between("n_words", self.n_words, 2, MAX_TWIN_WORDS)
        checks.integer_between("n_topics", self.n_topics, 2, min(max_themes(), self.n_words))
        checks.alpha0(self.alpha0)
        checks.positive("mean_length", self.mean_length)
        checks.at_least("documents_per_row", self.documents_per_row, 1)
        checks.integer_at_least("seed", self.seed, 0)

    @property
    def n_documents(self) -> int:
        """Rows, under the name that a simulation has for them."""
        return self.n_rows

    @property
    def n_tokens(self) -> int:
        """Words expected in all."""
        return round(self.n_rows * self.documents_per_row * self.mean_length)

    @property
    def themes(self) -> tuple[Section, ...]:
        """The themes, each with its own words by weight."""
        return split_into_themes(read_newspaper(NEWSPAPER), self.n_topics)

    def draw(self) -> Corpus:
        """Draw the twin; the same numbers draw the same one."""
        themes = self.themes
        vocabulary = self._vocabulary()
        topics = _topics(themes, read_newspaper(NEWSPAPER).common, vocabulary, self.common_share)
        alpha = draw_truth(
            n_words=self.n_words, n_topics=self.n_topics, alpha0=self.alpha0, seed=self.seed
        ).alpha
        truth = Truth(topics, alpha, tuple(theme.title for theme in themes))
        rng = np.random.default_rng(self.seed).spawn(3)[2]
        rows = self._draw_rows(rng)
        counts = draw_counts(truth, rng.poisson(self.mean_length, len(rows)), rng=rng)
        if self.documents_per_row > 1:
            counts = _sum_by_row(counts, rows, self.n_rows)
        return Corpus(counts, vocabulary, Label.SIMULATED, "A twin", VocabularySource.FIXED, truth)

    def _draw_rows(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """The row of every document, in order."""
        n_documents = np.ones(self.n_rows, dtype=np.int64)
        if self.documents_per_row > 1:
            n_documents += rng.poisson(self.documents_per_row - 1, self.n_rows)
        return np.repeat(np.arange(self.n_rows), n_documents)

    def _vocabulary(self) -> tuple[str, ...]:
        """The words in turn from all themes and the common ones, then others of the list."""
        common = read_newspaper(NEWSPAPER).common
        rows = zip_longest(*(section.words for section in (*self.themes, common)))
        own_words = (word for row in rows for word in row if word is not None)
        unused = (f"word{number:04}" for number in range(MAX_TWIN_WORDS))
        words = dict.fromkeys((*own_words, *english_words(), *unused))
        return tuple(words)[: self.n_words]


def max_themes() -> int:
    """Most themes that the newspaper has words for."""
    sections = read_newspaper(NEWSPAPER).sections
    return sum(len(section.words) // MIN_THEME_WORDS for section in sections)


def split_into_themes(newspaper: Newspaper, n_topics: int) -> tuple[Section, ...]:
    """As many themes as topics: sections, or parts of them where topics are more.

    Args:
        newspaper: whose sections.
        n_topics: number of themes, k.
    """
    sections = newspaper.sections
    n_parts = -(-n_topics // len(sections))
    themes = []
    for part in range(n_parts):
        for section in sections:
            words = dict(list(section.words.items())[part::n_parts])
            title = f"{section.title} ({part + 1})" if n_parts > 1 else section.title
            themes.append(Section(title, words))
    return tuple(themes[:n_topics])


def _topics(
    themes: tuple[Section, ...], common: Section, vocabulary: tuple[str, ...], common_share: float
) -> Matrix:
    """Word distribution of every theme, shape (k, d)."""
    common_words = _distribution(common, vocabulary)
    share = common_share if common_words.any() else 0.0
    rows = [
        (1 - share) * _distribution(theme, vocabulary) + share * common_words for theme in themes
    ]
    topics = np.array(rows)
    return np.asarray(topics / topics.sum(axis=1, keepdims=True))


def _distribution(section: Section, vocabulary: tuple[str, ...]) -> NDArray[np.float64]:
    """Weights of a section's words that sum to 1, shape (d,); zeros if it has none of them."""
    weights = np.array([section.words.get(word, 0.0) for word in vocabulary])
    total = weights.sum()
    return weights / total if total else weights


def _sum_by_row(counts: Counts, rows: NDArray[np.int64], n_rows: int) -> Counts:
    """Counts of rows from those of their documents, shape (N, d)."""
    ones = np.ones(len(rows), dtype=np.int64)
    members = csr_array((ones, (rows, np.arange(len(rows)))), shape=(n_rows, len(rows)))
    return csr_array(members @ counts)
