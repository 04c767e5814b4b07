"""Possible topics: words that lead by much stay, others as often as they should, by known errors."""

import numpy as np
import pytest

from dplda.methods.denoising.possible_topics import (
    INTERVAL_DEVIATIONS,
    N_FIRST_WORDS,
    N_POSSIBLE_TOPICS,
    count_stays,
)

N_WORDS = 60
FREQUENCIES = np.full(N_WORDS, 1 / N_WORDS)


def released(truth: np.ndarray, error_std: float, seed: int) -> tuple[np.ndarray, ...]:
    """Topics of one noisy reading, shrunk toward the frequencies as their spread asks, and intervals."""
    readings = truth + np.random.default_rng(seed).normal(0, error_std, truth.shape)
    spread = np.var(truth - FREQUENCIES)
    belief = spread / (spread + error_std**2)
    topics = np.maximum(FREQUENCIES + belief * (readings - FREQUENCIES), 1e-9)
    margin = INTERVAL_DEVIATIONS * error_std
    lower = np.clip(np.minimum(readings - margin, topics), 0, 1)
    upper = np.clip(np.maximum(readings + margin, topics), 0, 1)
    return topics, np.log(topics), lower, upper


@pytest.fixture(scope="module")
def truth() -> np.ndarray:
    return np.maximum(np.random.default_rng(1).normal(1 / N_WORDS, 0.004, (40, N_WORDS)), 1e-6)


def test_counts_are_as_sure_as_they_should_be(truth: np.ndarray) -> None:
    """Of words that are released first, as many lead in truth as in possible topics.

    Half or twice the variance would be off by more than is allowed here.
    """
    shares_said, are_first = [], []
    for seed in range(10):
        topics, scores, lower, upper = released(truth, 0.003, seed)
        stays = count_stays(topics, scores, lower, upper, FREQUENCIES)
        for row, own_scores, own_truth in zip(stays, scores, truth, strict=True):
            shown_words = np.argsort(-own_scores)[:N_FIRST_WORDS]
            last_of_truth = np.sort(own_truth)[-N_FIRST_WORDS]
            shares_said += (row[shown_words] / N_POSSIBLE_TOPICS).tolist()
            are_first += (own_truth[shown_words] >= last_of_truth).tolist()
    stated_shares, is_first = np.array(shares_said), np.array(are_first)
    assert np.mean(stated_shares) == pytest.approx(np.mean(is_first), abs=0.05)
    for low, high in ((0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01)):
        is_in = (stated_shares >= low) & (stated_shares < high)
        assert is_in.sum() > 200
        assert np.mean(is_first[is_in]) == pytest.approx(np.mean(stated_shares[is_in]), abs=0.1)


def test_words_stay_in_possible_topics_only_when_far_ahead() -> None:
    topic = np.r_[np.full(10, 0.09), np.full(50, 0.002)][None]
    scores = np.log(topic)
    lower, upper = np.maximum(topic - 0.003, 0), topic + 0.003
    (stays,) = count_stays(topic, scores, lower, upper, FREQUENCIES)
    assert set(stays[:10]) == {N_POSSIBLE_TOPICS}
    assert set(stays[10:]) == {0}


def test_count_stays_gives_ten_words_to_each_possible_topic(truth: np.ndarray) -> None:
    topics, scores, lower, upper = released(truth, 0.003, 0)
    stays = count_stays(topics, scores, lower, upper, FREQUENCIES)
    np.testing.assert_array_equal(stays.sum(axis=1), N_FIRST_WORDS * N_POSSIBLE_TOPICS)


def test_count_stays_of_a_topic_is_independent_of_others(truth: np.ndarray) -> None:
    topic_values = released(truth, 0.003, 0)
    stays_of_all = count_stays(*topic_values, FREQUENCIES)
    stays_of_one = count_stays(*(values[7:8] for values in topic_values), FREQUENCIES)
    np.testing.assert_array_equal(stays_of_one[0], stays_of_all[7])


def test_words_that_are_not_ranked_are_in_no_possible_topic(truth: np.ndarray) -> None:
    topics, scores, lower, upper = released(truth[:1], 0.003, 0)
    scores[0, :55] = -np.inf
    (stays,) = count_stays(topics, scores, lower, upper, FREQUENCIES)
    assert set(stays[:55]) == {0}
    assert set(stays[55:]) == {N_POSSIBLE_TOPICS}


def test_count_stays_of_no_topics_is_empty() -> None:
    none = np.empty((0, N_WORDS))
    assert count_stays(none, none, none, none, FREQUENCIES).shape == (0, N_WORDS)
