"""Maps of the method with the smallest error over two public numbers, by color and letter."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, finite_or_none, scatter
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
PLOT = 250  # pixels
ENTRY = 18  # pixels of an entry of the legend: on a phone each has a row of its own
MOST_SAID = 2  # outcomes in a title
CONTOURS = {0.1: "solid", 0.5: "dash", 1.0: "dot"}  # dashes of the lines of equal error


def regimes(regime_map: RegimeMap, *, here: Point | None = None) -> Figure:
    """The method with the smallest error in each cell, with lines of equal error.

    Args:
        regime_map: the map.
        here: the current experiment, marked with a cross; None for no mark.
    """
    drawing = Drawing()
    draw_cells(drawing, regime_map)
    _draw_contours(drawing, regime_map)
    draw_letters(drawing, regime_map)
    draw_legend(drawing, regime_map)
    if here is not None:
        _mark_experiment(drawing, regime_map.grid, here)
    _set_axes(drawing, regime_map.grid)
    drawing.set(dict(showlegend=True, hovermode="closest", dragmode=False))
    drawing.set(dict(legend={"y": -0.29, "font_size": theme.SMALL_LETTERS}))
    title = _finding(regime_map)
    n_entries = len(codes_present(regime_map)) + 1
    height = PLOT + ENTRY * n_entries + 40
    return Figure(title, _describe(title, regime_map), height, drawing)


def _describe(title: str, regime_map: RegimeMap) -> str:
    """Alt text: title, axes, number of cells of each winner and outcome, and errors of the lines.

    It names the errors of all ``CONTOURS``, also of those that the map does not pass.
    """
    counts = Counter(regime_map.winners.ravel().tolist())
    cells = "; ".join(
        f"{name_of(regime_map, code)}: {count}" for code, count in counts.most_common()
    )
    levels = ", ".join(f"{level:g}" for level in CONTOURS)
    return f"{title}. {_describe_axes(regime_map.grid)} Cells: {cells}. Lines: errors of {levels}."


def _finding(regime_map: RegimeMap) -> str:
    """Title: the methods or outcomes in most cells with a prediction, with their shares of the map.

    At most ``MOST_SAID``, the most frequent first; methods stand before outcomes of equal number.
    One that has every cell of the map stands alone, without a share. Without any prediction the
    title says so.
    """
    predicted_winners = regime_map.winners[~regime_map.left_out]
    if predicted_winners.size == 0:
        return "No error is predicted at these numbers"
    counts = Counter(predicted_winners.tolist())

    def rank(code: int) -> tuple[int, bool, int]:
        """The most frequent first; methods before outcomes, whose codes are negative."""
        return -counts[code], code < 0, code

    codes_by_count = sorted(counts, key=rank)
    n_cells = regime_map.winners.size
    most_frequent_code = codes_by_count[0]
    if counts[most_frequent_code] == n_cells:
        return f"Recommended everywhere: {name_of(regime_map, most_frequent_code)}"
    named_shares = []
    for code in codes_by_count[:MOST_SAID]:
        share_text = _share(counts[code], n_cells)
        named_shares.append(f"{name_of(regime_map, code)} {share_text}")
    return f"Recommended: {', '.join(named_shares)}"


def _describe_axes(grid: Grid) -> str:
    """A sentence with both axes and their ends."""
    x_text = _describe_axis(grid.x, grid.xs)
    y_text = _describe_axis(grid.y, grid.ys)
    return f"Map over {x_text}, {y_text}."


def _describe_axis(axis: Axis, values: Sequence[float]) -> str:
    """An axis and its ends."""
    return f"{axis.label} from {axis.text(values[0])} to {axis.text(values[-1])}"


def _draw_contours(drawing: Drawing, regime_map: RegimeMap) -> None:
    """Draw the lines at which the smallest error has a value of ``CONTOURS`` inside its range."""
    errors = regime_map.least_errors
    lowest = np.nanmin(errors, initial=np.inf)
    highest = np.nanmax(errors, initial=-np.inf)
    for level, dash in CONTOURS.items():
        if lowest < level < highest:
            line_style = {"color": theme.INK, "width": 1.6, "dash": dash}
            drawing.add(_contour(errors.tolist(), level, line_style))


def _contour(errors: list[list[float]], level: float, line: Part) -> Part:
    """Plotly's line of one error, labeled with it; gaps where a cell has no error."""
    known_errors = [[finite_or_none(error) for error in row] for row in errors]
    return dict(
        type="contour",
        z=known_errors,
        x=list(range(len(errors[0]))),
        y=list(range(len(errors))),
        autocontour=False,
        contours={
            "start": level,
            "end": level,
            "size": 1,
            "coloring": "none",
            "showlabels": True,
            "labelfont": {"size": theme.SMALL_LETTERS, "color": theme.INK},
        },
        line={**line, "smoothing": 0.6},
        connectgaps=False,
        hoverinfo="skip",
        showscale=False,
        showlegend=False,
        name=f"error {level:g}",
    )


