import math

from dplda import figures
from dplda.experiments.papers.curves import same_noise
from dplda.privacy.composition import compare
from dplda.theory.prediction.curves import ErrorCurve
from dplda.theory.theorems.readings import TRIVIAL

EPSILONS = (0.1, 1.0, 10.0)
LARGE = ErrorCurve("config-1", EPSILONS, (900.0, 90.0, 9.0))
HOLE = ErrorCurve("config-2", EPSILONS, (math.nan, 9.0, 0.9), ("σk",))
NONE = ErrorCurve("config-3", EPSILONS, (math.nan,) * 3, ("σk",))


def test_bounds_stand_beside_the_line_above_which_they_say_nothing() -> None:
    figure = figures.bounds([LARGE, HOLE, NONE], epsilon=1.0).checked().checked()
    assert [trace.name for trace in figure.data] == ["Configuration 1", "Configuration 2"]
    assert any(shape.y0 == TRIVIAL for shape in figure.layout.shapes)
    assert any("vacuous above" in note.text for note in figure.layout.annotations)
    assert figure.data[1].y[0] is None
    assert len({trace.marker.symbol for trace in figure.data}) == 2
    assert len({trace.line.dash for trace in figure.data}) == 2


def test_what_is_found_is_the_title() -> None:
    for epsilon, said in ((0.1, "every bound is vacuous"), (1.0, "is vacuous"), (10.0, "below √2: Configuration 2")):
        assert said in figures.bounds([LARGE, HOLE, NONE], epsilon=epsilon).title
    assert "no theorem" in figures.bounds([NONE], epsilon=1.0).title
    assert "Configuration 2 has the smallest" in figures.predictions([LARGE, HOLE], epsilon=10.0).title
    assert "no prediction" in figures.predictions([NONE], epsilon=10.0).title


def test_the_current_epsilon_is_marked() -> None:
    for draw in (figures.bounds, figures.predictions):
        figure = draw([LARGE, HOLE], epsilon=1.0, watermark="Curator").checked()
        assert any(note.text == "ε = 1" for note in figure.layout.annotations)
        assert any(shape.x0 == 1.0 for shape in figure.layout.shapes)
        assert any(note.text == "Curator" for note in figure.layout.annotations)


def test_exact_composition_needs_the_least_and_the_same_noise_is_drawn_under_four_accountings() -> None:
    needed = figures.accounting(compare(1.0, 1e-7, (0.3, 0.7)), 1, name="E₂").checked().checked().data[0].x
    assert min(needed) == needed[-1]
    epsilons = same_noise()
    figure = figures.accountants(epsilons).checked().checked()
    assert list(figure.data[0].x) == list(epsilons.values())
