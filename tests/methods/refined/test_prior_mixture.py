"""Mixtures of a prior's topics that steps are shrunk to, and topics that documents turn out to lack."""

import numpy as np

from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.stages.prior_mixture import mix_prior_topics
from dplda.methods.refined.stages.running_mean import RunningMean

N_WORDS = 12
RNG = np.random.default_rng(4)
PRIOR_TOPICS = RNG.dirichlet(np.ones(N_WORDS), 3)
FREQUENCIES = RNG.dirichlet(np.full(N_WORDS, 20.0))
WEIGHTS = RNG.uniform(0.2, 2, N_WORDS)


def test_mix_prior_topics_of_exact_mixtures_finds_them() -> None:
    """Two topics share a row of the prior, which a third row is left out of."""
    mixtures = np.stack(
        [PRIOR_TOPICS[0], PRIOR_TOPICS[0], 0.3 * PRIOR_TOPICS[1] + 0.7 * FREQUENCIES]
    )
    cells = np.array([[500.0], [20.0], [3.0]]) * mixtures
    found_mixtures = mix_prior_topics(cells, PRIOR_TOPICS, FREQUENCIES, WEIGHTS)
    np.testing.assert_allclose(found_mixtures, mixtures, atol=1e-12)


def test_mix_prior_topics_of_cells_below_zero_gives_word_frequencies() -> None:
    found_mixtures = mix_prior_topics(-np.ones((3, N_WORDS)), PRIOR_TOPICS, FREQUENCIES, WEIGHTS)
    np.testing.assert_allclose(found_mixtures, np.tile(FREQUENCIES, (3, 1)))


def topics_after_split(sizes: list[float], noise_std: float) -> tuple[np.ndarray, np.ndarray]:
    """Topics before and after a split, of a mean of these sizes whose noise is as told, not there."""
    words = NoisyWordCounts(1e4 * FREQUENCIES, 1.0)
    steps = RunningMean(words, PRIOR_TOPICS, 3.0, prior_topics=PRIOR_TOPICS)
    steps.add_release(np.array(sizes)[:, None] * PRIOR_TOPICS * words.word_weights, noise_std)
    topics = steps.topics.copy()
    steps.split_large_topics(np.random.default_rng(0))
    return topics, steps.topics


def test_split_large_topics_replaces_a_topic_that_documents_lack() -> None:
    topics_before, topics_after = topics_after_split([6000, 4000, 100], 1.0)
    np.testing.assert_array_equal(topics_after[1], topics_before[1])
    distances = np.sum(np.abs(topics_after - topics_before[0]), axis=1)
    assert max(distances[0], distances[2]) < 0.5
    assert np.sum(np.abs(topics_after[0] - topics_after[2])) > 0.05
    np.testing.assert_allclose(np.sum(topics_after, axis=1), 1)


def test_split_large_topics_keeps_topics_that_noise_may_have_made_small() -> None:
    topics_before, topics_after = topics_after_split([6000, 4000, 100], 3000.0)
    np.testing.assert_array_equal(topics_after, topics_before)


def test_split_large_topics_keeps_topics_of_like_sizes() -> None:
    topics_before, topics_after = topics_after_split([6000, 4000, 4000], 1.0)
    np.testing.assert_array_equal(topics_after, topics_before)
