"""Error or perplexity against ε: one line per method with its band over repeats, flat without ε."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, scatter
from dplda.figures.drawing import curve as draw_line
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

HEIGHT, BELOW = 440, 56  # pixels: the figure, and the space below its axes
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
    """Curves of one setting, each named at its right end; measured markers are solid, predicted ones hollow.

    Args:
        bounds: Theorems 10 to 13 for noise as published; drawn for ``L2_MEAN`` only.
        predictions: predicted mean L1 errors, below the measured ones; drawn for L1 errors only.
        current: the experiment's ε, marked if on the axis.
        title: empty for the finding about proven methods.

    Returns:
        A figure of at most 300 points for a dozen methods at eight ε, fast on a phone.
    """
    scale = measure.per_mean_l1(n_topics)
    predicted = [] if scale is None else [curve for curve in predictions if curve.drawn]
    epsilons = sorted({*all_epsilons(lines), *(e for curve in predicted for e in curve.epsilons)})
    epsilons = epsilons or [0.1, 1.0]
    drawing = Drawing()
    for curve in predicted:
        drawing.add(*predicted_bands(curve, scale=scale or 1.0))
    drawing.add(*(predicted_line(curve, scale=scale or 1.0) for curve in predicted))
    drawn = [line for line in lines if line.has_result]
    drawing.add(*(trace for line in drawn for trace in _bands(line)))
    span = (epsilons[0] if log_epsilon else 0.0, epsilons[-1])  # of lines without ε
    drawing.add(*(_curve(line, span, measure) for line in drawn))
    ends = _ends(drawn, predicted, scale or 1.0)
    for bound in bounds if measure is Measure.L2_MEAN else ():
        name = f"{REGISTRY[bound.configuration].title}: {THEOREMS[bound.configuration]}"
        shade = method_colour(bound.configuration)
        values = tuple(
            value if value < HIGHEST_BOUND * TRIVIAL else math.nan for value in bound.totals
        )
        if bound.drawn:
            hover, dash = "bound %{y:.3g} at ε = %{x:.3g}", "12px,3px,2px,3px"
            trace = draw_line(name, bound.epsilons, values, shade, hover, dash=dash, width=1.4)
            drawing.add(trace | {"mode": "lines", "showlegend": True})
            ends += _end(name, shade, values, hollow=True)
    epsilon_axis(drawing, epsilons[0], epsilons[-1], log=log_epsilon)
    totals = [(scale or 1.0) * total for curve in predicted for total in curve.totals]
    axis = _error_axis(drawing, drawn, totals, bounds, measure, n_topics)
    if current is not None and span[0] <= current <= span[1]:
        mark_epsilon(drawing, current, log=log_epsilon)
    title = title or _title(lines, predicted, current)
    pixels = HEIGHT - theme.above(title) - BELOW
    name_lines(drawing, ends, axis=axis, pixels=pixels)
    said = _in_words(title, lines, measure) + _in_words_predicted(predicted, scale, current)
    return Figure(title, said, HEIGHT, drawing)


def _title(
    lines: Sequence[MethodLine], predicted: Sequence[ErrorCurve], current: float | None
) -> str:
    """The finding at the current ε, or over all ε without one; what is predicted until all has run."""
    recommended = recommendation(predicted) if predicted else ""
    if current is None:
        return finding(lines, recommendation=recommended)
    return finding_at(lines, current, recommendation=recommended)


def _ends(
    measured: Sequence[MethodLine], predicted: Sequence[ErrorCurve], scale: float
) -> list[LineEnd]:
    """Each method's name once: solid if anything of it is measured, at the end of its longer line."""
    by_method = {curve.configuration: curve for curve in predicted}
    ends: list[LineEnd] = []
    for line in measured:
        curve = by_method.pop(line.method, None)
        values = line.median
        if curve is not None and curve.last_epsilon > line.last_epsilon:
            values = tuple(scale * total for total in curve.totals)
        ends += _end(line.title, method_colour(line.method), values)
    for curve in by_method.values():
        ends += predicted_end(curve, scale=scale)
    return ends


def _end(
    title: str, shade: str, values: Sequence[float], *, hollow: bool = False
) -> Iterator[LineEnd]:
    for value in [value for value in values if math.isfinite(value) and value > 0][-1:]:
        yield LineEnd(title, shade, hollow, math.log10(value))


