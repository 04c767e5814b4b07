"""Cells of a map of regimes: colors by method, stronger where it wins by more, with letters."""

import math
from bisect import bisect_right
from typing import NamedTuple

import numpy as np

from dplda.core.formatting import digits
from dplda.figures import theme
from dplda.figures.drawing import Drawing, heatmap, scatter
from dplda.figures.errors.error_curves import method_colour
from dplda.methods.base.method_names import short_title
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import UNIGRAM, Answer, Expected
from dplda.theory.prediction.regimes import Outcome, RegimeMap


class _OutcomeStyle(NamedTuple):
    """How a cell without a winner looks.

    Attributes:
        sign: in the cell.
        name: in the legend.
        color: of the cell.
    """

    sign: str
    name: str
    color: str


OUTCOMES = {
    Outcome.UNDECIDED: _OutcomeStyle("?", "too close to call", "#9a9a9a"),
    Outcome.LEFT_OUT: _OutcomeStyle("×", "not predicted", "rgba(128,128,128,0.14)"),
}
NO_TOPICS = theme.Shade("#d4d8de", "#3a4250")  # where one list of words does as well
MARGIN_STEPS = (1.1, 1.3, 2.0)  # from which ratio of errors on a cell's color is stronger
HALO = ((2, 0), (-2, 0), (0, 2), (0, -2), (1.5, 1.5), (-1.5, -1.5), (1.5, -1.5), (-1.5, 1.5))
"""Offsets of a letter's shadows, in pixels."""
STRENGTHS = (0.3, 0.52, 0.76, 1.0)  # of a color, by the number of steps that the margin passes


def draw_cells(drawing: Drawing, regimes: RegimeMap) -> None:
    """Draw a colored square for every cell, by the number of its color among all that occur."""
    n_rows, n_columns = regimes.grid.shape
    cell_colors = [
        [_shade(regimes, row, column) for column in range(n_columns)] for row in range(n_rows)
    ]
    different_colors = list(dict.fromkeys(color for row in cell_colors for color in row))
    cell_color_numbers = [[different_colors.index(color) for color in row] for row in cell_colors]
    drawing.add(
        heatmap(
            x=list(range(n_columns)),
            y=list(range(n_rows)),
            z=cell_color_numbers,
            zmin=-0.5,
            zmax=len(different_colors) - 0.5,
            colorscale=_color_steps(different_colors),
            showscale=False,
            xgap=1,
            ygap=1,
            hoverinfo="skip",
        )
    )


def draw_letters(drawing: Drawing, regimes: RegimeMap) -> None:
    """Draw the winner's letter, or the outcome's sign, in every cell.

    It takes hovering and clicks. A halo of the cell's color keeps lines of equal error off it.
    """
    cells = list(np.ndindex(regimes.grid.shape))
    drawing.add(
        scatter(
            x=[column for _, column in cells],
            y=[row for row, _ in cells],
            text=[letter_of(regimes, int(regimes.winners[cell])) for cell in cells],
            mode="markers+text",
            marker={"size": 24, "symbol": "square", "opacity": 0},
            textfont={
                "size": theme.SMALL_LETTERS,
                "color": [_ink(regimes, row, column) for row, column in cells],
                "shadow": [_halo(regimes, row, column) for row, column in cells],
            },
            hovertext=[_hover(regimes, row, column) for row, column in cells],
            hovertemplate="%{hovertext}<extra></extra>",
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            showlegend=False,
            name="letters",
        )
    )


def draw_legend(drawing: Drawing, regimes: RegimeMap) -> None:
    """Draw an entry for every winner and outcome on the map, in the order of methods."""
    for code in codes_present(regimes):
        marker = {
            "symbol": "square",
            "size": 12,
            "color": _full_color(regimes, code),
            "line": {"color": theme.MUTED, "width": 1},
        }
        name = f"{letter_of(regimes, code)}  {name_of(regimes, code)}"
        drawing.add(
            scatter(x=[None], y=[None], mode="markers", marker=marker, name=name, showlegend=True)
        )


def codes_present(regimes: RegimeMap) -> list[int]:
    """Winners and outcomes on the map: methods in their order, then outcomes."""
    codes = set(regimes.winners.ravel().tolist())
    return sorted(codes, key=lambda code: (code < 0, abs(code)))


def name_of(regimes: RegimeMap, code: int) -> str:
    """Short name of a winner, or of an outcome without one, whose code is negative."""
    if code < 0:
        return OUTCOMES[Outcome(code)].name
    return short_title(parse_method(regimes.methods[code]).title)


