"""A figure with its finding and its alt text, for a page or a file."""

import html
from dataclasses import dataclass

from plotly.basedatatypes import BaseFigure

from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, put

LETTERS = 12  # pixels: Plotly's default, enlarged for a projector
WATERMARK = {
    "x": 0.5,
    "y": 0.5,
    "xref": "paper",
    "yref": "paper",
    "textangle": -24,
    "opacity": 0.35,
}


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A drawing with title, alt text and size.

    Attributes:
        title: its finding, a sentence; empty for none.
        alt: the figure in words.
        height: pixels.
        watermark: drawn across figures that must stay with the curator.
    """

    title: str
    alt: str
    height: int
    drawing: Drawing
    watermark: str = ""

    def spec(self, *, dark: bool = False, larger: float = 1.0) -> Part:
        """The dictionary sent to the browser.

        Args:
            larger: scale of letters, marks and height for a projector; title lines still fit.
        """
        drawing, lines = (
            self.drawing,
            theme.title_lines(self.title, round(theme.TITLE_LINE / larger)),
        )
        more = round(20 * larger) * (len(lines) - len(theme.title_lines(self.title)))
        height, down = round(larger * self.height) + more, 6 if len(lines) == 1 else 22
        layout = {
            "title": {
                "text": "<br>".join(lines),
                "x": 0,
                "xanchor": "left",
                "yanchor": "top",
                "yref": "container",
            },
            "title_y": 1 - larger * down / height,
            "title_font_size": 15,
            "height": height,
            "margin": {"l": 8, "r": 8, "t": theme.above(self.title) + more / larger, "b": 8},
            "uirevision": "keep",
            "hoverlabel_align": "left",
            "legend": {"orientation": "h", "x": 0, "y": -0.3, "yanchor": "top"},
        }
        layout = put(put({}, layout), drawing.layout)
        if larger != 1:
            put(layout, {"font_size": LETTERS, "legend_font_size": LETTERS})
            for axis in {"xaxis", "yaxis"} | {name for name in layout if name[1:5] == "axis"}:
                put(
                    layout,
                    {axis: {"tickfont": {"size": LETTERS}, "title": {"font": {"size": LETTERS}}}},
                )
        marks = list(drawing.annotations)
        if self.watermark:
            look = {
                "text": html.escape(self.watermark),
                "font": {"size": 22, "color": "#D55E00"},
                "name": "watermark",
            }
            marks.append({"showarrow": False, **WATERMARK, **look})
        drawn = {"shapes": drawing.shapes, "annotations": marks}
        whole = {
            "data": drawing.traces,
            "layout": layout | {name: parts for name, parts in drawn.items() if parts},
        }
        shown = _shown(whole, dark=dark, larger=larger)
        assert isinstance(shown, dict)
        return shown

    def unchecked(self, *, dark: bool = False, larger: float = 1.0) -> BaseFigure:
        """The figure for Streamlit, unchecked; arguments as for ``spec``."""
        return _Unchecked(self.spec(dark=dark, larger=larger))


class _Unchecked(BaseFigure):  # type: ignore[misc]  # Plotly has no types
    """A figure for callers that only need its dictionary."""

    def __init__(self, spec: Part) -> None:
        self._spec = spec

    def to_dict(self) -> Part:
        return self._spec


def _shown(part: object, *, dark: bool, larger: float, name: str = "") -> object:
    """A part of a figure on the page's ground, with sizes and offsets scaled."""
    if isinstance(part, dict):
        return {
            key: _shown(value, dark=dark, larger=larger, name=key) for key, value in part.items()
        }
    if isinstance(part, list):
        return [_shown(value, dark=dark, larger=larger) for value in part]
    if isinstance(part, theme.Shade):
        return part.on(dark=dark)
    if larger != 1 and name in ("size", "xshift", "t") and isinstance(part, int | float):
        return round(larger * part, 1)
    return part
