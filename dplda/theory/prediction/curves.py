"""Bounds and predictions against ε: the same plan at every step of the slider."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dplda.core.errors import NoFiniteNoise
from dplda.methods.plan import Plan
from dplda.theory.prediction.geometry import Geometry
from dplda.theory.prediction.predictor import predict
from dplda.theory.theorems.at_budget import at_budget
from dplda.theory.theorems.readings import PaperReading
from dplda.theory.theorems.spectrum import Spectrum


@dataclass(frozen=True, slots=True)
class ErrorCurve:
    """An error against ε, in total and term by term.

    Attributes:
        totals: at each ε; NaN where no finite noise protects the release.
        terms: pairs (what it comes from, its part at each ε), summing to ``totals``; the same terms at every ε.
        refused: symbols of the private bounds that came out at 0 somewhere, in the order met.
    """

    configuration: str
    epsilons: tuple[float, ...]
    totals: tuple[float, ...]
    terms: tuple[tuple[str, tuple[float, ...]], ...]
    refused: tuple[str, ...] = ()

    def at(self, epsilon: float) -> float:
        """The total at one of ``epsilons``; NaN where it has none or ε is no step."""
        return dict(zip(self.epsilons, self.totals, strict=True)).get(epsilon, math.nan)

    @property
    def drawn(self) -> bool:
        """Whether there is any point to draw."""
        return any(math.isfinite(total) for total in self.totals)


def bound_curve(
    plan: Plan, spectrum: Spectrum, *, n_documents: int, reading: PaperReading | None, epsilons: Sequence[float]
) -> ErrorCurve:
    """A theorem's expression for a plan at every ε, its own ε aside; arguments as for ``at_budget``."""
    return _curve(
        plan,
        epsilons,
        lambda there: [
            (term.name, float(term.value))
            for term in at_budget(there, spectrum, n_documents=n_documents, reading=reading).terms
        ],
    )


def prediction_curve(plan: Plan, geometry: Geometry, *, n_documents: int, epsilons: Sequence[float]) -> ErrorCurve:
    """The predicted L1 error of a proven plan at every ε, its own ε aside; arguments as for ``predict``."""
    return _curve(
        plan,
        epsilons,
        lambda there: [(name, float(value)) for name, value in predict(there, geometry, n_documents=n_documents).parts],
    )


def _curve(plan: Plan, epsilons: Sequence[float], parts_of: Callable[[Plan], list[tuple[str, float]]]) -> ErrorCurve:
    parts, refused = [], []
    for epsilon in epsilons:
        try:
            parts.append(parts_of(replace(plan, epsilon=epsilon)))
        except NoFiniteNoise as error:
            parts.append([])
            refused.append(error.quantity)
    names = next(([name for name, _ in part] for part in parts if part), [])
    terms = tuple((name, tuple(dict(part).get(name, math.nan) for part in parts)) for name in names)
    totals = tuple(math.fsum(value for _, value in part) if part else math.nan for part in parts)
    return ErrorCurve(plan.configuration, tuple(map(float, epsilons)), totals, terms, tuple(dict.fromkeys(refused)))
