import math
import re
from dataclasses import replace

import numpy as np
import pytest

from dplda.figures.errors.error_curves import error_curves
from dplda.figures.errors.lowest_errors import describe_lowest_errors
from dplda.figures.errors.method_lines import Measure, MethodLine, finding
from dplda.figures.errors.predicted_lines import DASHES
from dplda.figures.marks import log_ticks
from dplda.methods.base.method_names import short_title
from dplda.methods.look_then_add import LOOK_THEN_ADD
from dplda.methods.registry import parse_method
from dplda.privacy.release import Status
from dplda.theory.prediction.curves import ErrorCurve
from tests.figures.checked import checked

EPSILONS = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5)
NAN = math.nan


def line(method: str, values, *, status=Status.PROVEN, n: int = 5) -> MethodLine:
    values = tuple(float(value) for value in values)
    n_runs = tuple(n if math.isfinite(value) else 0 for value in values)
    return MethodLine(
        method=method,
        title=method.capitalize(),
        status=status,
        epsilons=EPSILONS[: len(values)],
        median=values,
        low=tuple(0.9 * value for value in values),
        high=tuple(1.1 * value for value in values),
        n=n_runs,
        refused=tuple(n - number for number in n_runs),
    )


def flat(method: str, value: float) -> MethodLine:
    return MethodLine(
        method,
        method.capitalize(),
        Status.NOT_PRIVATE,
        (),
        (value,),
        (value,),
        (value,),
        (1,),
        (0,),
    )


AMONG = "Lowest proven method run:"
FALLING = line("adaptive", [1 / e for e in EPSILONS])
SLOWER = line("config-1/corrected", [2 / e for e in EPSILONS])
HOPELESS = line("config-3/as published", [5.0] * 8, status=Status.AS_PUBLISHED)
UNIGRAM, EXACT = flat("unigram", 4.5), flat("unnoised", 0.02)
ALL = [FALLING, SLOWER, HOPELESS, UNIGRAM, EXACT]


def named(figure, name: str):
    return next(trace for trace in figure.data if trace.name == name and trace.showlegend)


def test_error_curve_title_names_the_best_proven_method() -> None:
    assert error_curves(ALL, Measure.L1_SUM, n_topics=3).title == finding(ALL)
    better = line("config-2/as published", [0.001] * 8, status=Status.AS_PUBLISHED)
    assert finding([FALLING, better]) == f"{AMONG} Adaptive at every ε"
    crossing = line("dp-vi", [0.5] * 8)
    assert finding([FALLING, crossing]) == f"{AMONG} Dp-vi up to ε = 1.5, Adaptive above"
    assert finding([HOPELESS, UNIGRAM]) == "No proven method is drawn"
    poor = line("adaptive", [5.0] * 8)
    assert finding([poor, UNIGRAM]) == "No proven method run here beats the unigram"
    late = line("adaptive", [5, 5, 5, 1, 1, 1, 1, 1])
    assert (
        finding([late, UNIGRAM]) == f"{AMONG} Adaptive from ε = 1.5; none beats the unigram below"
    )
    patchy = line("adaptive", [5, 1, 5, 1, 5, 1, 1, 1])
    assert finding([patchy, UNIGRAM]) == f"{AMONG} Adaptive at 5 of 8 values of ε"


def test_finding_is_about_the_current_epsilon() -> None:
    """As is the sentence above the chart, which would name another method else."""
    crossing = line("dp-vi", [0.5] * 8)
    for current, winner in ((0.3, "Dp-vi at ε = 0.25"), (3.0, "Adaptive at ε = 3")):
        figure = error_curves([FALLING, crossing], Measure.L1_SUM, n_topics=3, current=current)
        assert figure.title == f"{AMONG} {winner}"


def title_and_sentence(lines, epsilon: float) -> tuple[str, str]:
    figure = error_curves(lines, Measure.L1_SUM, n_topics=3, current=epsilon)
    return figure.title, describe_lowest_errors(lines, epsilon)


def test_title_skips_a_proven_method_without_a_number_as_the_sentence_does() -> None:
    refused_line = line("adaptive", [0.1, 0.1, math.nan, 0.1, 0.1, 0.1, 0.1, 0.1])
    title, sentence = title_and_sentence([refused_line, line("dp-vi", [0.5] * 8)], 1.0)
    assert title == f"{AMONG} Dp-vi at ε = 1"
    assert sentence.startswith("In this figure at ε = 1, the proven method")
    assert "**Dp-vi**" in sentence


def test_title_where_a_proven_method_was_not_run_at_that_epsilon_says_so_far() -> None:
    late = line("adaptive", [0.1])  # at the smallest ε alone
    title, sentence = title_and_sentence([line("dp-vi", [0.5] * 8), late], 1.0)
    assert title == f"{AMONG} Dp-vi at ε = 1 so far"
    assert "at ε = 1," in sentence
    assert "**Dp-vi**" in sentence


