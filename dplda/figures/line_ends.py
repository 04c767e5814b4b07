"""Names at the right ends of lines instead of a legend, spread so that none overlap."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import isotonic_regression

from dplda.figures import theme
from dplda.figures.drawing import Drawing

MARGIN = 112  # pixels right of the axes for the longest name and its pointer
POINTER, SIZE, PITCH = (
    14,
    11,
    14.5,
)  # pixels: from a line to its name, of the letters, and from name to name
LONGEST = 16  # letters
SHORTER = (
    ("Configuration ", "Config. "),
    (": the paper's bound", ", bound"),
    (", as published", ", pub."),
    (", no noise", ", exact"),
    ("DP variational inference", "DP-VI"),
    ("Variational inference", "VI"),
    ("Private unigram", "Priv. unigram"),
)


@dataclass(frozen=True, slots=True)
class LineEnd:
    """End of a line and its name; ``at`` is in the vertical axis' unit, a logarithm on a logarithmic axis."""

    title: str
    colour: str
    hollow: bool
    at: float


def short_title(title: str) -> str:
    """A title short enough to fit beside a line."""
    before = title
    for words, fewer in SHORTER:
        title = title.replace(words, fewer)
    return title if title != before or len(title) <= LONGEST else title[: LONGEST - 1] + "…"


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


def name_lines(
    drawing: Drawing, ends: Sequence[LineEnd], *, axis: tuple[float, float], pixels: float
) -> None:
    """Write each line's name right of the axes with a pointer; ``axis`` holds the axis' ends in its unit."""
    drawing.set(dict(showlegend=False, margin={"r": MARGIN}))
    low, high = axis
    shown = [end for end in ends if low <= end.at <= high]
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
                text=f"{mark} {html.escape(short_title(end.title))}",
                font={"size": SIZE, "color": theme.INK},
                hovertext=html.escape(end.title),
                name="line",
            )
        )
