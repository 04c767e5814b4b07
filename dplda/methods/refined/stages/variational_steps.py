"""Stage 4: full-batch variational steps, each released once, from the best topics to start from."""

from collections.abc import Sequence

import numpy as np

from dplda.methods.base.error_bars import Uncertainty
from dplda.methods.base.previous_release import RunState, SpectralStart
from dplda.methods.denoising.empirical_bayes import Posterior
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.documents.documents import bounded_statistic
from dplda.methods.refined.plan.constants import (
    SPLIT_TOPICS_STREAM,
    START_PROGRESS,
    WORD_COUNTS_PROGRESS,
)
from dplda.methods.refined.plan.quantities import STATISTIC
from dplda.methods.refined.stages.initial_topics import InitialTopics, choose_initial_topics
from dplda.methods.refined.stages.prior_test import PriorDecision
from dplda.methods.refined.stages.run import RefinementRun, StageResult
from dplda.methods.refined.stages.running_mean import RunningMean
from dplda.methods.refined.stages.spectral_start import mixing_weight
from dplda.spectral.topics import Topics

_SMALLEST_SIZE = 1e-300


def fit_variational(
    run: RefinementRun, words: NoisyWordCounts, decision: PriorDecision
) -> StageResult:
    """Find topics by variational steps, perhaps from a spectral start, which is bought first.

    Args:
        words: released word counts.
        decision: the prior in use, if any, and how far the run leans on it. The prior's rows are
            put in the order of topics that the previous release or the start found.

    Returns:
        Topics after the last step, averaged with those of the start. The state has no steps if
        there is no noise.
    """
    initial_topics = choose_initial_topics(
        run, words, decision.tilt, prior_leaning=decision.leaning
    )
    step_shares = run.schedule.step_shares(initial_topics.start_share)
    prior_topics = None
    if initial_topics.tilt is not None:
        prior_topics = initial_topics.tilt(words.word_frequencies)
    running_mean = RunningMean(
        words,
        initial_topics.topics,
        run.constants.averaging_weight,
        prior_topics=prior_topics,
        start=initial_topics.start,
        previous=None if run.previous_state is None else run.previous_state.steps,
        previous_weight=1 - run.schedule.share_of_chain,
    )
    posterior = _run_steps(run, running_mean, initial_topics, step_shares)
    averaged_topics = _combine_with_start(run, running_mean, posterior, initial_topics.start)
    final_steps = None
    if not run.mechanisms.is_noiseless:
        final_steps = running_mean.checkpoint(averaged_topics.topics)
    state = RunState(
        noisy_word_counts=words.counts,
        word_noise_std=words.noise_std,
        word_weights=words.word_weights,
        steps=final_steps,
        start=initial_topics.start,
        prior_was_accepted=initial_topics.tilt is not None,
    )
    alpha = run.problem.alpha0 * running_mean.topic_shares
    return StageResult(
        topics=Topics.without_spectrum(averaged_topics.topics, alpha, words.word_frequencies),
        state=state,
        prior_topics=prior_topics,
        start_share=initial_topics.start_share,
        uncertainty=averaged_topics,
    )


def _run_steps(
    run: RefinementRun,
    running_mean: RunningMean,
    initial: InitialTopics,
    step_shares: Sequence[float],
) -> Posterior:
    """Make all steps in turn: each releases a clipped statistic and adds it to the running mean.

    Changes ``running_mean``. Without a spectral start α0 is capped in the first half of the steps.
    Only topics that start from a prior may be split, and only in that half. Where documents lack a
    topic of the prior, a large one is split in its place, as it may hold two of theirs.

    Args:
        step_shares: share of μ² of every step, at least one.

    Returns:
        Every cell as the running mean after the last step says, without its known noise.
    """
    has_new_start = initial.start is not None and not run.schedule.has_start
    first_progress = START_PROGRESS if has_new_start else WORD_COUNTS_PROGRESS
    split_generator = np.random.default_rng([run.runtime.seed, SPLIT_TOPICS_STREAM])
    for step_index, step_share in enumerate(step_shares):
        progress = first_progress + (1 - first_progress) * step_index / len(step_shares)
        run.runtime.report(progress, f"step {step_index + 1} of {len(step_shares)}")
        alpha0 = run.problem.alpha0
        is_first_half = 2 * step_index < len(step_shares)
        if initial.start is None and is_first_half:
            alpha0 = min(alpha0, run.constants.initial_alpha0_cap)
        statistic = bounded_statistic(
            run.documents,
            running_mean.topics,
            running_mean.words.word_weights,
            prior=alpha0 * running_mean.topic_shares,
            clip_norm=run.constants.clip_norm,
            is_exact=run.is_exact,
        )
        noisy_statistic = run.release(STATISTIC, statistic, step_share)
        posterior = running_mean.add_release(
            noisy_statistic, run.mechanisms.noise_std_of(STATISTIC)
        )
        if initial.is_prior_start and is_first_half:
            running_mean.split_large_topics(split_generator)
    return posterior


def _combine_with_start(
    run: RefinementRun,
    running_mean: RunningMean,
    posterior: Posterior,
    start: SpectralStart | None,
) -> Uncertainty:
    """Average the topics of the last step with the start's, by their errors, and state their noise.

    Without a start, the topics of the last step stay as they are.
    The noise is that of the last step alone, as a word probability; the start does not change it.
    """
    topics = running_mean.topics
    topic_sizes = np.sum(posterior.mean, axis=1, keepdims=True)
    unshrunk_topics = posterior.noisy_values / topic_sizes
    if start is not None:
        squared_sizes = np.maximum(topic_sizes[:, 0], _SMALLEST_SIZE) ** 2
        noise_variance = np.sum(posterior.variance, axis=1) / squared_sizes
        start_weight = mixing_weight(start, topics, noise_variance, run.constants.misfit_tolerance)
        topics = topics + start_weight[:, None] * (start.topics - topics)
        unshrunk_topics = unshrunk_topics + start_weight[:, None] * (start.topics - unshrunk_topics)
    return Uncertainty(
        topics=topics,
        unshrunk_topics=unshrunk_topics,
        noise_std=posterior.noise_std / topic_sizes,
        topic_shares=topic_sizes[:, 0] / np.sum(topic_sizes),
    )
