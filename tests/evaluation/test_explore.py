"""What topics alone say, by identities and by second routes."""

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon, pdist, squareform

from dplda import simulate
from dplda.core.errors import InputError
from dplda.evaluation.distance import jensen_shannon
from dplda.evaluation.relevance import (
    count_common_words,
    default_names,
    find_leading_words,
    relevance,
    word_shares,
)
from dplda.evaluation.scaling import classical_scaling
from dplda.methods.registry import parse_method
from tests.asking import asked

RNG = np.random.default_rng(5)
TOPICS = RNG.dirichlet(np.full(30, 0.2), 6)


def test_distance_is_that_of_scipy_pair_by_pair() -> None:
    other_topics = RNG.dirichlet(np.full(30, 0.2), 4)
    distances = jensen_shannon(TOPICS, other_topics)
    assert distances.shape == (6, 4)
    expected = [[jensenshannon(p, q, base=2) for q in other_topics] for p in TOPICS]
    np.testing.assert_allclose(distances, expected, rtol=1e-9)
    np.testing.assert_allclose(np.diag(jensen_shannon(TOPICS, TOPICS)), 0, atol=1e-7)
    with pytest.raises(InputError):
        jensen_shannon(TOPICS, other_topics[:, :-1])


def test_points_placed_on_a_map_land_where_they_are() -> None:
    points = RNG.normal(size=(6, 2)) * [3, 1]
    all_points = np.vstack([points, RNG.normal(size=(3, 2))])
    scaled_map = classical_scaling(squareform(pdist(points)))
    assert scaled_map.shown == pytest.approx(1)
    np.testing.assert_allclose(scaled_map.points.mean(axis=0), 0, atol=1e-12)
    assert np.ptp(scaled_map.points[:, 0]) > np.ptp(scaled_map.points[:, 1])
    placed = scaled_map.place(squareform(pdist(all_points))[:, :6])
    np.testing.assert_allclose(placed[:6], scaled_map.points, atol=1e-9)
    np.testing.assert_allclose(pdist(placed), pdist(all_points), rtol=1e-9)


def test_relevance_between_its_ends_mixes_log_probability_with_log_lift() -> None:
    mean = word_shares(TOPICS, TOPICS.mean(axis=0)) @ TOPICS
    np.testing.assert_allclose(relevance(TOPICS, mean, 1.0), np.log(TOPICS))
    np.testing.assert_allclose(relevance(TOPICS, mean, 0.0), np.log(TOPICS / mean))
    between = 0.3 * np.log(TOPICS) + 0.7 * np.log(TOPICS / mean)
    np.testing.assert_allclose(relevance(TOPICS, mean, 0.3), between, rtol=1e-9)


def test_relevance_weight_above_one_is_refused() -> None:
    mean = word_shares(TOPICS, TOPICS.mean(axis=0)) @ TOPICS
    with pytest.raises(InputError):
        relevance(TOPICS, mean, 1.1)


def test_word_that_released_frequencies_lack_has_no_infinite_relevance() -> None:
    topics, mean = np.array([[0.5, 0.5, 0.0], [0.0, 0.2, 0.8]]), np.array([0.0, 0.3, 0.7])
    relevances = relevance(topics, mean, 0.0)
    assert np.all(relevances < np.inf)
    assert np.all((relevances == -np.inf) == (topics == 0))
    part = word_shares(topics, mean)[0]
    assert part > 0
    assert relevances[0, 0] == pytest.approx(np.log(1 / part))


def test_word_shares_of_a_mixture_are_found_again() -> None:
    parts = np.array([0.4, 0.3, 0.1, 0.1, 0.05, 0.05])
    np.testing.assert_allclose(word_shares(TOPICS, parts @ TOPICS), parts, atol=1e-9)


def test_word_shares_of_equal_topics_are_equal() -> None:
    np.testing.assert_allclose(word_shares(np.tile(TOPICS[0], (4, 1)), TOPICS[0]), 0.25)


def test_word_shares_of_no_topics_are_empty() -> None:
    assert word_shares(np.empty((0, 3)), np.full(3, 1 / 3)).shape == (0,)


@pytest.mark.parametrize("text", ["adaptive", "refined"])
def test_shares_of_a_run_are_near_those_that_documents_were_drawn_from(text) -> None:
    corpus = simulate(
        n_documents=20_000, n_words=30, n_topics=3, alpha0=1.0, mean_length=40, seed=0
    )
    fitted_run = parse_method(text).fit(corpus, *asked(epsilon=10.0, delta=1e-6))
    if text == "adaptive":
        np.testing.assert_allclose(
            fitted_run.topic_shares,
            fitted_run.topics.alpha[: fitted_run.topics.resolved],
            atol=1e-9,
        )
    np.testing.assert_allclose(
        np.sort(fitted_run.topic_shares)[::-1], corpus.truth.alpha, atol=0.08
    )


def test_leading_words_that_tie_come_in_order_without_absent_ones() -> None:
    assert find_leading_words(np.array([0.1, -np.inf, 0.3, 0.3]), 3) == [2, 3, 0]


def test_default_name_of_a_topic_is_its_leading_word() -> None:
    assert default_names(np.array([[1.0, 0.0]]), np.array([1.0, 0.0]), ("tea", "milk")) == ("tea",)


def test_common_words_of_two_topics_leave_out_absent_ones() -> None:
    assert count_common_words(np.array([0.5, 0.3, 0.2, 0]), np.array([0, 0.5, 0.2, 0.3]), 2) == 1
    without_others = np.array([0.0, -np.inf, -np.inf, -np.inf])
    assert count_common_words(without_others, np.array([-np.inf, 0.5, 0.2, 0.3]), 4) == 0
