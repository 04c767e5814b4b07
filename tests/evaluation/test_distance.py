"""Distances between topics under the best matching."""

import numpy as np
import pytest

from dplda import topic_error
from dplda.core.errors import InputError


def test_errors_by_hand() -> None:
    truth = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]])
    estimate = np.array([[0.0, 0.6, 0.4], [0.8, 0.2, 0.0]])
    found = topic_error(truth, estimate)
    assert found.l1_sum == pytest.approx(0.4 + 0.2)
    assert found.l1_mean == pytest.approx(0.3)
    assert found.l2_mean == pytest.approx((0.2 * np.sqrt(2) + 0.1 * np.sqrt(2)) / 2)


def test_order_does_not_matter_and_the_truth_has_no_error() -> None:
    truth = np.random.default_rng(0).dirichlet(np.ones(7), size=5)
    shuffled = np.random.default_rng(1).permutation(truth)
    assert topic_error(truth, shuffled).l1_sum == 0
    assert topic_error(truth, shuffled).l2_mean == 0


def test_topics_that_share_no_word_are_as_far_apart_as_can_be() -> None:
    found = topic_error(np.eye(4)[:2], np.eye(4)[2:])
    assert (found.l1_sum, found.l1_mean) == (4, 2)
    assert found.largest_l1_sum == 4
    assert found.l2_mean == pytest.approx(np.sqrt(2))


def test_exchange_of_truth_and_estimate_changes_nothing() -> None:
    one, two = np.random.default_rng(2).dirichlet(np.ones(6), size=(2, 4))
    there, back = topic_error(one, two), topic_error(two, one)
    assert there.l1_sum == pytest.approx(back.l1_sum)
    assert there.l2_mean == pytest.approx(back.l2_mean)


def test_other_shapes_are_refused_by_shape() -> None:
    with pytest.raises(InputError, match=r"estimate must be of shape \(2, 3\), got shape \(3, 3\)"):
        topic_error(np.eye(3)[:2], np.eye(3))
