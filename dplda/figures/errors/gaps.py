"""A claim next to the truth: lines against one number, or bars with a limit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.drawing import Drawing, bar, curve
from dplda.figures.figure import Figure
from dplda.figures.marks import log_ticks

HEIGHT = 340
SYMBOLS = ("circle", "square", "diamond", "cross")
CLAIMED, TRUE, ASIDE = theme.EXACT, theme.FLOOR, theme.PRIVATE


@dataclass(frozen=True, slots=True)
class GapLine:
    """One line of a gap's figure; ``colour`` is ``CLAIMED``, ``TRUE`` or ``ASIDE``."""

    name: str
    values: tuple[float, ...]
    colour: str = TRUE


def gap_lines(lines: Sequence[GapLine], across: Sequence[float], *, title: str, x: str, y: str) -> Figure:
    """Lines against ``across``, both axes logarithmic; claims are dashed."""
    drawing = Drawing()
    for number, line in enumerate(lines):
        dash, symbol = "dash" if line.colour == CLAIMED else "solid", SYMBOLS[number % len(SYMBOLS)]
        hover = "%{y:.3g} at %{x:,.3g}"
        drawing.add(curve(line.name, across, line.values, line.colour, hover, dash=dash, symbol=symbol))
    values = [value for line in lines for value in line.values]
    ticks = {"tickvals": list(across), "ticktext": [f"{value:,.9g}" for value in across]}
    drawing.x(dict(type="log", title_text=x, showgrid=False, **ticks))
    drawing.y(dict(type="log", title_text=y, exponentformat="power", **log_ticks(min(values), max(values))))
    ends = [f"{e.name}: {e.values[0]:.3g} at {across[0]:,g}, {e.values[-1]:.3g} at {across[-1]:,g}." for e in lines]
    return Figure(title, " ".join([f"{title}.", *ends]), HEIGHT, drawing)


def gap_bars(values: Mapping[str, float], *, limit: float, title: str, x: str) -> Figure:
    """Bars with a dashed limit on a logarithmic axis; ``x`` names the axis, its unit and the limit."""
    drawing = Drawing(
        bar(
            x=list(values.values()),
            y=list(values),
            orientation="h",
            marker_color=[TRUE if value > limit else ASIDE for value in values.values()],
            text=[f"{value:.2g}" if value < 100 else f"{value:,.0f}" for value in values.values()],
            hovertemplate="%{y}: %{x:.3g}<extra></extra>",
        )
    )
    drawing.vline(limit, dict(color=CLAIMED, dash="dash", width=2))
    drawing.x(dict(type="log", title_text=x, showgrid=False))
    drawing.y(dict(autorange="reversed", automargin=True))
    alt = f"{title}. " + ", ".join(f"{name}: {value:.3g}" for name, value in values.items()) + f"; limit: {limit:.3g}."
    return Figure(title, alt, 130 + 34 * len(values), drawing)
