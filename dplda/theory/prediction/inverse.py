"""The smallest ε or N at which a method is expected to reach a target error, with its range."""

import math
from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.formatting import digits
from dplda.core.types import Vector
from dplda.theory.prediction.expected import RANGES, UNIGRAM, Answer, Expected, expected
from dplda.theory.prediction.regime_axes import Axis, Point

SCAN = 120  # values along the axis: 4 to 6 % apart


@dataclass(frozen=True, slots=True)
class InverseAnswer:
    """The smallest value of ε or N at which a target error is reached.

    Attributes:
        low, high: value at which the best of ten runs, and nine of ten, reach it; ``high`` infinite beyond ``RANGES``.
    """

    axis: Axis
    method: str
    middle: float
    low: float
    high: float

    @property
    def in_words(self) -> str:
        """The middle."""
        return self._rounded_up(self.middle)

    @property
    def likely(self) -> str:
        """From low to high."""
        least, most = RANGES[self.axis]
        low, last = self._rounded_up(self.low), f"more than {self.axis.text(most)}"
        high = self._rounded_up(self.high) if math.isfinite(self.high) else last
        if low == high:
            return low
        return f"up to {high}" if self.low <= least else f"{low} to {high}"

    def _rounded_up(self, value: float) -> str:
        """To two digits, so that it is enough."""
        power = math.floor(math.log10(value)) - 1
        rounded = math.ceil(value / 10.0**power * (1 - 1e-9)) * 10.0**power
        said = self.axis.text(rounded) if self.axis.whole else digits(rounded, 2)
        return f"{said} or less" if value <= RANGES[self.axis][0] else said


def smallest(axis: Axis, target: float, point: Point, method: str) -> InverseAnswer:
    """The smallest ε or N expected to reach a target error.

    Args:
        axis: ε or N; searched within its range in ``RANGES``.
        target: mean over topics of the L1 distance from the truth, in (0, 2).
        point: all other numbers; its own value along ``axis`` does not matter.
    """
    if axis not in (Axis.EPSILON, Axis.DOCUMENTS):
        raise InputError("axis", "ε or N", axis.symbol)
    checks.between("target error", target, 0, 2, open_ends=True)
    values = np.geomspace(*RANGES[axis], SCAN)
    points = [point.moved(axis, float(value)) for value in values]
    words = [one.error for one in expected(points, UNIGRAM)]
    if target >= np.nanmin([*words, 2.0]):
        limit = f"below {np.nanmin([*words, 2.0]):.3g}, the error of one private list of words for every topic"
        raise InputError("target error", limit, f"{target:g}")
    found = expected(points, method)
    errors = _numbers(found, "error")
    middle, low, high = (
        _first_below(values, _numbers(found, name), target) for name in ("error", "low", "high")
    )
    if math.isinf(middle):
        raise _out_of_reach(axis, target, found, errors)
    return InverseAnswer(axis, method, middle, low, max(middle, high))


def _numbers(found: tuple[Expected, ...], name: str) -> Vector:
    """One number of each prediction; infinite where no topics are found."""
    kept = (Answer.TOPICS, Answer.UNKNOWN)
    values = np.array([getattr(one, name) if one.answer in kept else np.inf for one in found])
    return np.where(np.isnan(values), np.inf, values)


def _first_below(values: Vector, errors: Vector, target: float) -> float:
    below = np.flatnonzero(errors <= target)
    return float(values[below[0]]) if len(below) else math.inf


def _out_of_reach(
    axis: Axis, target: float, found: tuple[Expected, ...], errors: Vector
) -> InputError:
    end = f"{axis.symbol} = {axis.text(RANGES[axis][1])}"
    errors = np.where([one.answer is Answer.TOPICS for one in found], errors, np.inf)
    if all(one.answer is Answer.REFUSED for one in found):
        limit = f"left out: this method refuses up to {end}"
    elif not np.any(np.isfinite(errors)):
        limit = f"outside the predictions: up to {end} no topics are found, or nothing is known"
    else:
        limit = f"at least {np.min(errors):.3g}, the least error predicted up to {end}"
    other = (
        "a larger ε, or a larger target error"
        if axis is Axis.DOCUMENTS
        else "more documents, or fewer topics"
    )
    return InputError("target error", limit, f"{target:g}", f"Use {other}.")
