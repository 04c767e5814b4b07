"""Stage 3: topics that steps start from.

They are those of an earlier release, of a prior, free of data, or of a spectral start.
"""

from dataclasses import dataclass, replace

import numpy as np

from dplda.core.types import Matrix
from dplda.methods.base.previous_release import SpectralStart
from dplda.methods.base.problem import Budget, ProblemSize
from dplda.methods.configurations.chain.memory import check_memory
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.documents.random_topics import random_topics
from dplda.methods.refined.plan.constants import (
    INITIAL_PRIOR_POWER,
    RANDOM_TOPICS_STREAM,
    WORD_COUNTS_PROGRESS,
)
from dplda.methods.refined.prior.topic_prior import PriorTilt
from dplda.methods.refined.stages.run import RefinementRun
from dplda.methods.refined.stages.spectral_start import find_spectral_start
from dplda.spectral.corpus_statistics import StatisticsCache
from dplda.spectral.topics import match


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class InitialTopics:
    """Topics that steps start from.

    Attributes:
        topics: shape (k, d), rows on the simplex.
        start: the spectral start of the run or of its chain; None for none.
        start_share: share of μ² that this run gave it.
        tilt: the prior in use, its rows in the order of the topics; None for none.
        is_prior_start: whether the topics are the prior's own.
    """

    topics: Matrix
    start: SpectralStart | None
    start_share: float
    tilt: PriorTilt | None
    is_prior_start: bool = False


def choose_initial_topics(
    run: RefinementRun,
    words: NoisyWordCounts,
    tilt: PriorTilt | None,
    *,
    prior_leaning: float = 0.0,
) -> InitialTopics:
    """Choose the topics that steps start from, after buying a spectral start if one is planned.

    They are of an earlier release, of the prior, or free of data. Topics that a bought start found
    take their place; in a chain they are matched to them first.

    Args:
        words: released word counts.
        tilt: the prior in use; None for none.
        prior_leaning: weight of the prior, in [0, 1]: the larger, the surer a start has to be.

    Returns:
        The topics; the start, which is the previous release's if none was bought; its share; and
        the prior, with rows in the topics' order.
    """
    schedule = run.schedule
    start_noise = schedule.start_noise(words)
    start_share = schedule.start_share(start_noise, prior_leaning=prior_leaning)
    bought_start = buy_spectral_start(run, start_share)
    tilt = _align_prior(run, words, tilt, bought_start)
    topics = _topics_without_start(run, words, tilt)
    if bought_start is None:
        previous_start = None if run.previous_state is None else run.previous_state.start
        previous_has_steps = run.previous_state is not None and run.previous_state.steps is not None
        return InitialTopics(
            topics=topics,
            start=previous_start,
            start_share=start_share,
            tilt=tilt,
            is_prior_start=tilt is not None and not previous_has_steps and previous_start is None,
        )
    if run.previous is not None:  # topics of a chain keep their places
        bought_start = bought_start.reorder_topics(match(topics, bought_start.topics).tolist())
    topics = np.where(bought_start.was_found[:, None], bought_start.topics, topics)
    return InitialTopics(topics=topics, start=bought_start, start_share=start_share, tilt=tilt)


def _align_prior(
    run: RefinementRun,
    words: NoisyWordCounts,
    tilt: PriorTilt | None,
    bought_start: SpectralStart | None,
) -> PriorTilt | None:
    """Put the rows of the prior in the order of topics that are known already.

    Those are the topics of the previous release, or, in a first release, the topics that its
    own spectral start found. Without either the prior stays as it is; None stays None.
    """
    if tilt is None:
        return None
    if run.previous_state is not None and run.previous_state.steps is not None:
        return tilt.aligned_to(run.previous_state.steps.topics, words.word_frequencies)
    if run.previous_state is None and bought_start is not None:
        found_topics = bought_start.topics[bought_start.was_found]
        return tilt.aligned_to(found_topics, words.word_frequencies)
    return tilt


def _topics_without_start(
    run: RefinementRun, words: NoisyWordCounts, tilt: PriorTilt | None
) -> Matrix:
    """Topics of an earlier release, else of the prior, else at random.

    An earlier release that took no steps is not used.
    Random topics vary about the noisy word frequencies and depend on no other data.
    """
    if run.previous_state is not None and run.previous_state.steps is not None:
        return run.previous_state.steps.topics
    if tilt is not None:
        return replace(tilt, power=INITIAL_PRIOR_POWER)(words.word_frequencies)
    rng = np.random.default_rng([run.runtime.seed, RANDOM_TOPICS_STREAM])
    return random_topics(words.word_frequencies, run.problem.n_topics, rng)


def buy_spectral_start(run: RefinementRun, start_share: float) -> SpectralStart | None:
    """Release a spectral start at a share of the run's μ².

    Args:
        start_share: share of μ²; 0 for no start.

    Returns:
        None without a share, and where noise leaves no mean weight or no positive eigenvalue.

    Raises:
        InputError: the fit needs more memory than is free. A fit without a start is checked, too,
            but not one with exact noise: its memory was checked before the charge.
    """
    corpus, problem = run.corpus, run.problem
    size = ProblemSize(corpus.n_documents, corpus.n_words, problem.n_topics, problem.alpha0)
    if not run.is_exact:  # exact releases are charged first, and their memory checked before
        check_memory(
            size,
            is_private=start_share > 0,
            counts=corpus.counts,
            free=run.runtime.memory_bytes,
        )
    if not start_share:
        return None
    run.runtime.report(WORD_COUNTS_PROGRESS, "looking for a spectral start")
    share_of_total = start_share * run.schedule.share_of_chain
    split = tuple(run.schedule.start_release_shares(share_of_total).items())
    return find_spectral_start(
        run.runtime.statistics or StatisticsCache(corpus.counts),
        size,
        run.mechanisms,
        Budget(run.budget.epsilon, run.budget.delta, split),
        seed=run.runtime.seed,
    )
