"""Error or perplexity against ε: one line per method with its band over repeats, flat without ε."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part
from dplda.figures.drawing import curve as draw_line
from dplda.figures.errors.bands import band_shapes
from dplda.figures.errors.lowest_errors import finding_at
from dplda.figures.errors.method_lines import Measure, MethodLine, all_epsilons, finding
from dplda.figures.errors.predicted_lines import (
    DASHES,
    predicted_bands,
    predicted_end,
    predicted_line,
    recommendation,
)
from dplda.figures.figure import Figure
from dplda.figures.line_ends import LineEnd, name_lines
from dplda.figures.marks import epsilon_axis, label_line, log_ticks, mark_epsilon
from dplda.methods.configurations import REGISTRY
from dplda.methods.registry import parse_method
from dplda.theory.prediction.curves import ErrorCurve
from dplda.theory.theorems.bounds import THEOREMS
from dplda.theory.theorems.readings import TRIVIAL

HEIGHT = 400  # pixels of the figure
BELOW = 56  # pixels below its axes
ROOM = 1.15  # relative room above the largest value
HIGHEST_BOUND = 30.0  # times the trivial line; above it a bound is not drawn


def error_curves(
    lines: Sequence[MethodLine],
    measure: Measure,
    *,
    n_topics: int,
    log_epsilon: bool = False,
    bounds: Sequence[ErrorCurve] = (),
    predictions: Sequence[ErrorCurve] = (),
    current: float | None = None,
    title: str = "",
) -> Figure:
    """Curves of one setting, each named at its right end.

    Measured markers are solid, predicted ones hollow. Where the measure has such an error, a level
    line shows that of topics without a true word. The error axis is logarithmic.

    The ε axis holds every measured and predicted ε, or 0.1 to 1 if there are none. A method without
    ε is a level line across it.

    Args:
        lines: measured errors; a line without any number is only in the alt text.
        measure: which error it is, or the perplexity.
        n_topics: ``k``.
        log_epsilon: whether the ε axis is logarithmic; else it begins at 0.
        bounds: Theorems 10 to 13 for noise as published; drawn for ``L2_MEAN`` only.
        predictions: predicted mean L1 errors, below the measured ones; drawn for L1 errors only.
        current: the experiment's ε, marked if on the axis.
        title: empty for the finding about proven methods.

    Returns:
        A figure of at most 300 points for a dozen methods at eight ε, fast on a phone.
    """
    measured_lines = [line for line in lines if line.has_result]
    predicted_curves = _predictions_to_draw(predictions, measure, n_topics)
    shown_bounds = _bounds_to_draw(bounds, measure)
    epsilons = _every_epsilon(lines, predicted_curves) or [0.1, 1.0]
    last_epsilon = epsilons[-1]
    first_epsilon = epsilons[0] if log_epsilon else 0.0
    epsilon_ends = (first_epsilon, last_epsilon)
    drawing = Drawing()
    for prediction in predicted_curves:
        drawing.add(*predicted_bands(prediction))
    for prediction in predicted_curves:
        drawing.add(predicted_line(prediction))
    for line in measured_lines:
        drawing.add(*_bands(line))
    for line in measured_lines:
        drawing.add(_measured_line(line, epsilon_ends, measure))
    for bound in shown_bounds:
        drawing.add(_bound_line(bound))
    epsilon_axis(drawing, epsilons[0], last_epsilon, log=log_epsilon)
    shown_errors = [error for line in measured_lines for error in (*line.low, *line.high)]
    shown_errors += [error for prediction in predicted_curves for error in prediction.totals]
    trivial_error_and_formula = measure.trivial(n_topics)
    if trivial_error_and_formula is not None:
        trivial_error, formula = trivial_error_and_formula
        _draw_trivial_line(drawing, trivial_error, formula)
        shown_errors.append(trivial_error)
        if shown_bounds:
            shown_errors.append(HIGHEST_BOUND * trivial_error)
    error_axis_ends = _set_error_axis(drawing, shown_errors, measure.axis)
    if current is not None and first_epsilon <= current <= last_epsilon:
        mark_epsilon(drawing, current, log=log_epsilon)
    shown_title = title or _title(lines, predicted_curves, current)
    line_ends = _line_ends(measured_lines, predicted_curves)
    for bound in shown_bounds:
        colour = method_colour(bound.configuration)
        line_ends += _last_point(_bound_title(bound), colour, bound.totals, hollow=True)
    plot_height = HEIGHT - theme.above(shown_title) - BELOW
    name_lines(drawing, line_ends, axis=error_axis_ends, pixels=plot_height)
    measured_text = _describe_measured(shown_title, lines, measure)
    predicted_text = _describe_predicted(predicted_curves, current)
    return Figure(shown_title, measured_text + predicted_text, HEIGHT, drawing)


def _predictions_to_draw(
    predictions: Sequence[ErrorCurve], measure: Measure, n_topics: int
) -> list[ErrorCurve]:
    """Predictions with a finite error, as values of the measure; none if it is no L1 error."""
    factor_from_mean_l1 = measure.per_mean_l1(n_topics)
    if factor_from_mean_l1 is None:
        return []
    return [
        replace(
            prediction,
            totals=tuple(factor_from_mean_l1 * error for error in prediction.totals),
            low=tuple(factor_from_mean_l1 * error for error in prediction.low),
            high=tuple(factor_from_mean_l1 * error for error in prediction.high),
        )
        for prediction in predictions
        if prediction.drawn
    ]


def _bounds_to_draw(bounds: Sequence[ErrorCurve], measure: Measure) -> list[ErrorCurve]:
    """Bounds with a finite value; none for another measure than ``Measure.L2_MEAN``.

    Values from ``HIGHEST_BOUND`` times √2 on become NaN, as too high to draw.
    """
    if measure is not Measure.L2_MEAN:
        return []
    return [
        replace(bound, totals=tuple(_nan_if_too_high(total) for total in bound.totals))
        for bound in bounds
        if bound.drawn
    ]


def _nan_if_too_high(total: float) -> float:
    """A bound, or NaN for one that is too high to draw."""
    if total < HIGHEST_BOUND * TRIVIAL:
        return total
    return math.nan


def _every_epsilon(lines: Sequence[MethodLine], predicted: Sequence[ErrorCurve]) -> list[float]:
    """Every ε that was run or is predicted, ascending."""
    predicted_epsilons = {epsilon for prediction in predicted for epsilon in prediction.epsilons}
    return sorted({*all_epsilons(lines), *predicted_epsilons})


def _title(
    lines: Sequence[MethodLine], predicted: Sequence[ErrorCurve], current: float | None
) -> str:
    """The finding at the current ε, or over all ε without one.

    Until all has run, it is what is predicted.
    """
    recommendation_title = ""
    if predicted:
        recommendation_title = recommendation(predicted)
    if current is None:
        return finding(lines, recommendation=recommendation_title)
    return finding_at(lines, current, recommendation=recommendation_title)


def _line_ends(measured: Sequence[MethodLine], predicted: Sequence[ErrorCurve]) -> list[LineEnd]:
    """Each method's name once, at the last positive value of its longer line.

    The longer line is the predicted one only if it reaches a larger ε. A name is solid if the
    method has a measured line. A line without a positive value gets none.
    """
    prediction_by_method = {prediction.configuration: prediction for prediction in predicted}
    line_ends: list[LineEnd] = []
    for line in measured:
        prediction = prediction_by_method.pop(line.method, None)
        drawn_values = line.median
        if prediction is not None and prediction.last_epsilon > line.last_epsilon:
            drawn_values = prediction.totals
        line_ends += _last_point(line.title, method_colour(line.method), drawn_values)
    for prediction in prediction_by_method.values():
        line_ends += predicted_end(prediction)
    return line_ends


def _last_point(
    title: str, colour: str, values: Sequence[float], *, hollow: bool = False
) -> Iterator[LineEnd]:
    """The name of a line at the last value that a logarithmic axis can show, if there is any."""
    shown_values = [value for value in values if math.isfinite(value) and value > 0]
    if shown_values:
        yield LineEnd(title, colour, hollow, math.log10(shown_values[-1]))


def _describe_measured(title: str, lines: Sequence[MethodLine], measure: Measure) -> str:
    """The title, then every method at the smallest and the largest ε with a number.

    A method without ε has its one number, and one without any number *no result*.
    """
    sentences = [f"{title}. {measure.axis.capitalize()} against ε."]
    for line in lines:
        epsilons = line.epsilons or (math.nan,)
        points = [
            (epsilon, error)
            for epsilon, error in zip(epsilons, line.median, strict=True)
            if math.isfinite(error)
        ]
        if not points:
            sentences.append(f"{line.title}: no result.")
        elif not line.epsilons:
            sentences.append(f"{line.title}: {points[0][1]:.3g}.")
        else:
            first_and_last = dict.fromkeys((points[0], points[-1]))
            errors = " to ".join(
                f"{error:.3g} at ε = {epsilon:g}" for epsilon, error in first_and_last
            )
            sentences.append(f"{line.title}: {errors}.")
    return " ".join(sentences)


def _describe_predicted(predicted: Sequence[ErrorCurve], epsilon: float | None) -> str:
    """A space and a sentence with the finite predicted errors at the current ε.

    Empty without ε or such an error. Nothing is interpolated between the curves' ε.
    """
    if epsilon is None:
        return ""
    error_by_title = {
        parse_method(prediction.configuration).title: prediction.at(epsilon)
        for prediction in predicted
    }
    phrases = [
        f"{title} {error:.3g}" for title, error in error_by_title.items() if math.isfinite(error)
    ]
    if not phrases:
        return ""
    return f" Predicted at ε = {epsilon:g}: {', '.join(phrases)}."


def method_colour(method: str) -> str:
    """Color of a method, the same for all its calibrations."""
    return parse_method(method).style.colour


def _measured_line(line: MethodLine, epsilon_ends: tuple[float, float], measure: Measure) -> Part:
    """A method's medians against ε; without ε, its one median at both ends of the ε axis.

    Quantiles and numbers of repeats are in the hover texts alone.
    """
    xs: Sequence[float] = line.epsilons
    medians = list(line.median)
    hover_values = []
    for low, high, n, n_refused in zip(line.low, line.high, line.n, line.refused, strict=True):
        hover_values.append([_number(low), _number(high), n, n_refused])
    hover_template = "%{y:.4g} at ε = %{x:.3g}"
    if not line.epsilons:
        xs = epsilon_ends
        medians = medians * 2
        hover_values = hover_values * 2
        hover_template = "%{y:.4g}"
    trace = draw_line(
        line.title,
        xs,
        medians,
        method_colour(line.method),
        f"{measure.short} {hover_template}<br>10–90%: %{{customdata[0]}} to %{{customdata[1]}}, "
        "n = %{customdata[2]}, refused %{customdata[3]}",
        dash=DASHES[line.status],
        symbol=parse_method(line.method).style.marker,
    )
    return trace | {"customdata": hover_values, "legendgroup": line.method, "showlegend": True}


def _bands(line: MethodLine) -> Iterator[Part]:
    """One closed shape per stretch of ε with at least two repeats each.

    Nothing for a stretch of one ε, or for a method without ε.
    """
    if not line.epsilons:
        return
    yield from band_shapes(
        line.epsilons,
        line.low,
        line.high,
        [n > 1 and math.isfinite(low) for n, low in zip(line.n, line.low, strict=True)],
        colour=theme.faint(method_colour(line.method), 0.16),
        legend_group=line.method,
        title=line.title,
    )


def _bound_line(bound: ErrorCurve) -> Part:
    """A theorem's bound against ε, as a line without markers."""
    trace = draw_line(
        _bound_title(bound),
        bound.epsilons,
        bound.totals,
        method_colour(bound.configuration),
        "bound %{y:.3g} at ε = %{x:.3g}",
        dash="12px,3px,2px,3px",
        width=1.4,
    )
    return trace | {"mode": "lines", "showlegend": True}


