r"""A corpus as sums of whole numbers, for the ``adaptive`` route with exact noise.

Every document's part is cut to whole steps before it is added (``privacy.noise.fixed_point``): weights, weighted word frequencies,
the histogram of weighted pair frequencies, whitened triples in orthonormal coordinates. Pairs are not formed by
document: with :math:`x = \mathrm{cut}(\sqrt{w/(l(l-1))}\,c)` the whole numbers :math:`x_i x_j` are at most the pair
frequencies in steps, and one matrix product adds them up exactly. Roots are precise to 2⁻¹⁸ of the longest for N up to
65,536, which makes pairs some 10⁻⁴ too small; less precise for larger N.
"""

from functools import partial
from typing import cast

import numpy as np

from dplda.core.engine import row_blocks, sum_over
from dplda.core.errors import NotReleasable
from dplda.core.types import Counts, Matrix, Tensor3, Vector
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.fixed_point import (
    ANY_SIGN_DISTANCE,
    NON_NEGATIVE_DISTANCE,
    FixedPointSum,
    grid_resolution,
    truncate_to_grid,
)
from dplda.privacy.noise.layouts import PairHistogram, sorted_triples
from dplda.spectral.corpus_statistics import CorpusStatistics, at_most
from dplda.spectral.documents import count_norms, seen_along
from dplda.spectral.moments import Scaled, gram_sum
from dplda.spectral.statistics import Averages

CELLS = 1 << 20  # numbers in a block's largest array


class WholeNumberStatistics(CorpusStatistics):
    """The statistics that a route reads under exact noise, which refuses any others."""

    def averages(self, clip: float) -> Averages:
        r"""Plain averages under a clip level ``C2``, as ``FixedPointSum`` in the coordinates of their release.

        Guarantee:
            In steps a document's weight is at most ``F = grid_resolution(N)``; its words have norm at most F in steps of
            ``C1/F``, with :math:`C_1 = \min(1, \sqrt{\sqrt2\,C_2})` (``sensitivity.word_average``); its pair histogram
            in steps of ``√2 C2/F``, as entry by entry :math:`2 x_i x_j \le 2wc_ic_j/(l(l-1))` steps for ``i < j`` and
            the cut :math:`wc_i(c_i-1)/(l(l-1))` on the diagonal are at most those of the uncut histogram. None is
            negative, so neighbors' words and pairs are at most √2 F apart, their weights F.
        """
        counts, length, weights = self._sums.counts, self._sums.length, self._sums.weights(clip)
        n, d = counts.shape
        fine = grid_resolution(n, d)
        longest = min(1.0, float(np.sqrt(np.sqrt(2) * clip)))
        words, pairs = longest / fine, np.sqrt(2) * clip / fine
        per_word, per_pair = weights * length.per_word, weights * length.per_pair
        roots = np.sqrt(per_pair)
        table = gram_sum(
            counts, lambda rows: partial(_cut_roots, roots[rows], float(np.sqrt(pairs))), self._tick
        )
        frequencies, table[np.diag_indices(d)] = sum_over(
            counts,
            lambda rows: partial(_by_word, per_word[rows], words, per_pair[rows], pairs),
            np.add,
        )
        mass = np.array([np.sum(truncate_to_grid(weights * length.usable, 1 / fine))])
        histogram, apart = PairHistogram(d).coordinates(table), NON_NEGATIVE_DISTANCE * fine
        return Averages(
            words=cast(
                Vector,
                FixedPointSum.from_whole_floats(
                    frequencies, words / n, (d,), neighbor_distance=apart
                ),
            ),
            pairs=cast(
                Matrix,
                FixedPointSum.from_whole_floats(
                    histogram, pairs / n, (d, d), neighbor_distance=apart
                ),
            ),
            mass=cast(
                float, FixedPointSum.from_whole_floats(mass, 1 / (fine * n), neighbor_distance=fine)
            ),
            clip=clip,
        )

    def word_counts(self, bound: float) -> Vector:
        """Word counts in steps of ``bound/F``; only mechanisms can use them.

        Guarantee:
            In steps a document's counts are non-negative whole numbers of norm at most ``F = grid_resolution(N)``: neighbors
            are at most √2 F apart.
        """
        counts = self._sums.counts
        fine, weights = grid_resolution(*counts.shape), at_most(bound, count_norms(counts))
        step = bound / fine
        total = sum_over(counts, lambda rows: partial(_cut_counts, weights[rows], step), np.add)
        apart = NON_NEGATIVE_DISTANCE * fine
        return cast(
            Vector,
            FixedPointSum.from_whole_floats(total, step, total.shape, neighbor_distance=apart),
        )

    def triple_average(self, clip: float, directions: Matrix, limit: float) -> Tensor3:
        """``CorpusStatistics.triple_average`` in the orthonormal coordinates of symmetric tensors.

        Guarantee:
            In steps of ``C3/F``, with ``C3 = limit`` and ``F = grid_resolution(N)``, a document's coordinates have norm at
            most F, however they were computed: they are scaled by their own norm. So neighbors are at most 2 F apart.

        Raises:
            NotReleasable: there is no limit, so there are no steps.
        """
        if not np.isfinite(limit):
            raise NotReleasable("unclipped triples are no sum of whole numbers")
        counts, k = self._sums.counts, directions.shape[1]
        weights = self._sums.weights(clip) * at_most(limit, self.triple_norms(clip, directions))
        i, j, m, _ = sorted_triples(k)
        upper = np.triu_indices(k)
        products = directions[:, upper[0]] * directions[:, upper[1]]
        cubes = directions[:, i] * directions[:, j] * directions[:, m]
        fine, w = grid_resolution(len(weights), len(i)), weights * self._sums.length.per_triple
        step = limit / fine
        total = sum_over(
            counts,
            lambda rows: partial(_cut_triples, (directions, products, cubes), w[rows], limit, step),
            np.add,
        )
        value = FixedPointSum.from_whole_floats(
            total, step / len(weights), (k, k, k), neighbor_distance=ANY_SIGN_DISTANCE * fine
        )
        return cast(Tensor3, value)


