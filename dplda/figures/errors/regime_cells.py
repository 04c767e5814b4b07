"""Cells of a map of regimes: colors by method, stronger where it wins by more, with letters."""

import math
from bisect import bisect_right

import numpy as np

from dplda.core.formatting import digits
from dplda.figures import theme
from dplda.figures.drawing import Drawing, heatmap, scatter
from dplda.figures.errors.error_curves import method_colour
from dplda.methods.base.method_names import short_title
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import UNIGRAM, Answer, Expected
from dplda.theory.prediction.regimes import Outcome, RegimeMap

OUTCOMES = {
    Outcome.UNDECIDED: ("?", "too close to call", "#9a9a9a"),
    Outcome.LEFT_OUT: ("×", "not predicted", "rgba(128,128,128,0.14)"),
}
NO_TOPICS = theme.Shade("#d4d8de", "#3a4250")  # where one list of words does as well
MARGIN_STEPS = (1.1, 1.3, 2.0)  # from which ratio of errors on a cell's color is stronger
STRENGTHS = (0.3, 0.52, 0.76, 1.0)  # of a color, by the number of steps that the margin passes


def draw_cells(drawing: Drawing, regimes: RegimeMap) -> None:
    """Draw a colored square for every cell."""
    rows, columns = regimes.grid.shape
    shades: list[str] = []
    numbers: list[list[int]] = []
    for row in range(rows):
        row_shades = [_shade(regimes, row, column) for column in range(columns)]
        shades += [shade for shade in row_shades if shade not in shades]
        numbers.append([shades.index(shade) for shade in row_shades])
    drawing.add(
        heatmap(
            x=list(range(columns)),
            y=list(range(rows)),
            z=numbers,
            zmin=-0.5,
            zmax=len(shades) - 0.5,
            colorscale=_color_steps(shades),
            showscale=False,
            xgap=1,
            ygap=1,
            hoverinfo="skip",
        )
    )


def draw_letters(drawing: Drawing, regimes: RegimeMap) -> None:
    """Draw the winner's letter in every cell, the target of hovering and clicks."""
    places = list(np.ndindex(regimes.grid.shape))
    drawing.add(
        scatter(
            x=[column for _, column in places],
            y=[row for row, _ in places],
            text=[letter_of(regimes, int(regimes.winners[place])) for place in places],
            mode="markers+text",
            marker={"size": 24, "symbol": "square", "opacity": 0},
            textfont={
                "size": 11,
                "color": [_ink(regimes, row, column) for row, column in places],
            },
            hovertext=[_hover(regimes, row, column) for row, column in places],
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
    """Short name of a winner, or of an outcome."""
    if code < 0:
        return OUTCOMES[Outcome(code)][1]
    return short_title(parse_method(regimes.methods[code]).title)


def letter_of(regimes: RegimeMap, code: int) -> str:
    """Letter of a winner, or sign of an outcome."""
    if code < 0:
        return OUTCOMES[Outcome(code)][0]
    letter = parse_method(regimes.methods[code]).style.letter
    return f"{letter}*" if _is_second_calibration(regimes, code) else letter


def describe_error(prediction: Expected) -> str:
    """Write an error and its range, or why there is none."""
    if not math.isfinite(prediction.error):
        return str(prediction.answer)
    ends = f"{digits(prediction.low, 2)} to {digits(prediction.high, 2)}"
    if prediction.answer is Answer.UNKNOWN:
        return f"{ends}, runs differ"
    text = f"{digits(prediction.error, 2)} ({ends})"
    return f"{text}, {prediction.answer}" if prediction.answer is Answer.WORDS else text


def _full_color(regimes: RegimeMap, code: int) -> str:
    if code < 0:
        return OUTCOMES[Outcome(code)][2]
    method = regimes.methods[code]
    if method == UNIGRAM:
        return NO_TOPICS
    is_second = _is_second_calibration(regimes, code)
    return theme.darkened(method_colour(method)) if is_second else method_colour(method)


def _is_second_calibration(regimes: RegimeMap, code: int) -> bool:
    """Whether a method competes with its own recommended calibration, whose letter it has."""
    method = parse_method(regimes.methods[code])
    others = [parse_method(text) for text in regimes.methods if text != method.key]
    return not method.is_recommended and any(other.name == method.name for other in others)


def _shade(regimes: RegimeMap, row: int, column: int) -> str:
    """Color of a cell: its winner's, mixed with the page's ground where it wins by little."""
    code = int(regimes.winners[row, column])
    color = _full_color(regimes, code)
    if code < 0 or regimes.methods[code] == UNIGRAM:
        return color
    strength = STRENGTHS[bisect_right(MARGIN_STEPS, regimes.margins[row, column])]
    return theme.mixed(color, strength)


def _ink(regimes: RegimeMap, row: int, column: int) -> str:
    code = int(regimes.winners[row, column])
    if code == Outcome.LEFT_OUT:
        return theme.INK
    shade = _shade(regimes, row, column)
    if isinstance(shade, theme.Shade):
        return theme.Shade(theme.ink_on(str(shade)), theme.ink_on(shade.dark))
    return theme.ink_on(shade)


def _color_steps(shades: list[str]) -> list[list[float | str]]:
    """Plotly's color scale of equal steps, one for each shade."""
    n = len(shades)
    return [[end / n, shade] for number, shade in enumerate(shades) for end in (number, number + 1)]


def _hover(regimes: RegimeMap, row: int, column: int) -> str:
    """A cell's two numbers, and every method's error."""
    grid = regimes.grid
    numbers = []
    for axis, value in ((grid.x, grid.xs[column]), (grid.y, grid.ys[row])):
        numbers.append(f"{axis.symbol} = {axis.text(value)}")
    cell = zip(regimes.methods, regimes.at(row, column), strict=True)
    lines = [
        f"{parse_method(method).title}: {describe_error(prediction)}" for method, prediction in cell
    ]
    return "<br>".join([", ".join(numbers), *lines])
