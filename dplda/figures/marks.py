"""Elements shared by figures: ε axis and mark, logarithmic ticks, bars, and labels at lines."""

import math
from collections.abc import Mapping, Sequence

from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, bar

GREY = "rgba(128,128,128,0.9)"
MOST, FEW = 9, 6  # labels on an axis; across a phone


def log_ticks(low: float, high: float, *, most: int = MOST) -> Part:
    """Ticks of a logarithmic axis from ``low`` > 0 to ``high``: 1, 2 and 5 times powers of ten, or the powers only.

    Returns:
        ``tickvals`` and ``ticktext``; at most ``most`` where powers of ten allow it.
    """
    if high <= low * 1.0001:
        return {"tickvals": [low], "ticktext": [f"{low:,.6g}"]}
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1, 1.5, 2, 3, 4, 6, 8), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
        marks = [step * 10.0**power for power in powers for step in steps]
        shown = [mark for mark in marks if low * 0.999 <= mark <= high * 1.001]
        if len(shown) <= most:
            break
    if len(shown) < 2:  # less than a factor of two: evenly spaced round numbers
        step = 10.0 ** math.floor(math.log10(high - low))
        step *= next(by for by in (1, 2, 5) if (high - low) / (by * step) <= 5)
        shown = [
            step * number for number in range(math.ceil(low / step), math.floor(high / step) + 1)
        ]
    units = [
        next(unit for unit in ((1e6, "M"), (1e3, "k"), (0, "")) if mark >= unit[0])
        for mark in shown
    ]
    texts = [f"{mark / (of or 1):.5g}{name}" for mark, (of, name) in zip(shown, units, strict=True)]
    return {"tickvals": shown, "ticktext": texts}


def epsilon_axis(drawing: Drawing, low: float, high: float, *, log: bool) -> None:
    """Horizontal ε axis, from 0 if it is linear."""
    drawing.x(dict(title_text="privacy budget ε", showgrid=False, range=[0, 1.02 * high]))
    if log:
        ends = [math.log10(low) - 0.04, math.log10(high) + 0.04]
        drawing.x(dict(type="log", range=ends, **log_ticks(low, high, most=FEW)))


def mark_epsilon(drawing: Drawing, epsilon: float, *, log: bool) -> None:
    """The current ε as a labeled vertical line."""
    drawing.vline(epsilon, dict(color=GREY, width=1.5, dash="dot"))
    x = math.log10(epsilon) if log else epsilon
    text = f"ε = {epsilon:g}"
    drawing.annotate(
        dict(x=x, y=1, yref="paper", yanchor="bottom", yshift=-2, text=text, name="current")
    )


def bars(
    values: Mapping[str, float], texts: Sequence[str], colours: Sequence[str], hover: str
) -> Drawing:
    """Horizontal bars by name, each with a text at its end."""
    drawing = Drawing(
        bar(
            x=list(values.values()),
            y=list(values),
            orientation="h",
            marker={"color": colours},
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
    """Text at the left end of a horizontal line, at height ``y``."""
    drawing.annotate(
        dict(
            x=0, xref="paper", xanchor="left", y=y, yanchor="bottom", text=text, name="line's name"
        )
    )
