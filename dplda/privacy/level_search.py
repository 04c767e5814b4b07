"""Noisy binary search for a level that few norms exceed."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from dplda.core.types import Vector


def search_level(
    count_above: Callable[[float], float], grid: Vector, n_allowed_above: float
) -> float:
    """The lowest level of a grid that at most so many norms exceed, by noisy counts.

    Args:
        count_above: counts the norms above a level, with noise; asked once for each halving of the
            grid, and each level depends on the counts before it.
        grid: levels in ascending order, shape (size,), at least one.
        n_allowed_above: norms that may exceed the level; a noisy number, of any sign.

    Returns:
        One of the grid's levels: the highest where too many norms are above all others.
    """
    lowest = 0
    highest = len(grid) - 1  # the answer is in grid[lowest..highest]
    while lowest < highest:
        middle = (lowest + highest) // 2
        n_above = count_above(grid[middle])
        if n_above > n_allowed_above:
            lowest = middle + 1
        else:
            highest = middle
    return float(grid[highest])


@lru_cache(maxsize=4)
def geometric_grid(low: float, high: float, size: int) -> Vector:
    """Levels at equal ratios from ``low`` to ``high``, shape (size,), read-only and cached.

    An audit asks for the same ones thousands of times.

    Args:
        low: lowest level, above 0.
        high: highest level, at least ``low``.
        size: number of levels.
    """
    levels = np.geomspace(low, high, size)
    levels.flags.writeable = False
    return levels
