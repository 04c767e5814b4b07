"""What a configuration is: where its noise goes, each way of scaling it, and how large that is to a predictor."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from dplda.evaluation.colours import Style
from dplda.flow import Edge
from dplda.methods.configurations.route import Route
from dplda.methods.configurations.sizes import Quantity, Shape
from dplda.methods.problem import Budget
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.release import Status
from dplda.spectral.statistics import Averages, PairMoment


class Calibration(StrEnum):
    """How large noise is: as proofs ask, or as a paper prints it."""

    CORRECTED = "corrected"
    PUBLISHED = "as published"


class NoiseLaw(StrEnum):
    """Of the noise on statistics."""

    GAUSSIAN = "Gaussian"
    LAPLACE = "Laplace"


class BudgetUnit(StrEnum):
    """What is divided over quantities, and adds up."""

    MU2 = "μ²"
    EPSILON = "ε"


@dataclass(frozen=True, slots=True)
class Levels:
    """Standard deviations of the noise of one run, or of one to come.

    Attributes:
        pairs: of one off-diagonal entry of the ``M2`` that whitens.
        back: of the ``M2`` that leads back.
        diagonal: variance on the diagonal over variance off it, 4 for histogram noise and 2 for isotropic.
        words: of one entry of ``E1``.
        tensor: of one coordinate of isotropic noise on ``T``.
        exact_whitening: whether ``T`` is taken along the exact ``M2``, seen in the noisy frame.
        clip: level to which documents' pairs are clipped; None where nothing is clipped.
        fewest: directions above the noise; with fewer of them there are no topics.
    """

    pairs: float
    back: float
    shared: bool
    diagonal: float
    words: float = 0.0
    tensor: float = 0.0
    triples: float = 0.0
    exact_whitening: bool = False
    clip: float | None = None
    fewest: int = 1


@dataclass(frozen=True, slots=True)
class NoiseReading:
    """What levels need of a release.

    Attributes:
        scale: of its noise.
    """

    scale: float
    value: float


Readings: TypeAlias = Mapping[str, NoiseReading]
"""Releases of one run, or of one to come, by the name of their quantity."""

LevelsOf: TypeAlias = Callable[[Readings], Levels]
Scaling: TypeAlias = Calibration | NoiseLaw
AnyRoute: TypeAlias = Route[Averages] | Route[PairMoment]
PortionsOf: TypeAlias = Callable[[Budget, Shape], dict[str, float]]
OpenRoute: TypeAlias = Callable[[Shape, Budget, Mechanisms], AnyRoute]


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of scaling a configuration's noise.

    Attributes:
        calibration: how large the noise is.
        shares: pairs (quantity, its own fraction of the budget), summing to 1, in the order of a split.
        unit: what the fractions divide.
        levels: noise of a run in a predictor's units, read off its releases; None where nothing is predicted.
        failure: fraction of δ set aside for private bounds that may fail; noise is composed at what is left.
        besides: what is released beside that, at fractions that follow from public numbers.
        portions: fractions of the whole budget by name, from public numbers; the split's own where None.
        releasable: whether its noise is Gaussian on sums over documents and on nothing else.
    """

    calibration: Calibration
    shares: tuple[tuple[Quantity, float], ...]
    status: Status
    rests_on: tuple[str, ...]
    route: OpenRoute
    law: NoiseLaw = NoiseLaw.GAUSSIAN
    unit: BudgetUnit = BudgetUnit.MU2
    levels: LevelsOf | None = None
    failure: float = 0.0
    besides: tuple[Quantity, ...] = ()
    portions: PortionsOf | None = None
    releasable: bool = False

    @property
    def scaling(self) -> Scaling:
        """The word that tells it from the others of its configuration: its calibration, or its law if not Gaussian."""
        return self.calibration if self.law is NoiseLaw.GAUSSIAN else self.law

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """All that a split divides the budget on; configurations that refuse early release fewer."""
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
        """The quantity of a name."""
        return next(quantity for quantity in (*self.quantities, *self.besides) if quantity.name == name)


@dataclass(frozen=True, slots=True)
class Configuration:
    """An entry of the registry.

    Attributes:
        edges: the edges that get noise; a cut of the flow.
        summary: a sentence or two on where the noise goes and why.
        variants: its ways of scaling noise by the word for each, the recommended one first.
        meaning: its noise in a few words, for lists.
    """

    name: str
    title: str
    edges: tuple[Edge, ...]
    summary: str
    variants: dict[Scaling, Variant]
    look: Style
    meaning: str = ""

    @property
    def label(self) -> str:
        """Title and meaning, as lists show it: ``1 · noise on both moments``."""
        return f"{self.title.removeprefix('Configuration ')} · {self.meaning}" if self.meaning else self.title

    @property
    def recommended(self) -> Variant:
        """The variant that its name alone means."""
        return next(iter(self.variants.values()))


def by_scaling(*variants: Variant) -> dict[Scaling, Variant]:
    """The variants of a configuration by the word for each, the recommended one first."""
    return {variant.scaling: variant for variant in variants}
