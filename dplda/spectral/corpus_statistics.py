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
    measure_lengths,
    pair_norms,
    triple_norm_bounds,
)
from dplda.spectral.eigenpairs import DENSE_OPERATOR, leading_eigenpairs
from dplda.spectral.moments import word_sum
from dplda.spectral.statistics import (
    Averages,
    ExactMoments,
    PairMoment,
    average_frequencies,
    triple_average,
)

MAX_CACHED_AVERAGES = 4


class StatisticsCache:
    """Noiseless sums of one corpus, the last few cached: they do not depend on ε or noise.

    Args:
        counts: word counts of the documents, shape (N, d), in memory or on disk.

    Attributes:
        counts: as given.
        length: lengths of the documents, and factors that follow from them.
    """

    def __init__(self, counts: Rows) -> None:
        """Measure the documents' lengths; all other sums are made when they are first asked for."""
        self.counts = counts
        self.length: Lengths = measure_lengths(counts)
        self._moments_key: tuple[Coefficients, bool] | None = None
        self._moments: ExactMoments | None = None
        self._averages: OrderedDict[float, Averages] = OrderedDict()

    @cached_property
    def pair_norms(self) -> Vector:
        """``‖f2‖_θ`` of every document, shape (N,)."""
        return pair_norms(self.counts, self.length)

    def moments(self, coefficients: Coefficients, *, keep_short: bool) -> ExactMoments:
        """Compute exact moments, or return the last ones if they are the same.

        Args:
            coefficients: of the moments.
            keep_short: whether documents of fewer than three words count in N.
        """
        key = (coefficients, keep_short)
        if self._moments is None or self._moments_key != key:
            self._moments = ExactMoments(
                self.counts, coefficients, keep_short=keep_short, length=self.length
            )
            self._moments_key = key
        return self._moments

    def are_of(self, counts: Rows) -> bool:
        """Whether these sums are over exactly these documents.

        Counts in memory are compared entry by entry, rows on disk by their own ``==``.
        Counts in memory never equal rows on disk.
        """
        cached_counts = self.counts
        if cached_counts is counts:
            return True
        if not (isinstance(cached_counts, csr_array) and isinstance(counts, csr_array)):
            return cached_counts == counts
        return (
            cached_counts.shape == counts.shape
            and np.array_equal(cached_counts.indptr, counts.indptr)
            and np.array_equal(cached_counts.indices, counts.indices)
            and np.array_equal(cached_counts.data, counts.data)
        )

    def weights(self, clip: float) -> Vector:
        """Weights in [0, 1] that scale every document's ``‖f2‖_θ`` down to ``clip``, shape (N,)."""
        factors = clip_factors(self.pair_norms, clip)
        return self.length.usable * factors

    def averages(self, clip: float, tick: Callable[[float], None] | None = None) -> Averages:
        """Average words and pairs, with every document clipped to a level.

        Averages of the last ``MAX_CACHED_AVERAGES`` levels are kept; for a kept one ``tick`` is not
        called.

        Args:
            clip: bound on every document's ``w‖f2‖_θ``.
            tick: gets the fraction of the documents that is counted, in [0, 1].
        """
        if clip not in self._averages:
            weights = self.weights(clip)
            averages = average_frequencies(self.counts, self.length, weights, tick)
            self._averages[clip] = replace(averages, clip=clip)
        self._averages.move_to_end(clip)
        while len(self._averages) > MAX_CACHED_AVERAGES:
            self._averages.popitem(last=False)
        return self._averages[clip]


