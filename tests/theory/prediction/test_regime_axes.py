import math
from itertools import pairwise

import pytest

from dplda.core.errors import InputError
from dplda.theory.prediction.regime_axes import Axis, Grid, Point, usual_range

HERE = Point(n_documents=2000, n_topics=4, n_words=60, alpha0=1.0, mean_length=50, epsilon=2.0)


@pytest.mark.parametrize("axis", Axis)
def test_values_go_from_end_to_end_at_nearly_equal_ratios(axis) -> None:
    low, high = axis.usual
    values = axis.values(low, high, 9)
    assert (values[0], values[-1]) == (low, high)
    assert list(values) == sorted(set(values))
    assert len(values) <= 9
    assert all(value == int(value) for value in values) or not axis.whole
    if axis is not Axis.TOPICS:  # between 2 and 20 whole numbers are coarse
        ratios = [math.log(b / a) for a, b in pairwise(values)]
        assert max(ratios) < 1.35 * min(ratios)


@pytest.mark.parametrize(
    ("low", "high"), [(5.0, 5.0), (10.0, 0.1), (0.001, 10.0), (0.1, math.inf), (math.nan, 1.0)]
)
def test_axis_without_a_range_is_refused(low, high) -> None:
    with pytest.raises(InputError, match="ε"):
        Axis.EPSILON.values(low, high, 5)


@pytest.mark.parametrize("axis", Axis)
def test_usual_range_on_the_slider_holds_the_own_value(axis) -> None:
    lowest, highest = axis.limits
    steps = axis.steps()
    assert (steps[0], steps[-1]) == (lowest, highest)
    for own_value in (lowest, axis.usual[0], highest, highest * 10):
        low, high = usual_range(axis, own_value)
        assert {low, high} <= set(steps)
        assert low < high
        assert low <= axis.usual[0]
        assert high >= axis.usual[1]
        assert low <= own_value <= high or own_value > highest


def test_grid_point_differs_from_its_regime_on_two_axes_alone() -> None:
    grid = Grid(HERE, Axis.DOCUMENTS, Axis.ALPHA0, (100.0, 1000.0, 10_000.0), (0.1, 1.0))
    point = grid.point(1, 2)
    assert (point.n_documents, point.alpha0) == (10_000, 1.0)
    assert type(point.n_documents) is int
    assert point.moved(Axis.DOCUMENTS, 2000) == HERE
    assert grid.shape == (2, 3)


def test_axis_that_is_no_grid_is_refused() -> None:
    with pytest.raises(InputError, match="different"):
        Grid(HERE, Axis.WORDS, Axis.WORDS, (10.0, 20.0), (10.0, 20.0))
    with pytest.raises(InputError, match="ascending"):
        Grid(HERE, Axis.WORDS, Axis.EPSILON, (20.0, 10.0), (1.0, 2.0))


@pytest.mark.parametrize(
    "wrong",
    [{"n_documents": 2}, {"n_topics": 1}, {"alpha0": 0.0}, {"epsilon": math.nan}, {"delta": 1.0}],
)
def test_point_with_a_wrong_value_is_refused(wrong) -> None:
    fields = {
        "n_documents": 100,
        "n_topics": 2,
        "n_words": 10,
        "alpha0": 1.0,
        "mean_length": 9,
        "epsilon": 1.0,
    }
    with pytest.raises(InputError, match=next(iter(wrong))):
        Point(**(fields | wrong))
