"""A figure of words alone as plain HTML without scripts, which appears at once."""

import html
import json

from dplda.figures.figure import LETTERS, Figure

LINE = 1.2  # height of a line, in sizes of its letters
RISES = {"top": 0.0, "bottom": LINE}  # from a text's place to its upper end; else half a line


def static_html(figure: Figure, *, dark: bool = False) -> str:
    """The figure's notes as HTML, as wide as its container and with its own height.

    The class ``still`` of the page's style places them. Texts are HTML already, in every figure.
    """
    layout = json.loads(json.dumps(figure.spec(dark=dark)))["layout"]
    left, right = layout["xaxis"]["range"]
    low, high = layout["yaxis"]["range"]
    margin = layout["margin"]
    inner_height = layout["height"] - margin["t"] - margin["b"]
    parts = []
    for note in layout.get("annotations", ()):
        size = note["font"].get("size", LETTERS)
        rise = RISES.get(note.get("yanchor", ""), LINE / 2) * size
        across = 100 * (note["x"] - left) / (right - left)
        down = margin["t"] + inner_height * (high - note["y"]) / (high - low) - rise
        look = (
            f"left:{across:.2f}%;top:{down:.1f}px;font-size:{size}px;color:{note['font']['color']}"
        )
        parts.append(f'<span style="{look}">{note["text"]}</span>')
    label = html.escape(figure.alt)
    look = f'class="still" role="img" aria-label="{label}" style="height:{layout["height"]}px"'
    return f"<div {look}>{''.join(parts)}</div>"
