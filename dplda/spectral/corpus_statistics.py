"""A corpus as a source of statistics: sums over its documents, cached for several fits."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from dplda.core.types import Matrix, Rows, Tensor3, Vector
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.documents import (
    LARGEST_PAIR_NORM,
    Lengths,
    count_norms,
    lengths,
    pair_norms,
    triple_norm_bounds,
)
from dplda.spectral.eigenpairs import DENSE_OPERATOR, leading_eigenpairs
from dplda.spectral.moments import word_sum
from dplda.spectral.statistics import Averages, ExactMoments, PairMoment, averages, triple_average

KEPT = 4  # cached averages


class StatisticsCache:
    """Un-noised averages by clip level, the last few cached: they do not depend on ε or noise."""

    def __init__(self, counts: Rows) -> None:
        self.counts = counts
        self.length: Lengths = lengths(counts)
        self._moments: tuple[tuple[Coefficients, bool], ExactMoments] | None = None
        self._averages: OrderedDict[float, Averages] = OrderedDict()

    @cached_property
    def pair_norms(self) -> Vector:
        """``‖f2‖_θ`` of every document, shape (N,)."""
        return pair_norms(self.counts, self.length)

    def moments(self, coefficients: Coefficients, *, keep_short: bool) -> ExactMoments:
        """Exact moments; the last ones are cached."""
        key, held = (coefficients, keep_short), self._moments
        if held is None or held[0] != key:
            held = (
                key,
                ExactMoments(self.counts, coefficients, keep_short=keep_short, length=self.length),
            )
            self._moments = held
        return held[1]

    def are_of(self, counts: Rows) -> bool:
        """Whether these sums are over exactly these documents."""
        own = self.counts
        if not (isinstance(own, csr_array) and isinstance(counts, csr_array)):
            return own == counts
        return own is counts or (
            own.shape == counts.shape
            and np.array_equal(own.indptr, counts.indptr)
            and np.array_equal(own.indices, counts.indices)
            and np.array_equal(own.data, counts.data)
        )

    def weights(self, clip: float) -> Vector:
        """Weights in [0, 1] that scale every document's ``‖f2‖_θ`` down to a clip level, shape (N,)."""
        return self.length.usable * at_most(clip, self.pair_norms)

    def averages(self, clip: float, tick: Callable[[float], None] | None = None) -> Averages:
        """Averages with every document clipped to a level."""
        if clip not in self._averages:
            self._averages[clip] = replace(
                averages(self.counts, self.length, self.weights(clip), tick), clip=clip
            )
        self._averages.move_to_end(clip)
        while len(self._averages) > KEPT:
            self._averages.popitem(last=False)
        return self._averages[clip]


class CorpusStatistics:
    """The documents as a route sees them; everything read here must pass a mechanism."""

    def __init__(
        self,
        sums: StatisticsCache,
        coefficients: Coefficients,
        *,
        keep_short: bool,
        tick: Callable[[float], None] | None = None,
    ) -> None:
        self._sums, self._tick = sums, tick
        self._moments = sums.moments(coefficients, keep_short=keep_short)
        self._as_matrix = keep_short
        self._triples: tuple[Matrix, Vector] | None = None

    def pair_norms(self) -> Vector:
        """``‖f2‖_θ`` of every document, shape (N,)."""
        return self._sums.pair_norms

    def averages(self, clip: float) -> Averages:
        """Plain averages of words and pairs under a clip level."""
        return self._sums.averages(clip, self._tick)

    def word_counts(self, bound: float) -> Vector:
        """The sum of all documents' word counts, each document scaled down to a Euclidean norm."""
        counts = self._sums.counts
        return word_sum(counts, at_most(bound, count_norms(counts)))

    def pair_moment(self) -> PairMoment:
        """The U-statistic ``M2``; under a plan as a matrix, for noise and the direct solver."""
        return PairMoment(
            self._moments.pair_matrix if self._as_matrix else self._moments.pair_moment()
        )

    def leading_eigenvalues(self, count: int) -> Vector:
        """The largest eigenvalues of the U-statistic ``M2``, shape (count,), largest first."""
        return leading_eigenpairs(self._moments.pair_matrix, count, direct=True)[0]

    def largest_frequencies(self) -> tuple[float, float]:
        """The largest entries of ``E1`` and of ``E2``, averages over all N documents."""
        length, n = self._sums.length, self._sums.counts.shape[0]
        words = word_sum(self._sums.counts, length.per_word) / n
        return float(np.max(words)), float(
            np.max(self._sums.averages(LARGEST_PAIR_NORM, self._tick).pairs)
        )

    def third_moment(self, whitener: Matrix) -> Tensor3:
        """The U-statistic ``M3(W, W, W)``; in float32 where pairs are, whose rounding is far below sampling error."""
        precise = self._as_matrix or len(whitener) <= DENSE_OPERATOR
        return self._moments.third_moment(whitener if precise else whitener.astype(np.float32))

    def triple_norms(self, clip: float, directions: Matrix) -> Vector:
        """Bounds on every document's weighted triple frequencies, shape (N,); cached for the last directions."""
        held = self._triples
        if held is None or not np.array_equal(held[0], directions):
            held = (
                directions.copy(),
                triple_norm_bounds(self._sums.counts, self._sums.length, directions),
            )
            self._triples = held
        return self._sums.weights(clip) * held[1]

    def triple_average(self, clip: float, directions: Matrix, limit: float) -> Tensor3:
        """Average of weighted triple frequencies along directions, every document scaled down to a norm."""
        weights = self._sums.weights(clip)
        if np.isfinite(limit):
            weights = weights * at_most(limit, self.triple_norms(clip, directions))
        return triple_average(self._sums.counts, self._sums.length, weights, directions)


def at_most(level: float, norms: Vector) -> Vector:
    """Weights in [0, 1] that scale norms down to a level; 1 below it."""
    over = norms > level
    return np.where(over, level / np.where(over, norms, 1.0), 1.0)