def _set_axes(drawing: Drawing, grid: Grid) -> None:
    """Set axes with logarithmic values at the middles of equal cells.

    At most ``FEW`` of them are written, and titles end in *(log)*. There are no grid lines and no
    zoom.
    """
    drawing.x(_axis_over_cells(grid.x, grid.xs))
    drawing.y(_axis_over_cells(grid.y, grid.ys))


def _axis_over_cells(axis: Axis, values: Sequence[float]) -> Part:
    """Plotly's axis over cells with these values, in places 0, 1, 2 and so on.

    At most ``FEW`` cells have labels, equally far apart from the first on.
    """
    n_cells = len(values)
    cells_between_labels = max(1, math.ceil((n_cells - 1) / (FEW - 1)))
    labeled_cells = list(range(0, n_cells, cells_between_labels))
    return dict(
        tickvals=labeled_cells,
        ticktext=[_short_number(axis, values[cell]) for cell in labeled_cells],
        title_text=f"{axis.label} (log)",
        range=[-0.5, n_cells - 0.5],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
        tickangle=0,
    )


def _mark_experiment(drawing: Drawing, grid: Grid, experiment: Point) -> None:
    """Draw a cross at the experiment's numbers, and its legend; nothing outside the map."""
    x = _cell_place(grid.xs, experiment.at(grid.x))
    y = _cell_place(grid.ys, experiment.at(grid.y))
    if x is None or y is None:
        return
    numbers_text = ", ".join(
        f"{axis.symbol} = {axis.text(experiment.at(axis))}" for axis in (grid.x, grid.y)
    )
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
            hovertemplate=f"your experiment: {numbers_text}<extra></extra>",
        )
    )


def _short_number(axis: Axis, value: float) -> str:
    """A tick label; thousands and millions of whole numbers are abbreviated."""
    if axis.whole and value >= 1e6:
        return f"{value / 1e6:g}M"
    if axis.whole and value >= 1e3:
        return f"{value / 1e3:g}k"
    return axis.text(value)


def _cell_place(cell_values: tuple[float, ...], value: float) -> float | None:
    """Position of a value in cells, 0 in the middle of the first; None outside the map.

    Values in the outer halves of the first and the last cell get these cells' middles. Positions
    between two middles are linear in the logarithm. There must be at least two cells.
    """
    first_ratio = cell_values[1] / cell_values[0]
    last_ratio = cell_values[-1] / cell_values[-2]
    lower_end = cell_values[0] / first_ratio**0.5
    upper_end = cell_values[-1] * last_ratio**0.5
    if not lower_end <= value <= upper_end:
        return None
    middles = np.arange(len(cell_values))
    log_values = np.log(cell_values)
    return float(np.interp(math.log(value), log_values, middles))


def _share(count: int, total: int) -> str:
    """A share in percent, less than the whole: *under 1%* in words, and never 100 %."""
    percent = 100 * count / total
    if percent < 0.5:
        return "under 1%"
    return f"{min(round(percent), 99)}%"
