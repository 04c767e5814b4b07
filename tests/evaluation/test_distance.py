"""Distances between topics under the best matching."""

import numpy as np
import pytest

from dplda import topic_error
from dplda.core.errors import InputError


def test_topic_error_equals_hand_computed_values() -> None:
    truth = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]])
    estimate = np.array([[0.0, 0.6, 0.4], [0.8, 0.2, 0.0]])
    error = topic_error(truth, estimate)
    assert error.l1_sum == pytest.approx(0.4 + 0.2)
    assert error.l1_mean == pytest.approx(0.3)
    assert error.l2_mean == pytest.approx((0.2 * np.sqrt(2) + 0.1 * np.sqrt(2)) / 2)


def test_topic_error_of_the_shuffled_truth_is_zero() -> None:
    truth = np.random.default_rng(0).dirichlet(np.ones(7), size=5)
    shuffled = np.random.default_rng(1).permutation(truth)
    assert topic_error(truth, shuffled).l1_sum == 0
    assert topic_error(truth, shuffled).l2_mean == 0


def test_distance_of_other_shapes_is_refused_by_shape() -> None:
    with pytest.raises(InputError, match=r"estimate must be of shape \(2, 3\), got shape \(3, 3\)"):
        topic_error(np.eye(3)[:2], np.eye(3))
