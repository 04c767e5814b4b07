"""Bounds of a plan, and predictions of a method, against ε: the same at every step of the slider."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dplda.core.errors import NoFiniteNoise
from dplda.methods.plan import Plan
from dplda.theory.prediction.expected import expected
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.theorems.at_budget import at_budget
from dplda.theory.theorems.readings import PaperReading
from dplda.theory.theorems.spectrum import Spectrum


@dataclass(frozen=True, slots=True)
class ErrorCurve:
    """An error against ε, in total and term by term.

    Attributes:
        totals: at each ε; NaN where no finite noise protects the release.
        terms: pairs (what it comes from, its part at each ε), summing to ``totals``; the same terms at every ε, none of
            a prediction.
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
    parts, refused = [], []
    for epsilon in epsilons:
        there = replace(plan, epsilon=epsilon)
        try:
            found = at_budget(there, spectrum, n_documents=n_documents, reading=reading)
            parts.append([(term.name, float(term.value)) for term in found.terms])
        except NoFiniteNoise as error:
            parts.append([])
            refused.append(error.quantity)
    names = next(([name for name, _ in part] for part in parts if part), [])
    terms = tuple((name, tuple(dict(part).get(name, math.nan) for part in parts)) for name in names)
    totals = tuple(math.fsum(value for _, value in part) if part else math.nan for part in parts)
    return ErrorCurve(plan.configuration, tuple(map(float, epsilons)), totals, terms, tuple(dict.fromkeys(refused)))


def prediction_curve(point: Point, method: str, epsilons: Sequence[float]) -> ErrorCurve:
    """The error expected of a method at every ε, the point's own aside."""
    found = expected([point.moved(Axis.EPSILON, epsilon) for epsilon in epsilons], method)
    return ErrorCurve(method, tuple(map(float, epsilons)), tuple(one.error for one in found), ())
