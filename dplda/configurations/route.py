"""The one bridge between privacy and numbers: what a configuration answers while a fit runs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from dplda._types import Tensor3, Vector
from dplda.flow import Edge
from dplda.privacy.mechanisms import GaussianMechanisms
from dplda.privacy.release import Status
from dplda.spectral.statistics import Averages

V = TypeVar("V", Averages, Tensor3)


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


@dataclass(frozen=True, slots=True)
class Clips:
    """How far one document may pull on the averages.

    Attributes:
        words: bound on a document's weighted ``‖f1‖₂``.
        pairs: bound on a document's weighted ``‖f2‖_θ``.
    """

    words: float
    pairs: float


class Route(Protocol):
    """One run of a configuration. Each answer is a release, or its argument untouched."""

    def clips(self, pair_norms: Vector) -> Clips:
        """Clip levels for the averages, from the norms of the documents, shape (N,)."""

    def triple_clip(self, norms: Vector, ceiling: float) -> float:
        """Clip level for the whitened tensors, from bounds on the documents' norms, none above ``ceiling``."""

    def noise_on(self, edge: Edge, value: V) -> V:
        """The value with this configuration's noise for the edge."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """An entry of the registry.

    Attributes:
        name: as in a plan.
        title: for people.
        edges: the edges that get noise; a cut of the flow.
        quantities: what the budget is split over.
        default_split: fraction of μ² for each quantity, summing to 1.
        status: the most that may be claimed.
        summary: two sentences on where the noise goes and why.
        rests_on: assumptions of the proof, each a sentence.
        start: opens a run: (public numbers, μ of each quantity, clip quantile or None, mechanisms) → route.
    """

    name: str
    title: str
    edges: tuple[Edge, ...]
    default_split: tuple[tuple[str, float], ...]
    status: Status
    summary: str
    rests_on: tuple[str, ...]
    start: Callable[[Shape, dict[str, float], float | None, GaussianMechanisms], Route]

    @property
    def quantities(self) -> tuple[str, ...]:
        """Names that a plan's split must use."""
        return tuple(name for name, _ in self.default_split)
