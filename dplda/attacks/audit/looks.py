"""What an adversary makes of a released value: independent numbers of equal noise, and what they are without noise."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplda.attacks.audit.cells import histogram_cells, orthonormal_coordinates, triple_cells
from dplda.attacks.audit.conditional import ConditionalDraws
from dplda.core.types import Matrix, Vector

Look: TypeAlias = Callable[[ConditionalDraws], tuple[Matrix, Vector]]
"""Shape (draws, p), and without noise shape (p,)."""

GRID = 2**8  # levels of a search
CERTAIN = 1e6  # what a certainty adds to a logarithm of likelihoods


def entries(drawn: ConditionalDraws) -> tuple[Matrix, Vector]:
    """A number or a vector as it is."""
    return drawn.values.reshape(len(drawn.values), -1), np.ravel(drawn.shown)


def pairs(drawn: ConditionalDraws) -> tuple[Matrix, Vector]:
    """A pair average as its histogram."""
    return _cells(histogram_cells, drawn.values), histogram_cells(drawn.shown)


def isotropic(drawn: ConditionalDraws) -> tuple[Matrix, Vector]:
    """A symmetric matrix or tensor in an orthonormal basis."""
    of = _orthonormal if np.ndim(drawn.shown) == 2 else orthonormal_coordinates
    return _cells(of, drawn.values), of(drawn.shown)


def triples(drawn: ConditionalDraws) -> tuple[Matrix, Vector]:
    """A triple average seen through a square whitener, which hides nothing: undone, as its histogram."""
    assert drawn.whitener is not None
    back = np.linalg.inv(drawn.whitener)
    values, shown = (
        np.einsum("nabc,ai,bj,cl->nijl", tensors, back, back, back, optimize=True)
        for tensors in (drawn.values, drawn.shown[None])
    )
    return _cells(triple_cells, values), triple_cells(shown[0])


def counts(drawn: ConditionalDraws) -> tuple[Matrix, Vector]:
    """All noisy counts of a search, where every norm is zero or above the whole grid: each count is the same."""
    return drawn.heard, np.full(drawn.heard.shape[1], np.count_nonzero(drawn.shown))


def level(drawn: ConditionalDraws) -> tuple[Matrix, Vector]:
    """How often a search went up, told from the level that it released: the ones among the binary digits."""
    assert drawn.ends is not None
    grid = np.geomspace(*drawn.ends, GRID)

    def ups(found: float) -> float:
        return int(np.argmin(np.abs(grid - found))).bit_count()

    return np.array([[ups(found)] for found in drawn.values]), np.array([ups(np.max(drawn.shown))])


def towards(values: Matrix, one: Vector, two: Vector, *, bits: bool = False) -> Vector:
    """The logarithm of the likelihood ratio of Gaussian noise, in units of its variance; with what last bits betray.

    Args:
        values: released, shape (draws, p).
        one: before noise on the first corpus, shape (p,).
    """
    scores: Vector = values @ (one - two) - (one + two) @ (one - two) / 2
    return scores + betrayed(values, one, two) if bits else scores


def ratio(values: Matrix, one: Vector, two: Vector) -> Vector:
    """The logarithm of the likelihood ratio of Laplace noise over ε, in [−1, 1], to the last bit.

    Args:
        values: released, shape (draws, p).
        one: before noise on the first corpus, shape (p,).
    """
    apart = np.abs(values - two) - np.abs(values - one)
    return np.asarray(apart.sum(axis=1) / np.sum(np.abs(one - two)))


def rounded_ratio(values: Matrix, one: Vector, two: Vector) -> Vector:
    """The same to nine digits.

    It takes its extremes with positive probability, and there its last bits say more than it does itself.
    """
    return np.round(ratio(values, one, two), 9)


def betrayed(values: Matrix, one: Vector, two: Vector) -> Vector:
    """How many of a run's numbers floating-point noise cannot have made of the second value, less those of the first.

    A value plus noise is a multiple of whatever both of them are multiples of. Where the noise that it would take is
    larger than what is released, it has fewer bits after the point than the released number may have: who finds those
    knows that the value was another one, and counts for certain. Shapes as for ``towards``.
    """
    certain = [np.count_nonzero(_finest(values) < _finest_of_sum(values, exact), axis=1) for exact in (one, two)]
    return np.asarray(CERTAIN * (certain[1] - certain[0]))


def _finest(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Exponent of the last bit that is set; infinite for 0."""
    mantissa, exponent = np.frexp(numbers)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    last = np.log2((whole & -whole).astype(float), out=np.full(whole.shape, np.inf), where=whole != 0)
    return np.asarray(last + exponent - 53)


def _finest_of_sum(values: Matrix, exact: Vector) -> NDArray[np.float64]:
    """Of what a value and the noise that leads from it to what is released can both be multiples of."""
    _, exponent = np.frexp((values - exact) * (1 - 1e-9))
    return np.minimum(exponent - 53.0, _finest(exact))


def _orthonormal(matrix: Matrix) -> Vector:
    rows, columns = np.triu_indices(len(matrix))
    return matrix[rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2))


def _cells(of: Callable[..., Vector], values: NDArray[np.float64]) -> Matrix:
    """A linear map of many arrays at once, from what it makes of each entry alone."""
    shape = values.shape[1:]
    units = np.eye(int(np.prod(shape))).reshape(-1, *shape)
    return np.asarray(values.reshape(len(values), -1) @ np.array([of(unit) for unit in units]))
