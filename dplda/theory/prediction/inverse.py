"""The smallest ε, or N, at which a configuration reaches a target error, as a range.

The predictor is inverted on several reference populations, whose topics are drawn anew, once as it is and once with
the largest and the smallest ratio of predicted to observed error that was measured.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError, NoFiniteNoise
from dplda.core.types import Vector
from dplda.methods.configurations.levels import Levels
from dplda.methods.prediction_accuracy import Predictor, Ratio
from dplda.theory.prediction.geometry import Geometry
from dplda.theory.prediction.noise_levels import NO_NOISE, levels_of
from dplda.theory.prediction.predictor import errors_at
from dplda.theory.prediction.regime_axes import Axis, Point

SCAN, REFINE, ROUNDS = 25, 9, 3  # ends within 0.15 % of the crossing, above it


@dataclass(frozen=True, slots=True)
class InverseAnswer:
    """The smallest value of a number at which a target error is reached.

    Attributes:
        axis: ε or N.
        low: on the most favourable reference, were the error overstated as much as it ever was.
        high: on the least favourable reference, were it understated as much; infinite where it is then not reached
            up to ``axis.limits``.
    """

    axis: Axis
    configuration: str
    middle: float
    low: float
    high: float
    ratio: Ratio
    n_references: int


def smallest(
    axis: Axis, target: float, point: Point, predictor: Predictor, references: Sequence[Geometry]
) -> InverseAnswer:
    """The smallest ε, or N, for a target error.

    Args:
        axis: which of the two to look for, within its ``limits``.
        target: mean over topics of the L1 distance from the truth, in (0, 2).
        point: all other numbers; its own value along ``axis`` does not matter.
        references: of the point's population, with topics of different seeds; at least one.
    """
    if axis not in (Axis.EPSILON, Axis.DOCUMENTS):
        raise InputError("axis", "ε or N", axis.symbol)
    checks.between("target error", target, 0, 2, open_ends=True)
    checks.integer_at_least("number of references", len(references), 1)
    unigram = float(np.median([np.mean(reference.unigram) for reference in references]))
    if target >= unigram:
        raise InputError(
            "target error",
            f"below {unigram:.3g}, the error of the unigram model, which needs no topics at all",
            f"{target:g}",
        )
    ratio = predictor.ratio(point.alpha0)
    curves = [_Curve(axis, point, predictor, reference) for reference in references]
    middle = float(np.median([curve.first_below(target) for curve in curves]))
    if math.isinf(middle):
        raise _out_of_reach(axis, target, curves, point, unigram)
    return InverseAnswer(
        axis=axis,
        configuration=predictor.configuration,
        middle=middle,
        low=min(curve.first_below(target * ratio.high) for curve in curves),
        high=max(curve.first_below(target * ratio.low) for curve in curves),
        ratio=ratio,
        n_references=len(references),
    )


class _Curve:
    """Predicted error against one number, on one reference; it falls nearly everywhere: the first crossing counts."""

    def __init__(self, axis: Axis, point: Point, predictor: Predictor, reference: Geometry) -> None:
        self._axis, self._point, self._predictor, self.reference = axis, point, predictor, reference
        self.values = self._between(*axis.limits, SCAN)
        self.errors = self._at(self.values)

    def first_below(self, goal: float) -> float:
        """The smallest value whose error is at most ``goal`` and at which a topic is resolved; infinite for none."""
        # A lost topic's error is that of the unigram model, whatever the predictor is off by elsewhere.
        goal = min(goal, float(np.mean(self.reference.unigram)) * (1 - 1e-6))
        values, errors = self.values, self.errors
        for last in range(ROUNDS, -1, -1):
            below = np.flatnonzero(errors <= goal)
            if len(below) == 0:
                return math.inf
            i = int(below[0])
            if i == 0 or last == 0:
                break
            values = self._between(float(values[i - 1]), float(values[i]), REFINE)
            errors = self._at(values)
        return float(values[i])

    def _between(self, low: float, high: float, count: int) -> Vector:
        values = np.geomspace(low, high, count)
        if self._axis.whole:
            values = np.unique(np.round(values))
        values[0], values[-1] = low, high
        return values

    def _at(self, values: Vector) -> Vector:
        errors = np.full(len(values), np.inf)
        cases: list[tuple[Levels, int]] = []
        finite = []
        for i, value in enumerate(values):
            there = self._point.moved(self._axis, float(value))
            plan = self._predictor.plan(there.epsilon, there.delta)
            try:
                cases.append((levels_of(plan, self.reference, n_documents=there.n_documents), there.n_documents))
            except NoFiniteNoise:
                continue
            finite.append(i)
        errors[finite] = errors_at(cases, self.reference)
        return errors


def _out_of_reach(axis: Axis, target: float, curves: Sequence[_Curve], point: Point, unigram: float) -> InputError:
    reached = float(np.median([np.min(curve.errors) for curve in curves]))
    what, got, end = "target error", f"{target:g}", f"{axis.symbol} = {axis.text(axis.limits[1])}"
    if not reached < unigram * (1 - 1e-6):
        limit = f"at least {unigram:.3g}: up to {end} this configuration is no better than the unigram model"
        return InputError(what, limit, got)
    limit = f"at least {reached:.3g}, which is left at {end}"
    if axis is Axis.DOCUMENTS:
        return InputError(what, limit, got, "Spend a larger ε, or expect less.")
    without = [errors_at([(NO_NOISE, point.n_documents)], curve.reference)[0] for curve in curves]
    floor = float(np.median(without))
    fix = f"Without any noise {floor:.3g} would be left at N = {point.n_documents:,}."
    return InputError(what, limit, got, fix + (" Only more documents help." if target < floor else ""))
