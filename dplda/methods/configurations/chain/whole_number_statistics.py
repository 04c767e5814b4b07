r"""A corpus as sums of whole numbers, for the ``adaptive`` route with exact noise.

Every document's part is cut to whole steps before it is added (``privacy.noise.fixed_point``):
weights, weighted word frequencies, the histogram of weighted pair frequencies, whitened triples in
orthonormal coordinates. Pairs are not formed by document: with
:math:`x = \mathrm{cut}(\sqrt{w/(l(l-1))}\,c)` the whole numbers :math:`x_i x_j` are at most the
pair frequencies in steps, and one matrix product adds them up exactly. Roots are precise to 2⁻¹⁸ of
the longest for N up to 65,536, which makes pairs some 10⁻⁴ too small; less precise for larger N.
"""

from dataclasses import dataclass
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
from dplda.spectral.corpus_statistics import CorpusStatistics, clip_factors
from dplda.spectral.documents import count_norms, project_counts
from dplda.spectral.moments import ScaledCounts, gram_sum
from dplda.spectral.statistics import Averages

CELLS = 1 << 20  # numbers in a block's largest array
OF_WEIGHTS = 1.0  # largest distance of two documents' weights, each in [0, 1]


@dataclass(frozen=True, slots=True)
class _PartGrid:
    """Grid that documents' parts are cut to before they are added.

    Attributes:
        part_norm: largest norm of a document's part, in the unit of the sum.
        resolution: ``F``, the same norm in steps.
        part_distance: L2 distance of two documents' parts at most, in units of ``part_norm``.
    """

    part_norm: float
    resolution: float
    part_distance: float = NON_NEGATIVE_DISTANCE

    @property
    def step(self) -> float:
        """Step of the grid, in the unit of the sum."""
        return self.part_norm / self.resolution

    def attach(
        self, total: Vector | Matrix, shape: tuple[int, ...] = (), *, n_averaged: int = 1
    ) -> FixedPointSum:
        """The sum of all parts, in steps, with its unit and what one document moves it by.

        Args:
            total: whole numbers.
            shape: of the value whose coordinates they are.
            n_averaged: what the sum is divided by.
        """
        return FixedPointSum.from_whole_floats(
            total,
            self.step / n_averaged,
            shape,
            neighbor_distance=self.part_distance * self.resolution,
        )