def test_title_where_only_methods_as_published_have_a_number_names_no_proven_one() -> None:
    refused_line = line("adaptive", [0.1, 0.1, *[math.nan] * 6])
    title, sentence = title_and_sentence([refused_line, HOPELESS], 3.0)
    assert title == "No proven method has a number at ε = 3"
    assert "the proven method" not in sentence
    assert "the published method" in sentence


@pytest.mark.parametrize("seed", range(20))
def test_title_of_any_numbers_names_the_method_of_the_sentence(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = ("adaptive", "dp-vi", "config-1/corrected", "config-2/corrected")
    errors = rng.choice([0.1, 0.2, 0.3, math.nan], size=(len(names), 8))
    lines = [line(name, list(row)) for name, row in zip(names, errors, strict=True)]
    title, sentence = title_and_sentence(lines, float(rng.choice([*EPSILONS, 0.7])))
    named_by_sentence = re.search(r"\*\*(.+?)\*\*", sentence)
    assert named_by_sentence is not None
    assert short_title(named_by_sentence[1]) in title
    assert re.search(r"at ε = ([0-9.]+)", sentence)[0] in title


def test_finding_with_a_method_that_has_not_run_names_no_lowest() -> None:
    """What has no number yet may have the smallest one; what was refused has had its turn."""
    unfinished_line = line("adaptive", [0.1])
    assert unfinished_line.epsilons == FALLING.epsilons[:1]
    assert finding([line("dp-vi", [0.5] * 8), unfinished_line]).endswith("at ε = 0.25 so far")
    later = replace(unfinished_line, epsilons=(99.0,))
    assert finding([FALLING, later]) == "No ε has a number from every proven method yet"


def test_status_is_told_by_more_than_colour() -> None:
    figure = checked(error_curves(ALL, Measure.L1_SUM, n_topics=3))
    for method_line in ALL:
        assert named(figure, method_line.title).line.dash == DASHES[method_line.status]
    assert len(set(DASHES.values())) == 3
    assert (named(figure, "Unigram").x, named(figure, "Unigram").y) == ((0.0, 3.5), (4.5, 4.5)), (
        "from end to end"
    )


def hollow(figure) -> set[str]:
    """Names of lines with hollow markers."""
    return {trace.name for trace in figure.data if str(trace.marker.symbol).endswith("-open")}


PREDICTED = [
    ErrorCurve("adaptive/corrected", (0.1, 1.0, 10.0), (1.9, 0.8, 0.1)),
    ErrorCurve("config-2/corrected", (0.1, 1.0, 10.0), (NAN, 1.5, 0.9)),
    ErrorCurve("config-3/as published", (0.1, 1.0, 10.0), (NAN, NAN, NAN)),
]


def test_predictions_without_a_measured_private_number_fill_the_chart() -> None:
    figure = checked(
        error_curves([UNIGRAM, EXACT], Measure.L1_MEAN, n_topics=3, predictions=PREDICTED)
    )
    assert hollow(figure) == {"Adaptive", "Configuration 2"}
    assert figure.layout.title.text.startswith("Predictions recommend Adaptive")


def test_predictions_stay_below_measured_points() -> None:
    single_line = line("adaptive/corrected", [NAN] * 6 + [0.4, NAN])
    figure = checked(
        error_curves([single_line], Measure.L1_MEAN, n_topics=3, predictions=PREDICTED)
    )
    drawn_names = [trace.name for trace in figure.data if trace.mode == "lines+markers"]
    assert drawn_names == ["Adaptive", "Configuration 2", "Adaptive/corrected"], (
        "the measured one on top"
    )
    assert "Adaptive/corrected" not in hollow(figure)
    named_ends = [note.hovertext for note in figure.layout.annotations if note.name == "line"]
    assert sorted(named_ends) == ["Adaptive/corrected", "Configuration 2"], "each method once"
    (end,) = (note for note in figure.layout.annotations if note.hovertext == "Adaptive/corrected")
    assert end.y == pytest.approx(math.log10(0.1)), "at the end of the longer line"


@pytest.mark.parametrize(
    ("measure", "expected_lines"),
    [
        (Measure.L1_MEAN, (1.9, 0.8, 0.1)),
        (Measure.L1_SUM, (5.7, 2.4, 0.3)),
        (Measure.L2_MEAN, None),
        (Measure.PERPLEXITY, None),
    ],
)
def test_predictions_are_drawn_in_the_unit_of_the_chart_or_not_at_all(
    measure, expected_lines
) -> None:
    figure = checked(error_curves([FALLING], measure, n_topics=3, predictions=PREDICTED))
    assert bool(hollow(figure)) == (expected_lines is not None)
    if expected_lines is not None:
        assert figure.data[0].y == pytest.approx(expected_lines)


def test_look_then_add_has_its_own_colour() -> None:
    steps = parse_method(LOOK_THEN_ADD)
    figure = checked(
        error_curves([line(steps.key, [1.0] * 8), FALLING], Measure.L1_SUM, n_topics=3)
    )
    drawn_line = named(figure, steps.key.capitalize())
    assert (drawn_line.line.color, drawn_line.marker.symbol) == (
        steps.style.colour,
        steps.style.marker,
    )


def test_bands_stop_where_nothing_came_out() -> None:
    broken = line("adaptive", [1, 1, NAN, 1, 1, 1, NAN, 1])
    figure = checked(error_curves([broken], Measure.L1_SUM, n_topics=3))
    bands = [trace for trace in figure.data if trace.fill == "toself"]
    assert [sorted(set(band.x)) for band in bands] == [[0.25, 0.5], [1.5, 2.0, 2.5]]
    assert named(figure, "Adaptive").y[2] is None
    assert named(figure, "Adaptive").customdata[2][3] == 5
    single = checked(error_curves([line("adaptive", [1.0] * 8, n=1)], Measure.L1_SUM, n_topics=3))
    assert all(trace.fill is None for trace in single.data)


@pytest.mark.parametrize(
    ("measure", "end"),
    [(Measure.L1_SUM, 8.0), (Measure.L1_MEAN, 2.0), (Measure.L2_MEAN, math.sqrt(2))],
)
def test_largest_error_there_is_is_drawn(measure, end) -> None:
    figure = checked(error_curves(ALL, measure, n_topics=4))
    assert [shape.y0 for shape in figure.layout.shapes] == [end]
    assert not checked(error_curves(ALL, Measure.PERPLEXITY, n_topics=4)).layout.shapes


def test_bounds_are_drawn_on_their_own_measure_alone() -> None:
    bound = ErrorCurve("config-1", (1.0, 3.0), (90.0, 4.0))
    name = "Configuration 1: Theorem 10"
    figure = checked(error_curves(ALL, Measure.L2_MEAN, n_topics=3, bounds=[bound]))
    assert named(figure, name).y == (None, 4.0)
    elsewhere = checked(error_curves(ALL, Measure.L1_SUM, n_topics=3, bounds=[bound]))
    assert name not in [trace.name for trace in elsewhere.data]


@pytest.mark.parametrize("log", [False, True])
def test_current_epsilon_is_marked_where_it_lies_on_the_axis(log) -> None:
    figure = checked(error_curves(ALL, Measure.L1_MEAN, n_topics=3, log_epsilon=log, current=2.0))
    note = next(note for note in figure.layout.annotations if note.name == "current")
    assert note.text == "ε = 2"
    assert note.x == pytest.approx(math.log10(2) if log else 2.0)
    beyond = checked(error_curves(ALL, Measure.L1_MEAN, n_topics=3, log_epsilon=log, current=10.0))
    assert all(note.name != "current" for note in beyond.layout.annotations)


@pytest.mark.parametrize(
    ("low", "high"),
    [(0.02, 6.9), (3.1, 6.9), (0.001, 10.0), (1e-6, 1e3), (0.9, 1.1), (2.0, 2.1), (685.0, 760.0)],
)
def test_logarithmic_ticks_lie_within_any_range(low, high) -> None:
    places, texts = log_ticks(low, high).values()
    assert 2 <= len(places) <= 10
    assert all(low * 0.99 <= place <= high * 1.01 for place in places)
    assert [float(text.replace("k", "e3").replace("M", "e6")) for text in texts] == pytest.approx(
        places
    )


def test_error_curves_without_values_say_so() -> None:
    assert (
        nothing := error_curves([], Measure.L1_SUM, n_topics=3)
    ).title == "No proven method has a number yet"
    assert not checked(nothing).data


def test_logarithmic_ticks_of_one_value_are_that_value() -> None:
    assert log_ticks(2.0, 2.0) == {"tickvals": [2.0], "ticktext": ["2"]}


def test_error_curve_of_one_value_names_its_epsilon() -> None:
    single_line = MethodLine(
        "adaptive", "Adaptive", Status.PROVEN, (1.0,), (0.5,), (0.5,), (0.5,), (1,), (0,)
    )
    for log in (False, True):
        figure = error_curves([single_line], Measure.PERPLEXITY, n_topics=3, log_epsilon=log)
        assert figure.title == f"{AMONG} Adaptive at ε = 1"
        checked(figure)
