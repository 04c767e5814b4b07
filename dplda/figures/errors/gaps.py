"""A claim next to the truth: lines against one number, or bars with a limit."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.drawing import Drawing, curve
from dplda.figures.figure import Figure
from dplda.figures.marks import FEW, bars, log_ticks

HEIGHT = 340
HUNDRED, MILLION = 100, 1e6
SYMBOLS = ("circle", "square", "diamond", "cross")
CLAIMED, TRUE, ASIDE = theme.EXACT, theme.FLOOR, theme.PRIVATE


@dataclass(frozen=True, slots=True)
class GapLine:
    """One line of a gap's figure; ``colour`` is ``CLAIMED``, ``TRUE`` or ``ASIDE``."""

    name: str
    values: tuple[float, ...]
    colour: str = TRUE


def gap_lines(
    lines: Sequence[GapLine], across: Sequence[float], *, title: str, x: str, y: str
) -> Figure:
    """Lines against ``across``, both axes logarithmic; claims are dashed."""
    drawing = Drawing()
    for number, line in enumerate(lines):
        dash, symbol = "dash" if line.colour == CLAIMED else "solid", SYMBOLS[number % len(SYMBOLS)]
        hover = "%{y:.3g} at %{x:,.3g}"
        drawing.add(
            curve(line.name, across, line.values, line.colour, hover, dash=dash, symbol=symbol)
        )
    values = [value for line in lines for value in line.values]
    ticks = {"tickvals": list(across), "ticktext": [f"{value:,.9g}" for value in across]}
    drawing.x(dict(type="log", title_text=x, showgrid=False, **ticks))
    drawing.y(
        dict(
            type="log", title_text=y, exponentformat="power", **log_ticks(min(values), max(values))
        )
    )
    ends = [
        f"{e.name}: {e.values[0]:.3g} at {across[0]:,g}, {e.values[-1]:.3g} at {across[-1]:,g}."
        for e in lines
    ]
    return Figure(title, " ".join([f"{title}.", *ends]), HEIGHT, drawing)


def gap_bars(
    values: Mapping[str, float], *, limit: float, title: str, x: str, least: bool = False
) -> Figure:
    """Bars on a logarithmic axis, with a dashed limit that none may pass, or all must reach if it is the ``least``."""
    wrong = [value < limit if least else value > limit for value in values.values()]
    texts = [_short_number(value) for value in values.values()]
    drawing = bars(values, texts, [TRUE if each else ASIDE for each in wrong], "%{y}: %{x:.3g}")
    drawing.vline(limit, dict(color=CLAIMED, dash="dash", width=2))
    low, high = min(limit, *values.values()), max(limit, *values.values())
    ends = [
        math.log10(low) - 0.1,
        math.log10(high) + 0.05 * math.log10(high / low) + 0.3,
    ]  # room for a number
    drawing.x(
        dict(type="log", title_text=x, showgrid=False, range=ends, **log_ticks(low, high, most=FEW))
    )
    alt = (
        f"{title}. "
        + ", ".join(f"{name}: {value:.3g}" for name, value in values.items())
        + f"; limit: {limit:.3g}."
    )
    return Figure(title, alt, 130 + 34 * len(values), drawing)


def _short_number(value: float) -> str:
    """A number short enough for the end of a bar."""
    if value >= MILLION:
        return f"{value / MILLION:,.0f}M"
    return f"{value:,.0f}" if value >= HUNDRED else f"{value:.2g}"
