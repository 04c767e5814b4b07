"""The search for a level: the lowest that few norms exceed, with so many questions as the grid has halvings."""

import numpy as np
import pytest

from dplda.privacy.level_search import geometric_grid, search_level

GRID = np.arange(1.0, 9.0)  # 1 to 8
NORMS = np.array([0.5, 1.5, 2.5, 3.5, 4.5, 5.5])


def count_above(level: float) -> int:
    return int(np.count_nonzero(level < NORMS))


@pytest.mark.parametrize(
    ("n_allowed_above", "level"), [(0, 6.0), (1, 5.0), (2.5, 4.0), (5, 1.0), (6, 1.0)]
)
def test_search_level_with_exact_counts_finds_the_lowest_level_that_few_norms_exceed(
    n_allowed_above: float, level: float
) -> None:
    assert search_level(count_above, GRID, n_allowed_above) == level


def test_search_level_where_no_level_is_high_enough_gives_the_highest() -> None:
    assert search_level(count_above, GRID, -1.0) == GRID[-1]


def test_search_level_asks_once_for_each_halving_of_the_grid() -> None:
    asked_levels = []

    def note(level: float) -> float:
        asked_levels.append(level)
        return float(count_above(level))

    search_level(note, GRID, 1)
    assert len(asked_levels) == 3
    assert len(set(asked_levels)) == 3


def test_geometric_grid_has_equal_ratios() -> None:
    levels = geometric_grid(1.0, 16.0, 5)
    np.testing.assert_allclose(levels, [1, 2, 4, 8, 16], rtol=1e-15)


def test_geometric_grid_is_read_only() -> None:
    levels = geometric_grid(1.0, 16.0, 5)
    assert not levels.flags.writeable
