"""Figures under construction, as plain dictionaries; Plotly's own classes would check every call."""

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
    """A line with a marker at every finite point."""
    return scatter(
        x=list(xs),
        y=[y if math.isfinite(y) else None for y in ys],
        name=name,
        mode="lines+markers",
        line={"color": colour, "dash": dash, "width": width},
        marker={"symbol": symbol, "size": size},
        hovertemplate=f"{hover}<extra>{name}</extra>",
    )


class Drawing:
    """Traces and layout under Plotly's names, unchecked and without a template.

    Streamlit's front end adds the template.

    Args:
        *traces: drawn in order.
        gap: between panels, a fraction of the figure.
    """

    def __init__(self, *traces: Part, n_panels: int = 1, gap: float = 0.0) -> None:
        self.traces: list[Part] = []
        self.shapes: list[Part] = []
        self.annotations: list[Part] = []
        self.layout: Part = {}
        self._panels = n = n_panels
        for panel in range(1, n + 1) if n > 1 else ():
            size = (1 - gap * (n - 1)) / n
            left = (panel - 1) * (size + gap)
            self.x({"anchor": "y" + _number(panel), "domain": [left, left + size]}, panel=panel)
            self.y({"anchor": "x" + _number(panel)}, panel=panel)
            if panel > 1:
                self.y({"matches": "y", "showticklabels": False}, panel=panel)
        self.add(*traces)

    def add(self, *traces: Part, panel: int = 1) -> None:
        """Draw traces above the earlier ones."""
        places = {"xaxis": f"x{panel}", "yaxis": f"y{panel}"} if panel > 1 else {}
        self.traces += [put({}, trace | places) for trace in traces]

    def annotate(self, annotation: Part, *, panel: int = 1) -> None:
        """Write text without an arrow."""
        self.annotations.append(put({"showarrow": False, **_places(panel)}, annotation))

    def shape(self, shape: Part, *, panel: int = 1) -> None:
        """Draw a shape."""
        self.shapes.append(put(_places(panel), shape))

    def hline(self, y: float, line: Part) -> None:
        """Draw a line from edge to edge."""
        self.shape(dict(type="line", line=line, x0=0, x1=1, y0=y, y1=y, xref="x domain"))

    def vline(self, x: float, line: Part) -> None:
        """Draw a line from bottom to top."""
        self.shape(dict(type="line", line=line, x0=x, x1=x, y0=0, y1=1, yref="y domain"))

    def x(self, axis: Part, *, panel: int | None = None) -> None:
        """Set properties of the horizontal axis of one panel, or of all."""
        self._axes("x", axis, panel)

    def y(self, axis: Part, *, panel: int | None = None) -> None:
        """Set properties of the vertical axis of one panel, or of all."""
        self._axes("y", axis, panel)

    def set(self, layout: Part) -> None:
        """Set properties of the whole figure."""
        put(self.layout, layout)

    def _axes(self, letter: str, axis: Part, panel: int | None) -> None:
        for number in range(1, self._panels + 1) if panel is None else (panel,):
            put(self.layout, {f"{letter}axis{_number(number)}": axis})


def put(part: Part, properties: Part) -> Part:
    """Write properties into a part of a figure; as in Plotly, ``title_text=…`` means ``title={"text": …}``."""
    for name, value in properties.items():
        whole, _, rest = name.partition("_")
        if isinstance(value, dict) or rest:
            inside = part.setdefault(name if isinstance(value, dict) else whole, {})
            assert isinstance(inside, dict)
            put(inside, value if isinstance(value, dict) else {rest: value})
        else:
            part[name] = value
    return part


def _number(panel: int) -> str:
    return "" if panel == 1 else str(panel)


def _places(panel: int) -> Part:
    return {"xref": f"x{_number(panel)}", "yref": f"y{_number(panel)}"}
