"""Noise on all d×d×d triples of words as seen after whitening: drawn in k×k×k, never in d×d×d.

The release is the k×k×k view, in coordinates of symmetric tensors; its noise is colored by ``W``.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Chebyshev
from numpy.typing import NDArray
from scipy.linalg import polar

from dplda.core.types import Matrix, Tensor3, Vector
from dplda.privacy.noise.layouts import Draw, SymmetricTensor

BLOCK = 256  # words whose d numbers are held at once
LARGEST_EXCESS = 5 / 6  # of the variance 6 on entries with three equal indices, which should be 1
EXCESS_STD = np.sqrt(1 / 18)  # of x_ij in a histogram over triples
EXCESS_STD_RATIO = np.sqrt(5 / 54 * 18)  # of x_ii to x_ij
PRECISION = 1e-16  # of the polynomial that approximates a root


@dataclass(frozen=True, slots=True, eq=False)
class _SeenThrough:
    """Layout of a d×d×d tensor's view through a whitener, a symmetric k×k×k tensor.

    Attributes:
        whitener: ``W``, shape (d, k).
    """

    whitener: Matrix

    isotropic = False

    def coordinates(self, value: Tensor3, /) -> Vector:
        """Coordinates of the symmetric k×k×k tensor."""
        return self._view_layout().coordinates(value)

    def array(self, coordinates: Vector, /) -> Tensor3:
        """Shape (k, k, k), exactly symmetric."""
        return self._view_layout().array(coordinates)

    def _view_layout(self) -> SymmetricTensor:
        """Layout of symmetric k×k×k tensors."""
        n_topics = self.whitener.shape[1]
        return SymmetricTensor(n_topics)


@dataclass(frozen=True, slots=True, eq=False)
class WhitenedEntries(_SeenThrough):
    r"""Normal noise on the distinct entries of a symmetric d×d×d tensor, mirrored, drawn whitened.

    Isotropic noise times √6 has variance 6, 2 and 1 on entries with three, two and no equal
    indices, this noise 1 on all. So with :math:`R = (W^⊤W)^{1/2}` and the orthonormal columns of
    :math:`Q = WR^{-1}` its law is that of

    .. math:: \sqrt6\,\big((1 - K)^{1/2}\,\mathrm{Sym}(G_k)\big)(R,R,R), \quad K(z) =
        \mathrm{Sym}\sum_{ij} c_{ij}\, z(Q_i,Q_i,Q_j)\; Q_i⊗Q_i⊗Q_j,

    :math:`c_{ij} = 3/2` and :math:`c_{ii} = 5/6`. The eigenvalues of ``K`` are in [0, 5/6], so a
    polynomial gives the root to rounding. For normal numbers only. Time O(dk³), memory O(dk²).
    """

    place = "on every distinct entry of d×d×d triples, mirrored, drawn whitened"

    def noise(self, draw: Draw, size: int, /) -> Vector:
        """Noise as the whitened tensor's coordinates see it, shape (k(k+1)(k+2)/6,).

        Args:
            draw: gives so many independent normal numbers of scale 1.
            size: number of coordinates, k(k+1)(k+2)/6.
        """
        frame, root = polar(self.whitener)  # Q and R
        isotropic_noise = self.array(draw(size))  # Sym(G_k)
        reduced_noise = _DiagonalExcess(frame).remove(isotropic_noise)
        mirrored_noise = np.sqrt(6) * reduced_noise
        whitened_noise = _seen_along(root, mirrored_noise)
        return self.coordinates(whitened_noise)


@dataclass(frozen=True, slots=True, eq=False)
class WhitenedIsotropic(_SeenThrough):
    r"""Isotropic noise on symmetric d×d×d tensors, drawn whitened.

    It is the symmetric part of independent noise on all d³ entries. ``Sym(G)(W, W, W)`` has the law
    of ``Sym(G_k)(R, R, R)`` with ``R = (WᵀW)^{1/2}``, exactly: both are Gaussian with covariance
    built from ``(WᵀW)^{⊗3}``. For normal numbers only.
    """

    place = "isotropic on symmetric d×d×d tensors, drawn whitened"

    def noise(self, draw: Draw, size: int, /) -> Vector:
        """Noise as the whitened tensor's coordinates see it, shape (k(k+1)(k+2)/6,)."""
        whitened_noise = _isotropic(self.whitener, draw, size)
        return self.coordinates(whitened_noise)


