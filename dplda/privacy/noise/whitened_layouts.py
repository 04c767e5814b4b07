"""Noise on all d×d×d triples of words as seen after whitening: drawn in k×k×k, never in d×d×d.

The release is the k×k×k view, in coordinates of symmetric tensors; its noise is colored by ``W``.
"""

from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix, Tensor3, Vector
from dplda.privacy.noise.layouts import Draw, SymmetricTensor

BLOCK = 256  # words whose d numbers are held at once


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
class WhitenedMoment(_SeenThrough):
    r"""Isotropic noise on symmetric d×d×d tensors, drawn whitened.

    ``Sym(G)(W, W, W)`` has the law of ``Sym(G_k)(R, R, R)`` with ``R = (WᵀW)^{1/2}``, exactly: both
    are Gaussian with covariance built from ``(WᵀW)^{⊗3}``. For normal numbers only.
    """

    place = "isotropic on symmetric d×d×d tensors, drawn whitened"

    def noise(self, draw: Draw, size: int, /) -> Vector:
        """Shape (k(k+1)(k+2)/6,)."""
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
        """Shape (k(k+1)(k+2)/6,)."""
        W = self.whitener
        d, k = W.shape
        sums = np.empty((d, k))
        for start in range(0, d, BLOCK):
            rows = slice(start, min(start + BLOCK, d))
            x = draw((rows.stop - rows.start) * d).reshape(-1, d) * np.sqrt(1 / 18)
            block_words = np.arange(rows.start, rows.stop)
            x[block_words - start, block_words] *= np.sqrt(5 / 54 * 18)
            sums[rows] = x @ W
        squares = np.einsum("xi,xj->xij", W, W).reshape(d, k * k)
        cross = (squares.T @ sums).reshape(k, k, k)
        extra = cross + cross.transpose(0, 2, 1) + cross.transpose(2, 0, 1)
        return self.coordinates(_isotropic(W, draw, size) / np.sqrt(6) + extra)


@dataclass(frozen=True, slots=True, eq=False)
class WhitenedCells(_SeenThrough):
    """Noise of any distribution on a histogram over unordered triples of d words, seen whitened.

    Laplace noise is not rotation invariant, so all d(d+1)(d+2)/6 numbers are drawn, one word's
    share (d²/2) at a time; a cell's noise ``q`` appears as ``q Sym(W_i⊗W_j⊗W_l)``.
    """

    place = "on every unordered triple of words, seen whitened"

    def noise(self, draw: Draw, size: int, /) -> Vector:
        """Shape (k(k+1)(k+2)/6,)."""
        W = self.whitener
        d, k = W.shape
        total, words = np.zeros((k, k, k)), np.arange(d)
        for i in range(d):
            rest = W[i:]
            cells = np.zeros((d - i, d - i))
            cells[words[i:, None] <= words[i:]] = draw((d - i) * (d - i + 1) // 2)
            total += np.multiply.outer(W[i], rest.T @ cells @ rest)
        swapped = total + total.transpose(1, 0, 2)
        return self.coordinates(
            (swapped + swapped.transpose(1, 2, 0) + swapped.transpose(2, 0, 1)) / 6
        )


def _isotropic(whitener: Matrix, draw: Draw, size: int) -> Tensor3:
    values, vectors = np.linalg.eigh(whitener.T @ whitener)
    root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    noise = SymmetricTensor(whitener.shape[1]).array(draw(size))
    seen = np.tensordot(root, noise, (0, 0)).transpose(1, 2, 0)
    return np.tensordot(np.tensordot(seen, root, (0, 0)), root, (0, 0))
