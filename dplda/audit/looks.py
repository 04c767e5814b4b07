"""What an adversary makes of a released value: independent numbers of equal noise, and what they are without noise."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplda._types import Matrix, Vector
from dplda.audit.cells import histogram_cells, orthonormal_coordinates, triple_cells
from dplda.audit.conditional import Drawn

Look: TypeAlias = Callable[[Drawn], tuple[Matrix, Vector]]
"""Shape (draws, p), and without noise shape (p,)."""

GRID = 2**8  # levels of a search


def entries(drawn: Drawn) -> tuple[Matrix, Vector]:
    """A number or a vector as it is."""
    return drawn.values.reshape(len(drawn.values), -1), np.ravel(drawn.shown)


def pairs(drawn: Drawn) -> tuple[Matrix, Vector]:
    """A pair average as its histogram."""
    return _cells(histogram_cells, drawn.values), histogram_cells(drawn.shown)


def isotropic(drawn: Drawn) -> tuple[Matrix, Vector]:
    """A symmetric matrix or tensor in an orthonormal basis."""
    of = _orthonormal if np.ndim(drawn.shown) == 2 else orthonormal_coordinates
    return _cells(of, drawn.values), of(drawn.shown)


def triples(drawn: Drawn) -> tuple[Matrix, Vector]:
    """A triple average seen through a square whitener, which hides nothing: undone, as its histogram."""
    assert drawn.whitener is not None
    back = np.linalg.inv(drawn.whitener)
    values, shown = (
        np.einsum("nabc,ai,bj,cl->nijl", tensors, back, back, back, optimize=True)
        for tensors in (drawn.values, drawn.shown[None])
    )
    return _cells(triple_cells, values), triple_cells(shown[0])


def counts(drawn: Drawn) -> tuple[Matrix, Vector]:
    """All noisy counts of a search, where every norm is zero or above the whole grid: each count is the same."""
    return drawn.heard, np.full(drawn.heard.shape[1], np.count_nonzero(drawn.shown))


def level(drawn: Drawn) -> tuple[Matrix, Vector]:
    """How often a search went up, told from the level that it released: the ones among the binary digits."""
    assert drawn.ends is not None
    grid = np.geomspace(*drawn.ends, GRID)

    def ups(found: float) -> float:
        return int(np.argmin(np.abs(grid - found))).bit_count()

    return np.array([[ups(found)] for found in drawn.values]), np.array([ups(np.max(drawn.shown))])


def gaussian_scores(one: Drawn, two: Drawn, look: Look) -> tuple[Vector, Vector]:
    """The logarithm of the likelihood ratio of Gaussian noise, up to its place and unit: linear in what is seen."""
    (seen, centre), (other, other_centre) = look(one), look(two)
    return seen @ (centre - other_centre), other @ (centre - other_centre)


def laplace_ratios(one: Drawn, two: Drawn, look: Look) -> tuple[Vector, Vector]:
    """The logarithm of the likelihood ratio of Laplace noise over ε, in [−1, 1], to the last bit."""
    (seen, centre), (other, other_centre) = look(one), look(two)

    def ratio(x: Matrix) -> Vector:
        apart = np.abs(x - other_centre) - np.abs(x - centre)
        return np.asarray(apart.sum(axis=1) / np.sum(np.abs(centre - other_centre)))

    return ratio(seen), ratio(other)


def laplace_scores(one: Drawn, two: Drawn, look: Look) -> tuple[Vector, Vector]:
    """The same to nine digits: what is audited is the law, not the bits that floating-point noise betrays.

    The ratio takes its extremes with positive probability, and there its last bits say more than it does itself.
    """
    ratios, others = laplace_ratios(one, two, look)
    return np.round(ratios, 9), np.round(others, 9)


def _orthonormal(matrix: Matrix) -> Vector:
    rows, columns = np.triu_indices(len(matrix))
    return matrix[rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2))


def _cells(of: Callable[..., Vector], values: NDArray[np.float64]) -> Matrix:
    """A linear map of many arrays at once, from what it makes of each entry alone."""
    shape = values.shape[1:]
    units = np.eye(int(np.prod(shape))).reshape(-1, *shape)
    return np.asarray(values.reshape(len(values), -1) @ np.array([of(unit) for unit in units]))
