"""Stage 2: whether public knowledge is used, and whether steps can pay beside it.

The documents are asked once, by the first run of a chain, in a sum of one bounded number a
document: how much better the prior's topics explain it than the same prior with its words shuffled.
Topics that any words would explain do not count for a prior, as steps find these themselves.
"""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from dplda.core.types import Matrix
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.documents.document_blocks import DocumentBlock
from dplda.methods.refined.documents.documents import bounded_vectors
from dplda.methods.refined.documents.topic_scorer import TopicScorer
from dplda.methods.refined.plan.constants import (
    INITIAL_PRIOR_POWER,
    MAX_PRIOR_ADVANTAGE,
    SHUFFLED_WORDS_STREAM,
)
from dplda.methods.refined.plan.public_shares import prior_acceptance_threshold
from dplda.methods.refined.plan.quantities import GATE
from dplda.methods.refined.plan.sum_bounds import prior_test_bound
from dplda.methods.refined.prior.topic_prior import (
    PriorTilt,
    TopicPrior,
    prior_leaning,
    prior_power,
)
from dplda.methods.refined.stages.run import RefinementRun


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PriorDecision:
    """Use of a prior in a run.

    Attributes:
        tilt: from word frequencies to topics, by the accepted prior; None where none is in use.
        was_tested: whether the documents were asked, by this run or the first of its chain.
        advantage: released advantage of the prior, in nats a document; NaN where no run of this
            chain asked.
        leaning: weight of the prior in use, in [0, 1]; 0 where none is.
        has_steps: whether steps can pay; always without a prior in use.
    """

    tilt: PriorTilt | None = None
    was_tested: bool = False
    advantage: float = math.nan
    leaning: float = 0.0
    has_steps: bool = True


def decide_on_prior(
    run: RefinementRun,
    words: NoisyWordCounts,
    prior: TopicPrior | None,
    *,
    is_trusted: bool,
    assumed_advantage: float = math.nan,
) -> PriorDecision:
    """Decide whether a prior is used, and whether steps pay beside it.

    A planned test asks the documents: the released advantage must be above a threshold. Else a
    continued run decides as the previous release did, and a first run uses the prior if it is
    trusted.

    Args:
        words: released word counts.
        prior: public knowledge; None for none.
        is_trusted: whether it is used without asking the documents.
        assumed_advantage: advantage of a prior that the documents are not asked about, in nats a
            document; NaN for the usual one.

    Returns:
        No tilt if there is no prior or it is not used. The advantage is NaN without a test in this
        chain, and a continued run keeps the previous one's word on whether there was a test. Steps
        beside a prior are planned only if they can pay at the noise of word counts and the
        documents are not too short. The choice between their topics and the prior's is planned
        only if this run asked.
    """
    schedule = run.schedule
    if prior is None:
        return PriorDecision()
    ratios = prior.ratios_for(run.corpus.vocabulary)
    advantage = math.nan
    if schedule.prior_test_share:
        advantage = release_prior_advantage(run, words, ratios)
        threshold = prior_acceptance_threshold(schedule.n_documents, schedule.run_mu)
        was_accepted = advantage > threshold
    elif run.previous is not None:
        was_accepted = run.previous.state.prior_was_accepted
        advantage = run.previous.prior_advantage
    else:
        was_accepted = is_trusted
    was_tested = schedule.prior_test_share > 0
    if run.previous is not None:
        was_tested = run.previous.prior_was_tested
    if not was_accepted:
        return PriorDecision(was_tested=was_tested, advantage=advantage)
    known_advantage = assumed_advantage if math.isnan(advantage) else advantage
    leaning = prior_leaning(known_advantage, words.total_count / schedule.n_documents)
    has_steps = schedule.steps_can_pay(words)
    has_steps &= not schedule.documents_are_too_short(words, known_advantage)
    return PriorDecision(
        tilt=PriorTilt(ratios, prior_power(schedule.noise_edge_in_use(words), leaning)),
        was_tested=was_tested,
        advantage=advantage,
        leaning=leaning,
        has_steps=has_steps,
    )


def release_prior_advantage(run: RefinementRun, words: NoisyWordCounts, ratios: Matrix) -> float:
    """Release the mean advantage, in nats, of a prior over the same one with shuffled words.

    Each document's advantage, as ``prior_advantages`` counts it, is clipped to
    ±``MAX_PRIOR_ADVANTAGE``; the noisy mean is not.
    The order of the shuffled words is fixed: it is the same in every run on as many words.

    Args:
        ratios: of the prior over the documents' words, (k, d).
    """
    word_frequencies = words.word_frequencies
    shuffled_order = np.random.default_rng(SHUFFLED_WORDS_STREAM).permutation(len(word_frequencies))
    alpha = np.full(len(ratios), run.problem.alpha0 / len(ratios))
    prior_scorer, placebo_scorer = (
        TopicScorer(
            PriorTilt(ratio_table, INITIAL_PRIOR_POWER)(word_frequencies), word_frequencies, alpha
        )
        for ratio_table in (ratios, ratios[:, shuffled_order])
    )
    n_documents = run.documents.n_documents
    clipped_sum = bounded_vectors(
        run.documents,
        partial(prior_advantages, prior_scorer, placebo_scorer, MAX_PRIOR_ADVANTAGE),
        1,
        prior_test_bound(n_documents=n_documents, n_words=run.documents.n_words),
        is_exact=run.is_exact,
    )
    noisy_total = run.release(GATE, clipped_sum, run.schedule.prior_test_share)
    return MAX_PRIOR_ADVANTAGE * float(noisy_total[0]) / n_documents


def prior_advantages(
    prior_scorer: TopicScorer,
    placebo_scorer: TopicScorer,
    max_advantage: float,
    block: DocumentBlock,
) -> Matrix:
    """Advantage of a prior for each document, over ``max_advantage``, clipped to ±1, shape (n, 1).

    A gain of the placebo counts against the prior: where any topics gain, steps find their own.

    Guarantee:
        A document's number is a function of it and of the arguments, and in [−1, 1].
    """
    prior_gains = prior_scorer.score_block(block).gains
    placebo_gains = placebo_scorer.score_block(block).gains
    advantages = prior_gains - placebo_gains - np.maximum(placebo_gains, 0.0)
    return np.clip(advantages / max_advantage, -1, 1)[:, None]
