"""Figures as the plain dictionaries that a browser draws; Plotly's own classes check every property at every call."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import plotly.graph_objects as go
from plotly.basedatatypes import BaseFigure, BaseTraceType

Part: TypeAlias = dict[str, object]

bar: Callable[..., Part] = partial(dict, type="bar")
heatmap: Callable[..., Part] = partial(dict, type="heatmap")
scatter: Callable[..., Part] = partial(dict, type="scatter")


class Figure(BaseFigure):  # type: ignore[misc]  # Plotly has no types
    """A figure under construction, by the names that Plotly gives its parts, of which none is checked.

    Reading ``data`` or ``layout`` builds it once more with Plotly's classes, which refuse what no browser could draw;
    whatever shows or saves it asks for ``to_dict`` and builds nothing. It carries no template: Streamlit's front end
    gives figures its own.

    Args:
        *traces: to draw, in order.
        gap: between panels, a fraction of the figure.
    """

    def __init__(self, *traces: Part, beside: int = 1, gap: float = 0.0) -> None:
        self._traces: list[Part] = []
        self._shapes: list[Part] = []
        self._annotations: list[Part] = []
        self._layout: Part = {}
        self._panels = n = beside
        for panel in range(1, n + 1) if n > 1 else ():
            size = (1 - gap * (n - 1)) / n
            left = (panel - 1) * (size + gap)
            self._axes("x", {"anchor": "y" + _number(panel), "domain": [left, left + size]}, panel)
            self._axes("y", {"anchor": "x" + _number(panel)}, panel)
            if panel > 1:
                self._axes("y", {"matches": "y", "showticklabels": False}, panel)
        self.add_traces(list(traces))

    @property
    def data(self) -> tuple[BaseTraceType, ...]:
        """The traces, checked."""
        traces: tuple[BaseTraceType, ...] = go.Figure(self.to_dict()).data
        return traces

    @property
    def layout(self) -> go.Layout:
        """The layout, checked."""
        return go.Figure(self.to_dict()).layout

    def to_dict(self) -> Part:
        """What travels to the browser."""
        drawn = {"shapes": self._shapes, "annotations": self._annotations}
        return {"data": self._traces, "layout": self._layout | {name: parts for name, parts in drawn.items() if parts}}

    def add_trace(self, trace: Part, *, panel: int = 1) -> None:
        """Draw a trace above those before it."""
        places = {"xaxis": f"x{panel}", "yaxis": f"y{panel}"} if panel > 1 else {}
        self._traces.append(_put({}, trace | places))

    def add_traces(self, traces: list[Part]) -> None:
        """Draw several."""
        for trace in traces:
            self.add_trace(trace)

    def add_annotation(self, annotation: Part, *, panel: int = 1) -> None:
        """Write a text, without an arrow."""
        self._annotations.append(_put({"showarrow": False, **_places(panel)}, annotation))

    def add_shape(self, shape: Part, *, panel: int = 1) -> None:
        """Draw a shape."""
        self._shapes.append(_put(_places(panel), shape))

    def add_hline(self, *, y: float, line: Part) -> None:
        """Draw a line from edge to edge."""
        ends = {"x0": 0, "x1": 1, "y0": y, "y1": y, "xref": "x domain"}
        self.add_shape({"type": "line", "line": line} | ends)

    def add_vline(self, *, x: float, line: Part) -> None:
        """Draw a line from bottom to top."""
        ends = {"x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain"}
        self.add_shape({"type": "line", "line": line} | ends)

    def update_xaxes(self, axis: Part, *, panel: int | None = None) -> "Figure":
        """Set properties of one panel's horizontal axis, or of all."""
        return self._axes("x", axis, panel)

    def update_yaxes(self, axis: Part, *, panel: int | None = None) -> "Figure":
        """Set properties of one panel's vertical axis, or of all."""
        return self._axes("y", axis, panel)

    def update_layout(self, layout: Part) -> "Figure":
        """Set properties of the whole."""
        _put(self._layout, layout)
        return self

    def enlarge(self, times: float) -> None:
        """Make letters, markers, lines and height so many times as large, for a room; the width follows the page."""
        _put(self._layout, {"font_size": 12})
        for letter in "xy":
            self._axes(letter, {"tickfont_size": 12, "title_font_size": 12}, None)
        _put(self._layout, {"legend_font_size": 12})
        for part in (self._layout, *self._traces, *self._annotations):
            _enlarge(part, times)
        for name, inside in (("height", self._layout), ("t", self._layout.get("margin"))):
            if isinstance(inside, dict) and isinstance(inside.get(name), int | float):
                inside[name] = round(times * inside[name])

    def _axes(self, letter: str, axis: Part, panel: int | None) -> "Figure":
        for number in range(1, self._panels + 1) if panel is None else (panel,):
            _put(self._layout, {f"{letter}axis{_number(number)}": axis})
        return self


def _number(panel: int) -> str:
    return "" if panel == 1 else str(panel)


def _places(panel: int) -> Part:
    return {"xref": f"x{_number(panel)}", "yref": f"y{_number(panel)}"}


def _put(part: Part, properties: Part) -> Part:
    """Write properties into a part of a figure, as Plotly reads them: ``title_text=…`` is ``title={"text": …}``."""
    for name, value in properties.items():
        whole, _, rest = name.partition("_")
        if isinstance(value, dict) or rest:
            inside = part.setdefault(name if isinstance(value, dict) else whole, {})
            assert isinstance(inside, dict)
            _put(inside, value if isinstance(value, dict) else {rest: value})
        else:
            part[name] = value
    return part


def _enlarge(part: Part, times: float) -> None:
    """Multiply every size in a part of a figure, and how far texts stand from their marks."""
    for name, value in part.items():
        if isinstance(value, dict):
            _enlarge(value, times)
        elif name in ("size", "xshift") and isinstance(value, int | float):
            part[name] = round(times * value, 1)
