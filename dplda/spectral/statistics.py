"""Two ways from a corpus to M2 and the whitened M3.

They are exact U-statistics, and plain averages combined afterwards.
"""

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
        entry_noise: standard deviation of known noise on one off-diagonal entry of ``pairs``; 0
            without noise.
        clip: bound on every document's ``w‖f2‖_θ``; unless clipped, that of one repeated word.
        word_noise: standard deviation of known noise on one entry of ``words``; 0 without noise.
        alpha0: concentration of the documents as the weights change it; None for unchanged.
    """

    words: Vector
    pairs: Matrix
    mass: float
    entry_noise: float = 0.0
    clip: float = LARGEST_PAIR_NORM
    word_noise: float = 0.0
    alpha0: float | None = None

    def weighted_coefficients(self, coefficients: Coefficients) -> Coefficients:
        """Coefficients of the documents as weighted; the given ones if weights change nothing."""
        if self.alpha0 is None:
            return coefficients
        return Coefficients(self.alpha0)

    def mean_words(self, coefficients: Coefficients) -> Vector:
        """``E1``, shape (d,)."""
        return self.words / self.mass

    def noise_level(self) -> float:
        """Standard deviation of known noise on one off-diagonal entry of ``M2``."""
        return self.entry_noise / self.mass

    def pair_moment(self, coefficients: Coefficients) -> Matrix:
        """``M2 = E2 − a E1⊗E1``, shape (d, d), with ``a`` of the documents as they are weighted."""
        mean_words = self.mean_words(coefficients)
        a = self.weighted_coefficients(coefficients).a
        moment: Matrix = self.pairs / self.mass
        for rows in row_blocks(len(mean_words)):  # no second (d, d) array
            mean_products = np.multiply.outer(mean_words[rows], mean_words)
            moment[rows] -= a * mean_products
        return moment


@final
@dataclass(frozen=True, slots=True, eq=False)
class PairMoment:
    """The pair moment ``M2``.

    Attributes:
        moment: symmetric, shape (d, d).
        entry_noise: standard deviation of known noise on one off-diagonal entry; 0 also where it is
            to be ignored.
    """

    moment: Matrix | LinearOperator
    entry_noise: float = 0.0

    def matrix(self) -> Matrix:
        """``M2`` as a matrix, shape (d, d)."""
        if not isinstance(self.moment, LinearOperator):
            return self.moment
        n_words = self.moment.shape[0]
        columns = self.moment @ np.eye(n_words)
        return np.asarray(columns, dtype=np.float64)

    def mean_words(self, coefficients: Coefficients) -> Vector:
        """``E1 = M2 1/(1 − a)``, shape (d,), since pair frequencies add up to word frequencies."""
        n_words = self.moment.shape[0]
        row_sums = self.moment @ np.ones(n_words)
        mean_words = np.asarray(row_sums, dtype=np.float64)
        return mean_words / (1 - coefficients.a)

    def noise_level(self) -> float:
        """Standard deviation of known noise on one off-diagonal entry of ``M2``."""
        return self.entry_noise

    def pair_moment(self, coefficients: Coefficients) -> Matrix | LinearOperator:
        """``M2``."""
        return self.moment


def average_frequencies(
    counts: Rows, length: Lengths, weights: Vector, tick: Callable[[float], None] | None = None
) -> Averages:
    """Average words and pairs of weighted documents; the result has no noise and no clip level.

    Sums are divided by N, not by the sum of the weights. Documents that are not usable add 0, but
    count in N.

    Args:
        counts: of N documents.
        length: divisors of the same documents.
        weights: shape (N,), in [0, 1].
        tick: gets the fraction of the documents that is counted, in [0, 1].
    """
    n_documents = counts.shape[0]
    word_weights = weights * length.per_word
    pair_weights = weights * length.per_pair
    used_weights = weights * length.usable
    block_masses = (float(np.sum(used_weights[rows])) for rows in row_blocks(n_documents))
    return Averages(
        words=word_sum(counts, word_weights) / n_documents,
        pairs=pair_sum(counts, pair_weights, tick) / n_documents,
        mass=math.fsum(block_masses) / n_documents,
    )


def triple_average(counts: Rows, length: Lengths, weights: Vector, directions: Matrix) -> Tensor3:
    """``Σ w f3(B, B, B) / N``, shape (k, k, k), symmetric.

    Documents that are not usable add 0, but count in N.

    Args:
        counts: shape (N, d).
        length: divisors of the same documents.
        weights: ``w``, shape (N,).
        directions: ``B``, shape (d, k).
    """
    triple_weights = weights * length.per_triple / counts.shape[0]
    return triple_sums(
        counts,
        directions,
        cubes=triple_weights,
        crosses=-triple_weights,
        diagonals=2 * triple_weights,
    )[0]


def shift_directions(directions: Matrix, mean: Vector, coefficients: Coefficients) -> Matrix:
    """``B = W + b 1tᵀ``: along them the plain triple average contains the subtractions.

    With ``t = Wᵀ E1`` (``mean``, shape (k,)) every token's row becomes ``y + b t``, and expanding
    the product over three tokens gives ``M3(W, W, W) = E3(B, B, B) + (c − 3b² − b³) t⊗t⊗t``: a
    plain average over documents once the mean is known.

    Args:
        directions: ``W``, shape (d, k).
        mean: ``t``, shape (k,).
    """
    return np.asarray(directions + coefficients.b * mean[None, :])


def add_remaining_cube(average: Tensor3, mean: Vector, coefficients: Coefficients) -> Tensor3:
    """Add ``(c − 3b² − b³) t⊗t⊗t`` to the average taken along shifted directions, (k, k, k).

    Args:
        average: shape (k, k, k).
        mean: ``t``, shape (k,).
    """
    return np.asarray(average + coefficients.after_shift * cube(mean))


class ExactMoments:
    """Unbiased moments of a corpus: U-statistics over documents.

    M2 is a matrix or operator, M3 is only whitened.

    Args:
        counts: word counts of the documents, shape (N, d).
        coefficients: of the moments.
        keep_short: whether documents of fewer than three words, which contribute zero, count in the
            divisor. Privacy needs that, since N is public but the number of long documents is not
            (nor may a refusal show it).
        length: divisors of the same documents; computed by default.

    Attributes:
        n_used: ``n``, documents that count in the divisor, at least 3.

    Raises:
        CorpusError: fewer than three documents count.
    """

    def __init__(
        self,
        counts: Rows,
        coefficients: Coefficients,
        *,
        keep_short: bool = False,
        length: Lengths | None = None,
    ) -> None:
        """Count documents, refuse fewer than 3, and sum word and pair frequencies by word.

        Documents of fewer than three words count too with ``keep_short``, else not at all.
        """
        self._counts = counts
        self._length = length or measure_lengths(counts)
        self._coefficients = coefficients
        n_documents = counts.shape[0]
        n_usable = int(np.sum(self._length.usable))
        self.n_used = n_documents if keep_short else n_usable
        if self.n_used < 3:
            raise CorpusError(
                f"only {n_usable} of {n_documents} documents have three words or more",
                "Give at least 3 documents of 3 words; a larger vocabulary keeps more words.",
            )
        weights = np.column_stack([self._length.per_word, self._length.per_pair])
        totals = np.ascontiguousarray(word_sums(counts, weights).T)
        self._word_total: Vector = totals[0]
        self._pair_total: Vector = totals[1]
        self._third: tuple[Matrix, Tensor3] | None = None

    def pair_moment(self) -> LinearOperator:
        r"""The unbiased pair moment, a (d, d) operator.

        :math:`\hat M_2 = \overline{f_2} - a\,\frac{1}{n(n-1)}\sum_{m≠n} f_1^m ⊗ f_1^n`.
        """
        n = self.n_used
        n_document_pairs = n * (n - 1)
        d = self._counts.shape[1]
        length = self._length
        a = self._coefficients.a
        cross_weight = a / n_document_pairs
        same_document_weights = a * length.per_word**2 / n_document_pairs
        document_weights = length.per_pair / n + same_document_weights
        diagonal = self._pair_total / n
        word_total = self._word_total

        def multiply(x: Matrix) -> Matrix:
            """``M2 x``, shape (d, m)."""
            x = x.reshape(d, -1)
            product = -diagonal[:, None] * x
            projections = word_total @ x
            product -= cross_weight * np.multiply.outer(word_total, projections)
            product += gram_times(self._counts, document_weights, x)
            return product

        def multiply_vector(v: Vector) -> Vector:
            """``M2 v``, shape (d,)."""
            column = v.reshape(d, 1)
            return multiply(column)[:, 0]

        return LinearOperator((d, d), matvec=multiply_vector, matmat=multiply, dtype=np.float64)

    @cached_property
    def pair_matrix(self) -> Matrix:
        r""":math:`\hat M_2` as a read-only (d, d) matrix, added up block by block."""
        n = self.n_used
        n_document_pairs = n * (n - 1)
        a = self._coefficients.a
        length = self._length
        same_document_weights = a * length.per_word**2 / n_document_pairs
        document_weights = length.per_pair / n + same_document_weights
        matrix = pair_sum(self._counts, document_weights)
        diagonal = np.diag_indices(len(matrix))
        matrix[diagonal] += word_sum(self._counts, same_document_weights)
        cross_weight = a / n_document_pairs
        matrix -= cross_weight * np.multiply.outer(self._word_total, self._word_total)
        matrix.flags.writeable = False
        return matrix

    def third_moment(self, whitener: Matrix) -> Tensor3:
        r"""U-statistic :math:`\hat M_3(W, W, W)`, shape (k, k, k), in W's precision.

        The tensor of the last W is kept for the next call.

        Args:
            whitener: ``W``, shape (d, k).

        Returns:
            A copy, which the caller may change.
        """
        if self._third is None or not np.array_equal(self._third[0], whitener):
            tensor = self._whiten_third_moment(whitener)
            self._third = (whitener.copy(), tensor)
        _, kept_tensor = self._third
        return kept_tensor.copy()

    def _whiten_third_moment(self, whitener: Matrix) -> Tensor3:
        r"""Compute :math:`\hat M_3(W, W, W)`: sums over documents less tuples within one.

        Products of sums over documents hold tuples of one document, too. Its weights
        (``own_pair_weights``, ``own_triple_weights``) take these out again.
        The tensor is symmetric.
        """
        n = self.n_used
        lengths = self._length
        b = self._coefficients.b
        c = self._coefficients.c
        n_document_pairs = n * (n - 1)
        n_document_triples = n * (n - 1) * (n - 2)
        own_pair_weights = lengths.per_pair * lengths.per_word
        own_triple_weights = lengths.per_word**3
        cube_weights = lengths.per_triple / n
        cube_weights = cube_weights - 3 * b * own_pair_weights / n_document_pairs
        cube_weights = cube_weights + 2 * c * own_triple_weights / n_document_triples
        cross_weights = -lengths.per_triple / n + b * own_pair_weights / n_document_pairs
        tensor, outer_sums = triple_sums(
            self._counts,
            whitener,
            cubes=cube_weights,
            crosses=cross_weights,
            diagonals=2 * lengths.per_triple / n,
            outers=np.column_stack([lengths.per_word**2, lengths.per_pair]),
        )
        squared_word_sums, whitened_pairs = outer_sums
        whitener = whitener.astype(np.float64)
        whitened_words = self._word_total @ whitener
        weighted_whitener = self._pair_total[:, None] * whitener
        whitened_pairs -= whitener.T @ weighted_whitener
        pair_term = b / n_document_pairs * whitened_pairs
        pair_term -= c / n_document_triples * squared_word_sums
        tensor += three_positions(pair_term, whitened_words)
        tensor += c / n_document_triples * cube(whitened_words)
        return symmetrize(tensor)
