"""The only place where privacy noise is drawn."""

from typing import Protocol

import numpy as np

from dplda._types import Matrix, Tensor3, Vector


class NoiseSource(Protocol):
    """Where standard normal numbers come from."""

    @property
    def kind(self) -> str:
        """What the numbers are good for, in a word that a release shows."""

    def normals(self, size: int) -> Vector:
        """``size`` independent standard normal numbers, shape (size,)."""

    def laplaces(self, size: int) -> Vector:
        """``size`` independent Laplace numbers of scale 1, shape (size,)."""


class SimulatedNoise:
    """NumPy's generator, seeded: repeatable, for simulated and public corpora and for teaching.

    Floating-point Gaussian noise keeps the promised law only approximately (its low bits depend on the value it is
    added to), and a seed that anyone knows undoes it altogether; so nothing of a sensitive corpus may leave with it.
    """

    kind = "simulated"

    def __init__(self, seed: int) -> None:
        # A stream of its own: the same seed drives the numerics, which must not be correlated with the noise.
        self._rng = np.random.default_rng(np.random.SeedSequence([seed, 0x6E6F6973]))

    def normals(self, size: int) -> Vector:
        """``size`` independent standard normal numbers, shape (size,)."""
        return self._rng.standard_normal(size)

    def laplaces(self, size: int) -> Vector:
        """``size`` independent Laplace numbers of scale 1, shape (size,)."""
        return self._rng.laplace(size=size)


class NoNoise:
    """Zeros in the place of noise: what the mechanism would say without any; never private."""

    kind = "none"

    def normals(self, size: int) -> Vector:
        """Zeros, shape (size,)."""
        return np.zeros(size)

    def laplaces(self, size: int) -> Vector:
        """Zeros, shape (size,)."""
        return np.zeros(size)


def vector(source: NoiseSource, size: int, scale: float) -> Vector:
    """Independent noise of standard deviation ``scale``, shape (size,)."""
    result: Vector = scale * source.normals(size)
    return result


def unordered_pairs(source: NoiseSource, n_words: int, scale: float) -> Matrix:
    """Independent noise on a histogram over unordered pairs, laid out as a symmetric matrix.

    Args:
        source: of the numbers.
        n_words: ``d``.
        scale: standard deviation of one histogram cell.

    Returns:
        Shape (d, d), symmetric; standard deviation ``scale`` on the diagonal, ``scale/2`` off it.
    """
    result: Matrix = symmetric_matrix_of(source.normals(_cells(n_words)), n_words, scale, scale / 2)
    return result


def symmetric_matrix_of(numbers: Vector, size: int, diagonal: float, off_diagonal: float) -> Matrix:
    """Numbers on and above the diagonal, row after row, copied below it; no index array is built.

    Args:
        numbers: shape (size(size + 1)/2,).
        size: of the matrix.
        diagonal: factor of the numbers on the diagonal.
        off_diagonal: factor of the others.
    """
    matrix = np.zeros((size, size))
    start = 0
    for i in range(size):
        row = numbers[start : start + size - i]
        matrix[i, i] = diagonal * row[0]
        matrix[i, i + 1 :] = off_diagonal * row[1:]
        matrix[i + 1 :, i] = matrix[i, i + 1 :]
        start += size - i
    return matrix


def _cells(size: int) -> int:
    """Entries on and above the diagonal of a square matrix."""
    return size * (size + 1) // 2


def isotropic_matrix(source: NoiseSource, size: int, scale: float) -> Matrix:
    """Isotropic noise on symmetric matrices: deviation ``scale`` on the diagonal, ``scale/√2`` off it."""
    return symmetric_matrix_of(source.normals(_cells(size)), size, scale, scale / np.sqrt(2))


