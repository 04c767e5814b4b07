"""Runs as dots in two heaps."""

import pytest

from dplda import figures
from tests.figures.checked import checked

NAMES = ("rain", "football")


def test_dots_lie_on_the_side_that_the_attacker_says() -> None:
    scores, was_in = [0.3, -0.3, 7.0, -2.0, 0.31], [True, True, True, False, False]
    drawn_figure = figures.heaps(
        scores, was_in, title="Right", comparison="a coin: 50", names=NAMES, sides=("", "")
    )
    inside, outside = checked(drawn_figure).data
    assert list(inside.x) == pytest.approx([0.3, -0.3, 4.05])
    assert list(outside.x) == pytest.approx([-1.95, 0.3])
    assert list(inside.y) == pytest.approx([0.7, 0.7, 0.7])
    assert list(outside.y) == pytest.approx([-0.7, -0.7]), "below the line"
    assert "2 are on the wrong side" in drawn_figure.alt
