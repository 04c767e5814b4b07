"""Bounds and predicted errors against ε, computed at every step of the slider."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dplda.core.errors import NoFiniteNoise
from dplda.methods.configurations.plan import Plan
from dplda.theory.prediction.expected import expected
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.regimes import errors_of
from dplda.theory.theorems.at_budget import at_budget
from dplda.theory.theorems.readings import PaperReading
from dplda.theory.theorems.spectrum import Spectrum


@dataclass(frozen=True, slots=True)
class ErrorCurve:
    """An error against ε.

    Attributes:
        configuration: name of the configuration of a bound, text of the method of a prediction.
        epsilons: values of ε, ascending.
        totals: errors at ``epsilons``; NaN where the release is refused or nothing is predicted.
        refused: symbols of private lower bounds that were 0 somewhere, in the order met.
        low: lower ends of the range of nine in ten runs at ``epsilons``, NaN as in ``totals``; empty
            for a bound.
        high: upper ends of these ranges.
    """

    configuration: str
    epsilons: tuple[float, ...]
    totals: tuple[float, ...]
    refused: tuple[str, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()

    def at(self, epsilon: float) -> float:
        """The total at one of ``epsilons``, else NaN."""
        return dict(zip(self.epsilons, self.totals, strict=True)).get(epsilon, math.nan)

    @property
    def last_epsilon(self) -> float:
        """The largest ε with a finite total; −∞ where there is none."""
        points = zip(self.epsilons, self.totals, strict=True)
        return max(
            (epsilon for epsilon, total in points if math.isfinite(total)), default=-math.inf
        )

    @property
    def drawn(self) -> bool:
        """Whether any total is finite."""
        return any(math.isfinite(total) for total in self.totals)


def bound_curve(
    plan: Plan,
    spectrum: Spectrum,
    *,
    n_documents: int,
    reading: PaperReading | None,
    epsilons: Sequence[float],
) -> ErrorCurve:
    """The theorem's bound for a plan at every ε in place of its own; arguments as for ``at_budget``."""
    totals, refused = [], []
    for epsilon in epsilons:
        there = replace(plan, epsilon=epsilon)
        try:
            totals.append(
                float(at_budget(there, spectrum, n_documents=n_documents, reading=reading).total)
            )
        except NoFiniteNoise as error:
            totals.append(math.nan)
            refused.append(error.quantity)
    return ErrorCurve(
        plan.configuration,
        tuple(map(float, epsilons)),
        tuple(totals),
        tuple(dict.fromkeys(refused)),
    )


def prediction_curve(point: Point, method: str, epsilons: Sequence[float]) -> ErrorCurve:
    """The error predicted for a method, and its range, at every ε in place of the point's own."""
    predictions = expected([point.moved(Axis.EPSILON, epsilon) for epsilon in epsilons], method)
    totals = tuple(errors_of([prediction], [method])[0] for prediction in predictions)
    drawn = [math.isfinite(total) for total in totals]
    pairs = list(zip(predictions, drawn, strict=True))
    return ErrorCurve(
        method,
        tuple(map(float, epsilons)),
        totals,
        low=tuple(prediction.low if is_drawn else math.nan for prediction, is_drawn in pairs),
        high=tuple(prediction.high if is_drawn else math.nan for prediction, is_drawn in pairs),
    )
