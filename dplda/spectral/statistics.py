"""Two ways from a corpus to M2 and the whitened M3: exact U-statistics, and plain averages combined afterwards."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from scipy.sparse.linalg import LinearOperator

from dplda.core.engine import row_blocks
from dplda.core.errors import CorpusError
from dplda.core.types import Matrix, Rows, Tensor3, Vector
from dplda.spectral.cumulants import Coefficients, cube, symmetrize, three_positions
from dplda.spectral.documents import LARGEST_PAIR_NORM, Lengths, measure_lengths
from dplda.spectral.moments import gram_times, pair_sum, triple_sums, word_sum, word_sums


@final
@dataclass(frozen=True, slots=True, eq=False)
class Averages:
    """Plain weighted averages over all N documents, before any subtraction.

    Attributes:
        words: ``Σ w f1 / N``, shape (d,).
        pairs: ``Σ w f2 / N``, shape (d, d), symmetric.
        mass: ``Σ w / N``, in [0, 1]; the averages divided by it estimate ``E1`` and ``E2``.
        entry_noise: standard deviation of known noise on one off-diagonal entry of ``pairs``; 0 without noise.
        clip: bound on every document's ``w‖f2‖_θ``; unless clipped, that of one repeated word.
        word_noise: standard deviation of known noise on one entry of ``words``; 0 without noise.
        alpha0: of the documents as they are weighed; None for that of all alike.
    """

    words: Vector
    pairs: Matrix
    mass: float
    entry_noise: float = 0.0
    clip: float = LARGEST_PAIR_NORM
    word_noise: float = 0.0
    alpha0: float | None = None

    def weighted_coefficients(self, coefficients: Coefficients) -> Coefficients:
        """The coefficients of the documents as they are weighed."""
        return coefficients if self.alpha0 is None else Coefficients(self.alpha0)

    def mean_words(self, coefficients: Coefficients) -> Vector:
        """``E1``, shape (d,)."""
        return self.words / self.mass

    def noise_level(self) -> float:
        """Standard deviation of known noise on one off-diagonal entry of ``M2``."""
        return self.entry_noise / self.mass

    def pair_moment(self, coefficients: Coefficients) -> Matrix:
        """``M2 = E2 − a E1⊗E1``, shape (d, d)."""
        mean, a = self.mean_words(coefficients), self.weighted_coefficients(coefficients).a
        moment: Matrix = self.pairs / self.mass
        for rows in row_blocks(len(mean)):  # no second (d, d) array
            moment[rows] -= a * np.multiply.outer(mean[rows], mean)
        return moment


@final
@dataclass(frozen=True, slots=True, eq=False)
class PairMoment:
    """The pair moment ``M2``; ``entry_noise`` is known noise off the diagonal, 0 also where it is to be ignored."""

    moment: Matrix | LinearOperator
    entry_noise: float = 0.0

    def matrix(self) -> Matrix:
        """``M2`` as a matrix, shape (d, d)."""
        if isinstance(self.moment, LinearOperator):
            return np.asarray(self.moment @ np.eye(self.moment.shape[0]), dtype=np.float64)
        return self.moment

    def mean_words(self, coefficients: Coefficients) -> Vector:
        """``E1 = M2 1/(1 − a)``, shape (d,), since pair frequencies add up to word frequencies."""
        return np.asarray(self.moment @ np.ones(self.moment.shape[0]), dtype=np.float64) / (
            1 - coefficients.a
        )

    def noise_level(self) -> float:
        """Standard deviation of known noise on one off-diagonal entry of ``M2``."""
        return self.entry_noise

    def pair_moment(self, coefficients: Coefficients) -> Matrix | LinearOperator:
        """``M2``."""
        return self.moment


def average_frequencies(
    counts: Rows, length: Lengths, weights: Vector, tick: Callable[[float], None] | None = None
) -> Averages:
    """Averages of words and pairs with weights in [0, 1], shape (N,); ``tick`` gets the fraction done."""
    n, used = counts.shape[0], weights * length.usable
    return Averages(
        words=word_sum(counts, weights * length.per_word) / n,
        pairs=pair_sum(counts, weights * length.per_pair, tick) / n,
        mass=math.fsum(float(np.sum(used[rows])) for rows in row_blocks(n)) / n,
    )


def triple_average(counts: Rows, length: Lengths, weights: Vector, directions: Matrix) -> Tensor3:
    """``Σ w f3(B, B, B) / N``, shape (k, k, k), symmetric."""
    w = weights * length.per_triple / counts.shape[0]
    return triple_sums(counts, directions, cubes=w, crosses=-w, diagonals=2 * w)[0]


def shift_directions(directions: Matrix, mean: Vector, coefficients: Coefficients) -> Matrix:
    """``B = W + b 1tᵀ``: directions in which the plain triple average already contains the subtractions.

    With ``t = Wᵀ E1`` (``mean``, shape (k,)) every token's row becomes ``y + b t``, and expanding the product over
    three tokens gives ``M3(W, W, W) = E3(B, B, B) + (c − 3b² − b³) t⊗t⊗t``: a plain average over documents once the
    mean is known.
    """
    return np.asarray(directions + coefficients.b * mean[None, :])


def add_remaining_cube(average: Tensor3, mean: Vector, coefficients: Coefficients) -> Tensor3:
    """Adds ``(c − 3b² − b³) t⊗t⊗t`` to the average taken along shifted directions; shape (k, k, k)."""
    return np.asarray(average + coefficients.after_shift * cube(mean))


class ExactMoments:
    """Unbiased moments of a corpus: U-statistics over documents, M2 as an operator, M3 only whitened.

    With ``keep_short``, documents of fewer than three words, which contribute zero, count in the divisor. Privacy needs
    that, since N is public but the number of long documents is not (nor may a refusal show it).
    """

    def __init__(
        self,
        counts: Rows,
        coefficients: Coefficients,
        *,
        keep_short: bool = False,
        length: Lengths | None = None,
    ) -> None:
        self._counts = counts
        self._length = length or measure_lengths(counts)
        self._coefficients = coefficients
        usable = int(np.sum(self._length.usable))
        self.n_used = counts.shape[0] if keep_short else usable
        if self.n_used < 3:
            raise CorpusError(
                f"only {usable} of {counts.shape[0]} documents have three words or more",
                "Give at least 3 documents of 3 words; a larger vocabulary keeps more words.",
            )
        weights = np.column_stack([self._length.per_word, self._length.per_pair])
        self._word_total: Vector
        self._pair_total: Vector
        self._word_total, self._pair_total = np.ascontiguousarray(word_sums(counts, weights).T)
        self._third: tuple[Matrix, Tensor3] | None = None

    def pair_moment(self) -> LinearOperator:
        r""":math:`\hat M_2 = \overline{f_2} - a\,\frac{1}{n(n-1)}\sum_{m≠n} f_1^m ⊗ f_1^n`, a (d, d) operator."""
        n, d = self.n_used, self._counts.shape[1]
        length, a = self._length, self._coefficients.a
        pair_weights = length.per_pair / n
        weights = pair_weights + a * length.per_word**2 / (n * (n - 1))
        diagonal = self._pair_total / n
        cross, total = a / (n * (n - 1)), self._word_total

        def apply(x: Matrix) -> Matrix:
            x = x.reshape(d, -1)
            result = -diagonal[:, None] * x - cross * np.multiply.outer(total, total @ x)
            result += gram_times(self._counts, weights, x)
            return result

        return LinearOperator(
            (d, d), matvec=lambda v: apply(v)[:, 0], matmat=apply, dtype=np.float64
        )

    @cached_property
    def pair_matrix(self) -> Matrix:
        r""":math:`\hat M_2` as a read-only (d, d) matrix, added up block by block like all sums over documents."""
        n, a, length = self.n_used, self._coefficients.a, self._length
        same_document = a * length.per_word**2 / (n * (n - 1))
        matrix = pair_sum(self._counts, length.per_pair / n + same_document)
        matrix[np.diag_indices(len(matrix))] += word_sum(self._counts, same_document)
        matrix -= a / (n * (n - 1)) * np.multiply.outer(self._word_total, self._word_total)
        matrix.flags.writeable = False
        return matrix

    def third_moment(self, whitener: Matrix) -> Tensor3:
        r"""U-statistic :math:`\hat M_3(W, W, W)`, shape (k, k, k), in blocks of W's precision; kept for the last W."""
        held = self._third
        if held is None or not np.array_equal(held[0], whitener):
            held = self._third = (whitener.copy(), self._whitened(whitener))
        return held[1].copy()

    def _whitened(self, whitener: Matrix) -> Tensor3:
        n, length, c = self.n_used, self._length, self._coefficients
        pairs, triples = n * (n - 1), n * (n - 1) * (n - 2)
        own_pair = length.per_pair * length.per_word
        own_cube = length.per_word**3
        tensor, (squares, pair_total) = triple_sums(
            self._counts,
            whitener,
            cubes=length.per_triple / n - 3 * c.b * own_pair / pairs + 2 * c.c * own_cube / triples,
            crosses=-length.per_triple / n + c.b * own_pair / pairs,
            diagonals=2 * length.per_triple / n,
            outers=np.column_stack([length.per_word**2, length.per_pair]),
        )
        whitener = whitener.astype(np.float64)
        total = self._word_total @ whitener
        pair_total -= whitener.T @ (self._pair_total[:, None] * whitener)
        tensor += three_positions(c.b / pairs * pair_total - c.c / triples * squares, total)
        tensor += c.c / triples * cube(total)
        return symmetrize(tensor)
