"""Figures under construction, as plain dictionaries.

Plotly's own classes would check every call.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

Part: TypeAlias = dict[str, object]

bar: Callable[..., Part] = partial(dict, type="bar")
heatmap: Callable[..., Part] = partial(dict, type="heatmap")
scatter: Callable[..., Part] = partial(dict, type="scatter")


def curve(
    name: str,
    xs: Sequence[float],
    ys: Sequence[float],
    colour: str,
    hover: str,
    *,
    dash: str = "solid",
    width: float = 2.2,
    symbol: str = "circle",
    size: float = 8,
) -> Part:
    """A line with a marker at every finite point; it is broken at the others.

    Args:
        name: for the legend, and below what hovering shows.
        xs: places along the horizontal axis.
        ys: values at these places.
        colour: of line and markers.
        hover: Plotly's template for a point.
        dash: Plotly's pattern of the line.
        width: of the line, in pixels.
        symbol: Plotly's name of the marker.
        size: of the marker, in pixels.
    """
    return scatter(
        x=list(xs),
        y=[finite_or_none(y) for y in ys],
        name=name,
        mode="lines+markers",
        line={"color": colour, "dash": dash, "width": width},
        marker={"symbol": symbol, "size": size},
        hovertemplate=f"{hover}<extra>{name}</extra>",
    )


def finite_or_none(value: float) -> float | None:
    """A value that Plotly draws, or None, which it leaves out, for a value that is not finite."""
    if math.isfinite(value):
        return value
    return None


class Drawing:
    """Traces and layout under Plotly's names, unchecked and without a template.

    Streamlit's front end adds the template. Several panels lie side by side, as wide as each other,
    and share the first one's vertical axis and its labels.

    Args:
        *traces: drawn in order, in the first panel.
        n_panels: number of panels.
        gap: between panels, a fraction of the figure.
    """

    def __init__(self, *traces: Part, n_panels: int = 1, gap: float = 0.0) -> None:
        """Begin with these traces and, for several panels, with axes for each."""
        self.traces: list[Part] = []
        self.shapes: list[Part] = []
        self.annotations: list[Part] = []
        self.layout: Part = {}
        self._n_panels = n_panels
        if n_panels > 1:
            self._lay_out_panels(gap)
        self.add(*traces)

    def _lay_out_panels(self, gap: float) -> None:
        """Give each panel its part of the width, and the first one's vertical axis."""
        room_for_panels = 1 - gap * (self._n_panels - 1)
        width = room_for_panels / self._n_panels
        for panel in range(1, self._n_panels + 1):
            suffix = _axis_suffix(panel)
            left = (panel - 1) * (width + gap)
            right = left + width
            self.x({"anchor": f"y{suffix}", "domain": [left, right]}, panel=panel)
            self.y({"anchor": f"x{suffix}"}, panel=panel)
            if panel > 1:
                self.y({"matches": "y", "showticklabels": False}, panel=panel)

    def add(self, *traces: Part, panel: int = 1) -> None:
        """Draw traces in a panel, above the earlier ones."""
        axes: Part = {}
        if panel > 1:
            axes = {"xaxis": f"x{panel}", "yaxis": f"y{panel}"}
        self.traces += [put({}, trace | axes) for trace in traces]

    def annotate(self, annotation: Part, *, panel: int = 1) -> None:
        """Write text in a panel, without an arrow unless the annotation asks for one."""
        defaults: Part = {"showarrow": False, **_axes_of_panel(panel)}
        self.annotations.append(put(defaults, annotation))

    def shape(self, shape: Part, *, panel: int = 1) -> None:
        """Draw a shape in a panel."""
        self.shapes.append(put(_axes_of_panel(panel), shape))

    def hline(self, y: float, line: Part) -> None:
        """Draw a level line at a height, from edge to edge of the first panel."""
        ends: Part = dict(x0=0, x1=1, y0=y, y1=y)
        level_line: Part = dict(type="line", line=line, xref="x domain")
        self.shape(level_line | ends)

    def vline(self, x: float, line: Part) -> None:
        """Draw an upright line at a place, from bottom to top of the first panel."""
        ends: Part = dict(x0=x, x1=x, y0=0, y1=1)
        upright_line: Part = dict(type="line", line=line, yref="y domain")
        self.shape(upright_line | ends)

    def x(self, axis: Part, *, panel: int | None = None) -> None:
        """Set properties of the horizontal axis of one panel, or of all."""
        self._axes("x", axis, panel)

    def y(self, axis: Part, *, panel: int | None = None) -> None:
        """Set properties of the vertical axis of one panel, or of all."""
        self._axes("y", axis, panel)

    def set(self, layout: Part) -> None:
        """Set properties of the whole figure; they replace earlier ones of the same name."""
        put(self.layout, layout)

    def _axes(self, letter: str, axis: Part, panel: int | None) -> None:
        """Set properties of the x or y axis of one panel, or of all panels for None."""
        panels = range(1, self._n_panels + 1) if panel is None else (panel,)
        for number in panels:
            put(self.layout, {f"{letter}axis{_axis_suffix(number)}": axis})


def put(part: Part, properties: Part) -> Part:
    """Write properties into a part of a figure, and return that part.

    Values replace earlier ones of the same name, but dictionaries are merged into them. As in
    Plotly, ``title_text=…`` means ``title={"text": …}``. Unlike in Plotly, a name whose value is a
    dictionary is not split.
    """
    for name, value in properties.items():
        outer_name, _, inner_name = name.partition("_")
        if isinstance(value, dict):
            _put_inside(part, name, value)
        elif inner_name:
            _put_inside(part, outer_name, {inner_name: value})
        else:
            part[name] = value
    return part


def _put_inside(part: Part, name: str, properties: Part) -> None:
    """Write properties into the dictionary of this name within a part, made if it is missing."""
    inner_part = part.setdefault(name, {})
    assert isinstance(inner_part, dict)
    put(inner_part, properties)


def _axis_suffix(panel: int) -> str:
    """Plotly's number of a panel's axes, which is left out for the first panel."""
    return "" if panel == 1 else str(panel)


def _axes_of_panel(panel: int) -> Part:
    return {"xref": f"x{_axis_suffix(panel)}", "yref": f"y{_axis_suffix(panel)}"}
