"""The one bridge between privacy and numbers: what a configuration answers on each edge while a fit runs."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from dplda._types import Matrix, Tensor3, Vector
from dplda.flow import Edge
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.release import Status
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.tensor import Components
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import Whitening, trimmed


class Calibration(StrEnum):
    """How a configuration's noise is scaled."""

    CORRECTED = "corrected"
    PUBLISHED = "as published"
    LAPLACE = "Laplace"


@dataclass(frozen=True, slots=True)
class Shape:
    """The public numbers of a run.

    Attributes:
        n_documents: ``N``, short documents included.
        n_words: ``d``.
        n_topics: ``k``.
        alpha0: ``α0``.
    """

    n_documents: int
    n_words: int
    n_topics: int
    alpha0: float

    @property
    def coefficients(self) -> Coefficients:
        """Of the Dirichlet."""
        return Coefficients(self.alpha0)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may spend.

    Attributes:
        epsilon: ε of the whole run.
        delta: δ of the whole run.
        split: fraction for each quantity; of μ² where noise is Gaussian and composed exactly, of ε otherwise.
        clip_quantile: fraction of documents left unclipped, or None for a choice from public numbers.
    """

    epsilon: float
    delta: float
    split: dict[str, float]
    clip_quantile: float | None = None


class Statistics(Protocol):
    """The documents, as a route may look at them; whatever it takes from here has to pass a mechanism.

    A clip level is the bound ``C2`` on a document's weighted ``‖f2‖_θ``; one weight serves all its moments.
    """

    def pair_norms(self) -> Vector:
        """``‖f2‖_θ`` of every document, shape (N,)."""

    def averages(self, clip: float) -> Averages:
        """Plain averages of words and pairs under a clip level."""

    def pair_moment(self) -> PairMoment:
        """The U-statistic ``M2``."""

    def leading_eigenvalues(self, count: int) -> Vector:
        """The largest eigenvalues of the U-statistic ``M2``, shape (count,), largest first."""

    def largest_frequencies(self) -> tuple[float, float]:
        """The largest entries of ``E1`` and of ``E2``."""

    def third_moment(self, whitener: Matrix) -> Tensor3:
        """The U-statistic ``M3(W, W, W)``."""

    def triple_norms(self, clip: float, directions: Matrix) -> Vector:
        """Bounds on every document's weighted triple frequencies along directions, shape (N,)."""

    def triple_average(self, clip: float, directions: Matrix, limit: float) -> Tensor3:
        """Average of weighted triple frequencies along directions, every document brought down to a norm."""


P = TypeVar("P", Averages, PairMoment)


class Route:
    """One run of a configuration: un-noised unless an edge's method is overridden.

    A method is named after its edge; it gets what flows there and returns it with noise, or untouched.
    """

    def __init__(self, shape: Shape, budget: Budget, mechanisms: Mechanisms) -> None:
        self.shape, self.budget, self.mechanisms = shape, budget, mechanisms
        self.coefficients = shape.coefficients

    def pairs(self, source: Statistics) -> Averages | PairMoment:
        """Edge e0: the pair statistic that this configuration is built on."""
        return source.pair_moment()

    def e2(self, pairs: Averages | PairMoment) -> Averages | PairMoment:
        """The pair statistic, for everything made of it."""
        return pairs

    def e4(self, pairs: Averages | PairMoment) -> Averages | PairMoment:
        """The pair statistic, for the whitening W."""
        return pairs

    def e8(self, pairs: Averages | PairMoment) -> Averages | PairMoment:
        """The pair statistic, for the unwhitening W†."""
        return pairs

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Post-processing that fits the two whitenings to each other: unless overridden, to as many directions."""
        return trimmed(forward, back)

    def triples(self, source: Statistics, whitening: Whitening, pairs: Averages | PairMoment) -> Tensor3:
        """Edges e1 and e3: the third moment in whitened coordinates, shape (m, m, m)."""
        return source.third_moment(whitening.whitener)

    def e6(self, tensor: Tensor3, whitening: Whitening) -> Tensor3:
        """The whitened tensor."""
        return tensor

    def e7(self, components: Components, whitening: Whitening) -> Components:
        """Eigenvalues and vectors of the whitened tensor."""
        return components

    def e9(self, topics: RawTopics, components: Components, whitening: Whitening) -> RawTopics:
        """The topics, before they are made distributions."""
        return topics


@dataclass(frozen=True, slots=True)
class Variant:
    """One calibration of a configuration.

    Attributes:
        default_split: fraction of the budget for each quantity, summing to 1.
        status: the most that may be claimed.
        rests_on: assumptions, or the known gaps, each a sentence.
        route: opens a run.
        failure: fraction of δ set aside for private bounds that may fail; noise is composed at what is left.
    """

    default_split: tuple[tuple[str, float], ...]
    status: Status
    rests_on: tuple[str, ...]
    route: Callable[[Shape, Budget, Mechanisms], Route]
    failure: float = 0.0

    @property
    def quantities(self) -> tuple[str, ...]:
        """Names that a plan's split must use."""
        return tuple(name for name, _ in self.default_split)


@dataclass(frozen=True, slots=True)
class Configuration:
    """An entry of the registry.

    Attributes:
        name: as in a plan.
        title: for people.
        edges: the edges that get noise; a cut of the flow.
        summary: a sentence or two on where the noise goes and why.
        variants: its calibrations, the recommended one first.
    """

    name: str
    title: str
    edges: tuple[Edge, ...]
    summary: str
    variants: dict[Calibration, Variant]

    @property
    def default_calibration(self) -> Calibration:
        """The recommended calibration."""
        return next(iter(self.variants))
