"""Stage 3 where steps cannot pay: the prior's topics over the best word frequencies."""

import numpy as np

from dplda.methods.base.previous_release import RunState
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.prior.topic_prior import PriorTilt
from dplda.methods.refined.stages.run import RefinementRun, StageResult
from dplda.methods.refined.stages.word_counts import release_more_word_counts
from dplda.spectral.topics import Topics


def fit_prior_only(run: RefinementRun, words: NoisyWordCounts, tilt: PriorTilt) -> StageResult:
    """Release more word counts, and tilt their word frequencies by the prior: no steps are made.

    Both releases of word counts are averaged; the state keeps the word weights of the first, and
    notes that the prior was accepted. All topics get equal shares.
    """
    all_words = release_more_word_counts(run, words)
    word_frequencies = all_words.word_frequencies
    topics = tilt(word_frequencies)
    n_topics = run.problem.n_topics
    alpha = np.full(n_topics, run.problem.alpha0 / n_topics)
    state = RunState(
        noisy_word_counts=all_words.counts,
        word_noise_std=all_words.noise_std,
        word_weights=words.word_weights,
        prior_was_accepted=True,
    )
    return StageResult(
        topics=Topics.without_spectrum(topics, alpha, word_frequencies),
        state=state,
        prior_topics=topics,
        is_prior_only=True,
    )
