"""Context that all stages of a run share."""

from dataclasses import dataclass
from typing import TypeVar

from dplda.core import checks
from dplda.core.types import Matrix, Vector
from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.base.error_bars import Uncertainty
from dplda.methods.base.previous_release import PreviousRelease, RunState, noise_scope
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.refined.documents.documents import Documents
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.refined.plan.schedule import RefinedSchedule, make_schedule
from dplda.methods.refined.prior.topic_prior import TopicPrior
from dplda.privacy.accounting import gaussian
from dplda.privacy.bounded_sum import BoundedSum
from dplda.privacy.mechanisms import Mechanisms
from dplda.spectral.topics import Topics

Value = TypeVar("Value", Vector, Matrix)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RefinementRun:
    """Everything that a stage may read, and the only way to its releases.

    Attributes:
        corpus: the protected documents.
        problem: topics to find.
        budget: (ε, δ) of this run and of all releases that it continues.
        runtime: seed, noise, memory and progress.
        schedule: share of every release.
        documents: the documents, for repeated inference.
        mechanisms: noise, and all releases so far.
        previous: the release that is continued; None for none.
    """

    corpus: AnyCorpus
    problem: Problem
    budget: Budget
    runtime: Runtime
    schedule: RefinedSchedule
    documents: Documents
    mechanisms: Mechanisms
    previous: PreviousRelease | None

    @property
    def constants(self) -> RefinedConstants:
        """Public choices of the run."""
        return self.schedule.constants

    @property
    def previous_state(self) -> RunState | None:
        """State that the release before left; None for none."""
        return None if self.previous is None else self.previous.state

    @property
    def is_exact(self) -> bool:
        """Whether noise is exact, so that sums are of whole numbers."""
        return self.mechanisms.is_exact

    def release(self, quantity: Quantity, bounded_sum: BoundedSum[Value], share: float) -> Value:
        """Noisy sum of the documents, at a share of this run's budget."""
        mu = self.schedule.mu_for(share)
        return self.mechanisms.release_sum(quantity, bounded_sum, mu=mu)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StageResult:
    """Topics as steps or a prior alone give them, with what else is known of them.

    Attributes:
        topics: the topics, and their shares of α0.
        state: state that another run continues from.
        prior_topics: word frequencies as the prior tilts them, (k, d), in the order of the topics;
            None without prior.
        start_share: share of μ² that a spectral start was given.
        uncertainty: error bars; None for topics without steps.
        is_prior_only: whether the topics are the prior's own.
    """

    topics: Topics
    state: RunState
    prior_topics: Matrix | None
    start_share: float = 0.0
    uncertainty: Uncertainty | None = None
    is_prior_only: bool = False


def open_run(
    corpus: AnyCorpus,
    problem: Problem,
    budget: Budget,
    runtime: Runtime,
    *,
    constants: RefinedConstants,
    prior: TopicPrior | None,
    prior_is_trusted: bool,
    previous: PreviousRelease | None,
) -> RefinementRun:
    """Check what is public, key the noise by every choice, and prepare the documents.

    Arguments are as for ``fit_refined``.

    Raises:
        InputError: k is not between 2 and the number of words, ε or δ is out of range, or previous
            releases leave nothing of the total.
    """
    checks.integer_between("n_topics", problem.n_topics, 2, corpus.n_words)
    checks.delta(budget.delta)
    total_mu = gaussian.mu_for(budget.epsilon, budget.delta)
    choices = [problem.n_topics, problem.alpha0, budget.epsilon, budget.delta, constants]
    if prior is not None:
        choices += [prior.digest, prior_is_trusted]
    noise_key = runtime.make_noise_key(
        corpus,
        method=noise_scope("refined", previous, total_mu),
        choices=tuple(map(repr, choices)),
    )
    mechanisms = runtime.open_mechanisms(noise_key)
    schedule = make_schedule(
        problem,
        n_documents=corpus.n_documents,
        n_words=corpus.n_words,
        total_mu=total_mu,
        constants=constants,
        asks_documents=prior is not None and not prior_is_trusted,
        previous=previous,
        is_exact=mechanisms.is_exact,
    )
    runtime.report(0.0, "counting words")
    return RefinementRun(
        corpus=corpus,
        problem=problem,
        budget=budget,
        runtime=runtime,
        schedule=schedule,
        documents=Documents(corpus.counts, problem.n_topics),
        mechanisms=mechanisms,
        previous=previous,
    )
