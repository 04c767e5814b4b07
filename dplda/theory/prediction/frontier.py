"""The values along one axis at which another method begins to have the smallest error."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import RANGES, UNIGRAM
from dplda.theory.prediction.regime_axes import Axis, Point, usual_range
from dplda.theory.prediction.regimes import Outcome, cells_at, winner_of

SCAN = 121  # values along the axis: 2 to 6 % apart
NARROW = 1.3  # a range in which two methods are too close to call, end over start, that goes unsaid


@dataclass(frozen=True, slots=True)
class Stretch:
    """A range of values along an axis over which the same method is recommended.

    Attributes:
        winner: text of the method; an ``Outcome`` where there is none.
        low: smallest value.
        high: largest value; that of the next stretch begins there.
    """

    winner: str | Outcome
    low: float
    high: float


def stretches_along(axis: Axis, point: Point, methods: Sequence[str]) -> tuple[Stretch, ...]:
    """Find which method is recommended along an axis, all other numbers being those of a point.

    A narrow range that is too close to call is left out between two methods.

    Args:
        axis: varied over its usual range, as far as predictions reach.
        point: its own value along ``axis`` only widens that range.
        methods: texts of the methods that compete.

    Returns:
        At least one stretch, in ascending order, each with another winner than the next.
    """
    low, high = usual_range(axis, point.at(axis))
    if axis in RANGES:
        lowest, highest = RANGES[axis]
        low = max(low, lowest)
        high = min(high, highest)
    axis_values = np.geomspace(low, high, SCAN)
    if axis.whole:
        axis_values = np.unique(np.round(axis_values))
    values = axis_values.tolist()
    # The order of points is that of values, so that equal neighbors form a stretch.
    points = [point.moved(axis, value) for value in values]
    predictions_by_value = cells_at(points, methods)
    winner_indices = [winner_of(predictions, methods) for predictions in predictions_by_value]
    winners_with_values = zip(winner_indices, values, strict=True)
    stretches: list[Stretch] = []
    for winner_index, group in groupby(winners_with_values, key=lambda pair: pair[0]):
        values_of_winner = [value for _, value in group]
        winner = methods[winner_index] if winner_index >= 0 else Outcome(winner_index)
        stretches.append(Stretch(winner, values_of_winner[0], values_of_winner[-1]))
    return tuple(_join_around_narrow_ties(stretches))


def describe_frontier(axis: Axis, other_axis: Axis, point: Point, methods: Sequence[str]) -> str:
    """Say in one sentence or two where along an axis another method becomes the one to choose.

    Ranges without a method to choose are named too: too close to call, or nothing predicted.
    A narrow range that is too close to call goes unsaid between two methods.

    Args:
        axis: varied; ``other_axis`` is the map's other one, and keeps the point's value.
        other_axis: named in the sentence with its value.
        point: all other numbers.
        methods: texts of the methods that compete.
    """
    first_stretch, *later_stretches = stretches_along(axis, point, methods)
    other_value_text = other_axis.text(point.at(other_axis))
    place_phrase = f"At {other_axis.symbol} = {other_value_text}"
    first_name = _name(first_stretch.winner)
    if not later_stretches:
        return f"{place_phrase}: {first_name} at every {axis.symbol}."
    change_phrases = [
        f"{_name(stretch.winner)} from {axis.symbol} ≈ {_text(axis, stretch.low)}"
        for stretch in later_stretches
    ]
    first_change_text = _text(axis, later_stretches[0].low)
    sentence_below = f"Below {axis.symbol} ≈ {first_change_text}: {first_name}."
    return f"{place_phrase}: {', '.join(change_phrases)}. {sentence_below}"


def _join_around_narrow_ties(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Leave out narrow ranges that are too close to call, except the first and last stretch.

    Stretches of the same winner that then stand side by side become one; others keep their ends.
    """
    kept_stretches: list[Stretch] = []
    for stretch_index, stretch in enumerate(stretches):
        is_inner = 0 < stretch_index < len(stretches) - 1
        is_narrow_tie = stretch.winner == Outcome.UNDECIDED and stretch.high / stretch.low < NARROW
        if is_inner and is_narrow_tie:
            continue
        if kept_stretches and kept_stretches[-1].winner == stretch.winner:
            kept_stretches[-1] = Stretch(stretch.winner, kept_stretches[-1].low, stretch.high)
        else:
            kept_stretches.append(stretch)
    return kept_stretches


def _name(winner: str | Outcome) -> str:
    """Name a winner: a method's title in bold, or a phrase for the unigram or an outcome."""
    if winner == Outcome.UNDECIDED:
        return "too close to call"
    if winner == Outcome.LEFT_OUT:
        return "nothing is predicted"
    if winner == UNIGRAM:
        return "nothing better than one private list of words"
    return f"**{parse_method(winner).title}**"


def _text(axis: Axis, value: float) -> str:
    return axis.text(axis.rounded(value))