@dataclass(frozen=True, slots=True, eq=False)
class WhitenedTriples(_SeenThrough):
    r"""Normal noise on a histogram over unordered triples of d words, drawn whitened.

    A cell's noise ``q`` enters as ``q`` on ``iii``, ``q/3`` on ``iij`` and ``q/6`` on ``ijl``:
    isotropic noise over √6, plus the excess of the first two kinds. Seen through ``W``:

    .. math:: \mathrm{Sym}(G_k)(R,R,R)/\sqrt6
        + \sum_i s_3\big(W_iW_i^⊤, \textstyle\sum_j x_{ij} W_j\big),
        \quad x_{ij}\sim N(0, 1/18)\ (i≠j),\ x_{ii}\sim N(0, 5/54).

    Time O(d²k + dk³), memory O(dk²): ``x`` is drawn a few rows at a time.
    """

    place = "on every unordered triple of words, drawn whitened"

    def noise(self, draw: Draw, size: int, /) -> Vector:
        """Noise as the whitened tensor's coordinates see it, shape (k(k+1)(k+2)/6,).

        It is isotropic noise, and the excess on cells with two equal words or three.
        """
        W = self.whitener
        d, k = W.shape
        excess_sums = np.empty((d, k))  # row i: Σ_j x_ij W_j
        for block_start in range(0, d, BLOCK):
            block_end = min(block_start + BLOCK, d)
            block_words = np.arange(block_start, block_end)
            x = _draw_excess(draw, block_words, n_words=d)
            excess_sums[block_start:block_end] = x @ W
        squares = _squares_of_rows(W)
        unsymmetrized_excess = (squares.T @ excess_sums).reshape(k, k, k)
        excess_noise = _add_three_orders(unsymmetrized_excess)
        isotropic_noise = _isotropic(W, draw, size) / np.sqrt(6)
        return self.coordinates(isotropic_noise + excess_noise)


def _draw_excess(draw: Draw, word_ids: NDArray[np.intp], *, n_words: int) -> Matrix:
    """Draw ``x_ij`` of ``WhitenedTriples`` for some words i and every word j, shape (words, d)."""
    n_rows = len(word_ids)
    unit_noise = draw(n_rows * n_words).reshape(-1, n_words)
    x: Matrix = unit_noise * EXCESS_STD
    rows = np.arange(n_rows)
    x[rows, word_ids] *= EXCESS_STD_RATIO
    return x


