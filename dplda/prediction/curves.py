"""Bounds and predictions against ε: the same plan at every step of the slider."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dplda.errors import NoFiniteNoise
from dplda.plan import Plan
from dplda.prediction.geometry import Geometry
from dplda.prediction.predictor import predict
from dplda.theorems.at_budget import at_budget
from dplda.theorems.readings import Bound, Reading
from dplda.theorems.spectrum import Spectrum


@dataclass(frozen=True, slots=True)
class Curve:
    """An error against ε, in total and term by term.

    Attributes:
        configuration: its name.
        epsilons: ascending.
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
    configuration: str,
    spectrum: Spectrum,
    *,
    n_documents: int,
    delta: float,
    split: dict[str, float],
    reading: Reading | None,
    epsilons: Sequence[float],
) -> Curve:
    """A theorem's expression at every ε; arguments as for ``at_budget``.

    Args:
        configuration: ``"config-1"`` to ``"config-4"``.
        spectrum: of the corpus.
        n_documents: ``N``.
        delta: δ.
        split: as in the published variant.
        reading: of the print; None for explicit constants.
        epsilons: ascending.
    """
    found: list[Bound | str] = []
    for epsilon in epsilons:
        try:
            found.append(
                at_budget(
                    configuration,
                    spectrum,
                    n_documents=n_documents,
                    epsilon=epsilon,
                    delta=delta,
                    split=split,
                    reading=reading,
                )
            )
        except NoFiniteNoise as error:
            found.append(error.quantity)
    parts = [[] if isinstance(one, str) else [(term.name, float(term.value)) for term in one.terms] for one in found]
    refused = [one for one in found if isinstance(one, str)]
    return _curve(configuration, epsilons, parts, refused)


def prediction_curve(plan: Plan, geometry: Geometry, *, n_documents: int, epsilons: Sequence[float]) -> Curve:
    """The predicted L1 error of a proven plan at every ε, its own ε aside; arguments as for ``predict``."""
    parts: list[list[tuple[str, float]]] = []
    refused = []
    for epsilon in epsilons:
        try:
            prediction = predict(replace(plan, epsilon=epsilon), geometry, n_documents=n_documents)
            parts.append([(name, float(value)) for name, value in prediction.parts])
        except NoFiniteNoise as error:
            parts.append([])
            refused.append(error.quantity)
    return _curve(plan.configuration, epsilons, parts, refused)


def _curve(
    configuration: str, epsilons: Sequence[float], parts: list[list[tuple[str, float]]], refused: list[str]
) -> Curve:
    names = next(([name for name, _ in part] for part in parts if part), [])
    terms = tuple((name, tuple(dict(part).get(name, math.nan) for part in parts)) for name in names)
    totals = tuple(math.fsum(value for _, value in part) if part else math.nan for part in parts)
    return Curve(configuration, tuple(map(float, epsilons)), totals, terms, tuple(dict.fromkeys(refused)))