class WholeNumberStatistics(CorpusStatistics):
    """The statistics that a route reads under exact noise, which refuses any others."""

    def averages(self, clip: float) -> Averages:
        r"""Average words and pairs under a clip level, as sums in the coordinates of release.

        Args:
            clip: ``C2``, bound on every document's ``w‖f2‖_θ``.

        Guarantee:
            In steps a document's weight is at most ``F = grid_resolution(N)``; its words have norm
            at most F in steps of ``C1/F``, with :math:`C_1 = \min(1, \sqrt{\sqrt2\,C_2})`
            (``sensitivity.word_average``); its pair histogram in steps of ``√2 C2/F``, as entry by
            entry :math:`2 x_i x_j \le 2wc_ic_j/(l(l-1))` steps for ``i < j`` and the cut
            :math:`wc_i(c_i-1)/(l(l-1))` on the diagonal are at most those of the uncut histogram.
            None is negative, so neighbors' words and pairs are at most √2 F apart, their weights F.
        """
        counts = self._sums.counts
        lengths = self._sums.length
        document_weights = self._sums.weights(clip)
        n, d = counts.shape
        resolution = grid_resolution(n, d)
        word_grid = _PartGrid(min(1.0, float(np.sqrt(np.sqrt(2) * clip))), resolution)
        pair_grid = _PartGrid(np.sqrt(2) * clip, resolution)
        weight_grid = _PartGrid(1.0, resolution, OF_WEIGHTS)
        word_factors = document_weights * lengths.per_word
        pair_factors = document_weights * lengths.per_pair
        pair_sums = self._sum_pairs(pair_factors, pair_grid.step)
        word_sums, pair_sums[np.diag_indices(d)] = sum_over(
            counts,
            lambda rows: partial(
                _cut_words_and_diagonal,
                word_factors[rows],
                word_grid.step,
                pair_factors[rows],
                pair_grid.step,
            ),
            np.add,
        )
        weight_sum = np.array(
            [np.sum(truncate_to_grid(document_weights * lengths.usable, weight_grid.step))]
        )
        pair_coordinates = PairHistogram(d).coordinates(pair_sums)
        return Averages(
            words=cast(Vector, word_grid.attach(word_sums, (d,), n_averaged=n)),
            pairs=cast(Matrix, pair_grid.attach(pair_coordinates, (d, d), n_averaged=n)),
            mass=cast(float, weight_grid.attach(weight_sum, n_averaged=n)),
            clip=clip,
        )

    def _sum_pairs(self, pair_factors: Vector, step: float) -> Matrix:
        """Sum of ``x xᵀ`` in steps, shape (d, d); right off the diagonal only."""
        roots = np.sqrt(pair_factors)
        root_step = float(np.sqrt(step))
        return gram_sum(
            self._sums.counts,
            lambda rows: partial(_cut_roots, roots[rows], root_step),
            self._tick,
        )

    def word_counts(self, clip_norm: float) -> Vector:
        """Sum word counts of clipped documents, as a ``FixedPointSum``.

        Args:
            clip_norm: Euclidean norm that a document's counts are scaled down to.

        Guarantee:
            In steps of ``clip_norm/F`` a document's counts are non-negative whole numbers of norm
            at most ``F = grid_resolution(N)``: neighbors are at most √2 F apart.
        """
        counts = self._sums.counts
        grid = _PartGrid(clip_norm, grid_resolution(*counts.shape))
        document_weights = clip_factors(count_norms(counts), clip_norm)
        sum_in_steps = sum_over(
            counts, lambda rows: partial(_cut_counts, document_weights[rows], grid.step), np.add
        )
        return cast(Vector, grid.attach(sum_in_steps, sum_in_steps.shape))

    def triple_average(self, clip: float, directions: Matrix, limit: float) -> Tensor3:
        """Average clipped triples in coordinates of symmetric tensors, as a ``FixedPointSum``.

        Args:
            clip: clip level of pairs, which gives documents their weights.
            directions: directions that tokens are seen along, shape (d, k).
            limit: ``C3``, norm that a document's weighted triples are scaled down to.

        Guarantee:
            In steps of ``C3/F``, with ``F = grid_resolution(N)``, a document's coordinates have
            norm at most F, however they were computed: they are scaled by their own norm. So
            neighbors are at most 2 F apart.

        Raises:
            NotReleasable: there is no limit, so there are no steps.
        """
        if not np.isfinite(limit):
            raise NotReleasable("unclipped triples are no sum of whole numbers")
        counts = self._sums.counts
        n_documents = counts.shape[0]
        k = directions.shape[1]
        document_weights = self._sums.weights(clip) * clip_factors(
            self.triple_norms(clip, directions), limit
        )
        triple_factors = document_weights * self._sums.length.per_triple
        direction_products = _DirectionProducts.of(directions)
        grid = _PartGrid(
            limit,
            grid_resolution(n_documents, direction_products.cubes.shape[1]),
            ANY_SIGN_DISTANCE,
        )
        sum_in_steps = sum_over(
            counts,
            lambda rows: partial(
                _cut_triples, direction_products, triple_factors[rows], grid.part_norm, grid.step
            ),
            np.add,
        )
        return cast(Tensor3, grid.attach(sum_in_steps, (k, k, k), n_averaged=n_documents))


def statistics_for(mechanisms: Mechanisms) -> type[CorpusStatistics]:
    """Choose the class of statistics that a run's noise needs."""
    return WholeNumberStatistics if mechanisms.is_exact else CorpusStatistics


