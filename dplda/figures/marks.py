"""Elements shared by figures: ε axis and mark, logarithmic ticks, bars, and labels at lines."""

import math
from collections.abc import Mapping, Sequence

from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, bar

GREY = "rgba(128,128,128,0.9)"
MOST = 9  # labels on an axis
FEW = 6  # labels on an axis across a phone
TICK_STEPS = ((1, 1.5, 2, 3, 4, 6, 8), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,))
"""Multiples of powers of ten at ticks, from the densest choice to the sparsest."""


def log_ticks(low: float, high: float, *, most: int = MOST) -> Part:
    """Ticks of a logarithmic axis from ``low`` > 0 to ``high``.

    They are the densest of ``TICK_STEPS`` times powers of ten that gives at most ``most`` ticks;
    powers of ten if none does, however many. Where fewer than two of them lie in the range, ticks
    are evenly spaced round numbers, at most six. An empty range has one tick, at ``low``.

    Args:
        low: lower end, above 0.
        high: upper end.
        most: largest number of ticks.

    Returns:
        ``tickvals`` and ``ticktext``, which abbreviates thousands and millions to k and M.
    """
    if high <= low * 1.0001:
        return {"tickvals": [low], "ticktext": [f"{low:,.6g}"]}
    tick_values = _ticks_by_powers(low, high, most)
    if len(tick_values) < 2:
        tick_values = _even_ticks(low, high)
    return {"tickvals": tick_values, "ticktext": [_tick_text(value) for value in tick_values]}


def _ticks_by_powers(low: float, high: float, most: int) -> list[float]:
    """Multiples of powers of ten within the range, the densest choice of at most so many.

    The powers alone are returned even where they are more. The list is empty where no multiple
    lies within the range. Ticks may lie 0.1% beyond its ends.
    """
    lowest_power = math.floor(math.log10(low))
    highest_power = math.ceil(math.log10(high))
    powers = range(lowest_power, highest_power + 1)
    ticks: list[float] = []
    for steps in TICK_STEPS:
        candidates = [step * 10.0**power for power in powers for step in steps]
        ticks = [value for value in candidates if low * 0.999 <= value <= high * 1.001]
        if len(ticks) <= most:
            break
    return ticks


def _even_ticks(low: float, high: float) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten within the range, in at most five steps."""
    span = high - low
    power_of_ten = 10.0 ** math.floor(math.log10(span))
    step = power_of_ten
    for multiple in (1, 2, 5):
        step = power_of_ten * multiple
        if span / step <= 5:
            break
    first_number = math.ceil(low / step)
    last_number = math.floor(high / step)
    return [step * number for number in range(first_number, last_number + 1)]


def _tick_text(value: float) -> str:
    """A tick's label with thousands and millions abbreviated, in at most five digits."""
    if value >= 1e6:
        return f"{value / 1e6:.5g}M"
    if value >= 1e3:
        return f"{value / 1e3:.5g}k"
    return f"{value:.5g}"


def epsilon_axis(drawing: Drawing, low: float, high: float, *, log: bool) -> None:
    """Set the horizontal axis to ε: from ``low`` to ``high`` if logarithmic, else from 0.

    Args:
        low: smallest ε, above 0.
        high: largest ε.
        log: whether the axis is logarithmic.
    """
    drawing.x(dict(title_text="privacy budget ε", showgrid=False, range=[0, 1.02 * high]))
    if log:
        low_end = math.log10(low) - 0.04
        high_end = math.log10(high) + 0.04
        drawing.x(dict(type="log", range=[low_end, high_end]))
        drawing.x(log_ticks(low, high, most=FEW))


def mark_epsilon(drawing: Drawing, epsilon: float, *, log: bool) -> None:
    """Draw a dotted vertical line at the current ε, with its value above it.

    ``log`` is as on the axis.
    """
    mark_current(drawing, epsilon, f"ε = {epsilon:g}", log=log)


def mark_current(drawing: Drawing, value: float, text: str, *, log: bool) -> None:
    """Draw a dotted vertical line at a value, with a text above it; ``log`` as on the axis.

    Args:
        value: on the horizontal axis.
        text: written above the line.
        log: whether the axis is logarithmic.
    """
    drawing.vline(value, dict(color=GREY, width=1.5, dash="dot"))
    x_position = math.log10(value) if log else value
    label = dict(
        x=x_position,
        y=1,
        yref="paper",
        yanchor="bottom",
        yshift=-2,
        text=text,
        name="current",
    )
    drawing.annotate(label)


def bars(
    values: Mapping[str, float], texts: Sequence[str], colours: Sequence[str], hover: str
) -> Drawing:
    """Draw horizontal bars, the first on top, each with a name before it and a text behind.

    Args:
        values: lengths by name.
        texts: one for each bar.
        colours: one for each bar, hexadecimal; mixed with gray on the dark page.
        hover: Plotly's template for a bar.
    """
    drawing = Drawing(
        bar(
            x=list(values.values()),
            y=list(values),
            orientation="h",
            marker={"color": [theme.softened(colour) for colour in colours]},
            text=texts,
            textposition="outside",
            textfont={"color": theme.INK},
            cliponaxis=False,
            hovertemplate=f"{hover}<extra></extra>",
        )
    )
    drawing.y(dict(autorange="reversed", automargin=True))
    return drawing


def label_line(drawing: Drawing, y: float, text: str) -> None:
    """Write a text on the left end of a level line.

    Args:
        drawing: with the line.
        y: height of the line; its logarithm on a logarithmic axis.
        text: name of the line.
    """
    drawing.annotate(
        dict(
            x=0,
            xref="paper",
            xanchor="left",
            y=y,
            yanchor="bottom",
            text=text,
            bgcolor=theme.GROUND,
            borderpad=0,
            name="line's name",
        )
    )
