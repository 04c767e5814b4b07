"""The law of noise on all d×d×d triples after whitening, from the full tensor: every cell's part written out."""

import numpy as np

from dplda.privacy.noise.layouts import Spread


def cells(d: int) -> tuple[np.ndarray, np.ndarray]:
    """Unordered triples i ≤ j ≤ l of d words, shape (3, cells), and the number of orders of each."""
    rests = [(i, *(i + np.array(np.triu_indices(d - i)))) for i in range(d)]
    triples = np.array([np.concatenate([np.full(len(j), i) for i, j, _ in rests]), *np.hstack([r[1:] for r in rests])])
    i, j, m = triples
    return triples, np.array([1, 3, 6])[(i != j).astype(int) + (j != m).astype(int)]


def seen_cells(whitener: np.ndarray) -> np.ndarray:
    """What one unit in each cell, ``Sym(e_i⊗e_j⊗e_l)``, becomes through W: shape (coordinates, cells).

    Coordinates are those of an orthonormal basis of the symmetric k×k×k tensors.
    """
    (i, j, m), _ = cells(len(whitener))
    k = whitener.shape[1]
    orders = [(i, j, m), (i, m, j), (j, i, m), (j, m, i), (m, i, j), (m, j, i)]
    rows = []
    for a in range(k):
        for b in range(a, k):
            for c in range(b, k):
                entry = sum(whitener[x, a] * whitener[y, b] * whitener[z, c] for x, y, z in orders) / 6
                rows.append(entry * np.sqrt({1: 1, 2: 3, 3: 6}[len({a, b, c})]))
    return np.array(rows)


class Probe:
    """Draws numbers of which only the n-th is not zero: shows what becomes of it."""

    def __init__(self, number: int) -> None:
        self._number, self._drawn = number, 0

    def __call__(self, size: int) -> np.ndarray:
        start, self._drawn = self._drawn, self._drawn + size
        return (np.arange(start, start + size) == self._number).astype(float)


class Given:
    """Hands out given numbers in order."""

    def __init__(self, numbers: np.ndarray) -> None:
        self._rest = numbers

    def __call__(self, size: int) -> np.ndarray:
        drawn, self._rest = self._rest[:size], self._rest[size:]
        return drawn

    @property
    def left(self) -> int:
        return len(self._rest)


def n_coordinates(k: int) -> int:
    """Degrees of freedom of a symmetric k×k×k tensor."""
    return k * (k + 1) * (k + 2) // 6


def linear_map(layout: Spread, k: int, numbers: int) -> np.ndarray:
    """Noise is linear in its numbers: its matrix, shape (coordinates, numbers)."""
    return np.array([layout.noise(Probe(n), n_coordinates(k)) for n in range(numbers)]).T


def standardised(draws: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Draws, shape (draws, coordinates), turned into independent ones of variance one."""
    return np.linalg.solve(np.linalg.cholesky(covariance), draws.T).T
