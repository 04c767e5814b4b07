"""A figure of words alone as plain HTML without scripts, which appears at once."""

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.figure import Figure

LINE = 1.2
"""Height of a line, in sizes of its letters."""
RISES = {"top": 0.0, "bottom": LINE}
"""Lines from a text's place up to its upper end, by its anchor; half a line for any other."""


def static_html(figure: Figure, *, dark: bool = False) -> str:
    """The figure's annotations as HTML, as wide as its container and with the figure's height.

    Nothing else of the figure is drawn: neither its title nor traces or shapes. Its axes must have
    ranges, and its annotations colors. The page's style places annotations by the class ``still``.
    Their texts are HTML already, in every figure.
    """
    layout = json.loads(json.dumps(figure.spec(dark=dark)))["layout"]
    height = layout["height"]
    margin = layout["margin"]
    area = _DrawingArea(
        xs=layout["xaxis"]["range"],
        ys=layout["yaxis"]["range"],
        top=margin["t"],
        height=height - margin["t"] - margin["b"],
    )
    spans = []
    for annotation in layout.get("annotations", ()):
        font = annotation["font"]
        letter_pixels = font.get("size", theme.SMALL_LETTERS)
        lines_above_place = RISES.get(annotation.get("yanchor", ""), LINE / 2)
        left_percent = area.percent_from_left(annotation["x"])
        top_pixels = area.pixels_from_top(annotation["y"]) - lines_above_place * letter_pixels
        style = (
            f"left:{left_percent:.2f}%;top:{top_pixels:.1f}px;"
            f"font-size:{letter_pixels}px;color:{font['color']}"
        )
        spans.append(f'<span style="{style}">{annotation["text"]}</span>')
    label = html.escape(figure.alt)
    attributes = f'class="still" role="img" aria-label="{label}" style="height:{height}px"'
    return f"<div {attributes}>{''.join(spans)}</div>"


@dataclass(frozen=True, slots=True)
class _DrawingArea:
    """The part of a figure inside its margins.

    Attributes:
        xs: values at its left and right end.
        ys: values at its lower and upper end.
        top: pixels above it.
        height: pixels.
    """

    xs: Sequence[float]
    ys: Sequence[float]
    top: float
    height: float

    def percent_from_left(self, x: float) -> float:
        """Place of a value, in percent of the width."""
        left_end, right_end = self.xs
        return 100 * (x - left_end) / (right_end - left_end)

    def pixels_from_top(self, y: float) -> float:
        """Place of a value, in pixels from the figure's upper end."""
        lower_end, upper_end = self.ys
        return self.top + self.height * (upper_end - y) / (upper_end - lower_end)
