"""The smallest ε or N at which a method is expected to reach a target error, with its range."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.formatting import digits
from dplda.core.types import Vector
from dplda.theory.prediction.expected import RANGES, UNIGRAM, Answer, Expected, expected
from dplda.theory.prediction.regime_axes import Axis, Point

SCAN = 120  # values along the axis: 4 to 6 % apart


@dataclass(frozen=True, slots=True, kw_only=True)
class InverseAnswer:
    """The smallest value of ε or N at which a target error is reached.

    Attributes:
        axis: ε or N.
        method: text of the method.
        middle: value at which the predicted error reaches the target.
        low: value at which the best of ten runs reach it.
        high: value at which nine of ten runs reach it; infinite beyond ``RANGES``.
    """

    axis: Axis
    method: str
    middle: float
    low: float
    high: float

    @property
    def in_words(self) -> str:
        """The middle as text, rounded up to two digits; "or less" at the smallest value tried."""
        return self._rounded_up(self.middle)

    @property
    def likely(self) -> str:
        """The range from low to high as text.

        It is "up to" the high end where the low one reaches the lowest value of ``RANGES``.
        An infinite high end is "more than" the largest value.
        It is one value if both ends have the same text.
        """
        smallest_value, largest_value = RANGES[self.axis]
        low_text = self._rounded_up(self.low)
        high_text = f"more than {self.axis.text(largest_value)}"
        if math.isfinite(self.high):
            high_text = self._rounded_up(self.high)
        if low_text == high_text:
            return low_text
        if self.low <= smallest_value:
            return f"up to {high_text}"
        return f"{low_text} to {high_text}"

    def _rounded_up(self, value: float) -> str:
        """The value as text, rounded up to two digits so that it is enough.

        It has "or less" at or below the lowest value of ``RANGES``.
        """
        power = math.floor(math.log10(value)) - 1
        rounded_value = math.ceil(value / 10.0**power * (1 - 1e-9)) * 10.0**power
        text = self.axis.text(rounded_value) if self.axis.whole else digits(rounded_value, 2)
        if value <= RANGES[self.axis][0]:
            return f"{text} or less"
        return text


def smallest(axis: Axis, target: float, point: Point, method: str) -> InverseAnswer:
    """The smallest ε or N expected to reach a target error, among ``SCAN`` values of its range.

    Args:
        axis: ε or N; searched within its range in ``RANGES``.
        target: mean over topics of the L1 distance from the truth, in (0, 2).
        point: all other numbers; its own value along ``axis`` does not matter.
        method: text of the method.

    Returns:
        Scanned values, which are not rounded, even for N. ``high`` is at least ``middle``, and may
        be infinite. Errors of predictions that are too uncertain count, those of one word list do
        not.

    Raises:
        InputError: the axis is another one, the target is not in (0, 2), one list of words for
            every topic reaches it at any scanned value, or the method reaches it at no value.
    """
    if axis not in (Axis.EPSILON, Axis.DOCUMENTS):
        raise InputError("axis", "ε or N", axis.symbol)
    checks.between("target error", target, 0, 2, open_ends=True)
    low_end, high_end = RANGES[axis]
    axis_values = np.geomspace(low_end, high_end, SCAN)
    points = [point.moved(axis, float(axis_value)) for axis_value in axis_values]
    _check_that_one_list_is_worse(points, target)
    predictions = expected(points, method)
    errors = _competing_numbers(predictions, [prediction.error for prediction in predictions])
    lows = _competing_numbers(predictions, [prediction.low for prediction in predictions])
    highs = _competing_numbers(predictions, [prediction.high for prediction in predictions])
    middle = _first_below(axis_values, errors, target)
    if math.isinf(middle):
        raise _out_of_reach(axis, target, predictions, errors)
    return InverseAnswer(
        axis=axis,
        method=method,
        middle=middle,
        low=_first_below(axis_values, lows, target),
        high=max(middle, _first_below(axis_values, highs, target)),
    )


def _check_that_one_list_is_worse(points: Sequence[Point], target: float) -> None:
    """Refuse a target that one private list of words for every topic reaches at some point."""
    unigram_errors = [prediction.error for prediction in expected(points, UNIGRAM)]
    least_error = np.nanmin([*unigram_errors, 2.0])
    if target >= least_error:
        limit = f"below {least_error:.3g}, the error of one private list of words for every topic"
        raise InputError("target error", limit, f"{target:g}")


def _competing_numbers(predictions: Sequence[Expected], numbers: Sequence[float]) -> Vector:
    """One number for each prediction.

    It is infinite where the answer is one word list or refused, and where there is no number. Where
    single runs differ too much for a prediction, the number stays.
    """
    finds_topics = [
        prediction.answer in (Answer.TOPICS, Answer.UNKNOWN) for prediction in predictions
    ]
    competing_numbers = np.where(finds_topics, np.array(numbers), np.inf)
    return np.where(np.isnan(competing_numbers), np.inf, competing_numbers)


def _first_below(values: Vector, errors: Vector, target: float) -> float:
    """The first value whose error is at most the target; infinite if there is none."""
    indices = np.flatnonzero(errors <= target)
    return float(values[indices[0]]) if len(indices) else math.inf


def _out_of_reach(
    axis: Axis, target: float, predictions: Sequence[Expected], errors: Vector
) -> InputError:
    """The error to raise for a target that no value reaches: refused, no topics, or too far off.

    Args:
        axis: searched up to its largest value.
        target: asked for.
        predictions: of the method at every value.
        errors: of the predictions, infinite where no topics are found.
    """
    end_text = f"{axis.symbol} = {axis.text(RANGES[axis][1])}"
    finds_topics = [prediction.answer is Answer.TOPICS for prediction in predictions]
    topic_errors = np.where(finds_topics, errors, np.inf)
    if all(prediction.answer is Answer.REFUSED for prediction in predictions):
        limit_text = f"left out: this method refuses up to {end_text}"
    elif not np.any(np.isfinite(topic_errors)):
        limit_text = (
            f"outside the predictions: up to {end_text} no topics are found, or nothing is known"
        )
    else:
        limit_text = (
            f"at least {np.min(topic_errors):.3g}, the least error predicted up to {end_text}"
        )
    remedy_text = "more documents, or fewer topics"
    if axis is Axis.DOCUMENTS:
        remedy_text = "a larger ε, or a larger target error"
    return InputError("target error", limit_text, f"{target:g}", f"Use {remedy_text}.")