def letter_of(regimes: RegimeMap, code: int) -> str:
    """Letter of a winner, with a star for its second calibration; or sign of an outcome.

    Args:
        regimes: the map.
        code: index of a method of the map, or the negative number of an outcome.
    """
    if code < 0:
        return OUTCOMES[Outcome(code)].sign
    letter = parse_method(regimes.methods[code]).style.letter
    if _is_second_calibration(regimes, code):
        return f"{letter}*"
    return letter


def describe_error(prediction: Expected) -> str:
    """Write an error and its range, the range alone where runs differ, or why there is no error.

    A method that finds the words of all documents but no topics is marked as such.
    """
    if not math.isfinite(prediction.error):
        return str(prediction.answer)
    range_text = f"{digits(prediction.low, 2)} to {digits(prediction.high, 2)}"
    if prediction.answer is Answer.UNKNOWN:
        return f"{range_text}, runs differ"
    error_text = f"{digits(prediction.error, 2)} ({range_text})"
    if prediction.answer is Answer.WORDS:
        return f"{error_text}, {prediction.answer}"
    return error_text


def _full_color(regimes: RegimeMap, code: int) -> str:
    """Color of a winner or an outcome; gray for the unigram, darker for a second calibration.

    Winners' colors are softer on the dark page, where they fill most of the map.
    """
    if code < 0:
        return OUTCOMES[Outcome(code)].color
    method = regimes.methods[code]
    if method == UNIGRAM:
        return NO_TOPICS
    color = method_colour(method)
    if _is_second_calibration(regimes, code):
        color = theme.darkened(color)
    return theme.softened(color)


def _is_second_calibration(regimes: RegimeMap, code: int) -> bool:
    """Whether a method competes with its own recommended calibration, whose letter it has."""
    method = parse_method(regimes.methods[code])
    other_methods = [parse_method(text) for text in regimes.methods if text != method.key]
    has_sibling = any(other.name == method.name for other in other_methods)
    return has_sibling and not method.is_recommended


def _shade(regimes: RegimeMap, row: int, column: int) -> str:
    """Color of a cell: its winner's, mixed with the page's ground where it wins by little.

    Outcomes without a winner and the unigram have one color.
    """
    code = int(regimes.winners[row, column])
    color = _full_color(regimes, code)
    if code < 0 or regimes.methods[code] == UNIGRAM:
        return color
    margin = regimes.margins[row, column]
    n_steps_passed = bisect_right(MARGIN_STEPS, margin)
    return theme.mixed(color, STRENGTHS[n_steps_passed])


def _ink(regimes: RegimeMap, row: int, column: int) -> str:
    """Color of a cell's letter that contrasts with the cell, on the light and the dark page.

    A cell that is left out has the ink of the page.
    """
    code = int(regimes.winners[row, column])
    if code == Outcome.LEFT_OUT:
        return theme.INK
    shade = _shade(regimes, row, column)
    if isinstance(shade, theme.Shade):
        return theme.Shade(theme.ink_on(str(shade)), theme.ink_on(shade.dark))
    return theme.ink_on(shade)


def _halo(regimes: RegimeMap, row: int, column: int) -> str:
    """CSS text shadow of a cell's letter in the cell's color, as wide as a line beside it.

    A cell that is left out has a shadow in the page's ground.
    """
    shade = _shade(regimes, row, column)
    if int(regimes.winners[row, column]) == Outcome.LEFT_OUT:
        shade = theme.GROUND
    if isinstance(shade, theme.Shade):
        return theme.Shade(_shadow_around(str(shade)), _shadow_around(shade.dark))
    return _shadow_around(shade)


def _shadow_around(color: str) -> str:
    return ", ".join(f"{x}px {y}px 1px {color}" for x, y in HALO)


def _color_steps(colors: list[str]) -> list[list[float | str]]:
    """Plotly's color scale of equal steps, one for each color."""
    n_colors = len(colors)
    steps: list[list[float | str]] = []
    for color_number, color in enumerate(colors):
        steps.append([color_number / n_colors, color])
        steps.append([(color_number + 1) / n_colors, color])
    return steps


def _hover(regimes: RegimeMap, row: int, column: int) -> str:
    """A cell's two numbers in the first line, and every method's error in a line each."""
    grid = regimes.grid
    x_text = f"{grid.x.symbol} = {grid.x.text(grid.xs[column])}"
    y_text = f"{grid.y.symbol} = {grid.y.text(grid.ys[row])}"
    predictions = regimes.at(row, column)
    error_lines = []
    for method, prediction in zip(regimes.methods, predictions, strict=True):
        title = parse_method(method).title
        error_lines.append(f"{title}: {describe_error(prediction)}")
    return "<br>".join([f"{x_text}, {y_text}", *error_lines])
