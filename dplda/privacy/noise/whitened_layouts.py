"""Noise on all d×d×d triples of words as seen after whitening: drawn in k×k×k, never in d×d×d.

The release is the k×k×k view, in coordinates of symmetric tensors; its noise is colored by ``W``.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Chebyshev
from scipy.linalg import polar

from dplda.core.types import Matrix, Tensor3, Vector
from dplda.privacy.noise.layouts import Draw, SymmetricTensor

BLOCK = 256  # words whose d numbers are held at once
LARGEST_EXCESS = 5 / 6  # of the variance 6 on entries with three equal indices, which should be 1
PRECISION = 1e-16  # of the polynomial that approximates a root


@dataclass(frozen=True, slots=True, eq=False)
class _SeenThrough:
    whitener: Matrix

    isotropic = False

    def coordinates(self, value: Tensor3, /) -> Vector:
        """Coordinates of the symmetric k×k×k tensor."""
        return self._seen().coordinates(value)

    def array(self, coordinates: Vector, /) -> Tensor3:
        """Shape (k, k, k), exactly symmetric."""
        return self._seen().array(coordinates)

    def _seen(self) -> SymmetricTensor:
        return SymmetricTensor(self.whitener.shape[1])


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
        """Shape (k(k+1)(k+2)/6,)."""
        frame, root = polar(self.whitener)
        isotropic = SymmetricTensor(self.whitener.shape[1]).array(draw(size))
        mirrored = np.sqrt(6) * _DiagonalExcess(frame).remove(isotropic)
        return self.coordinates(_seen_along(root, mirrored))


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
        return self.coordinates(_isotropic(self.whitener, draw, size))


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
            rows = slice(block_start, min(block_start + BLOCK, d))
            n_rows = rows.stop - rows.start
            x = draw(n_rows * d).reshape(-1, d)
            x = x * np.sqrt(1 / 18)
            block_rows = np.arange(n_rows)
            block_words = np.arange(rows.start, rows.stop)
            x[block_rows, block_words] *= np.sqrt(5 / 54 * 18)
            excess_sums[rows] = x @ W
        squares = np.einsum("xi,xj->xij", W, W).reshape(d, k * k)
        cross = (squares.T @ excess_sums).reshape(k, k, k)
        excess = cross + cross.transpose(0, 2, 1) + cross.transpose(2, 0, 1)
        isotropic = _isotropic(W, draw, size) / np.sqrt(6)
        return self.coordinates(isotropic + excess)


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
            cells = np.zeros((d - i, d - i))
            cells[word_ids[i:, None] <= word_ids[i:]] = draw((d - i) * (d - i + 1) // 2)
            summed_tensor += np.multiply.outer(W[i], later_rows.T @ cells @ later_rows)
        half_symmetric_tensor = summed_tensor + summed_tensor.transpose(1, 0, 2)
        return self.coordinates(
            (
                half_symmetric_tensor
                + half_symmetric_tensor.transpose(1, 2, 0)
                + half_symmetric_tensor.transpose(2, 0, 1)
            )
            / 6
        )


class _DiagonalExcess:
    """Covariance that isotropic noise has too much of on entries with equal indices.

    Args:
        frame: ``Q``, shape (d, k), orthonormal columns.
    """

    def __init__(self, frame: Matrix) -> None:
        """Prepare the squares of a frame's rows and a bound on the largest eigenvalue of ``K``."""
        d, k = frame.shape
        self._frame = frame
        self._squares = np.einsum("xi,xj->xij", frame, frame).reshape(d, k * k)
        largest_leverage = float(np.max(np.sum(frame**2, axis=1)))
        self._largest_eigenvalue = min(LARGEST_EXCESS, 1.5 * largest_leverage)

    def remove(self, isotropic: Tensor3) -> Tensor3:
        """Apply ``(1 - K)^{1/2}`` to a symmetric tensor, by its Chebyshev polynomial.

        ``K`` is at most 3/2 of the projection on entries with two equal indices, whose norm is at
        most the largest squared length of a row of ``Q``.
        """
        root = _polynomial_of_root(1 - self._largest_eigenvalue)
        offset, slope = root.mapparms()  # from [lowest, 1] to [-1, 1]
        previous_term = np.zeros_like(isotropic)
        current_term = np.zeros_like(isotropic)
        for coefficient in root.coef[:0:-1]:  # Clenshaw's recurrence, highest degree first
            scaled_tensor = offset * current_term + slope * (
                current_term - self._apply(current_term)
            )
            previous_term, current_term = (
                current_term,
                coefficient * isotropic + 2 * scaled_tensor - previous_term,
            )
        scaled_tensor = offset * current_term + slope * (current_term - self._apply(current_term))
        tensor_without_excess: Tensor3 = root.coef[0] * isotropic + scaled_tensor - previous_term
        return tensor_without_excess

    def _apply(self, tensor: Tensor3) -> Tensor3:
        """Apply ``K`` to a symmetric tensor, shape (k, k, k)."""
        k = len(tensor)
        tensor_by_word = self._squares @ tensor.reshape(k * k, k)  # z(Q_i, Q_i, ·), shape (d, k)
        diagonal_by_word = np.sum(tensor_by_word * self._frame, axis=1)  # z(Q_i, Q_i, Q_i)
        diagonal_part = (1.5 - LARGEST_EXCESS) * diagonal_by_word[:, None] * self._frame
        weighted_sum = 1.5 * tensor_by_word - diagonal_part
        cross = (self._squares.T @ weighted_sum).reshape(k, k, k)
        three_orders = cross + cross.transpose(0, 2, 1) + cross.transpose(2, 0, 1)
        mean_of_orders: Tensor3 = three_orders / 3
        return mean_of_orders


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
    eigenvalues, vectors = np.linalg.eigh(whitener.T @ whitener)
    root_eigenvalues = np.sqrt(np.maximum(eigenvalues, 0))
    root = (vectors * root_eigenvalues) @ vectors.T
    layout = SymmetricTensor(whitener.shape[1])
    noise = layout.array(draw(size))
    return _seen_along(root, noise)


def _seen_along(root: Matrix, noise: Tensor3) -> Tensor3:
    """``noise(R, R, R)``, shape (k, k, k)."""
    seen_once = np.tensordot(root, noise, (0, 0)).transpose(1, 2, 0)
    seen_twice = np.tensordot(seen_once, root, (0, 0))
    return np.tensordot(seen_twice, root, (0, 0))
