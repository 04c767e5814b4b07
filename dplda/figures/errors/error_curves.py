"""Error or perplexity against ε: a line a method, its band over repeats, and lines for what needs no ε."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from dplda.core.formatting import odds_at_most
from dplda.evaluation.styles import Style
from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, scatter
from dplda.figures.errors.method_lines import Measure, MethodLine, finding, grid
from dplda.figures.figure import Figure
from dplda.figures.line_ends import LineEnd, name_lines
from dplda.figures.marks import mark_epsilon, say_trivial
from dplda.figures.ticks import log_ticks
from dplda.methods.registry import METHODS, parse_method
from dplda.privacy.release import Status
from dplda.theory.prediction.curves import ErrorCurve

DASHES = {Status.PROVEN: "solid", Status.AS_PUBLISHED: "7px,4px", Status.NOT_PRIVATE: "2px,3px"}
UNKNOWN = Style("?", "#808080", "circle")
HEIGHT, BELOW = 520, 56  # pixels: of the figure, and of what stands below its axes
ROOM = 1.15  # drawn above the trivial line
HIGHEST_BOUND = 30.0  # times the trivial line; above it a bound is not drawn


def error_curves(
    lines: Sequence[MethodLine],
    measure: Measure,
    *,
    n_topics: int,
    log_epsilon: bool = False,
    log_error: bool = True,
    bands: bool = True,
    bounds: Sequence[ErrorCurve] = (),
    current: float | None = None,
) -> Figure:
    """Curves of one setting, each named at its right end.

    Args:
        n_topics: ``k``, which sets the largest error there is.
        log_epsilon: logarithmic ε.
        bands: whether to draw the 10–90 % bands.
        bounds: Theorems 10 to 13 for noise as published, L2 a topic; drawn on that measure alone.
        current: the experiment's own ε, marked where it lies on the axis.

    Returns:
        A figure of at most 300 points for a dozen methods at eight ε: it stays quick on a phone.
    """
    epsilons = grid(lines) or (0.1, 1.0)
    drawing = Drawing()
    drawn = [line for line in lines if line.found]
    if bands:
        drawing.add(*(trace for line in drawn for trace in _bands(line)))
    span = (epsilons[0] if log_epsilon else 0.0, epsilons[-1])  # of lines without ε
    drawing.add(*(_curve(line, span, measure) for line in drawn))
    expected = [_bound(curve) for curve in bounds if curve.drawn and measure is Measure.L2_MEAN]
    drawing.add(*expected)
    _epsilon_axis(drawing, epsilons, span, log_epsilon=log_epsilon)
    axis = _error_axis(drawing, drawn, bounds, measure, n_topics, log_error=log_error)
    if current is not None and span[0] <= current <= span[1]:
        mark_epsilon(drawing, current, log=log_epsilon)
    title = finding(lines, measure)
    pixels = HEIGHT - theme.above(title) - BELOW
    ends = [*_ends(drawn, log_error=log_error), *_bound_ends(expected, log_error=log_error)]
    name_lines(drawing, ends, axis=axis, pixels=pixels)
    return Figure(title, _in_words(title, lines, measure), HEIGHT, drawing)


def _in_words(title: str, lines: Sequence[MethodLine], measure: Measure) -> str:
    """The finding, then every method at its smallest and largest ε."""
    said = [f"{title}. {measure.axis.capitalize()} against ε."]
    for line in lines:
        points = [
            (epsilon, value)
            for epsilon, value in zip(line.epsilons or (math.nan,), line.median, strict=True)
            if math.isfinite(value)
        ]
        if not points:
            said.append(f"{line.title}: nothing came out.")
        elif not line.epsilons:
            said.append(f"{line.title}: {points[0][1]:.3g}.")
        else:
            ends = dict.fromkeys((points[0], points[-1]))
            words = " to ".join(f"{value:.3g} at ε = {epsilon:g}" for epsilon, value in ends)
            said.append(f"{line.title}: {words}.")
    return " ".join(said)


def colour(method: str) -> str:
    """The colour of a method, whatever its calibration; always the same one."""
    return look(method).colour


def look(method: str) -> Style:
    """How a method is drawn; one that the registry has no more is grey."""
    name = method.split("/")[0]
    return next((known.look for known in METHODS.values() if known.name == name), UNKNOWN)


def _curve(line: MethodLine, span: tuple[float, float], measure: Measure) -> Part:
    flat = not line.epsilons
    rows = list(zip(line.median, line.low, line.high, line.n, line.refused, strict=True)) * (2 if flat else 1)
    there = "%{y:.4g}" if flat else "%{y:.4g} at ε = %{x:.3g}, odds at most %{customdata[4]}"
    odds = [""] * len(rows) if flat else [odds_at_most(epsilon) for epsilon in line.epsilons]
    symbol = look(line.method).marker
    return scatter(
        x=list(span if flat else line.epsilons),
        y=[row[0] if math.isfinite(row[0]) else None for row in rows],
        customdata=[[_number(row[1]), _number(row[2]), *row[3:], at] for row, at in zip(rows, odds, strict=True)],
        name=line.title,
        mode="lines+markers",
        line={"color": colour(line.method), "dash": DASHES[line.status], "width": 2.2},
        marker={"symbol": symbol + ("" if line.status is Status.PROVEN else "-open"), "size": 8},
        legendgroup=line.method,
        showlegend=True,
        hovertemplate=f"{measure.short} {there}<br>10–90 %: %{{customdata[0]}} to %{{customdata[1]}}, "
        f"n = %{{customdata[2]}}, refused %{{customdata[3]}}<extra>{line.title}</extra>",
    )


def _bands(line: MethodLine) -> Iterator[Part]:
    """One closed shape for every stretch of ε with at least two repeats each."""
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
                fillcolor=theme.faint(colour(line.method), 0.16),
                mode="none",
                hoverinfo="skip",
                legendgroup=line.method,
                showlegend=False,
                name=line.title,
            )


def _ends(lines: Sequence[MethodLine], *, log_error: bool) -> Iterator[LineEnd]:
    for line in lines:
        value = [value for value in line.median if math.isfinite(value)][-1]
        if value > 0 or not log_error:
            at = math.log10(value) if log_error else value
            yield LineEnd(line.title, colour(line.method), line.status is not Status.PROVEN, at)


def _bound_ends(traces: Sequence[Part], *, log_error: bool) -> Iterator[LineEnd]:
    for trace in traces:
        values, stroke = trace["y"], trace["line"]
        assert isinstance(values, list)
        assert isinstance(stroke, dict)
        if known := [value for value in values if value is not None]:
            at = math.log10(known[-1]) if log_error else known[-1]
            yield LineEnd(str(trace["name"]), stroke["color"], True, at)


def _bound(curve: ErrorCurve) -> Part:
    title = f"{parse_method(curve.configuration).title}: the paper's bound"
    return scatter(
        x=curve.epsilons,
        y=[value if math.isfinite(value) and value < HIGHEST_BOUND * math.sqrt(2) else None for value in curve.totals],
        name=title,
        mode="lines",
        line={"color": colour(curve.configuration), "dash": "12px,3px,2px,3px", "width": 1.4},
        showlegend=True,
        hovertemplate=f"bound %{{y:.3g}} at ε = %{{x:.3g}}<extra>{title}</extra>",
    )


def _epsilon_axis(drawing: Drawing, epsilons: Sequence[float], span: tuple[float, float], *, log_epsilon: bool) -> None:
    if not log_epsilon:
        drawing.x(dict(title_text="privacy loss ε", range=[0, span[1] * 1.02], showgrid=False))
        return
    low, high = math.log10(span[0]), math.log10(span[1])
    drawing.x(
        dict(
            type="log", title_text="privacy loss ε", range=[low - 0.04, high + 0.04], showgrid=False, **log_ticks(*span)
        )
    )


def _error_axis(
    drawing: Drawing,
    lines: Sequence[MethodLine],
    bounds: Sequence[ErrorCurve],
    measure: Measure,
    n_topics: int,
    *,
    log_error: bool,
) -> tuple[float, float]:
    """Draw it; give its ends, as logarithms where it is logarithmic."""
    values = [value for line in lines for value in (*line.low, *line.high) if math.isfinite(value) and value > 0]
    end = measure.trivial(n_topics)
    if end is not None:
        values.append(end[0])
        if measure is Measure.L2_MEAN and any(curve.drawn for curve in bounds):
            values.append(HIGHEST_BOUND * end[0])
        drawing.hline(end[0], dict(color=theme.FLOOR, dash="dash", width=1.5))
        say_trivial(drawing, math.log10(end[0]) if log_error else end[0], f"{end[1]}: no word in common")
    low, high = min(values, default=0.1), max(values, default=1.0)
    if not log_error:
        bottom = 0.0 if end is not None else max(0.0, low - 0.1 * (high - low))
        top = high + 0.1 * (high - bottom or high)
        drawing.y(dict(title_text=measure.axis, range=[bottom, top]))
        return bottom, top
    bottom, top = math.log10(low), math.log10(high * ROOM)
    span = top - bottom
    ends = bottom - 0.04 * span, top + 0.05 * span
    drawing.y(dict(type="log", title_text=measure.axis, range=list(ends), **log_ticks(low, high * ROOM)))
    return ends


def _number(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else "none"