@dataclass(frozen=True, slots=True, eq=False)
class WhitenedCells(_SeenThrough):
    """Noise of any distribution on a histogram over unordered triples of d words, seen whitened.

    Laplace noise is not rotation invariant, so all d(d+1)(d+2)/6 numbers are drawn, one word's
    share (d²/2) at a time; a cell's noise ``q`` appears as ``q Sym(W_i⊗W_j⊗W_l)``.
    """

    place = "on every unordered triple of words, seen whitened"

    def noise(self, draw: Draw, size: int, /) -> Vector:
        """Noise as the whitened tensor's coordinates see it, shape (k(k+1)(k+2)/6,).

        Cells are drawn for one first word after the other, with the words from it on.
        """
        W = self.whitener
        d, k = W.shape
        summed_tensor = np.zeros((k, k, k))
        word_ids = np.arange(d)
        for i in range(d):
            later_rows = W[i:]
            later_words = word_ids[i:]
            is_sorted_pair = later_words[:, None] <= later_words
            n_later = d - i
            cells = np.zeros((n_later, n_later))
            cells[is_sorted_pair] = draw(n_later * (n_later + 1) // 2)
            seen_pairs = later_rows.T @ cells @ later_rows
            summed_tensor += np.multiply.outer(W[i], seen_pairs)
        half_symmetric_tensor = summed_tensor + summed_tensor.transpose(1, 0, 2)
        first_index_last = half_symmetric_tensor.transpose(1, 2, 0)
        last_index_first = half_symmetric_tensor.transpose(2, 0, 1)
        all_orders = half_symmetric_tensor + first_index_last + last_index_first
        return self.coordinates(all_orders / 6)


class _DiagonalExcess:
    """Covariance that isotropic noise has too much of on entries with equal indices.

    Args:
        frame: ``Q``, shape (d, k), orthonormal columns.
    """

    def __init__(self, frame: Matrix) -> None:
        """Prepare the squares of a frame's rows and a bound on the largest eigenvalue of ``K``."""
        self._frame = frame
        self._squares = _squares_of_rows(frame)
        squared_lengths = np.sum(frame**2, axis=1)
        largest_leverage = float(np.max(squared_lengths))
        self._largest_eigenvalue = min(LARGEST_EXCESS, 1.5 * largest_leverage)

    def remove(self, isotropic: Tensor3) -> Tensor3:
        """Apply ``(1 - K)^{1/2}`` to a symmetric tensor, by its Chebyshev polynomial.

        ``K`` is at most 3/2 of the projection on entries with two equal indices, whose norm is at
        most the largest squared length of a row of ``Q``.
        """
        root = _polynomial_of_root(1 - self._largest_eigenvalue)
        offset, slope = root.mapparms()  # from [lowest, 1] to [-1, 1]

        def apply_mapped(tensor: Tensor3) -> Tensor3:
            """Apply ``1 - K``, its spectrum mapped to [-1, 1]."""
            remainder = tensor - self._apply_excess(tensor)
            mapped_tensor: Tensor3 = offset * tensor + slope * remainder
            return mapped_tensor

        previous_term = np.zeros_like(isotropic)
        current_term = np.zeros_like(isotropic)
        for coefficient in root.coef[:0:-1]:  # Clenshaw's recurrence, highest degree first
            mapped_term = apply_mapped(current_term)
            next_term = coefficient * isotropic + 2 * mapped_term - previous_term
            previous_term = current_term
            current_term = next_term
        mapped_term = apply_mapped(current_term)
        tensor_without_excess: Tensor3 = root.coef[0] * isotropic + mapped_term - previous_term
        return tensor_without_excess

    def _apply_excess(self, tensor: Tensor3) -> Tensor3:
        """Apply ``K`` of ``WhitenedEntries`` to a symmetric tensor, shape (k, k, k)."""
        k = len(tensor)
        tensor_by_word = self._squares @ tensor.reshape(k * k, k)  # z(Q_i, Q_i, ·), shape (d, k)
        diagonal_by_word = np.sum(tensor_by_word * self._frame, axis=1)  # z(Q_i, Q_i, Q_i)
        diagonal_weights = (1.5 - LARGEST_EXCESS) * diagonal_by_word
        diagonal_part = diagonal_weights[:, None] * self._frame
        weighted_sum = 1.5 * tensor_by_word - diagonal_part
        unsymmetrized = (self._squares.T @ weighted_sum).reshape(k, k, k)
        mean_of_orders: Tensor3 = _add_three_orders(unsymmetrized) / 3
        return mean_of_orders


def _squares_of_rows(rows: Matrix) -> Matrix:
    """Outer product of each of n rows of length k with itself, shape (n, k²)."""
    n_rows, k = rows.shape
    outer_products = np.einsum("xi,xj->xij", rows, rows)
    squares: Matrix = outer_products.reshape(n_rows, k * k)
    return squares


def _add_three_orders(cross: Tensor3) -> Tensor3:
    """Three times the symmetric part of a tensor that is symmetric in its first two indices."""
    last_index_second = cross.transpose(0, 2, 1)
    last_index_first = cross.transpose(2, 0, 1)
    three_orders: Tensor3 = cross + last_index_second + last_index_first
    return three_orders


def _polynomial_of_root(lowest: float) -> Chebyshev:
    """The square root on [lowest, 1] to rounding, ``lowest`` above 0 and below 1.

    Its Chebyshev series falls by ``(1 - √lowest)/(1 + √lowest)`` a term.
    """
    root_of_lowest = math.sqrt(lowest)
    decay = (1 - root_of_lowest) / (1 + root_of_lowest)
    n_terms = math.log(PRECISION) / math.log(decay)
    degree = max(1, math.ceil(n_terms))
    return Chebyshev.interpolate(np.sqrt, degree, domain=[lowest, 1])


def _isotropic(whitener: Matrix, draw: Draw, size: int) -> Tensor3:
    """Isotropic noise on symmetric d×d×d tensors as the whitener sees it, shape (k, k, k)."""
    gram_matrix = whitener.T @ whitener
    eigenvalues, vectors = np.linalg.eigh(gram_matrix)
    root_eigenvalues = np.sqrt(np.maximum(eigenvalues, 0))
    root = (vectors * root_eigenvalues) @ vectors.T  # R
    layout = SymmetricTensor(whitener.shape[1])
    noise = layout.array(draw(size))
    return _seen_along(root, noise)


def _seen_along(root: Matrix, noise: Tensor3) -> Tensor3:
    """``noise(R, R, R)``, shape (k, k, k)."""
    first_index_seen = np.tensordot(root, noise, (0, 0))
    seen_once = first_index_seen.transpose(1, 2, 0)
    seen_twice = np.tensordot(seen_once, root, (0, 0))
    seen_thrice: Tensor3 = np.tensordot(seen_twice, root, (0, 0))
    return seen_thrice
