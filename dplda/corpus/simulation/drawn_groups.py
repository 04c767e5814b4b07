r"""Districts and months of simulated documents, with known differences between them.

A document's group is drawn from the topics of its words: of a document with shares :math:`z_i` of
its words from topic i, it is g with probability :math:`\sum_i z_i B_{ig}`, where row i of B is on
the simplex. The draws come from a generator of their own, so that the documents are the same with
and without groups.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix
from dplda.corpus.group_columns import GroupColumn, TrueGroups

DISTRICT = "district"  # name of a column
MONTH = "month"  # name of another
DISTRICT_SIZES = {"North": 0.5, "South": 0.34, "East": 0.15, "West": 0.01}
"""Share of the documents in each district, for topics that all have alike. The West is so small
that noise hides its topics."""
FAVORED = 3  # districts that favor topics, in turn; the West favors none
FAVOR = 2.0  # frequency of a favored topic over that of others
MONTHS = tuple(f"2025-{month:02}" for month in range(1, 13))
SWING = 0.5  # of a topic's frequency over the year, about 1


class GroupDraw:
    """Draws the groups of documents, chunk after chunk, and adds up their true topic shares.

    Args:
        columns: draw the label of each document, column by column.
    """

    def __init__(self, columns: "Sequence[ColumnDraw]") -> None:
        self._columns = tuple(columns)

    @classmethod
    def of_newspaper(cls, n_topics: int, *, rng: np.random.Generator) -> "GroupDraw":
        """Prepare to draw districts and months.

        Args:
            n_topics: k.
            rng: generator of the groups only.
        """
        district_rng, month_rng = rng.spawn(2)
        districts = ColumnDraw(
            DISTRICT, tuple(DISTRICT_SIZES), _districts(n_topics), rng=district_rng
        )
        return cls((districts, ColumnDraw(MONTH, MONTHS, _months(n_topics), rng=month_rng)))

    def add(self, topic_counts: NDArray[np.int64]) -> None:
        """Draw the groups of the next documents.

        Args:
            topic_counts: number of words of each document from each topic, (n, k).
        """
        n_words = topic_counts.sum(axis=1, keepdims=True)
        word_shares = topic_counts / np.maximum(n_words, 1)
        for column in self._columns:
            column.add(word_shares)

    def finish(self) -> tuple[TrueGroups, ...]:
        """Groups of all documents so far, with their true shares, column by column."""
        return tuple(column.finish() for column in self._columns)


class ColumnDraw:
    """Draws the label of each document in one column.

    Args:
        name: name of the column.
        labels: its groups.
        group_probabilities: B, (k, G), rows on the simplex.
        rng: generator of this column.
    """

    def __init__(
        self,
        name: str,
        labels: tuple[str, ...],
        group_probabilities: Matrix,
        *,
        rng: np.random.Generator,
    ) -> None:
        """Begin with no documents, and with totals of 0 for each group and topic."""
        self._name = name
        self._labels = labels
        self._probabilities = group_probabilities
        self._rng = rng
        self._codes: list[NDArray[np.int32]] = []
        self._totals = np.zeros(group_probabilities.T.shape)

    def add(self, word_shares: Matrix) -> None:
        """Draw the groups of the next documents, and add their topic shares to those of the groups.

        Args:
            word_shares: words or share of words of each topic, (n, k); a document without words
                is drawn as if it had all topics alike, and adds nothing to the shares.
        """
        n_documents, n_topics = word_shares.shape
        is_empty = ~word_shares.any(axis=1, keepdims=True)
        mixture = np.where(is_empty, 1 / n_topics, word_shares)
        group_weights = mixture @ self._probabilities
        cumulative_weights = np.cumsum(group_weights, axis=1)
        weight_sums = cumulative_weights[:, -1:]
        inner_bounds = cumulative_weights[:, :-1]
        thresholds = self._rng.random((n_documents, 1)) * weight_sums
        group_codes = np.sum(thresholds >= inner_bounds, axis=1).astype(np.int32)
        self._codes.append(group_codes)
        n_groups = len(self._labels)
        for topic, topic_shares in enumerate(word_shares.T):
            group_sums = np.bincount(group_codes, topic_shares, minlength=n_groups)
            self._totals[:, topic] += group_sums

    def finish(self) -> TrueGroups:
        """Column of all labels so far, with the true shares of its groups."""
        codes = np.concatenate([np.empty(0, np.int32), *self._codes])
        sizes = self._totals.sum(axis=1, keepdims=True)
        shares = self._totals / np.maximum(sizes, 1.0)
        column = GroupColumn(self._name, self._labels, codes)
        return TrueGroups(column, shares)


def _districts(n_topics: int) -> Matrix:
    """Probability of each district for a word of each topic, (k, G).

    It is proportional to the district's size. Each topic prefers one of the first ``FAVORED``
    districts, in turn, by the factor ``FAVOR``.
    """
    sizes = np.array(list(DISTRICT_SIZES.values()))
    preferences = np.ones((n_topics, len(sizes)))
    for topic in range(n_topics):
        favored_district = topic % FAVORED
        preferences[topic, favored_district] = FAVOR
    return _rows_on_simplex(preferences * sizes)


def _months(n_topics: int) -> Matrix:
    """Probability of each month for a word of each topic, (k, 12).

    Half a wave goes through the year, so that some topics grow and others shrink.
    """
    last_month = len(MONTHS) - 1
    times = np.arange(len(MONTHS)) / (2 * last_month)
    phases = np.arange(n_topics)[:, None] / n_topics
    waves = np.cos(2 * np.pi * (times - phases))
    return _rows_on_simplex(1 + SWING * waves)


def _rows_on_simplex(weights: Matrix) -> Matrix:
    """The weights divided by the sum of their row."""
    row_sums = weights.sum(axis=1, keepdims=True)
    return np.asarray(weights / row_sums)
