"""Maps of the method with the smallest error over two public numbers, by color and letter."""

import math
from collections import Counter

import numpy as np

from dplda.core.formatting import digits, odds_at_most
from dplda.figures import theme
from dplda.figures.drawing import Drawing, heatmap, scatter
from dplda.figures.errors.error_curves import colour
from dplda.figures.figure import Figure
from dplda.figures.line_ends import short_title
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import Answer, Expected
from dplda.theory.prediction.regime_axes import Axis, Grid, Point
from dplda.theory.prediction.regimes import Outcome, RegimeMap

OUTCOMES = {
    Outcome.UNDECIDED: ("?", "too close to call", "#9a9a9a"),
    Outcome.LEFT_OUT: ("×", "not predicted", "rgba(128,128,128,0.14)"),
}
FEW = 6  # tick labels that fit across a phone
PLOT = 340  # pixels
MOST_SAID = 2  # outcomes in a title


def regimes(found: RegimeMap, *, here: Point | None = None) -> Figure:
    """The method with the smallest error in each cell; ``here`` marks the current experiment with a cross."""
    rows, columns = found.grid.shape
    codes = found.winners
    present = [
        int(code)
        for code in sorted(set(codes.ravel().tolist()), key=lambda code: (code < 0, abs(code)))
    ]
    drawing = Drawing()
    drawing.add(
        heatmap(
            x=list(range(columns)),
            y=list(range(rows)),
            z=[[present.index(int(code)) for code in row] for row in codes],
            zmin=-0.5,
            zmax=len(present) - 0.5,
            colorscale=_steps([_look(found, code)[2] for code in present]),
            showscale=False,
            xgap=1,
            ygap=1,
            hoverinfo="skip",
        )
    )
    _letters(drawing, found)
    _legend(drawing, found, present)
    _mark(drawing, found.grid, here)
    _axes(drawing, found.grid)
    drawing.set(dict(showlegend=True, hovermode="closest", dragmode=False))
    drawing.set(dict(legend={"y": -0.24, "font_size": 12}))
    title, counts = _finding(found), Counter(found.winners.ravel().tolist())
    cells = "; ".join(f"{_look(found, code)[1]}: {count}" for code, count in counts.most_common())
    alt = f"{title}. {_span_of(found.grid)} Cells: {cells}."
    return Figure(title, alt, PLOT + 20 * math.ceil((len(present) + 1) / 2) + 60, drawing)


def _finding(found: RegimeMap) -> str:
    """Title: the methods to choose on most of the map."""
    there = found.winners[~found.left_out]
    if there.size == 0:
        return "No error is predicted at these numbers"
    counts = sorted(
        Counter(there.tolist()).items(), key=lambda item: (-item[1], item[0] < 0, item[0])
    )
    said = [
        f"{_name(found, code)} in {_share(count, found.winners.size)}"
        for code, count in counts[:MOST_SAID]
    ]
    return f"Predictions recommend {said[0]} of the map" + "".join(f", {one}" for one in said[1:])


def _name(found: RegimeMap, code: int) -> str:
    return (
        short_title(parse_method(found.methods[code]).title)
        if code >= 0
        else OUTCOMES[Outcome(code)][1]
    )


def _span_of(grid: Grid) -> str:
    span = ", ".join(
        f"{axis.label} from {axis.text(values[0])} to {axis.text(values[-1])}"
        for axis, values in ((grid.x, grid.xs), (grid.y, grid.ys))
    )
    return f"Map over {span}."


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
    said = ", ".join(f"{axis.symbol} = {axis.text(here.at(axis))}" for axis in (grid.x, grid.y))
    look = {
        "symbol": "cross",
        "size": 15,
        "color": theme.GROUND,
        "line": {"color": theme.INK, "width": 2.5},
    }
    named = {"name": "your experiment", "hovertemplate": f"your experiment: {said}<extra></extra>"}
    drawing.add(scatter(x=[x], y=[y], mode="markers", marker=look, showlegend=True, **named))


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


def _letters(drawing: Drawing, found: RegimeMap) -> None:
    places = list(np.ndindex(found.grid.shape))
    codes = [int(found.winners[place]) for place in places]
    drawing.add(
        scatter(
            x=[column for _, column in places],
            y=[row for row, _ in places],
            text=[_look(found, code)[0] for code in codes],
            mode="markers+text",
            marker={
                "size": 24,
                "symbol": "square",
                "opacity": 0,
            },  # the target of hovering and clicks
            textfont={"size": 11, "color": [_ink(found, code) for code in codes]},
            hovertext=[_hover(found, row, column) for row, column in places],
            hovertemplate="%{hovertext}<extra></extra>",
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            showlegend=False,
            name="letters",
        )
    )


def _legend(drawing: Drawing, found: RegimeMap, present: list[int]) -> None:
    for code in present:
        letter, _, shade = _look(found, code)
        look = {
            "symbol": "square",
            "size": 12,
            "color": shade,
            "line": {"color": theme.MUTED, "width": 1},
        }
        name = f"{letter}  {_name(found, code)}"
        drawing.add(
            scatter(x=[None], y=[None], mode="markers", marker=look, name=name, showlegend=True)
        )


def _look(found: RegimeMap, code: int) -> tuple[str, str, str]:
    if code < 0:
        return OUTCOMES[Outcome(code)]
    name = found.methods[code]
    return parse_method(name).style.letter, parse_method(name).title, colour(name)


def _ink(found: RegimeMap, code: int) -> str:
    if code == Outcome.LEFT_OUT:
        return theme.INK
    return theme.ink_on(colour(found.methods[code])) if code >= 0 else theme.GROUND.dark


def _steps(colours: list[str]) -> list[tuple[float, str]]:
    n = len(colours)
    return [(end / n, shade) for i, shade in enumerate(colours) for end in (i, i + 1)]


def _hover(found: RegimeMap, row: int, column: int) -> str:
    """A cell's two numbers, with odds for ε, and every method's error."""
    grid, said = found.grid, []
    for axis, value in ((grid.x, grid.xs[column]), (grid.y, grid.ys[row])):
        odds = f" (odds at most {odds_at_most(value)})" if axis is Axis.EPSILON else ""
        said.append(f"{axis.symbol} = {axis.text(value)}{odds}")
    cell = zip(found.methods, found.at(row, column), strict=True)
    return "<br>".join(
        [", ".join(said), *(f"{parse_method(name).title}: {in_words(one)}" for name, one in cell)]
    )


def in_words(one: Expected) -> str:
    """An error and its range, or why there is none."""
    if not math.isfinite(one.error):
        return str(one.answer)
    ends = f"{digits(one.low, 2)} to {digits(one.high, 2)}"
    if one.answer is Answer.UNKNOWN:
        return f"{ends}, runs differ"
    return f"{digits(one.error, 2)} ({ends})" + (
        f", {one.answer}" if one.answer is Answer.WORDS else ""
    )


def _share(count: int, total: int) -> str:
    if count == total:
        return "all"
    share = 100 * count / total
    return "under 1%" if share < 0.5 else f"{min(round(share), 99)}%"
