"""Routes: the one bridge between privacy and numerics, with one method per edge.

A run is one function over its statistics, real sums or a few public numbers: fits and dry runs
follow the same route.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

import numpy as np

from dplda.core.errors import NoTopics
from dplda.core.types import Report, Tensor3
from dplda.methods.base.problem import DividedBudget, ProblemSize
from dplda.privacy.accounting import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.tensor import Components, decompose
from dplda.spectral.topics import RawTopics, unwhiten
from dplda.spectral.whitening import Whitening, keep_common_directions, whiten

P = TypeVar("P", Averages, PairMoment)
"""The pair statistic of a configuration: plain averages, or the U-statistic ``M2``."""

PROGRESS_AT_STEP = {
    "measuring documents": 0.0,
    "counting pairs of words": 0.1,
    "whitening": 0.6,
    "counting triples of words": 0.7,
    "decomposing": 0.95,
}
"""Rough fraction of a fit that is done when a step begins."""


class Numerics:
    """The numerics between the edges.

    Args:
        size: public numbers of the run.
        rng: generator of the decomposition's starts, not of noise.
        report: gets the fraction done and the step; may raise to cancel.
    """

    def __init__(self, size: ProblemSize, rng: np.random.Generator, report: Report) -> None:
        self._size = size
        self._rng = rng
        self._report = report

    def begin_step(self, step: str) -> None:
        """Report that a step begins; may raise to cancel."""
        self._report(PROGRESS_AT_STEP[step], step)

    def report_pair_counting(self, fraction: float) -> None:
        """Report what fraction of the pairs is counted, in [0, 1]; may raise to cancel."""
        step = "counting pairs of words"
        begin = PROGRESS_AT_STEP[step]
        end = PROGRESS_AT_STEP["whitening"]
        self._report(begin + (end - begin) * fraction, step)

    def whiten(self, pairs: Averages | PairMoment, *, direct: bool) -> Whitening:
        """Whiten a pair statistic.

        Args:
            pairs: noisy or exact.
            direct: whether to use the direct solver, without iteration.

        Raises:
            NoTopics: noise left no mean weight to divide averages by.
        """
        if isinstance(pairs, Averages) and pairs.mass <= 0:
            raise NoTopics(
                f"with N = {self._size.n_documents} documents the noise at this ε hides even their"
                " mean weight",
                "Use more documents or a larger ε.",
            )
        moment = pairs.pair_moment(self._size.coefficients)
        return whiten(moment, self._size.n_topics, entry_noise=pairs.noise_level(), direct=direct)

    def has_directions(self, whitening: Whitening, n_needed: int) -> bool:
        """Whether a whitening keeps at least ``n_needed`` directions."""
        return whitening.resolved >= n_needed

    def decompose(self, tensor: Tensor3) -> Components:
        """Find eigenvalues and vectors of the whitened tensor."""
        return decompose(tensor, rng=self._rng)

    def unwhiten(
        self, components: Components, whitening: Whitening, pairs: Averages | PairMoment
    ) -> RawTopics:
        """Map components back to topics.

        Args:
            components: of the whitened tensor.
            whitening: its ``unwhitener`` is used.
            pairs: statistic that the mean words are read from.
        """
        coefficients = self._size.coefficients
        return unwhiten(components, whitening, coefficients, pairs.mean_words(coefficients))


@dataclass(frozen=True, slots=True, eq=False)
class ChainResult:
    """Results of a route.

    Attributes:
        whitening: whose unwhitener gave the topics.
        components: of the whitened tensor; ``NO_COMPONENTS`` if no direction was kept.
        topics: before post-processing, not yet distributions.
        n_directions: number of directions that the whitening kept.
        pairs: pair statistic behind ``whitening``.
    """

    whitening: Whitening
    components: Components
    topics: RawTopics
    n_directions: int
    pairs: Averages | PairMoment


NO_COMPONENTS = Components(np.empty(0), np.empty((0, 0)), 0.0, converged=True, n_starts=0)


class Route(ABC, Generic[P]):
    """One run of a configuration: exact, but for edges whose methods add noise.

    Args:
        size: public numbers of the run.
        budget: of the whole run, with its split.
        mechanisms: add the noise, and keep every release.

    Attributes:
        failure: share of δ that private bounds may fail with; noise is scaled to the rest.
    """

    failure: ClassVar[float] = 0.0

    def __init__(self, size: ProblemSize, budget: DividedBudget, mechanisms: Mechanisms) -> None:
        self.size = size
        self.budget = budget
        self.mechanisms = mechanisms
        self.coefficients = size.coefficients

    @cached_property
    def _mus(self) -> dict[str, float]:
        """Budget ``μ_j = √fraction · μ`` of every quantity by name, with ``μ`` of the whole run."""
        run_mu = gaussian.mu_for(self.budget.epsilon, (1 - self.failure) * self.budget.delta)
        fractions = self._budget_fractions()
        return {
            name: gaussian.mu_of_share(run_mu, fraction) for name, fraction in fractions.items()
        }

    def _budget_fractions(self) -> dict[str, float]:
        """Fractions of the budget by quantity."""
        return self.budget.portions

    def run(
        self, statistics: CorpusStatistics, numerics: Numerics, *, is_private: bool
    ) -> ChainResult:
        """Measure pairs, noise them on this route's edges, whiten, and finish.

        Whitens twice, and aligns the two, if forward and back pairs differ.

        Args:
            statistics: sums over documents, or stand-ins for them.
            numerics: what happens between the edges.
            is_private: whether anything may be promised: then later sensitivities need the direct
                solver's correct eigenpairs of exact moments.
        """
        numerics.begin_step("measuring documents")
        measured_pairs = self.pairs(statistics)
        pairs = self.e2(measured_pairs)
        forward_pairs = self.e4(pairs)
        back_pairs = self.e8(pairs, forward_pairs)
        numerics.begin_step("whitening")
        back = numerics.whiten(back_pairs, direct=is_private and back_pairs is measured_pairs)
        forward = back
        if forward_pairs is not back_pairs:
            forward = numerics.whiten(
                forward_pairs, direct=is_private and forward_pairs is measured_pairs
            )
            forward, back = self.align(forward, back)
        return self.finish_from_whitening(
            statistics, numerics, forward, back, forward_pairs, back_pairs
        )

    def finish_from_whitening(
        self,
        statistics: CorpusStatistics,
        numerics: Numerics,
        forward: Whitening,
        back: Whitening,
        forward_pairs: P,
        back_pairs: P,
    ) -> ChainResult:
        """Run the rest of the chain, from the whitenings on.

        If the whitening resolves no topic, there is no tensor and there are no components.

        Args:
            statistics: sums over documents, or stand-ins for them.
            numerics: what happens between the edges.
            forward: whitening ``W`` of the third moment.
            back: whitening whose ``W†`` maps components back; the same one without noise between.
            forward_pairs: pair statistic behind ``forward``.
            back_pairs: pair statistic behind ``back``.
        """
        components = NO_COMPONENTS
        if forward.resolved:
            numerics.begin_step("counting triples of words")
            tensor = self.e6(self.triples(statistics, forward, forward_pairs), forward)
            numerics.begin_step("decomposing")
            components = self.e7(numerics.decompose(tensor), forward)
        unwhitened_topics = numerics.unwhiten(components, back, back_pairs)
        topics = self.e9(unwhitened_topics, components, forward)
        return ChainResult(back, components, topics, forward.resolved, back_pairs)

    @abstractmethod
    def pairs(self, statistics: CorpusStatistics) -> P:
        """Edge e0: the pair statistic of this configuration."""

    def e2(self, pairs: P) -> P:
        """Edge e2: the pair statistic for all uses."""
        return pairs

    def e4(self, pairs: P) -> P:
        """Edge e4: the pair statistic for the whitening ``W``."""
        return pairs

    def e8(self, pairs: P, forward_pairs: P) -> P:
        """Edge e8: the pair statistic for the unwhitening ``W†``; ``forward_pairs`` is e4's."""
        return pairs

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Fit two whitenings to each other; by default both get as many directions.

        Returns:
            ``(forward, back)``, post-processed.
        """
        return keep_common_directions(forward, back)

    def triples(self, statistics: CorpusStatistics, whitening: Whitening, pairs: P) -> Tensor3:
        """Edges e1 and e3: the third moment in whitened coordinates, shape (m, m, m)."""
        return statistics.third_moment(whitening.whitener)

    def e6(self, tensor: Tensor3, whitening: Whitening) -> Tensor3:
        """Edge e6: the whitened tensor, shape (m, m, m)."""
        return tensor

    def e7(self, components: Components, whitening: Whitening) -> Components:
        """Edge e7: eigenvalues and vectors of the whitened tensor."""
        return components

    def e9(self, topics: RawTopics, components: Components, whitening: Whitening) -> RawTopics:
        """Edge e9: the topics, before they are made distributions."""
        return topics

    def postprocess(self, result: ChainResult) -> RawTopics:
        """Improve topics by released values and their known noise; by default leave them."""
        return result.topics


class MomentRoute(Route[PairMoment]):
    """A route built on the U-statistics; by itself the exact fit."""

    def pairs(self, statistics: CorpusStatistics) -> PairMoment:
        """Edge e0: the U-statistic ``M2``."""
        return statistics.pair_moment()
