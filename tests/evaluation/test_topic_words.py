"""Words that describe topics, and words of several topics, which stand once above them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from dplda.evaluation.evidence import EvidenceCheck, ReleasedEvidence
from dplda.evaluation.relevance import (
    DESCRIPTIVE_WEIGHT,
    LITTLE_GAIN,
    MUCH_GAIN,
    N_LEADING_WORDS,
    TopicWords,
    choose_words,
    relevance,
)

N_TOPICS, N_WORDS = 4, 60
STRONG = (2.5,) * N_TOPICS
VOCABULARY = tuple(f"w{word}" for word in range(N_WORDS))


def topics_with_own_words() -> np.ndarray:
    """Topics of twelve likely words each, the first of them less likely than a common word."""
    topics = np.full((N_TOPICS, N_WORDS), 0.001)
    for topic in range(N_TOPICS):
        topics[topic, 12 * topic : 12 * topic + 12] = np.linspace(0.05, 0.03, 12)
    topics[:, -1] = 0.2
    return topics / topics.sum(axis=1, keepdims=True)


def evidence_of(gain_per_word: float, strengths: Sequence[float] = STRONG) -> ReleasedEvidence:
    """Evidence with a gain, whose topics have parts of so many standard deviations."""
    noise = 0.01
    return ReleasedEvidence(20 * gain_per_word, 0.0, 20.0, 0.0, noise * np.array(strengths), noise)


def choose(evidence: ReleasedEvidence | None) -> TopicWords:
    topics = topics_with_own_words()
    return choose_words(topics, topics.mean(axis=0), evidence)


@pytest.mark.parametrize("evidence", [None, evidence_of(MUCH_GAIN)])
def test_choose_words_with_much_evidence_prefers_words_that_are_rare_elsewhere(evidence) -> None:
    chosen_words = choose(evidence)
    for topic in range(N_TOPICS):
        assert chosen_words.of_topic(topic, 3) == [12 * topic, 12 * topic + 1, 12 * topic + 2]
    assert chosen_words.shared_words == ()


def test_choose_words_with_little_evidence_ranks_by_probability() -> None:
    topics = topics_with_own_words()
    chosen_words = choose(evidence_of(LITTLE_GAIN, [0.0] * N_TOPICS))
    np.testing.assert_array_equal(chosen_words.scores, np.log(topics))


def test_choose_words_between_takes_a_weight_between() -> None:
    topics = topics_with_own_words()
    mean_words = topics.mean(axis=0)
    scores = choose_words(
        topics, mean_words, evidence_of((LITTLE_GAIN + MUCH_GAIN) / 2, [0.0] * 4)
    ).scores[0]
    weight = (scores[-1] - relevance(topics, mean_words, 0.0)[0, -1]) / np.log(mean_words[-1])
    assert weight == pytest.approx((1 + DESCRIPTIVE_WEIGHT) / 2)


def test_choose_words_that_lead_three_topics_moves_them_above() -> None:
    chosen_words = choose(evidence_of(LITTLE_GAIN))
    (shared,) = chosen_words.shared_words
    assert (shared.word, shared.n_topics) == (N_WORDS - 1, N_TOPICS)
    assert not any(
        N_WORDS - 1 in chosen_words.of_topic(topic, N_WORDS) for topic in range(N_TOPICS)
    )
    assert chosen_words.describe_shared_words(VOCABULARY) == f"In all 4 topics: w{N_WORDS - 1}"


def test_choose_words_of_topics_without_evidence_are_not_compared() -> None:
    chosen_words = choose(evidence_of(LITTLE_GAIN, [2.5, 2.5, 2.5, 0.0]))
    assert chosen_words.shared_words[0].n_topics == 3
    assert chosen_words.describe_shared_words(VOCABULARY).startswith(
        "In all 3 topics with evidence: "
    )
    assert chosen_words.of_topic(3, 1) == [N_WORDS - 1], (
        "a topic that is not compared keeps its words"
    )


def test_choose_words_after_a_comparison_counts_its_topics_alone() -> None:
    """Reports show the topics that the comparison supports, so words above them count these."""
    check = EvidenceCheck(
        is_significant=True, supported_topics=(0, 1, 2), optimism=0.0, optimism_error=0.0
    )
    chosen_words = choose(replace(evidence_of(LITTLE_GAIN), known_check=check))
    assert chosen_words.n_compared == 3
    assert chosen_words.of_topic(3, 1) == [N_WORDS - 1]


def test_choose_words_that_lead_different_numbers_of_topics_says_how_many_each() -> None:
    topics = topics_with_own_words()
    topics[:3, -2] = 0.15
    topics /= topics.sum(axis=1, keepdims=True)
    chosen_words = choose_words(topics, topics.mean(axis=0), evidence_of(LITTLE_GAIN))
    assert chosen_words.describe_shared_words(VOCABULARY, str.upper) == (
        "In 3 or more of 4 topics: W59 (4), W58 (3)"
    )


def test_choose_words_of_topics_that_are_alike_keeps_their_words() -> None:
    equal_topics = np.tile(np.r_[np.linspace(2, 1, 20), np.zeros(40)] / 30, (4, 1))
    chosen_words = choose_words(equal_topics, equal_topics[0])
    assert chosen_words.shared_words == ()
    assert len(chosen_words.of_topic(0, N_LEADING_WORDS)) == N_LEADING_WORDS


def test_choose_words_of_nearly_alike_topics_keeps_some_words() -> None:
    rng = np.random.default_rng(3)
    nearly_alike = rng.dirichlet(np.full(N_WORDS, 500.0), 6) + np.linspace(0.02, 0, N_WORDS)
    nearly_alike /= nearly_alike.sum(axis=1, keepdims=True)
    chosen_words = choose_words(
        nearly_alike, nearly_alike.mean(axis=0), evidence_of(LITTLE_GAIN, [2.5] * 6)
    )
    assert 0 < len(chosen_words.shared_words) <= 20
    assert all(len(chosen_words.of_topic(topic, 5)) == 5 for topic in range(6))


def test_choose_words_of_few_words_leaves_every_topic_a_name() -> None:
    topics = np.random.default_rng(1).dirichlet(np.full(7, 0.9), 4)
    topics[0] = [0.6, 0.2, 0.2, 0, 0, 0, 0]
    chosen_words = choose_words(topics, topics.mean(axis=0), evidence_of(LITTLE_GAIN))
    assert all(len(chosen_words.of_topic(topic, 3)) == 3 for topic in range(4))
