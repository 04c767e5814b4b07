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


class NoNoise:
    """Zeros in the place of noise: what the mechanism would say without any; never private."""

    kind = "none"

    def normals(self, size: int) -> Vector:
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
    d = n_words
    rows, columns = np.triu_indices(d)
    halved = source.normals(len(rows))
    halved *= scale / 2
    noise = np.zeros((d, d))
    noise[rows, columns] = halved
    result: Matrix = noise + noise.T
    return result


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
