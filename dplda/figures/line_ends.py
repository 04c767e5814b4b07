"""Names at the right ends of lines instead of a legend, spread so that none overlap."""

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import isotonic_regression

from dplda.figures import theme
from dplda.figures.drawing import Drawing
from dplda.methods.base.method_names import name_beside_line

POINTER = 14
"""Pixels from a line's end to its name."""
PITCH = 15.0
"""Pixels from one name to the next."""
NARROW_LETTERS = " .,:-'()/ijlftrI"
WIDE_LETTERS = "mwMW@%"
WIDTHS = {NARROW_LETTERS: 0.28, WIDE_LETTERS: 0.82}
"""Widths of letters in sizes of the letters, rounded up from the page's typeface."""
OTHER_WIDTH = 0.545
"""Width of any other letter, likewise."""
MARK = 11
"""Pixels of the mark before a name."""


@dataclass(frozen=True, slots=True)
class LineEnd:
    """Right end of a line, and its name.

    Attributes:
        title: full name of the line.
        colour: of the line.
        hollow: whether the mark before the name is a ring and no dot.
        height: on the vertical axis, a logarithm if that is logarithmic.
    """

    title: str
    colour: str
    hollow: bool
    height: float


def spread(wanted: Sequence[float], *, pitch: float, low: float, high: float) -> list[float]:
    """Positions at least a pitch apart, as near to the wanted ones as least squares can be.

    They lie between ``low`` and ``high``, at a smaller pitch if there is no room. The order of
    ``wanted`` is kept, in value and in the list. Empty without wanted positions.

    Args:
        wanted: wished positions, in any order.
        pitch: smallest distance of two positions, if there is room.
        low: smallest position.
        high: largest position.
    """
    if not wanted:
        return []
    order = np.argsort(wanted, kind="stable")
    n_steps = len(order) - 1
    pitch_with_room = min(pitch, (high - low) / max(n_steps, 1))
    steps = pitch_with_room * np.arange(len(order))
    last_step = steps[-1]
    sorted_wanted = np.asarray(wanted, dtype=float)[order]
    positions_without_steps = isotonic_regression(sorted_wanted - steps).x
    positions_in_range = np.clip(positions_without_steps, low, high - last_step)
    positions = np.empty(len(order))
    positions[order] = positions_in_range + steps
    return [float(position) for position in positions]


def margin_for(titles: Iterable[str]) -> int:
    """Pixels right of the axes for the longest of these names and its pointer."""
    widths = [_width_of(name_beside_line(title)) for title in titles]
    longest_name = max(widths, default=0.0)
    return math.ceil(POINTER + MARK + longest_name)


def _width_of(name: str) -> float:
    """Pixels of a name beside its line, rounded up."""
    width_by_letter = {letter: width for letters, width in WIDTHS.items() for letter in letters}
    widths = (width_by_letter.get(letter, OTHER_WIDTH) for letter in name)
    return theme.SMALL_LETTERS * sum(widths)


def name_lines(
    drawing: Drawing, ends: Sequence[LineEnd], *, axis: tuple[float, float], pixels: float
) -> None:
    """Write each line's name right of the axes with a pointer, and hide the legend.

    Names do not overlap. A line that ends above or below the axis gets no name.

    Args:
        drawing: with the lines.
        ends: of the lines.
        axis: lower and upper end of the vertical axis, in the unit of ``LineEnd.height``.
        pixels: length of that axis.
    """
    low, high = axis
    shown_ends = [end for end in ends if low <= end.height <= high]
    right_margin = margin_for(end.title for end in shown_ends)
    drawing.set(dict(showlegend=False, margin={"r": right_margin}))
    end_heights = [(end.height - low) / (high - low) * pixels for end in shown_ends]
    name_heights = spread(end_heights, pitch=PITCH, low=0, high=pixels)
    for end, end_height, name_height in zip(shown_ends, end_heights, name_heights, strict=True):
        symbol = "○" if end.hollow else "●"
        mark_html = f'<span style="color:{end.colour}">{symbol}</span>'
        drawing.annotate(
            dict(
                x=1,
                xref="paper",
                y=end.height,
                ax=POINTER,
                ay=end_height - name_height,
                xanchor="left",
                yanchor="middle",
                showarrow=True,
                arrowhead=0,
                arrowwidth=1,
                arrowcolor=end.colour,
                borderpad=0,
                text=f"{mark_html} {html.escape(name_beside_line(end.title))}",
                font={"size": theme.SMALL_LETTERS, "color": theme.INK},
                hovertext=html.escape(end.title),
                name="line",
            )
        )
