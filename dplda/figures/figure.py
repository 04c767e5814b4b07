"""A figure with its finding and its alt text, for a page or a file."""

import html
from dataclasses import dataclass

from dplda.core.optional_packages import requiring
from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, put

with requiring("plotly", "Drawing figures"):
    from plotly.basedatatypes import BaseFigure

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
        drawing: its traces and layout.
        watermark: drawn across figures that must stay with the curator.
        title_letters: letters that fit in a line of the title.
    """

    title: str
    alt: str
    height: int
    drawing: Drawing
    watermark: str = ""
    title_letters: int = theme.TITLE_LINE

    def spec(
        self,
        *,
        dark: bool = False,
        larger: float = 1.0,
        smallest_letters: int = theme.SMALL_LETTERS,
    ) -> Part:
        """The dictionary sent to the browser, without a template.

        Args:
            dark: whether the page is dark.
            larger: scale of letters, marks and height: above 1 for a projector, where title lines
                still fit, below 1 where there is little room.
            smallest_letters: pixels that letters have at least.
        """
        layout = put(self._default_layout(larger), self.drawing.layout)
        if larger != 1 or smallest_letters > theme.SMALL_LETTERS:
            _set_letters(layout)
        if self.drawing.shapes:
            layout["shapes"] = self.drawing.shapes
        annotations = list(self.drawing.annotations)
        if self.watermark:
            annotations.append(_watermark_annotation(self.watermark))
        if annotations:
            layout["annotations"] = annotations
        whole_figure = {"data": self.drawing.traces, "layout": layout}
        finished_figure = _finish(
            whole_figure, dark=dark, larger=larger, smallest_letters=smallest_letters
        )
        assert isinstance(finished_figure, dict)
        return finished_figure

    def _default_layout(self, larger: float) -> Part:
        """Title, height, margins and legend, which the drawing's own layout may replace.

        Larger letters, or fewer in a line, may need more lines for the title; the figure grows by
        these. The height is already scaled by ``larger``. Letter sizes and the top margin are not.
        """
        title_lines = theme.title_lines(self.title, round(self.title_letters / larger))
        n_more_lines = len(title_lines) - len(theme.title_lines(self.title))
        pixels_of_more_lines = round(20 * larger) * n_more_lines
        height = round(larger * self.height) + pixels_of_more_lines
        pixels_above_title = 6 if len(title_lines) == 1 else 22
        layout = {
            "title": {
                "text": "<br>".join(title_lines),
                "x": 0,
                "xanchor": "left",
                "yanchor": "top",
                "yref": "container",
            },
            "title_y": 1,
            "title_pad_t": pixels_above_title,  # in pixels, wherever a page stretches the figure
            "title_font_size": theme.TITLE_LETTERS,
            "height": height,
            "margin": {
                "l": 8,
                "r": 8,
                "t": theme.above(self.title) + pixels_of_more_lines / larger,
                "b": 8,
            },
            "uirevision": "keep",
            "hoverlabel_align": "left",
            "legend": {"orientation": "h", "x": 0, "y": -0.3, "yanchor": "top"},
        }
        return put({}, layout)

    def unchecked(
        self,
        *,
        dark: bool = False,
        larger: float = 1.0,
        smallest_letters: int = theme.SMALL_LETTERS,
    ) -> BaseFigure:
        """The figure for Streamlit, unchecked; arguments as for ``spec``."""
        return _Unchecked(self.spec(dark=dark, larger=larger, smallest_letters=smallest_letters))


class _Unchecked(BaseFigure):  # type: ignore[misc]  # Plotly has no types
    """A figure for callers that only need its dictionary."""

    def __init__(self, spec: Part) -> None:
        self._spec = spec

    def to_dict(self) -> Part:
        return self._spec


def _set_letters(layout: Part) -> None:
    """Write the default size of letters into a layout, where Plotly leaves it out, to be scaled."""
    letters = {"size": theme.SMALL_LETTERS}
    put(layout, {"font": letters, "legend": {"font": letters}})
    axes = {"xaxis", "yaxis"} | {name for name in layout if name[1:5] == "axis"}
    for axis in sorted(axes):
        put(layout, {axis: {"tickfont": letters, "title": {"font": letters}}})


def _watermark_annotation(text: str) -> Part:
    """Plotly annotation of large orange letters across a figure, in HTML-escaped text."""
    return {
        "showarrow": False,
        **WATERMARK,
        "text": html.escape(text),
        "font": {"size": theme.LARGE_LETTERS, "color": "#D55E00"},
        "name": "watermark",
    }


def _finish(
    part: object, *, dark: bool, larger: float, smallest_letters: int, name: str = ""
) -> object:
    """A copy of a part of a figure, with colors of the page's ground, and sizes and offsets scaled.

    Letters are never below the smallest size that is asked for. Theirs is the ``size`` in a
    dictionary whose name ends in ``font``.

    Args:
        part: a dictionary or a list, whose parts are finished likewise, or a value.
        dark: whether the page is dark.
        larger: scale of the numbers named ``size``, ``xshift`` and ``t``, rounded to tenths.
        smallest_letters: pixels.
        name: of the part in the dictionary that holds it; empty within a list.
    """
    if isinstance(part, dict):
        finished_part = {}
        for key, value in part.items():
            finished_part[key] = _finish(
                value, dark=dark, larger=larger, smallest_letters=smallest_letters, name=key
            )
        letter_size = finished_part.get("size")
        if name.endswith("font") and isinstance(letter_size, int | float):
            finished_part["size"] = max(smallest_letters, letter_size)
        return finished_part
    if isinstance(part, list):
        return [
            _finish(value, dark=dark, larger=larger, smallest_letters=smallest_letters)
            for value in part
        ]
    if isinstance(part, theme.Shade):
        return part.on(dark=dark)
    is_scaled = larger != 1 and name in ("size", "xshift", "t")
    if is_scaled and isinstance(part, int | float):
        return round(larger * part, 1)
    return part