def _bound_title(bound: ErrorCurve) -> str:
    return f"{REGISTRY[bound.configuration].title}: {THEOREMS[bound.configuration]}"


def _draw_trivial_line(drawing: Drawing, error: float, formula: str) -> None:
    """Draw a dashed line, with its formula, at the error of topics without a true word."""
    drawing.hline(error, dict(color=theme.FLOOR, dash="dash", width=1.5))
    label_line(drawing, math.log10(error), f"{formula}: no word in common")


def _set_error_axis(
    drawing: Drawing, shown_errors: Sequence[float], axis_title: str
) -> tuple[float, float]:
    """Set the logarithmic vertical axis to hold these errors, with some room at both ends.

    Errors that are not finite or not above 0 are left out. Without any the axis holds 0.1 to 1.

    Returns:
        Base-10 logarithms of the lower and the upper end.
    """
    positive_errors = [error for error in shown_errors if math.isfinite(error) and error > 0]
    lowest = min(positive_errors, default=0.1)
    highest = max(positive_errors, default=1.0) * ROOM
    log_lowest = math.log10(lowest)
    log_highest = math.log10(highest)
    log_span = log_highest - log_lowest
    axis_ends = log_lowest - 0.04 * log_span, log_highest + 0.05 * log_span
    drawing.y(
        dict(type="log", title_text=axis_title, range=list(axis_ends), **log_ticks(lowest, highest))
    )
    return axis_ends


def _number(value: float) -> str:
    """A number in a hover text; *none* where it is not finite."""
    if math.isfinite(value):
        return f"{value:.4g}"
    return "none"