def symmetric_tensor(source: NoiseSource, size: int, scale: float) -> Tensor3:
    """Isotropic noise on symmetric tensors: the symmetric part of independent noise on all entries.

    In an orthonormal basis of the symmetric tensors every coordinate has standard deviation ``scale``.

    Args:
        source: of the numbers.
        size: ``k``.
        scale: standard deviation of one coordinate.

    Returns:
        Shape (k, k, k), symmetric; standard deviations ``scale``, ``scale/√3``, ``scale/√6`` of entries with three,
        two and no equal indices.
    """
    k = size
    i, j, m = np.sort(np.indices((k, k, k)).reshape(3, -1), axis=0)
    distinct = (i != j).astype(int) + (j != m).astype(int)
    orders = np.array([1, 3, 6])[distinct]
    first = np.unique((i * k + j) * k + m, return_inverse=True)[1]
    coordinates = source.normals(k * (k + 1) * (k + 2) // 6)
    entries: Tensor3 = (scale * coordinates[first] / np.sqrt(orders)).reshape(k, k, k)
    return entries


def whitened_symmetric(source: NoiseSource, whitener: Matrix, scale: float) -> Tensor3:
    r"""Isotropic noise on symmetric d×d×d tensors as it looks after whitening, drawn in k dimensions.

    ``Sym(G)(W, W, W)`` has the law of ``Sym(G_k)(R, R, R)`` with ``R = (WᵀW)^{1/2}``, exactly: both are Gaussian with
    covariance built from ``(WᵀW)^{⊗3}``.

    Args:
        source: of the numbers.
        whitener: ``W``, shape (d, k), independent of this noise.
        scale: standard deviation of one coordinate of the d×d×d noise.
    """
    values, vectors = np.linalg.eigh(whitener.T @ whitener)
    root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    noise = symmetric_tensor(source, whitener.shape[1], scale)
    result: Tensor3 = np.einsum("abc,ai,bj,cm->ijm", noise, root, root, root, optimize=True)
    return result


def whitened_triple_histogram(source: NoiseSource, whitener: Matrix, scale: float) -> Tensor3:
    r"""Noise on a histogram over unordered triples of d words as it looks after whitening.

    A cell's noise ``q`` stands as ``q`` on ``iii``, ``q/3`` on ``iij`` and ``q/6`` on ``ijl``. That is isotropic noise
    over √6, plus what the first two kinds have more of; seen through ``W``:

    .. math:: σ\Big[\mathrm{Sym}(G_k)(R,R,R)/\sqrt6 + \sum_i s_3\big(W_iW_i^⊤, \textstyle\sum_j x_{ij} W_j\big)\Big],
        \quad x_{ij}\sim N(0, 1/18)\ (i≠j),\ x_{ii}\sim N(0, 5/54).

    Time O(d²k + dk³), memory O(dk²): ``x`` is drawn a few rows at a time.
    """
    d, k = whitener.shape
    sums = np.empty((d, k))
    for start in range(0, d, 256):
        rows = slice(start, min(start + 256, d))
        x = source.normals((rows.stop - rows.start) * d).reshape(-1, d) * np.sqrt(1 / 18)
        own = np.arange(rows.start, rows.stop)
        x[own - start, own] *= np.sqrt(5 / 54 * 18)
        sums[rows] = x @ whitener
    squares = np.einsum("xi,xj->xij", whitener, whitener).reshape(d, k * k)
    cross = (squares.T @ sums).reshape(k, k, k)
    extra = cross + cross.transpose(0, 2, 1) + cross.transpose(2, 0, 1)
    result: Tensor3 = whitened_symmetric(source, whitener, scale / np.sqrt(6)) + scale * extra
    return result


def laplace_pairs(source: NoiseSource, n_words: int, scale: float) -> Matrix:
    """Laplace noise on a histogram over unordered pairs, as a symmetric matrix with half of it off the diagonal."""
    return symmetric_matrix_of(source.laplaces(_cells(n_words)), n_words, scale, scale / 2)


def whitened_laplace_triples(source: NoiseSource, whitener: Matrix, scale: float) -> Tensor3:
    r"""Laplace noise on a histogram over unordered triples of d words as it looks after whitening.

    Laplace noise is not rotation invariant, so every one of the d(d+1)(d+2)/6 numbers is drawn; a cell's noise ``q``
    appears as ``q Sym(W_i⊗W_j⊗W_l)``. One word's share, d²/2 numbers, is held at a time.
    """
    d, k = whitener.shape
    total = np.zeros((k, k, k))
    for i in range(d):
        rest = whitener[i:]
        size = d - i
        cells = np.zeros((size, size))
        cells[np.triu_indices(size)] = source.laplaces(_cells(size))
        total += np.multiply.outer(whitener[i], rest.T @ cells @ rest)
    swapped = total + total.transpose(1, 0, 2)
    result: Tensor3 = scale * (swapped + swapped.transpose(1, 2, 0) + swapped.transpose(2, 0, 1)) / 6
    return result
