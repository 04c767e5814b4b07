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

from dplda.core.types import Matrix, Report, Vector, silent
from dplda.corpus.corpus import Corpus, Truth
from dplda.corpus.simulation.simulate import draw_documents
from dplda.methods.base.comparable_evidence import ComparableEvidence
from dplda.methods.base.error_bars import Uncertainty
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.documents.document_blocks import DocumentBlock
from dplda.methods.refined.documents.documents import Documents
from dplda.methods.refined.documents.topic_scorer import TopicScorer
from dplda.methods.refined.plan.constants import (
    BACKGROUND_SHARE,
    BOOTSTRAP_STREAM,
    MAX_BOOTSTRAP_DOCUMENTS,
    MAX_DOCUMENT_LENGTH,
    MAX_NULL_DOCUMENTS,
    N_BOOTSTRAP_TOPICS,
    RefinedConstants,
)
from dplda.methods.refined.prior.topic_prior import TopicPrior
from dplda.methods.refined.results.topic_evidence import GainDifference, NullResult, TopicEvidence
from dplda.methods.refined.stages.prior_test import PriorDecision
from dplda.methods.refined.stages.run import RefinementRun, StageResult

SimulatedFit: TypeAlias = tuple[Uncertainty | None, ComparableEvidence | None]
"""Error bars and evidence of a run on simulated documents."""
# values of ``prior_only_noise``
_STEPS_ALWAYS_PAY = 1e9
_STEPS_NEVER_PAY = 0.0

_NEW_DOCUMENTS = 1  # stream of documents that are scored and not fitted
_MIN_NEW_DOCUMENTS = 3_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SimulatedRun:
    """A run on documents drawn from given topics, made when it is called with a number.

    Attributes:
        fit: the method, called as ``fit_refined`` is.
        problem: topics to find.
        budget: (ε, δ) of the repeated run and of all releases that it continues, spent at once.
        constants: choices that repeat the decisions of that run.
        prior: the prior that it used, over numbered words; None for none.
        prior_advantage: its released advantage, which says how far to lean on it; NaN for the
            usual one.
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
    prior_advantage: float
    n_documents: int
    mean_length: float
    truth: Truth
    max_documents: int

    def __call__(self, number: int, report: Report = silent) -> SimulatedFit:
        """Draw documents with this number's own random numbers, and fit them."""
        _, result = self.draw_and_fit(number, report)
        return result.uncertainty, result.evidence

    def draw_and_fit(self, number: int, report: Report = silent) -> tuple[Corpus, FitResult]:
        """Draw documents with this number's own random numbers, and fit them.

        At most ``max_documents`` are drawn. Fewer than the corpus get the budget at which their
        noise weighs as much as that of all. The prior is used without asking the documents.
        """
        rng = self._generator(number)
        n_drawn = min(self.n_documents, self.max_documents)
        simulated_documents = draw_documents(self.truth, n_drawn, self.mean_length, rng=rng)
        runtime = Runtime(int(rng.integers(2**31)), report=report, memory_bytes=math.inf)
        fit_result = self.fit(
            simulated_documents,
            self.problem,
            self.budget.with_equal_noise(self.n_documents, n_fitted=n_drawn),
            runtime,
            constants=self.constants,
            prior=self.prior,
            prior_is_trusted=True,
            prior_advantage=self.prior_advantage,
        )
        return simulated_documents, fit_result

    def draw_new(self, number: int, n_documents: int) -> Corpus:
        """Documents of the same topics that no run of this number is fitted to."""
        rng = self._generator(number, _NEW_DOCUMENTS)
        return draw_documents(self.truth, n_documents, self.mean_length, rng=rng)

    def _generator(self, *numbers: int) -> np.random.Generator:
        """Random numbers of a run, keyed by these numbers and the topics that it draws from."""
        topic_digest = crc32(self.truth.topics.tobytes())
        first, *others = numbers
        return np.random.default_rng([BOOTSTRAP_STREAM, first, topic_digest, *others])


@dataclass(frozen=True, slots=True, eq=False)
class NullRun:
    """A run on documents without topics, and its gain without noise.

    Attributes:
        simulated_run: the run.
    """

    simulated_run: SimulatedRun

    def __call__(self, number: int) -> NullResult:
        """Draw documents with this number's own random numbers, and fit and score them.

        They are scored by the topics that were fitted to them, not by others. The mean gain is
        without noise; parts and shares of topics are as that run released them.
        """
        documents, result = self.simulated_run.draw_and_fit(number)
        topics, evidence = result.topics, result.evidence
        assert evidence is not None
        scorer = TopicScorer(topics.words, topics.mean_words, topics.alpha, BACKGROUND_SHARE)
        mean_gain, _ = _mean_and_variance(documents, scorer)
        return NullResult(mean_gain, evidence.by_topic, result.topic_shares)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OptimismRun:
    """A run on documents drawn from the released topics, and its gain on as many new ones or more.

    Attributes:
        simulated_run: the run.
        word_frequencies: as released, shape (d,).
    """

    simulated_run: SimulatedRun
    word_frequencies: Vector

    def __call__(self, number: int) -> GainDifference:
        """Draw documents with this number's own random numbers, fit some and score all.

        The topics that documents were drawn from are scored beside those of the fit: they gain as
        much on either, and taking theirs off makes the difference surer. At least
        ``_MIN_NEW_DOCUMENTS`` new documents are drawn.

        Returns:
            Mean gain of fitted documents less that of new ones, in nats, without noise.
        """
        fitted_documents, result = self.simulated_run.draw_and_fit(number)
        n_new = max(fitted_documents.n_documents, _MIN_NEW_DOCUMENTS)
        new_documents = self.simulated_run.draw_new(number, n_new)
        true_model = self.simulated_run.truth
        fitted_topics = result.topics
        scorer = TopicScorer(
            fitted_topics.words, fitted_topics.mean_words, fitted_topics.alpha, BACKGROUND_SHARE
        )
        true_scorer = TopicScorer(
            true_model.topics, self.word_frequencies, true_model.alpha, BACKGROUND_SHARE
        )
        fitted_mean, fitted_variance = _mean_and_variance(fitted_documents, scorer, true_scorer)
        new_mean, new_variance = _mean_and_variance(new_documents, scorer, true_scorer)
        return GainDifference(fitted_mean - new_mean, math.sqrt(fitted_variance + new_variance))


