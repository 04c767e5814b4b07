"""The best method at a point, in one sentence, and what helps where every method fails."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from dplda.core.formatting import digits
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import RANGES, UNIGRAM, Answer, Expected, predicted_methods
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.regimes import cells_at, errors_of, ranked, too_close

READABLE = 0.5  # mean L1 error: a quarter of a topic's weight is on wrong words
FAILS = 0.8
HELPS = {
    Axis.TOPICS: -1,
    Axis.WORDS: -1,
    Axis.DOCUMENTS: 1,
    Axis.EPSILON: 1,
}  # whether less or more
SCAN = 40  # values tried along each axis


def advice(
    point: Point,
    measured: Mapping[str, float] | None = None,
    methods: Sequence[str] | None = None,
) -> str:
    """Sentence naming the method with the smallest error, its number and its range.

    Args:
        measured: mean L1 errors of methods that were run at the point; they replace predictions.
        methods: those to choose from; all with predictions by default.
    """
    asked = predicted_methods() if methods is None else tuple(methods)
    (cell,) = cells_at([point], asked)
    errors = {
        text: error
        for text, error in zip(asked, errors_of(cell, asked), strict=True)
        if math.isfinite(error)
    }
    measured = {
        text: error
        for text, error in (measured or {}).items()
        if text in asked and math.isfinite(error)
    }
    errors |= measured
    if not errors:
        ends = ", ".join(
            f"{axis.symbol} {axis.text(low)} to {axis.text(high)}"
            for axis, (low, high) in RANGES.items()
        )
        return f"no error is predicted: predictions cover {ends}."
    order = ranked(errors, measured)
    best, *others = (f"**{parse_method(text).title}**" for text in order[:2])
    kind = "measured" if measured.keys() >= set(order[:1]) else "predicted"
    first, *second = (_number(text, cell[asked.index(text)], measured, kind) for text in order[:2])
    if others and too_close(errors, order[0], order[1], measured):
        return (
            f"{best} and {others[0]} are too close to call: {kind} error {first} and {second[0]}."
        )
    if order[0] == UNIGRAM:
        none = "no method" if methods is None else "none of these"
        return f"{none} beats the {best}, one list of words for every topic: {kind} error {first}."
    if others and errors[order[1]] < errors[order[0]]:
        return f"choose {best}: predicted error {first}. {others[0]} has {second[0]}, but runs this close favor {best}."
    said = (
        f"{best} has the smallest {kind} error: {first}"
        + "".join(f"; {others[0]} {one}" for one in second)
        + "."
    )
    one, other = cell[asked.index(order[0])], cell[asked.index(order[min(1, len(others))])]
    overlap = others and not measured.keys() & set(order[:2]) and one.high > other.low
    return said + (
        " Their ranges overlap, so a single run may rank them differently." if overlap else ""
    )


def _number(text: str, one: Expected, measured: Mapping[str, float], kind: str) -> str:
    """An error and its range, marked as measured or predicted if its sentence is about the other ``kind``."""
    if text in measured:
        return digits(measured[text], 2) + (" (measured)" if kind == "predicted" else "")
    ends, said = (
        f"{digits(one.low, 2)} to {digits(one.high, 2)}",
        "predicted" if kind == "measured" else "",
    )
    if one.answer is Answer.UNKNOWN:
        return f"{ends} ({said})" if said else ends
    return f"{digits(one.error, 2)} ({' '.join(filter(None, (said, ends)))})"


def least_errors(points: list[Point]) -> list[float]:
    """The smallest error predicted for any method at each point; NaN where nothing is predicted."""
    asked = predicted_methods()
    found = [errors_of(cell, asked) for cell in cells_at(points, asked)]
    return [float(np.nanmin(one)) if np.any(np.isfinite(one)) else math.nan for one in found]


@lru_cache(maxsize=256)
def remedies(point: Point) -> dict[Axis, float] | None:
    """For each number, the nearest value at which a method finds readable topics, if none does now.

    Returns:
        Fewer topics or words, more documents or ε, each alone; None where nothing fails.
    """
    (here,) = least_errors([point])
    if not here > FAILS:
        return None
    found = {}
    for axis, way in HELPS.items():
        end = RANGES[axis][0 if way < 0 else 1]
        values = [
            axis.rounded(float(value)) for value in np.geomspace(point.at(axis), end, SCAN)[1:]
        ]
        errors = least_errors([point.moved(axis, value) for value in values])
        reached = [value for value, error in zip(values, errors, strict=True) if error <= READABLE]
        if reached:
            found[axis] = reached[0]
    return found
