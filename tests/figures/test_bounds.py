import math
from dataclasses import replace

from dplda import figures
from dplda.experiments.papers.curves import same_noise
from dplda.lessons.views import VIEWS
from dplda.theory.prediction.curves import ErrorCurve
from tests.figures.checked import checked

EPSILONS = (0.1, 1.0, 10.0)
LARGE = ErrorCurve("config-1", EPSILONS, (900.0, 90.0, 9.0))
HOLE = ErrorCurve("config-2", EPSILONS, (math.nan, 9.0, 0.9), ("σk",))
NONE = ErrorCurve("config-3", EPSILONS, (math.nan,) * 3, ("σk",))


def test_predictions_recommend_the_method_that_is_best_at_most_epsilon() -> None:
    best = figures.predictions([LARGE, HOLE], epsilon=10.0).title
    assert best == "Predictions recommend Configuration 2 at 2 of 3 values of ε"
    assert figures.predictions([NONE], epsilon=10.0).title.startswith("No error is predicted")


BANDED = replace(HOLE, low=(math.nan, 7.0, 0.7), high=(math.nan, 11.0, 1.1))


def test_predicted_curve_is_drawn_in_the_band_of_its_range() -> None:
    figure = checked(figures.predictions([LARGE, BANDED], epsilon=1.0, chosen="config-2"))
    (band,) = (trace for trace in figure.data if trace.fill == "toself")
    assert band.legendgroup == "config-2/corrected"
    assert list(band.x) == [*EPSILONS[1:], *EPSILONS[:0:-1]]
    assert list(band.y) == [7.0, 0.7, 1.1, 11.0]


def test_band_of_the_chosen_method_is_the_stronger_one() -> None:
    colors = {}
    for chosen_configuration in ("config-2", ""):
        figure = checked(figures.predictions([BANDED], epsilon=1.0, chosen=chosen_configuration))
        (band,) = (trace for trace in figure.data if trace.fill == "toself")
        colors[chosen_configuration] = float(band.fillcolor.rpartition(",")[2].rstrip(")"))
    assert colors["config-2"] > 2 * colors[""]


def test_gap_in_a_predicted_curve_parts_its_band() -> None:
    epsilons = (0.1, 0.3, 1.0, 3.0, 10.0)
    low = (0.5, 0.4, math.nan, 0.2, 0.1)
    high = (0.7, 0.6, math.nan, 0.4, 0.3)
    parted = ErrorCurve("refined", epsilons, high, low=low, high=high)
    figure = checked(figures.predictions([parted], epsilon=1.0))
    bands = [trace for trace in figure.data if trace.fill == "toself"]
    assert [list(band.x) for band in bands] == [[0.1, 0.3, 0.3, 0.1], [3.0, 10.0, 10.0, 3.0]]


def test_hovering_a_predicted_point_tells_its_range() -> None:
    figure = checked(figures.predictions([BANDED], epsilon=1.0))
    line = next(trace for trace in figure.data if trace.mode == "lines+markers")
    assert "9 of 10 runs: 0.7 to 1.1" in line.customdata[2]
    assert line.customdata[0] == ""


def test_predictions_recommend_no_method_outside_its_recommended_calibration() -> None:
    published = ErrorCurve("config-2/as published", EPSILONS, (0.1, 0.1, 0.1))
    title = figures.predictions([LARGE, published], epsilon=1.0).title
    assert title == "Predictions recommend Configuration 1 at every ε"


def test_current_epsilon_is_marked_on_the_axis() -> None:
    figure = checked(figures.predictions([LARGE, HOLE], epsilon=1.0))
    assert any(note.text == "ε = 1" for note in figure.layout.annotations)
    assert any(shape.x0 == 1.0 for shape in figure.layout.shapes)


def test_accounts_view_needs_least_noise_with_exact_composition() -> None:
    noise_needed = (
        checked(VIEWS["accounts"]().make_picture(0, lambda share, line: None).figure).data[0].x
    )
    assert min(noise_needed) == noise_needed[-1]


def test_accountants_figure_draws_the_epsilon_of_each() -> None:
    epsilons = same_noise()
    figure = checked(figures.accountants(epsilons))
    assert list(figure.data[0].x) == list(epsilons.values())
