"""Which method to use at a point, in a sentence, and what would help where every method fails."""

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from dplda.core.formatting import digits
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import RANGES, UNIGRAM, Answer, Expected, predicted_methods
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.regimes import HEAD_START, cells_at, errors_of, ranked, too_close

READABLE = 0.5  # mean L1 error: a quarter of a topic's weight lies on wrong words
FAILS = 0.8
HELPS = {Axis.TOPICS: -1, Axis.WORDS: -1, Axis.DOCUMENTS: 1, Axis.EPSILON: 1}  # whether less or more
SCAN = 40  # values tried of each


def advice(point: Point, measured: Mapping[str, float] | None = None) -> str:
    """Which method has the smallest error, with its number and range, measured where it was run and else predicted.

    Args:
        measured: mean L1 errors of methods that were run at the point, by text.
    """
    asked = predicted_methods()
    (cell,) = cells_at([point], asked)
    errors = {text: error for text, error in zip(asked, errors_of(cell, asked), strict=True) if math.isfinite(error)}
    measured = {text: error for text, error in (measured or {}).items() if text in asked and math.isfinite(error)}
    errors |= measured
    if not errors:
        ends = ", ".join(f"{axis.symbol} {axis.text(low)} to {axis.text(high)}" for axis, (low, high) in RANGES.items())
        return f"nothing is predicted here, only for {ends}."
    order = ranked(errors, measured)
    said = [_number(text, cell[asked.index(text)], measured) for text in order[:2]]
    best, *others = (parse_method(text).title for text in order[:2])
    least = "the smallest error" if order[0] in measured else "the smallest predicted error"
    if others and too_close(errors, order[0], order[1]):
        return f"too close to call: **{best}**, {said[0]}, and **{others[0]}**, {said[1]}."
    if order[0] == UNIGRAM:
        return f"no method is worth its noise: **{best}**, one list of words, has {least}, {said[0]}."
    if not others:
        return f"use **{best}**: it has {least}, {said[0]}."
    if errors[order[1]] < errors[order[0]] / HEAD_START:
        return f"use **{best}**, {said[0]}. {others[0]} comes near, {said[1]}."
    return f"use **{best}**: it has {least}, {said[0]}. Next is {others[0]}, {said[1]}."


def _number(text: str, one: Expected, measured: Mapping[str, float]) -> str:
    if text in measured:
        return f"{digits(measured[text], 2)} (measured)"
    ends = f"{digits(one.low, 2)} to {digits(one.high, 2)}"
    return f"anything from {ends}" if one.answer is Answer.UNKNOWN else f"{digits(one.error, 2)} (predicted, {ends})"


def least_errors(points: list[Point]) -> list[float]:
    """The least error expected of any method at each point; NaN where nothing is predicted."""
    asked = predicted_methods()
    found = [errors_of(cell, asked) for cell in cells_at(points, asked)]
    return [float(np.nanmin(one)) if np.any(np.isfinite(one)) else math.nan for one in found]


@lru_cache(maxsize=256)
def remedies(point: Point) -> dict[Axis, float] | None:
    """What would help where no method finds readable topics: the nearest value of each number at which one does.

    Returns:
        Fewer topics, fewer words, more documents and more ε, those that help each alone; None where nothing fails.
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
