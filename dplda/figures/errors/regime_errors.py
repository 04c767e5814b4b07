"""The smallest error among the methods compared, over the same map, on a logarithmic scale of colour."""

import math

import numpy as np
from plotly.colors import make_colorscale, sequential

from dplda.figures.drawing import Drawing, heatmap
from dplda.figures.errors.regimes import PLOT, axes, mark, where
from dplda.figures.figure import Figure
from dplda.methods.registry import parse_method
from dplda.theory.prediction.regime_axes import Point
from dplda.theory.prediction.regimes import RegimeMap

CIVIDIS = make_colorscale(sequential.Cividis)  # the browser has another one of this name
TICKS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 2.0)
LOWEST = 1e-4  # of the scale
MOST_WRITTEN = 36  # cells in which the number itself fits on a phone


def regime_errors(found: RegimeMap, *, here: Point | None = None) -> Figure:
    """The smallest error in each cell; arguments as for ``figures.regimes``."""
    least, grid = found.least, found.grid
    rows, columns = grid.shape
    logs = np.log10(np.maximum(least, LOWEST))
    known = logs[np.isfinite(logs)]
    low, high = (float(np.min(known)), float(np.max(known))) if known.size else (-2.0, 0.0)
    low, high = math.floor(low * 4) / 4, max(math.ceil(high * 4) / 4, math.floor(low * 4) / 4 + 0.25)
    ticks = [tick for tick in TICKS if low - 1e-9 <= math.log10(tick) <= high + 1e-9]
    written = rows * columns <= MOST_WRITTEN
    drawing = Drawing(
        heatmap(
            x=list(range(columns)),
            y=list(range(rows)),
            z=[[float(value) if math.isfinite(value) else None for value in row] for row in logs],
            zmin=low,
            zmax=high,
            colorscale=CIVIDIS,
            reversescale=True,
            xgap=1,
            ygap=1,
            colorbar={
                "title": {"text": "mean L1 error (0 to 2)", "side": "top"},
                "tickvals": [math.log10(tick) for tick in ticks],
                "ticktext": [f"{tick:g}" for tick in ticks],
                "orientation": "h",
                "y": -0.3,
                "yanchor": "top",
                "thickness": 12,
                "len": 1.0,
            },
            text=[[_number(value) if written else "" for value in row] for row in least],
            texttemplate="%{text}",
            customdata=[[_hover(found, row, column) for column in range(columns)] for row in range(rows)],
            hovertemplate="%{customdata}<extra></extra>",
            hoverongaps=False,
        )
    )
    mark(drawing, grid, here)
    axes(drawing, grid)
    drawing.set(dict(hovermode="closest", dragmode=False, showlegend=False))
    title = _finding(found)
    corners = [
        f"{grid.x.symbol} = {grid.x.text(grid.xs[column])}, {grid.y.symbol} = {grid.y.text(grid.ys[row])}: "
        f"{_number(least[row, column])}"
        for row in (0, -1)
        for column in (0, -1)
    ]
    return Figure(title, f"{title}. Corners: {'; '.join(corners)}.", PLOT + 130, drawing)


def _finding(found: RegimeMap) -> str:
    """Between what the smallest error of the methods compared lies, and where it is least, a sentence."""
    least = found.least
    if not np.any(np.isfinite(least)):
        return "No error can be worked out"
    best, worst = float(np.nanmin(least)), float(np.nanmax(least))
    row, column = (int(i) for i in np.unravel_index(int(np.nanargmin(least)), least.shape))
    grid = found.grid
    where = " and ".join(
        f"{axis.symbol} = {axis.text(values[i])}"
        for axis, values, i in ((grid.x, grid.xs, column), (grid.y, grid.ys, row))
    )
    return f"The smallest error compared goes from {worst:.2g} down to {best:.2g}, at {where}"


def _number(value: float) -> str:
    return f"{value:.2g}" if math.isfinite(value) else "left out"


def _hover(found: RegimeMap, row: int, column: int) -> str:
    grid = found.grid
    if not math.isfinite(found.least[row, column]):
        return f"{where(grid, row, column)}<br>left out"
    who = parse_method(found.methods[int(np.nanargmin(found.errors[:, row, column]))]).title
    return f"{where(grid, row, column)}<br>{_number(found.least[row, column])}: {who}"
