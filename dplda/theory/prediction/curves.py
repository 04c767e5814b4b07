"""Bounds and predicted errors against ε, computed at every step of the slider."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dplda.core.errors import NoFiniteNoise
from dplda.methods.configurations.plan import Plan
from dplda.theory.prediction.expected import expected
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.regimes import error_of
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
        low: lower ends of the range of nine in ten runs at ``epsilons``, NaN as in ``totals``;
            empty for a bound.
        high: upper ends of these ranges.
    """

    configuration: str
    epsilons: tuple[float, ...]
    totals: tuple[float, ...]
    refused: tuple[str, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()

    def at(self, epsilon: float) -> float:
        """The total at an ε; NaN where it is none of ``epsilons``."""
        total_by_epsilon = dict(zip(self.epsilons, self.totals, strict=True))
        return total_by_epsilon.get(epsilon, math.nan)

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
    """The theorem's bound for a plan at every ε; NaN where no finite noise is enough.

    Args:
        plan: of a published configuration; its δ holds at every ε, its own ε does not matter.
        spectrum: of the corpus, or of a population.
        n_documents: ``N``, at least 3.
        reading: which print of the paper; None for explicit constants.
        epsilons: ascending.

    Raises:
        InputError: the paper has no theorem for the plan.
    """
    totals = []
    refused_quantities = []
    for epsilon in epsilons:
        plan_at_epsilon = replace(plan, epsilon=epsilon)
        try:
            bound = at_budget(plan_at_epsilon, spectrum, n_documents=n_documents, reading=reading)
            totals.append(float(bound.total))
        except NoFiniteNoise as error:
            totals.append(math.nan)
            refused_quantities.append(error.quantity)
    return ErrorCurve(
        configuration=plan.configuration,
        epsilons=tuple(map(float, epsilons)),
        totals=tuple(totals),
        refused=tuple(dict.fromkeys(refused_quantities)),
    )


def prediction_curve(point: Point, method: str, epsilons: Sequence[float]) -> ErrorCurve:
    """The error predicted for a method, and its range, at every ε in place of the point's own.

    Error and range are NaN where nothing is predicted or the method is refused. They are NaN also
    where it returns one word list without being the private unigram.

    Args:
        method: text of the method.
        epsilons: values of ε.
    """
    points = [point.moved(Axis.EPSILON, epsilon) for epsilon in epsilons]
    predictions = expected(points, method)
    totals = tuple(error_of(prediction, method) for prediction in predictions)
    lows = []
    highs = []
    for prediction, total in zip(predictions, totals, strict=True):
        is_finite = math.isfinite(total)
        lows.append(prediction.low if is_finite else math.nan)
        highs.append(prediction.high if is_finite else math.nan)
    return ErrorCurve(
        configuration=method,
        epsilons=tuple(map(float, epsilons)),
        totals=totals,
        low=tuple(lows),
        high=tuple(highs),
    )
