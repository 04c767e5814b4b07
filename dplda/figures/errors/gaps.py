"""A claim next to the truth: lines against one number, or bars with a limit."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, curve
from dplda.figures.figure import Figure
from dplda.figures.marks import FEW, bars, log_ticks

HEIGHT = 340
LEGEND_PLACE = -0.36
"""Top of the legend below the axes, in heights of these, clear of the axis's title on a phone."""
HUNDRED = 100
MILLION = 1e6
NUMBER_WIDTH = 0.12
"""Part of an axis that the number behind a bar takes, on a phone."""
SPACES_IN_AXIS = 180
"""Spaces as wide as the axis of a wide screen."""
SYMBOLS = ("circle", "square", "diamond", "cross")
CLAIMED = theme.EXACT  # color of a claim
TRUE = theme.FLOOR  # color of the truth, and of bars on the wrong side of a limit
ASIDE = theme.PRIVATE  # color of anything else


@dataclass(frozen=True, slots=True)
class GapLine:
    """One line of a gap's figure.

    Attributes:
        name: for the legend.
        values: above 0, one for each place on the horizontal axis.
        colour: ``CLAIMED``, ``TRUE`` or ``ASIDE``.
    """

    name: str
    values: tuple[float, ...]
    colour: str = TRUE


def gap_lines(
    lines: Sequence[GapLine], across: Sequence[float], *, title: str, x: str, y: str
) -> Figure:
    """Lines on two logarithmic axes; those of color ``CLAIMED`` are dashed.

    The alt text has the title and each line's first and last value.

    Args:
        lines: at least one.
        across: places on the horizontal axis, ascending, each with a label.
        title: the finding.
        x: title of the horizontal axis.
        y: title of the vertical axis.
    """
    drawing = Drawing()
    for line_number, line in enumerate(lines):
        dash = "dash" if line.colour == CLAIMED else "solid"
        drawing.add(
            curve(
                line.name,
                across,
                line.values,
                line.colour,
                "%{y:.3g} at %{x:,.3g}",
                dash=dash,
                symbol=SYMBOLS[line_number % len(SYMBOLS)],
            )
        )
    every_value = [value for line in lines for value in line.values]
    ticks = {"tickvals": list(across), "ticktext": [f"{value:,.9g}" for value in across]}
    drawing.x(dict(type="log", title_text=x, showgrid=False, **ticks))
    drawing.y(
        dict(
            type="log",
            title_text=y,
            exponentformat="power",
            **_few_ticks(min(every_value), max(every_value)),
        )
    )
    drawing.set(dict(legend={"y": LEGEND_PLACE}))
    end_sentences = [
        f"{line.name}: {line.values[0]:.3g} at {across[0]:,g},"
        f" {line.values[-1]:.3g} at {across[-1]:,g}."
        for line in lines
    ]
    return Figure(title, " ".join([f"{title}.", *end_sentences]), HEIGHT, drawing)


def gap_bars(
    values: Mapping[str, float], *, limit: float, title: str, x: str, least: bool = False
) -> Figure:
    """Bars on a logarithmic axis with a dashed limit; those on its wrong side have another color.

    Args:
        values: above 0, by name; the first is on top.
        limit: none may be larger.
        title: the finding.
        x: title of the axis.
        least: whether none may be smaller instead.
    """
    colours = [_bar_colour(value, limit, least=least) for value in values.values()]
    low = min(limit, *values.values())
    high = max(limit, *values.values())
    decades = math.log10(high / low)
    number_texts = []
    for value in values.values():
        spaces = _spaces_to_limit(value, limit, decades=decades)
        number_texts.append(spaces + _short_number(value))
    drawing = bars(values, number_texts, colours, "%{y}: %{x:.3g}")
    drawing.vline(limit, dict(color=CLAIMED, dash="dash", width=2))
    room_for_number = NUMBER_WIDTH * decades + 0.3
    low_end = math.log10(low) - 0.1
    high_end = math.log10(high) + room_for_number
    drawing.x(dict(type="log", title_text=x, showgrid=False, range=[low_end, high_end]))
    drawing.x(_few_ticks(low, high))
    bars_in_words = ", ".join(f"{name}: {value:.3g}" for name, value in values.items())
    alt = f"{title}. {bars_in_words}; limit: {limit:.3g}."
    return Figure(title, alt, 130 + 34 * len(values), drawing)


def _few_ticks(low: float, high: float) -> Part:
    """Ticks of a logarithmic axis that fit a phone: of more powers of ten only every so many."""
    few_ticks: Part = {}
    for name, values in log_ticks(low, high, most=FEW).items():
        assert isinstance(values, list)
        few_ticks[name] = values[:: math.ceil(len(values) / FEW)]
    return few_ticks


def _bar_colour(value: float, limit: float, *, least: bool) -> str:
    """Color of a bar: ``TRUE`` on the wrong side of the limit, else ``ASIDE``.

    The wrong side is above the limit, or below it with ``least``. A value at the limit is right.
    """
    is_wrong = value > limit
    if least:
        is_wrong = value < limit
    if is_wrong:
        return TRUE
    return ASIDE


def _spaces_to_limit(value: float, limit: float, *, decades: float) -> str:
    """No-break spaces before a number that the limit's line would cross, so that it begins behind.

    Empty if the bar ends beyond the line, or so far before it that the number does not reach it.

    Args:
        value: where the bar ends, above 0.
        limit: where the line is, above 0.
        decades: number of decades of the axis.
    """
    distance = math.log10(limit / value) / max(decades, 1e-9)  # as a part of the axis
    if not 0 <= distance < NUMBER_WIDTH:
        return ""
    n_spaces = math.ceil(distance * SPACES_IN_AXIS) + 2
    return theme.NO_BREAK_SPACE * n_spaces


def _short_number(value: float) -> str:
    """A number short enough for the end of a bar: in whole millions, whole, or of two digits."""
    if value >= MILLION:
        return f"{value / MILLION:,.0f}M"
    if value >= HUNDRED:
        return f"{value:,.0f}"
    return f"{value:.2g}"