def statistics_for(mechanisms: Mechanisms) -> type[CorpusStatistics]:
    """The class of statistics that a run's noise needs."""
    return WholeNumberStatistics if mechanisms.is_exact else CorpusStatistics


def _cut_triples(
    seen: tuple[Matrix, Matrix, Matrix], weights: Vector, limit: float, step: float, all_: Counts
) -> Vector:
    """A block's part of ``triple_average``, in steps; ``seen``: along B, its products and its cubes."""
    directions, products, cubes = seen
    k = directions.shape[1]
    i, j, m, root = sorted_triples(k)
    upper = np.triu_indices(k)
    place = np.zeros((k, k), dtype=np.intp)
    place[upper] = np.arange(len(upper[0]))
    total = np.zeros(len(i))
    for rows in row_blocks(all_.shape[0], max(1, CELLS // len(i))):
        block = all_[rows]
        S, Q = seen_along(block, directions), seen_along(block, products)
        z = S[:, i] * S[:, j] * S[:, m] + 2 * seen_along(block, cubes)
        z -= Q[:, place[i, j]] * S[:, m] + Q[:, place[i, m]] * S[:, j] + Q[:, place[j, m]] * S[:, i]
        z *= root * weights[rows][:, None]
        z *= at_most(limit, np.sqrt(np.sum(z**2, axis=1)))[:, None]
        total += np.sum(truncate_to_grid(z, step), axis=0)
    return total


def _cut_roots(roots: Vector, step: float, block: Counts) -> Scaled:
    result = block.astype(np.float64)
    result.data = truncate_to_grid(result.data * np.repeat(roots, np.diff(block.indptr)), step)
    return result


def _by_word(
    per_word: Vector, words: float, per_pair: Vector, pairs: float, block: Counts
) -> Matrix:
    sizes, data = np.diff(block.indptr), block.data
    parts = (
        truncate_to_grid(np.repeat(per_word, sizes) * data, words),
        truncate_to_grid(np.repeat(per_pair, sizes) * data * (data - 1.0), pairs),
    )
    return np.array(
        [np.bincount(block.indices, weights=part, minlength=block.shape[1]) for part in parts]
    )


def _cut_counts(weights: Vector, step: float, block: Counts) -> Vector:
    parts = truncate_to_grid(np.repeat(weights, np.diff(block.indptr)) * block.data, step)
    return np.asarray(
        np.bincount(block.indices, weights=parts, minlength=block.shape[1]), dtype=np.float64
    )
