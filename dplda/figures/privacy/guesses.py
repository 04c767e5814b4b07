"""How sure the best player may be of which corpus a run was on: apart where the method leaks, heaped where not."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import expit

from dplda.figures import theme
from dplda.figures.drawing import Drawing, bar
from dplda.figures.figure import Figure

BINS = 20


def guesses(
    losses: Sequence[float],
    was_one: Sequence[bool],
    *,
    names: tuple[str, str],
    title: str,
    epsilon: float,
    seen: float | None = None,
) -> Figure:
    """Runs on either corpus by how sure the best player is, given what each released.

    Args:
        epsilon: what the method is meant to keep to: between two lines all but a part δ of the runs must lie.
        seen: the loss of one more run, the onlooker's own; None for none.
    """
    edges = np.linspace(0, 1, BINS + 1)
    centres = np.round((edges[1:] + edges[:-1]) / 2, 3)
    sure, first = expit(np.asarray(losses, dtype=float)), np.asarray(was_one, dtype=bool)
    drawing = Drawing()
    for name, chosen, colour in ((names[0], first, theme.PRIVATE), (names[1], ~first, theme.EXACT)):
        numbers, hover = np.histogram(sure[chosen], edges)[0].tolist(), f"%{{y}} runs<extra>{theme.plain(name)}</extra>"
        drawing.add(bar(x=centres.tolist(), y=numbers, name=f"really {name}", marker_color=colour, hovertemplate=hover))
    for end in (expit(-epsilon), expit(epsilon)):
        drawing.vline(float(end), dict(color=theme.FLOOR, dash="dot", width=2))
    if seen is not None:
        drawing.vline(float(expit(seen)), dict(color=theme.INK, width=4))
        side = "right" if seen > 0 else "left"  # of its line: where words find room
        place = {"x": float(expit(seen)), "y": 1, "yref": "paper", "xanchor": side, "yanchor": "bottom"}
        drawing.annotate(place | {"text": "your draw"})
    odds = "odds<br>3 : 1"
    texts = [_sure(names[1]), odds, "even", odds, _sure(names[0])]
    ticks = {"tickvals": [0, 0.25, 0.5, 0.75, 1], "ticktext": texts, "tickangle": 0, "ticklabeloverflow": "allow"}
    drawing.x(ticks | {"range": [-0.03, 1.03]})
    drawing.y(dict(title_text="runs", rangemode="tozero"))
    drawing.set(dict(barmode="stack", bargap=0.05, legend_y=-0.4))
    above = sum(abs(loss) > epsilon for loss in losses)
    own = "" if seen is None else f" Your own draw: {expit(abs(seen)):.0%} sure of one letter."
    alt = (
        f"{title}. Of {len(losses)} runs {above} say more about which corpus it was than ε = {epsilon:g} allows: odds"
        f" above {math.exp(min(epsilon, 700)):.2g} to 1.{own}"
    )
    return Figure(title, alt, 330, drawing)


def _sure(name: str) -> str:
    """The end of the axis where there is no doubt, a word a line."""
    return "<br>".join(["surely", *theme.plain(name).replace(" + ", " +<br>").split("<br>")])
