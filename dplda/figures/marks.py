"""What stands on more than one figure: the current ε, the experiment at hand, words beside a line."""

import math

from dplda.figures import theme
from dplda.figures.plain import Figure, Part, scatter

GREY = "rgba(128,128,128,0.9)"


def mark_epsilon(figure: Figure, epsilon: float, *, log: bool) -> None:
    """The current ε, as a line with its name at the top; told whether its axis is logarithmic."""
    figure.add_vline(x=epsilon, line={"color": GREY, "width": 1.5, "dash": "dot"})
    x = math.log10(epsilon) if log else epsilon
    text = f"ε = {epsilon:g}"
    figure.add_annotation(dict(x=x, y=1, yref="paper", yanchor="bottom", yshift=-2, text=text, name="current"))


def say_trivial(figure: Figure, y: float, text: str, *, anchor: str = "bottom") -> None:
    """Words at the left end of the line beyond which a number says nothing, at its height in the axis' own unit."""
    figure.add_annotation(dict(x=0, xref="paper", xanchor="left", y=y, yanchor=anchor, text=text, name="trivial"))


def your_experiment(x: float, y: float, said: str, *, size: int, dark: bool) -> Part:
    """A cross where the experiment at hand is, and what is said of it when pointed at."""
    look = {"color": theme.ground(dark=dark), "line": {"color": theme.ink(dark=dark), "width": 2.5}}
    return scatter(
        x=[x],
        y=[y],
        mode="markers",
        name="your experiment",
        marker={"symbol": "cross", "size": size} | look,
        hovertemplate=f"your experiment: {said}<extra></extra>",
        showlegend=True,
    )
