"""Names at the right ends of lines instead of a legend, spread so that none overlap."""

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import isotonic_regression

from dplda.figures import theme
from dplda.figures.drawing import Drawing
from dplda.methods.base.method_names import name_beside_line

POINTER = 14
"""Pixels from a line's end to its name."""
SIZE = 11
"""Pixels of a name's letters."""
PITCH = 14.5
"""Pixels from one name to the next."""
LETTER = 4.9
"""Pixels of an average letter's width, at most."""
MARK = 16
"""Pixels of the mark before a name, and of the space after the name."""


@dataclass(frozen=True, slots=True)
class LineEnd:
    """End of a line and its name; ``at`` is in the vertical axis' unit, a logarithm on a logarithmic axis."""

    title: str
    colour: str
    hollow: bool
    at: float


def spread(wanted: Sequence[float], *, pitch: float, low: float, high: float) -> list[float]:
    """Least-squares positions at least a pitch apart (less if there is no room), in the same order."""
    if not wanted:
        return []
    order = np.argsort(wanted, kind="stable")
    pitch = min(pitch, (high - low) / max(len(order) - 1, 1))
    steps = pitch * np.arange(len(order))
    found = isotonic_regression(np.asarray(wanted, dtype=float)[order] - steps).x
    placed = np.empty(len(order))
    placed[order] = np.clip(found, low, high - steps[-1]) + steps
    return [float(place) for place in placed]


def margin_for(titles: Iterable[str]) -> int:
    """Pixels right of the axes for the longest of these names and its pointer."""
    longest = max((len(name_beside_line(title)) for title in titles), default=0)
    return round(POINTER + MARK + LETTER * longest)


def name_lines(
    drawing: Drawing, ends: Sequence[LineEnd], *, axis: tuple[float, float], pixels: float
) -> None:
    """Write each line's name right of the axes with a pointer; ``axis`` holds the axis' ends in its unit."""
    low, high = axis
    shown = [end for end in ends if low <= end.at <= high]
    drawing.set(dict(showlegend=False, margin={"r": margin_for(end.title for end in shown)}))
    wanted = [(end.at - low) / (high - low) * pixels for end in shown]
    for end, at, place in zip(
        shown, wanted, spread(wanted, pitch=PITCH, low=0, high=pixels), strict=True
    ):
        mark = f'<span style="color:{end.colour}">{"○" if end.hollow else "●"}</span>'
        drawing.annotate(
            dict(
                x=1,
                xref="paper",
                y=end.at,
                ax=POINTER,
                ay=at - place,
                xanchor="left",
                yanchor="middle",
                showarrow=True,
                arrowhead=0,
                arrowwidth=1,
                arrowcolor=end.colour,
                borderpad=0,
                text=f"{mark} {html.escape(name_beside_line(end.title))}",
                font={"size": SIZE, "color": theme.INK},
                hovertext=html.escape(end.title),
                name="line",
            )
        )
