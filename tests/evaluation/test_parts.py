"""The error of private topics as one side of a triangle."""

import numpy as np
import pytest

from dplda import topic_error
from dplda.evaluation import error_parts


@pytest.mark.parametrize("seed", range(3))
def test_no_side_is_longer_than_the_other_two(seed: int) -> None:
    truth, unnoised, private = np.random.default_rng(seed).dirichlet(np.full(6, 0.4), size=(3, 4))
    parts = error_parts(truth, unnoised, private)
    sides = sorted([parts.sampling.l1_sum, parts.privacy.l1_sum, parts.total.l1_sum])
    assert sides[2] <= sides[0] + sides[1] + 1e-12
    assert parts.total == topic_error(truth, private)


def test_parts_are_of_matched_topics() -> None:
    truth = np.random.default_rng(0).dirichlet(np.ones(6), size=4)
    parts = error_parts(truth, truth[::-1], truth[[1, 0, 3, 2]])
    assert (parts.sampling.l1_sum, parts.privacy.l1_sum, parts.total.l1_sum) == (0, 0, 0)


def test_noise_can_undo_a_sampling_error() -> None:
    truth = np.array([[0.5, 0.5], [1.0, 0.0]])
    unnoised = np.array([[0.3, 0.7], [1.0, 0.0]])
    parts = error_parts(truth, unnoised, truth)
    assert parts.total.l1_sum == 0
    assert parts.privacy.l1_sum == pytest.approx(parts.sampling.l1_sum) == pytest.approx(0.4)