@dataclass(frozen=True, slots=True, eq=False)
class _DirectionProducts:
    """Directions ``B`` that tokens are seen along, and products of their columns.

    Attributes:
        directions: ``B``, shape (d, k).
        products: of two columns ``i ≤ j``, shape (d, k(k+1)/2).
        cubes: of three columns ``i ≤ j ≤ m``, shape (d, k(k+1)(k+2)/6).
    """

    directions: Matrix
    products: Matrix
    cubes: Matrix

    @classmethod
    def of(cls, directions: Matrix) -> "_DirectionProducts":
        """Multiply columns entry by entry, for all pairs i ≤ j and all triples i ≤ j ≤ m.

        Pairs follow ``triu_indices``, triples the coordinates of symmetric tensors.
        """
        k = directions.shape[1]
        i, j, m, _ = sorted_triples(k)
        first_of_pair, second_of_pair = np.triu_indices(k)
        return cls(
            directions=directions,
            products=directions[:, first_of_pair] * directions[:, second_of_pair],
            cubes=directions[:, i] * directions[:, j] * directions[:, m],
        )


def _cut_triples(
    direction_products: _DirectionProducts,
    factors: Vector,
    limit: float,
    step: float,
    documents: Counts,
) -> Vector:
    """Sum the clipped triples of a block of documents, each coordinate cut to whole steps.

    Args:
        direction_products: of the directions that tokens are seen along.
        factors: weight of each document's triples.
        limit: norm that a document's weighted coordinates are scaled down to.
        step: step of the grid.
        documents: counts of the block.

    Returns:
        The sum in whole steps, one coordinate for each unordered triple of directions.
    """
    k = direction_products.directions.shape[1]
    i, j, m, triple_weights = sorted_triples(k)
    column_of_pair = np.zeros((k, k), dtype=np.intp)
    upper_triangle = np.triu_indices(k)
    column_of_pair[upper_triangle] = np.arange(len(upper_triangle[0]))
    ij = column_of_pair[i, j]
    im = column_of_pair[i, m]
    jm = column_of_pair[j, m]
    sum_in_steps = np.zeros(len(i))
    for block_rows in row_blocks(documents.shape[0], max(1, CELLS // len(i))):
        block = documents[block_rows]
        S = project_counts(block, direction_products.directions)  # Σ_t b_t for every document
        Q = project_counts(block, direction_products.products)  # Σ_t b_t ⊗ b_t
        z = S[:, i] * S[:, j] * S[:, m] + 2 * project_counts(block, direction_products.cubes)
        z -= Q[:, ij] * S[:, m] + Q[:, im] * S[:, j] + Q[:, jm] * S[:, i]
        z *= triple_weights * factors[block_rows][:, None]
        z *= clip_factors(np.sqrt(np.sum(z**2, axis=1)), limit)[:, None]
        sum_in_steps += np.sum(truncate_to_grid(z, step), axis=0)
    return sum_in_steps


def _cut_roots(roots: Vector, step: float, block: Counts) -> ScaledCounts:
    """Counts times their documents' roots, in steps."""
    weighted_counts = block.astype(np.float64)
    roots_of_entries = np.repeat(roots, np.diff(block.indptr))
    weighted_counts.data = truncate_to_grid(weighted_counts.data * roots_of_entries, step)
    return weighted_counts


def _cut_words_and_diagonal(
    word_factors: Vector, word_step: float, pair_factors: Vector, pair_step: float, block: Counts
) -> Matrix:
    """A block's words and the diagonal of its pairs, in their steps, shape (2, d)."""
    n_entries = np.diff(block.indptr)
    counts = block.data
    word_entries = truncate_to_grid(np.repeat(word_factors, n_entries) * counts, word_step)
    pair_entries = np.repeat(pair_factors, n_entries) * counts * (counts - 1.0)
    diagonal = truncate_to_grid(pair_entries, pair_step)
    return np.array([_sum_by_word(word_entries, block), _sum_by_word(diagonal, block)])


def _cut_counts(weights: Vector, step: float, block: Counts) -> Vector:
    """A block's weighted word counts, in steps, shape (d,)."""
    weights_of_entries = np.repeat(weights, np.diff(block.indptr))
    return _sum_by_word(truncate_to_grid(weights_of_entries * block.data, step), block)


def _sum_by_word(entries: Vector, block: Counts) -> Vector:
    """Sums over documents of numbers that stand in place of a block's counts, shape (d,)."""
    sums = np.bincount(block.indices, weights=entries, minlength=block.shape[1])
    return np.asarray(sums, dtype=np.float64)
