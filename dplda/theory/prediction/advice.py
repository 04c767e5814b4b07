"""The best method at a point, in one sentence, and what helps where every method fails."""

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from dplda.core.formatting import digits
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import RANGES, UNIGRAM, Answer, Expected, predicted_methods
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.regimes import HEAD_START, cells_at, errors_of, ranked, too_close

READABLE = 0.5  # mean L1 error: a quarter of a topic's weight is on wrong words
FAILS = 0.8
HELPS = {Axis.TOPICS: -1, Axis.WORDS: -1, Axis.DOCUMENTS: 1, Axis.EPSILON: 1}  # whether less or more
SCAN = 40  # values tried along each axis


def advice(point: Point, measured: Mapping[str, float] | None = None) -> str:
    """Sentence naming the method with the smallest error, its number and its range.

    Args:
        measured: mean L1 errors of methods that were run at the point; they replace predictions.
    """
    asked = predicted_methods()
    (cell,) = cells_at([point], asked)
    errors = {text: error for text, error in zip(asked, errors_of(cell, asked), strict=True) if math.isfinite(error)}
    measured = {text: error for text, error in (measured or {}).items() if text in asked and math.isfinite(error)}
    errors |= measured
    if not errors:
        ends = ", ".join(f"{axis.symbol} {axis.text(low)} to {axis.text(high)}" for axis, (low, high) in RANGES.items())
        return f"no error is predicted: predictions cover {ends}."
    order = ranked(errors, measured)
    best, *others = (f"**{parse_method(text).title}**" for text in order[:2])
    first, *second = (_number(text, cell[asked.index(text)], measured, others=text != order[0]) for text in order[:2])
    if others and too_close(errors, order[0], order[1]):
        return f"{best} and {others[0]} are too close to call: error {first} and {second[0]}."
    if order[0] == UNIGRAM:
        return f"no method beats the {best}, one list of words for every topic: error {first}."
    if not others:
        return f"{best} is best: error {first}."
    near = order[0] not in measured and errors[order[1]] < errors[order[0]] / HEAD_START
    return f"{best} is {'usually ' if near else ''}best: error {first}; {others[0]} {second[0]}."


def _number(text: str, one: Expected, measured: Mapping[str, float], *, others: bool = False) -> str:
    """An error and its range; for the ``others`` only the number, unless some were measured."""
    if text in measured:
        return f"{digits(measured[text], 2)} (measured)"
    ends = f"{digits(one.low, 2)} to {digits(one.high, 2)}"
    if others:
        number = ends if one.answer is Answer.UNKNOWN else digits(one.error, 2)
        return f"{number} (predicted)" if measured else number
    return f"{ends} (predicted)" if one.answer is Answer.UNKNOWN else f"{digits(one.error, 2)} (predicted {ends})"


def least_errors(points: list[Point]) -> list[float]:
    """The smallest error predicted for any method at each point; NaN where nothing is predicted."""
    asked = predicted_methods()
    found = [errors_of(cell, asked) for cell in cells_at(points, asked)]
    return [float(np.nanmin(one)) if np.any(np.isfinite(one)) else math.nan for one in found]


@lru_cache(maxsize=256)
def remedies(point: Point) -> dict[Axis, float] | None:
    """The nearest value of each number at which some method finds readable topics, where none does now.

    Returns:
        Fewer topics or words, more documents or ε, each alone; None where nothing fails.
    """
    (here,) = least_errors([point])
    if not here > FAILS:
        return None
    found = {}
    for axis, way in HELPS.items():
        end = RANGES[axis][0 if way < 0 else 1]
        values = [axis.rounded(float(value)) for value in np.geomspace(point.at(axis), end, SCAN)[1:]]
        errors = least_errors([point.moved(axis, value) for value in values])
        reached = [value for value, error in zip(values, errors, strict=True) if error <= READABLE]
        if reached:
            found[axis] = reached[0]
    return found