def _mean_and_variance(
    documents: Corpus, scorer: TopicScorer, other_scorer: TopicScorer | None = None
) -> tuple[float, float]:
    """Mean gain of simulated documents by topics, in nats, and the variance of this mean.

    Args:
        documents: simulated, so that nothing has to be hidden.
        scorer: of the topics.
        other_scorer: of topics whose gains are taken off; None for none.
    """

    def sum_block(block: DocumentBlock) -> Matrix:
        gains = scorer.score_block(block).gains
        if other_scorer is not None:
            gains = gains - other_scorer.score_block(block).gains
        return np.array([[np.sum(gains), np.sum(gains**2)]])

    n_topics = len(scorer.posteriors)
    sums = Documents(documents.counts, n_topics).sum_blocks(sum_block, (1, 2))
    sum_of_gains, sum_of_squares = sums[0]
    mean_gain = sum_of_gains / documents.n_documents
    variance_of_gains = max(0.0, sum_of_squares / documents.n_documents - mean_gain**2)
    return float(mean_gain), float(variance_of_gains / documents.n_documents)


def plan_simulated_runs(
    fit: Callable[..., FitResult],
    run: RefinementRun,
    prior: TopicPrior | None,
    decision: PriorDecision,
    result: StageResult,
    evidence: TopicEvidence,
) -> tuple[tuple[Callable[[Report], SimulatedFit], ...], TopicEvidence]:
    """Prepare bootstrap fits, for error bars, and the null fit, for evidence; runs nothing yet.

    The null fit draws documents from the mean words alone. There are more bootstrap fits the fewer
    topics and documents there are, and always at least one.

    Args:
        fit: the method, called as ``fit_refined`` is.
        run: the run that they repeat.
        prior: public knowledge; None for none.
        decision: whether it is in use.
        result: topics as released.
        evidence: released evidence. Simulated documents are twice as long as its mean length, at
            most ``MAX_DOCUMENT_LENGTH``.

    Returns:
        Bootstrap fits, and the evidence with what its comparison needs: the null fit, and runs that
        measure how far the gain flatters.
    """
    topics = result.topics
    null_model = Truth(topics.mean_words[None], np.ones(1))
    bootstrap_run = SimulatedRun(
        fit=fit,
        problem=run.problem,
        budget=run.budget,
        constants=_repeating_constants(run, is_prior_only=result.is_prior_only),
        prior=_numbered_prior(run, prior, decision),
        prior_advantage=decision.advantage,
        n_documents=run.corpus.n_documents,
        mean_length=min(MAX_DOCUMENT_LENGTH, 2 * evidence.length),
        truth=Truth(topics.words, topics.alpha),
        max_documents=MAX_BOOTSTRAP_DOCUMENTS,
    )
    null_fit = replace(bootstrap_run, truth=null_model, max_documents=MAX_NULL_DOCUMENTS)
    optimism_run = OptimismRun(
        simulated_run=replace(bootstrap_run, max_documents=MAX_NULL_DOCUMENTS),
        word_frequencies=topics.mean_words,
    )
    evidence_with_runs = replace(
        evidence,
        null_fit=null_fit,
        null_run=NullRun(null_fit),
        optimism_run=optimism_run,
        n_documents=run.corpus.n_documents,
        topics_keep_places=_keeps_places(run, decision, result),
        topic_shares=None if result.uncertainty is None else result.uncertainty.topic_shares,
    )
    n_runs_for_topics = math.ceil(N_BOOTSTRAP_TOPICS / run.problem.n_topics)
    n_runs_for_time = max(1, round(MAX_BOOTSTRAP_DOCUMENTS / 2 / run.corpus.n_documents))
    n_runs = min(n_runs_for_topics, n_runs_for_time)
    return tuple(
        partial(bootstrap_run, run_index) for run_index in range(n_runs)
    ), evidence_with_runs


def _keeps_places(run: RefinementRun, decision: PriorDecision, result: StageResult) -> bool:
    """Whether topics have the places of a prior's rows, which neither start nor chain reordered."""
    return decision.tilt is not None and run.previous is None and result.state.start is None


def _repeating_constants(run: RefinementRun, *, is_prior_only: bool) -> RefinedConstants:
    """Constants that repeat this run's decisions and the noise of its evidence at the total.

    Beside a prior, a run with them makes steps exactly if this one did.
    """
    prior_only_noise = _STEPS_NEVER_PAY if is_prior_only else _STEPS_ALWAYS_PAY
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
