"""Configurations: where noise goes, each way of scaling it, and its size for predictions."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from dplda.evaluation.colours import Style
from dplda.flow import Edge
from dplda.methods.base.calibration import Calibration, NoiseLaw, Scaling
from dplda.methods.base.method_names import FamilyName
from dplda.methods.base.problem import DividedBudget, ProblemSize
from dplda.methods.configurations.route import Route
from dplda.methods.configurations.sizes import Quantity
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.release import Status
from dplda.spectral.statistics import Averages, PairMoment


class BudgetUnit(StrEnum):
    """The unit that is divided among quantities and adds up."""

    MU2 = "μ²"
    EPSILON = "ε"


AnyRoute: TypeAlias = Route[Averages] | Route[PairMoment]
FractionsOf: TypeAlias = Callable[[DividedBudget, ProblemSize], dict[str, float]]
"""From a budget and public numbers to fractions of the budget by quantity."""
OpenRoute: TypeAlias = Callable[[ProblemSize, DividedBudget, Mechanisms], AnyRoute]
"""Starts a run of a configuration."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of scaling a configuration's noise.

    Attributes:
        calibration: whether scales are as proofs require or as printed.
        shares: pairs (quantity, its own fraction of the budget), summing to 1, in the order of a
            split.
        status: what is proven.
        rests_on: assumptions of the proof, or gaps of the claim; sentences.
        route: starts a run.
        law: distribution of the noise.
        unit: what ``shares`` divide.
        failure: fraction of δ for private bounds that may fail; noise is composed with the rest.
        extra_releases: further quantities, released at fractions that follow from public numbers.
        budget_fractions: fractions of the whole budget by name, from public numbers; the split's
            own where None.
        is_releasable: whether its noise is Gaussian on sums over documents alone.
    """

    calibration: Calibration
    shares: tuple[tuple[Quantity, float], ...]
    status: Status
    rests_on: tuple[str, ...]
    route: OpenRoute
    law: NoiseLaw = NoiseLaw.GAUSSIAN
    unit: BudgetUnit = BudgetUnit.MU2
    failure: float = 0.0
    extra_releases: tuple[Quantity, ...] = ()
    budget_fractions: FractionsOf | None = None
    is_releasable: bool = False

    @property
    def scaling(self) -> Scaling:
        """Key within the configuration: the calibration, or the law if it is not Gaussian."""
        return self.calibration if self.law is NoiseLaw.GAUSSIAN else self.law

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """All quantities that a split divides the budget among."""
        return tuple(quantity for quantity, _ in self.shares)

    @property
    def names(self) -> tuple[str, ...]:
        """Names that a plan's split must use."""
        return tuple(quantity.name for quantity in self.quantities)

    @property
    def default_split(self) -> tuple[tuple[str, float], ...]:
        """Fraction of the budget for each quantity, by name."""
        return tuple((quantity.name, fraction) for quantity, fraction in self.shares)

    def quantity(self, name: str) -> Quantity:
        """Quantity with this name, extra releases included."""
        all_quantities = (*self.quantities, *self.extra_releases)
        return next(quantity for quantity in all_quantities if quantity.name == name)


@dataclass(frozen=True, slots=True)
class Configuration:
    """An entry of the registry.

    Attributes:
        name: key in plans and specs.
        family: its names on the pages.
        edges: edges that carry noise; they are a cut of the flow.
        summary: what it does, for people who choose one; sentences.
        variants: by scaling; the first one is recommended.
        style: color, marker and letter in figures.
    """

    name: str
    family: FamilyName
    edges: tuple[Edge, ...]
    summary: str
    variants: dict[Scaling, Variant]
    style: Style

    @property
    def title(self) -> str:
        """Its name, whatever its calibration."""
        return self.family.title

    @property
    def label(self) -> str:
        """Title and meaning, as lists show it."""
        return self.family.label

    @property
    def recommended(self) -> Variant:
        """The variant that the name alone means."""
        return next(iter(self.variants.values()))


def by_scaling(*variants: Variant) -> dict[Scaling, Variant]:
    """Key the variants of a configuration by scaling, the recommended one first."""
    return {variant.scaling: variant for variant in variants}