class CorpusStatistics:
    """The documents as a route sees them; everything read here must pass a mechanism.

    Args:
        sums: cached sums of the documents.
        coefficients: of the moments.
        keep_short: whether documents of fewer than three words count in N; so under a plan, where
            N is public and the pair moment is a matrix, for noise and the direct solver.
        tick: gets the fraction of pairs that is counted, in [0, 1].
    """

    def __init__(
        self,
        sums: StatisticsCache,
        coefficients: Coefficients,
        *,
        keep_short: bool,
        tick: Callable[[float], None] | None = None,
    ) -> None:
        """Take the moments from the cache; with ``keep_short`` the pair moment is a matrix."""
        self._sums = sums
        self._tick = tick
        self._moments = sums.moments(coefficients, keep_short=keep_short)
        self._as_matrix = keep_short
        self._triple_directions: Matrix | None = None
        self._triple_norms: Vector | None = None

    def pair_norms(self) -> Vector:
        """``‖f2‖_θ`` of every document, shape (N,)."""
        return self._sums.pair_norms

    def averages(self, clip: float) -> Averages:
        """Average words and pairs under a clip level, as in ``StatisticsCache``."""
        return self._sums.averages(clip, self._tick)

    def word_counts(self, clip_norm: float) -> Vector:
        """Sum word counts of documents scaled down to a Euclidean norm, shape (d,)."""
        counts = self._sums.counts
        norms = count_norms(counts)
        weights = clip_factors(norms, clip_norm)
        return word_sum(counts, weights)

    def pair_moment(self) -> PairMoment:
        """The U-statistic ``M2``, as a matrix or as an operator."""
        if not self._as_matrix:
            operator = self._moments.pair_moment()
            return PairMoment(operator)
        return PairMoment(self._moments.pair_matrix)

    def leading_eigenvalues(self, count: int) -> Vector:
        """The largest eigenvalues of the U-statistic ``M2``, shape (count,), largest first."""
        matrix = self._moments.pair_matrix
        eigenvalues, _ = leading_eigenpairs(matrix, count, direct=True)
        return eigenvalues

    def largest_frequencies(self) -> tuple[float, float]:
        """The largest entries of ``E1`` and of ``E2``, averages over all N documents.

        Documents of fewer than three words count in N and add 0, whatever ``keep_short`` is.
        """
        counts = self._sums.counts
        n_documents = counts.shape[0]
        per_word = self._sums.length.per_word
        word_average = word_sum(counts, per_word) / n_documents
        averages = self._sums.averages(LARGEST_PAIR_NORM, self._tick)
        largest_word = float(np.max(word_average))
        largest_pair = float(np.max(averages.pairs))
        return largest_word, largest_pair

    def third_moment(self, whitener: Matrix) -> Tensor3:
        """The U-statistic ``M3(W, W, W)``, shape (m, m, m).

        It is computed in float64 under a plan and for small vocabularies; else in float32 like
        pairs, whose rounding is far below sampling error.
        """
        needs_double = self._as_matrix or len(whitener) <= DENSE_OPERATOR
        if not needs_double:
            whitener = whitener.astype(np.float32)
        return self._moments.third_moment(whitener)

    def triple_norms(self, clip: float, directions: Matrix) -> Vector:
        """Bound every document's weighted triple frequencies along directions.

        Bounds of the last directions are cached; weights are applied at each call.

        Args:
            clip: clip level of pairs, which gives documents their weights.
            directions: ``B``, shape (d, k).

        Returns:
            Shape (N,), at least the Frobenius norms along these directions.
        """
        last_directions = self._triple_directions
        is_same = last_directions is not None and np.array_equal(last_directions, directions)
        if self._triple_norms is None or not is_same:
            sums = self._sums
            self._triple_directions = directions.copy()
            self._triple_norms = triple_norm_bounds(sums.counts, sums.length, directions)
        weights = self._sums.weights(clip)
        return weights * self._triple_norms

    def triple_average(self, clip: float, directions: Matrix, limit: float) -> Tensor3:
        """Average weighted triple frequencies along directions, shape (k, k, k).

        Args:
            clip: clip level of pairs, which gives documents their weights.
            directions: ``B``, shape (d, k).
            limit: norm that a document's weighted triples are scaled down to; ∞ for none.
        """
        sums = self._sums
        weights = sums.weights(clip)
        if np.isfinite(limit):
            norms = self.triple_norms(clip, directions)
            weights = weights * clip_factors(norms, limit)
        return triple_average(sums.counts, sums.length, weights, directions)


def clip_factors(norms: Vector, limit: float) -> Vector:
    """Clipping factors ``min(1, limit / norm)``, same shape as ``norms``; 1 for a norm of 0.

    Args:
        norms: at least 0.
        limit: largest norm after clipping, above 0.
    """
    is_above = norms > limit
    positive_norms = np.where(is_above, norms, 1.0)
    return np.where(is_above, limit / positive_norms, 1.0)