def _in_words(title: str, lines: Sequence[MethodLine], measure: Measure) -> str:
    """The finding, then every method at its smallest and largest ε."""
    said = [f"{title}. {measure.axis.capitalize()} against ε."]
    for line in lines:
        epsilons = line.epsilons or (math.nan,)
        points = [
            pair for pair in zip(epsilons, line.median, strict=True) if math.isfinite(pair[1])
        ]
        if not points:
            said.append(f"{line.title}: no result.")
        elif not line.epsilons:
            said.append(f"{line.title}: {points[0][1]:.3g}.")
        else:
            ends = dict.fromkeys((points[0], points[-1]))
            words = " to ".join(f"{value:.3g} at ε = {epsilon:g}" for epsilon, value in ends)
            said.append(f"{line.title}: {words}.")
    return " ".join(said)


def _in_words_predicted(
    predictions: Sequence[ErrorCurve], scale: float | None, epsilon: float | None
) -> str:
    """Every method's predicted error at the current ε."""
    if epsilon is None or scale is None:
        return ""
    errors = {
        parse_method(curve.configuration).title: scale * curve.at(epsilon) for curve in predictions
    }
    said = [f"{title} {error:.3g}" for title, error in errors.items() if math.isfinite(error)]
    return f" Predicted at ε = {epsilon:g}: {', '.join(said)}." if said else ""


def method_colour(method: str) -> str:
    """Color of a method, the same for all its calibrations."""
    return parse_method(method).style.colour


def _curve(line: MethodLine, span: tuple[float, float], measure: Measure) -> Part:
    flat = not line.epsilons
    rows = list(zip(line.median, line.low, line.high, line.n, line.refused, strict=True)) * (
        2 if flat else 1
    )
    there = "%{y:.4g}" if flat else "%{y:.4g} at ε = %{x:.3g}"
    hover = f"{measure.short} {there}<br>10–90%: %{{customdata[0]}} to %{{customdata[1]}}, "
    hover += "n = %{customdata[2]}, refused %{customdata[3]}"
    symbol = parse_method(line.method).style.marker
    shade, dash = method_colour(line.method), DASHES[line.status]
    values = [row[0] for row in rows]
    drawn = draw_line(
        line.title, span if flat else line.epsilons, values, shade, hover, dash=dash, symbol=symbol
    )
    told = [[_number(row[1]), _number(row[2]), *row[3:]] for row in rows]
    return drawn | {"customdata": told, "legendgroup": line.method, "showlegend": True}


def _bands(line: MethodLine) -> Iterator[Part]:
    """One closed shape per stretch of ε with at least two repeats each."""
    if not line.epsilons:
        return
    points = list(zip(line.epsilons, line.low, line.high, line.n, strict=True))
    for drawn, run in groupby(points, key=lambda point: point[3] > 1 and math.isfinite(point[1])):
        stretch = list(run)
        if drawn and len(stretch) > 1:
            yield scatter(
                x=[point[0] for point in stretch] + [point[0] for point in reversed(stretch)],
                y=[point[1] for point in stretch] + [point[2] for point in reversed(stretch)],
                fill="toself",
                fillcolor=theme.faint(method_colour(line.method), 0.16),
                mode="none",
                hoverinfo="skip",
                legendgroup=line.method,
                showlegend=False,
                name=line.title,
            )


def _error_axis(
    drawing: Drawing,
    lines: Sequence[MethodLine],
    predicted: Sequence[float],
    bounds: Sequence[ErrorCurve],
    measure: Measure,
    n_topics: int,
) -> tuple[float, float]:
    """Draw the vertical axis and return the logarithms of its ends."""
    values = [
        value
        for line in lines
        for value in (*line.low, *line.high)
        if math.isfinite(value) and value > 0
    ]
    values += [value for value in predicted if math.isfinite(value) and value > 0]
    end = measure.trivial(n_topics)
    if end is not None:
        values.append(end[0])
        if measure is Measure.L2_MEAN and any(curve.drawn for curve in bounds):
            values.append(HIGHEST_BOUND * end[0])
        drawing.hline(end[0], dict(color=theme.FLOOR, dash="dash", width=1.5))
        label_line(drawing, math.log10(end[0]), f"{end[1]}: no word in common")
    low, high = min(values, default=0.1), max(values, default=1.0)
    bottom, top = math.log10(low), math.log10(high * ROOM)
    span = top - bottom
    ends = bottom - 0.04 * span, top + 0.05 * span
    drawing.y(
        dict(type="log", title_text=measure.axis, range=list(ends), **log_ticks(low, high * ROOM))
    )
    return ends


def _number(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else "none"
