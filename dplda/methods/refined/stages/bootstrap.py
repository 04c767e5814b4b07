"""Runs on simulated documents that repeat a run, for its error bars and the null of its evidence.

Their documents are drawn from released topics, or from released word frequencies alone. They read
released and public numbers, so all of this is post-processing.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias
from zlib import crc32

import numpy as np

from dplda.core import checks
from dplda.core.types import Report, silent
from dplda.corpus.corpus import Truth
from dplda.corpus.simulation.simulate import draw_documents
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.constants import (
    BOOTSTRAP_STREAM,
    MAX_BOOTSTRAP_DOCUMENTS,
    MAX_DOCUMENT_LENGTH,
    MAX_NULL_DOCUMENTS,
    N_BOOTSTRAP_TOPICS,
    RefinedConstants,
)
from dplda.methods.refined.error_bars import Uncertainty
from dplda.methods.refined.evidence import TopicEvidence
from dplda.methods.refined.prior import TopicPrior
from dplda.methods.refined.stages.prior_test import PriorDecision
from dplda.methods.refined.stages.run import RefinementRun
from dplda.privacy.accounting import gaussian
from dplda.spectral.topics import Topics

SimulatedFit: TypeAlias = tuple[Uncertainty | None, TopicEvidence | None]
"""Error bars and evidence of a run on simulated documents."""
# values of ``prior_only_noise``
_STEPS_ALWAYS_PAY = 1e9
_STEPS_NEVER_PAY = 0.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SimulatedRun:
    """A run on documents drawn from given topics, made when it is called with a number.

    Attributes:
        fit: the method, called as ``fit_refined`` is.
        problem: topics to find.
        budget: (ε, δ) of the repeated run and of all releases that it continues, spent at once.
        constants: choices that repeat the decisions of that run.
        prior: the prior that it used, over numbered words; None for none.
        n_documents: documents of that run, N.
        mean_length: mean length of a document, as released.
        truth: topics that documents are drawn from.
        max_documents: most documents to draw; of more, this many with as much less noise.
    """

    fit: Callable[..., FitResult]
    problem: Problem
    budget: Budget
    constants: RefinedConstants
    prior: TopicPrior | None
    n_documents: int
    mean_length: float
    truth: Truth
    max_documents: int

    def __call__(self, number: int, report: Report = silent) -> SimulatedFit:
        """Draw documents from the truth's topics, and fit them as the run did.

        The random numbers follow from ``number`` and the topics. No more than ``max_documents`` are
        drawn, at a budget for that many. A prior is used without a test.

        Returns:
            Uncertainty (None if the fit made no steps) and evidence.
        """
        topic_digest = crc32(self.truth.topics.tobytes())
        rng = np.random.default_rng([BOOTSTRAP_STREAM, number, topic_digest])
        n_drawn = min(self.n_documents, self.max_documents)
        simulated_documents = draw_documents(self.truth, n_drawn, self.mean_length, rng=rng)
        runtime = Runtime(int(rng.integers(2**31)), report=report, memory_bytes=math.inf)
        fit_result = self.fit(
            simulated_documents,
            self.problem,
            self._budget_for(n_drawn),
            runtime,
            constants=self.constants,
            prior=self.prior,
            prior_is_trusted=True,
        )
        return fit_result.uncertainty, fit_result.evidence

    def _budget_for(self, n_drawn: int) -> Budget:
        """The budget at which so many documents have the noise of all of them."""
        if n_drawn == self.n_documents:
            return self.budget
        mu = gaussian.mu_for(self.budget.epsilon, self.budget.delta) * self.n_documents / n_drawn
        epsilon = min(checks.LARGEST, gaussian.epsilon_for(mu, self.budget.delta))
        return replace(self.budget, epsilon=epsilon)


def plan_simulated_runs(
    fit: Callable[..., FitResult],
    run: RefinementRun,
    prior: TopicPrior | None,
    decision: PriorDecision,
    topics: Topics,
    evidence: TopicEvidence,
) -> tuple[tuple[Callable[[Report], SimulatedFit], ...], Callable[[int], SimulatedFit]]:
    """Prepare bootstrap fits, for error bars, and the null fit, for evidence; runs nothing yet.

    The null fit draws documents from the mean words alone. There are more bootstrap fits the fewer
    topics and documents there are, and always at least one.

    Args:
        fit: the method, called as ``fit_refined`` is.
        run: the run that they repeat.
        prior: public knowledge; None for none.
        decision: whether it is in use.
        topics: released topics.
        evidence: released evidence, for the length of documents.
    """
    null_topics = Truth(topics.mean_words[None], np.ones(1))
    bootstrap_run = SimulatedRun(
        fit=fit,
        problem=run.problem,
        budget=run.budget,
        constants=_repeating_constants(run, decision),
        prior=_numbered_prior(run, prior, decision),
        n_documents=run.corpus.n_documents,
        mean_length=min(MAX_DOCUMENT_LENGTH, 2 * evidence.length),
        truth=Truth(topics.words, topics.alpha),
        max_documents=MAX_BOOTSTRAP_DOCUMENTS,
    )
    null_fit = replace(bootstrap_run, truth=null_topics, max_documents=MAX_NULL_DOCUMENTS)
    n_runs_for_topics = math.ceil(N_BOOTSTRAP_TOPICS / run.problem.n_topics)
    n_runs_for_time = max(1, round(MAX_BOOTSTRAP_DOCUMENTS / 2 / run.corpus.n_documents))
    n_runs = min(n_runs_for_topics, n_runs_for_time)
    return tuple(partial(bootstrap_run, run_index) for run_index in range(n_runs)), null_fit


def _repeating_constants(run: RefinementRun, decision: PriorDecision) -> RefinedConstants:
    """Constants that repeat this run's decisions and the noise of its evidence at the total."""
    prior_only_noise = _STEPS_ALWAYS_PAY if decision.has_steps else _STEPS_NEVER_PAY
    constants = replace(run.constants, prior_only_noise=prior_only_noise)
    if run.previous is None:
        return constants
    schedule = run.schedule
    share_of_total = schedule.evidence_share * (schedule.run_mu / schedule.total_mu) ** 2
    return replace(constants, max_evidence_share=share_of_total)


def _numbered_prior(
    run: RefinementRun, prior: TopicPrior | None, decision: PriorDecision
) -> TopicPrior | None:
    """The prior in use over numbered words, which say nothing of the documents' own."""
    if prior is None or decision.tilt is None:
        return None
    return prior.with_numbered_words(run.corpus.vocabulary)
