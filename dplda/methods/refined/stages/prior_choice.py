"""Stage 5: whether documents prefer a prior's own topics to those that steps found beside it.

The prior test compares a prior with word frequencies, before anything is known of what steps find.
A prior that passes it may still be worse than these, or better where noise hides the documents'
topics. So the documents are asked again after the last step, in a sum of one bounded number a
document. In doubt they keep the topics of steps.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from dplda.core.types import Matrix
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.documents.document_blocks import DocumentBlock
from dplda.methods.refined.documents.documents import bounded_vectors
from dplda.methods.refined.documents.topic_scorer import TopicScorer
from dplda.methods.refined.plan.constants import (
    BACKGROUND_SHARE,
    MAX_PRIOR_ADVANTAGE,
    PRIOR_ADVANTAGE_STDS,
)
from dplda.methods.refined.plan.quantities import GATE
from dplda.methods.refined.plan.sum_bounds import prior_test_bound
from dplda.methods.refined.stages.run import RefinementRun, StageResult
from dplda.spectral.topics import Topics


def choose_topics(run: RefinementRun, words: NoisyWordCounts, result: StageResult) -> StageResult:
    """Release how much more the documents gain by the prior's topics, and keep the better ones.

    The prior's own topics must gain more by 1.5 standard deviations of the noise.

    Args:
        words: released word counts.
        result: topics of steps beside a prior.

    Returns:
        The same, or with the prior's topics over these word counts, equal topic shares and no error
        bars. Its state stays that of the steps, so that another run continues them.
    """
    assert result.prior_topics is not None
    n_topics = run.problem.n_topics
    prior_topics = Topics.without_spectrum(
        result.prior_topics,
        np.full(n_topics, run.problem.alpha0 / n_topics),
        words.word_frequencies,
    )
    advantage, noise_std = _release_advantage_over_steps(run, prior_topics, result)
    if advantage <= PRIOR_ADVANTAGE_STDS * noise_std:
        return result
    return replace(result, topics=prior_topics, uncertainty=None, is_prior_only=True)


def advantages_over_steps(
    prior_scorer: TopicScorer,
    step_scorer: TopicScorer,
    max_advantage: float,
    block: DocumentBlock,
) -> Matrix:
    """Gain by the prior's topics less that by steps, over ``max_advantage``, clipped to ±1, (n, 1).

    Guarantee:
        A document's number is a function of it and of the arguments, and in [−1, 1].
    """
    advantages = prior_scorer.score_block(block).gains - step_scorer.score_block(block).gains
    return np.clip(advantages / max_advantage, -1, 1)[:, None]


def _release_advantage_over_steps(
    run: RefinementRun, prior_topics: Topics, result: StageResult
) -> tuple[float, float]:
    """Noisy mean advantage of the prior's topics over those of steps, and its noise, in nats."""
    prior_scorer, step_scorer = (
        TopicScorer(topics.words, topics.mean_words, topics.alpha, BACKGROUND_SHARE)
        for topics in (prior_topics, result.topics)
    )
    n_documents = run.documents.n_documents
    clipped_sum = bounded_vectors(
        run.documents,
        partial(advantages_over_steps, prior_scorer, step_scorer, MAX_PRIOR_ADVANTAGE),
        1,
        prior_test_bound(n_documents=n_documents, n_words=run.documents.n_words),
        is_exact=run.is_exact,
    )
    noisy_total = run.release(GATE, clipped_sum, run.schedule.choice_share(result.start_share))
    nats_per_unit = MAX_PRIOR_ADVANTAGE / n_documents
    noise_std = run.mechanisms.noise_std_of(GATE)
    return float(noisy_total[0]) * nats_per_unit, noise_std * nats_per_unit
