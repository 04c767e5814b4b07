"""Routes: the one bridge between privacy and numerics, with one method per edge.

A run is one function over its statistics, real sums or a few public numbers: fits and dry runs follow the same route.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

import numpy as np

from dplda.core.errors import NoTopics
from dplda.core.types import Report, Tensor3
from dplda.methods.base.problem import Budget, ProblemSize
from dplda.privacy.accounting import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.tensor import Components, decompose
from dplda.spectral.topics import RawTopics, unwhiten
from dplda.spectral.whitening import Whitening, trimmed, whiten

P = TypeVar("P", Averages, PairMoment)


FRACTIONS = {
    "measuring documents": 0.0,
    "counting pairs of words": 0.1,
    "whitening": 0.6,
    "counting triples of words": 0.7,
    "decomposing": 0.95,
}
"""Rough fraction of a fit that is done when a step begins."""


class Numerics:
    """The numerics between the edges."""

    def __init__(self, shape: ProblemSize, rng: np.random.Generator, report: Report) -> None:
        self._shape, self._rng, self._report = shape, rng, report

    def begin_step(self, step: str) -> None:
        """Called when a step begins; may raise to cancel."""
        self._report(FRACTIONS[step], step)

    def counting(self, fraction: float) -> None:
        """Called while pairs are counted, likewise."""
        step = "counting pairs of words"
        self._report(FRACTIONS[step] + (FRACTIONS["whitening"] - FRACTIONS[step]) * fraction, step)

    def whiten(self, pairs: Averages | PairMoment, *, direct: bool) -> Whitening:
        """The whitening of a pair statistic; without iteration if ``direct``."""
        if isinstance(pairs, Averages) and pairs.mass <= 0:
            raise NoTopics(
                f"with N = {self._shape.n_documents} documents the noise at this ε hides even their mean weight",
                "Use more documents or a larger ε.",
            )
        moment = pairs.pair_moment(self._shape.coefficients)
        return whiten(moment, self._shape.n_topics, entry_noise=pairs.noise_level(), direct=direct)

    def resolves(self, whitening: Whitening, fewest: int) -> bool:
        """Whether a whitening has at least this many directions."""
        return whitening.resolved >= fewest

    def decompose(self, tensor: Tensor3) -> Components:
        """The whitened tensor's eigenvalues and vectors."""
        return decompose(tensor, rng=self._rng)

    def unwhiten(
        self, components: Components, whitening: Whitening, pairs: Averages | PairMoment
    ) -> RawTopics:
        """Topics from components, an unwhitening, and the statistic that gives the mean words."""
        coefficients = self._shape.coefficients
        return unwhiten(components, whitening, coefficients, pairs.mean_words(coefficients))


@dataclass(frozen=True, slots=True, eq=False)
class ChainResult:
    """The result of a route."""

    whitening: Whitening
    components: Components
    topics: RawTopics
    resolved: int
    pairs: Averages | PairMoment


NO_COMPONENTS = Components(np.empty(0), np.empty((0, 0)), 0.0, converged=True, tried=0)


class Route(ABC, Generic[P]):
    """One run of a configuration, un-noised unless the method of an edge adds noise; ``P``: its pair statistic."""

    failure: ClassVar[float] = 0.0  # part of δ for private bounds that may fail

    def __init__(self, shape: ProblemSize, budget: Budget, mechanisms: Mechanisms) -> None:
        self.shape, self.budget, self.mechanisms = shape, budget, mechanisms
        self.coefficients = shape.coefficients

    @cached_property
    def _mus(self) -> dict[str, float]:
        """``μ_j = √fraction · μ`` for every quantity, with ``μ`` of the whole run."""
        mu = gaussian.mu_for(self.budget.epsilon, (1 - self.failure) * self.budget.delta)
        return {
            name: gaussian.mu_of_share(mu, fraction)
            for name, fraction in self._budget_fractions().items()
        }

    def _budget_fractions(self) -> dict[str, float]:
        return self.budget.portions

    def run(
        self, statistics: CorpusStatistics, steps: Numerics, *, is_private: bool
    ) -> ChainResult:
        """The whole chain; if it ``is_private``, later sensitivities need the direct solver's correct eigenpairs."""
        steps.begin_step("measuring documents")
        unnoised = self.pairs(statistics)
        pairs = self.e2(unnoised)
        ahead = self.e4(pairs)
        behind = self.e8(pairs, ahead)
        steps.begin_step("whitening")
        back = steps.whiten(behind, direct=is_private and behind is unnoised)
        forward = back
        if ahead is not behind:
            forward, back = self.align(
                steps.whiten(ahead, direct=is_private and ahead is unnoised), back
            )
        return self.finish_from_whitening(statistics, steps, forward, back, ahead, behind)

    def finish_from_whitening(
        self,
        statistics: CorpusStatistics,
        steps: Numerics,
        forward: Whitening,
        back: Whitening,
        ahead: P,
        behind: P,
    ) -> ChainResult:
        """The rest of the chain, from the whitenings on; two if different noise serves each."""
        components = NO_COMPONENTS
        if forward.resolved:
            steps.begin_step("counting triples of words")
            tensor = self.e6(self.triples(statistics, forward, ahead), forward)
            steps.begin_step("decomposing")
            components = self.e7(steps.decompose(tensor), forward)
        topics = self.e9(steps.unwhiten(components, back, behind), components, forward)
        return ChainResult(back, components, topics, forward.resolved, behind)

    @abstractmethod
    def pairs(self, statistics: CorpusStatistics) -> P:
        """Edge e0: the pair statistic of this configuration."""

    def e2(self, pairs: P) -> P:
        """The pair statistic for all uses."""
        return pairs

    def e4(self, pairs: P) -> P:
        """The pair statistic, for the whitening W."""
        return pairs

    def e8(self, pairs: P, ahead: P) -> P:
        """The pair statistic for the unwhitening W†; ``ahead`` is the one for W."""
        return pairs

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Post-processing that fits the two whitenings to each other: by default, to as many directions."""
        return trimmed(forward, back)

    def triples(self, statistics: CorpusStatistics, whitening: Whitening, pairs: P) -> Tensor3:
        """Edges e1 and e3: the third moment in whitened coordinates, shape (m, m, m)."""
        return statistics.third_moment(whitening.whitener)

    def e6(self, tensor: Tensor3, whitening: Whitening) -> Tensor3:
        """The whitened tensor."""
        return tensor

    def e7(self, components: Components, whitening: Whitening) -> Components:
        """Eigenvalues and vectors of the whitened tensor."""
        return components

    def e9(self, topics: RawTopics, components: Components, whitening: Whitening) -> RawTopics:
        """The topics, before they are made distributions."""
        return topics

    def postprocess(self, found: ChainResult) -> RawTopics:
        """Post-processing of the topics by released values and their known noise; by default none."""
        return found.topics


class MomentRoute(Route[PairMoment]):
    """A route built on the U-statistics; by itself the exact fit."""

    def pairs(self, statistics: CorpusStatistics) -> PairMoment:
        """The U-statistic ``M2``."""
        return statistics.pair_moment()
