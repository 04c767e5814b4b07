"""Maps of the method with the smallest error over two public numbers, by color and letter."""

import math
from collections import Counter

import numpy as np

from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, scatter
from dplda.figures.errors.regime_cells import (
    codes_present,
    draw_cells,
    draw_legend,
    draw_letters,
    name_of,
)
from dplda.figures.figure import Figure
from dplda.theory.prediction.regime_axes import Axis, Grid, Point
from dplda.theory.prediction.regimes import RegimeMap

FEW = 6  # tick labels that fit across a phone
PLOT = 340  # pixels
ENTRY = 18  # pixels of an entry of the legend: on a phone each has a row of its own
MOST_SAID = 2  # outcomes in a title
CONTOURS = {0.1: "solid", 0.5: "dash", 1.0: "dot"}  # dashes of the lines of equal error


def regimes(found: RegimeMap, *, here: Point | None = None) -> Figure:
    """The method with the smallest error in each cell, with lines of equal error.

    Args:
        found: the map.
        here: the current experiment, marked with a cross; None for no mark.
    """
    drawing = Drawing()
    draw_cells(drawing, found)
    _draw_contours(drawing, found)
    draw_letters(drawing, found)
    draw_legend(drawing, found)
    _mark(drawing, found.grid, here)
    _axes(drawing, found.grid)
    drawing.set(dict(showlegend=True, hovermode="closest", dragmode=False))
    drawing.set(dict(legend={"y": -0.24, "font_size": 12}))
    title = _finding(found)
    counts = Counter(found.winners.ravel().tolist())
    cells = "; ".join(f"{name_of(found, code)}: {count}" for code, count in counts.most_common())
    lines = ", ".join(f"{level:g}" for level in CONTOURS)
    alt = f"{title}. {_span_of(found.grid)} Cells: {cells}. Lines: errors of {lines}."
    n_entries = len(codes_present(found)) + 1
    return Figure(title, alt, PLOT + ENTRY * n_entries + 40, drawing)


def _finding(found: RegimeMap) -> str:
    """Title: the methods to choose on most of the map."""
    there = found.winners[~found.left_out]
    if there.size == 0:
        return "No error is predicted at these numbers"
    counts = sorted(
        Counter(there.tolist()).items(), key=lambda item: (-item[1], item[0] < 0, item[0])
    )
    shares = [
        f"{name_of(found, code)} in {_share(count, found.winners.size)}"
        for code, count in counts[:MOST_SAID]
    ]
    others = "".join(f", {share}" for share in shares[1:])
    return f"Predictions recommend {shares[0]} of the map{others}"


def _span_of(grid: Grid) -> str:
    span = ", ".join(
        f"{axis.label} from {axis.text(values[0])} to {axis.text(values[-1])}"
        for axis, values in ((grid.x, grid.xs), (grid.y, grid.ys))
    )
    return f"Map over {span}."


def _draw_contours(drawing: Drawing, found: RegimeMap) -> None:
    """Draw the lines at which the smallest error has a round value."""
    errors = found.least_errors
    for level, dash in CONTOURS.items():
        is_crossed = np.nanmin(errors, initial=np.inf) < level < np.nanmax(errors, initial=-np.inf)
        if is_crossed:
            line = {"color": theme.INK, "width": 1.6, "dash": dash}
            drawing.add(_contour(errors.tolist(), level, line))


def _contour(errors: list[list[float]], level: float, line: Part) -> Part:
    """Plotly's line of one error through the middles of cells."""
    rows = [[error if math.isfinite(error) else None for error in row] for row in errors]
    return dict(
        type="contour",
        z=rows,
        x=list(range(len(rows[0]))),
        y=list(range(len(rows))),
        autocontour=False,
        contours={
            "start": level,
            "end": level,
            "size": 1,
            "coloring": "none",
            "showlabels": True,
            "labelfont": {"size": 11, "color": theme.INK},
        },
        line={**line, "smoothing": 0.6},
        connectgaps=False,
        hoverinfo="skip",
        showscale=False,
        showlegend=False,
        name=f"error {level:g}",
    )


def _axes(drawing: Drawing, grid: Grid) -> None:
    """Axes with logarithmic values at the middles of equal cells."""
    for update, axis, values in ((drawing.x, grid.x, grid.xs), (drawing.y, grid.y, grid.ys)):
        step = max(1, math.ceil((len(values) - 1) / (FEW - 1)))
        shown = list(range(0, len(values), step))
        update(
            dict(
                tickvals=shown,
                ticktext=[_short(axis, values[i]) for i in shown],
                title_text=f"{axis.label} (log)",
                range=[-0.5, len(values) - 0.5],
                showgrid=False,
                zeroline=False,
                fixedrange=True,
                tickangle=0,
            )
        )


def _mark(drawing: Drawing, grid: Grid, here: Point | None) -> None:
    if here is None:
        return
    x, y = _place(grid.xs, here.at(grid.x)), _place(grid.ys, here.at(grid.y))
    if x is None or y is None:
        return
    numbers = ", ".join(f"{axis.symbol} = {axis.text(here.at(axis))}" for axis in (grid.x, grid.y))
    marker = {
        "symbol": "cross",
        "size": 15,
        "color": theme.GROUND,
        "line": {"color": theme.INK, "width": 2.5},
    }
    drawing.add(
        scatter(
            x=[x],
            y=[y],
            mode="markers",
            marker=marker,
            showlegend=True,
            name="your experiment",
            hovertemplate=f"your experiment: {numbers}<extra></extra>",
        )
    )


def _short(axis: Axis, value: float) -> str:
    """A tick label with thousands and millions abbreviated."""
    if axis.whole and value >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value / 1e3:g}k" if axis.whole and value >= 1e3 else axis.text(value)


def _place(values: tuple[float, ...], value: float) -> float | None:
    """Position of a value in cells; None outside the map."""
    logs = np.log(values)
    position = float(np.interp(math.log(value), logs, np.arange(len(values))))
    inside = (
        values[0] / (values[1] / values[0]) ** 0.5
        <= value
        <= values[-1] * (values[-1] / values[-2]) ** 0.5
    )
    return position if inside else None


def _share(count: int, total: int) -> str:
    if count == total:
        return "all"
    share = 100 * count / total
    return "under 1%" if share < 0.5 else f"{min(round(share), 99)}%"
