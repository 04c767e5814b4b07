"""What stands on more than one figure: the current ε, bars with numbers, words beside a line."""

import math
from collections.abc import Mapping, Sequence

from dplda.figures import theme
from dplda.figures.drawing import Drawing, bar

GREY = "rgba(128,128,128,0.9)"


def mark_epsilon(drawing: Drawing, epsilon: float, *, log: bool) -> None:
    """The current ε, as a line with its name at the top; told whether its axis is logarithmic."""
    drawing.vline(epsilon, dict(color=GREY, width=1.5, dash="dot"))
    x = math.log10(epsilon) if log else epsilon
    text = f"ε = {epsilon:g}"
    drawing.annotate(dict(x=x, y=1, yref="paper", yanchor="bottom", yshift=-2, text=text, name="current"))


def bars(values: Mapping[str, float], texts: Sequence[str], colours: Sequence[str], hover: str) -> Drawing:
    """Bars from left to right by name, each with a text at its end."""
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


def say_trivial(drawing: Drawing, y: float, text: str, *, anchor: str = "bottom") -> None:
    """Words at the left end of the line beyond which a number says nothing, at its height in the axis' own unit."""
    drawing.annotate(dict(x=0, xref="paper", xanchor="left", y=y, yanchor=anchor, text=text, name="trivial"))
