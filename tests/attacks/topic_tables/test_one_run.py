"""A lower bound on ε from guesses of one run: by hand, by Clopper and Pearson, and against the worst private run."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import logit

from dplda.attacks.topic_tables.one_run import (
    MIN_GUESSES,
    bound_epsilon,
    chance_of_right_guesses,
    epsilon_of_guesses,
)


def test_bound_without_delta_is_the_clopper_pearson_share_as_an_epsilon() -> None:
    for n_right, n_guesses in ((18, 20), (60, 80), (200, 200)):
        lowest_share = stats.beta.ppf(0.05, n_right, n_guesses - n_right + 1)
        bound = epsilon_of_guesses(n_right, n_guesses, n_guesses, delta=0.0, error=0.05)
        assert bound <= logit(lowest_share) + 1e-12
        assert bound == pytest.approx(logit(lowest_share), abs=1e-5)


def test_chance_with_delta_is_the_theorems_sum() -> None:
    n_right, n_guesses, n_pairs, epsilon, delta = 7, 9, 30, 0.8, 1e-3
    share = math.exp(epsilon) / (1 + math.exp(epsilon))

    def tail(v: int) -> float:
        return sum(
            math.comb(n_guesses, j) * share**j * (1 - share) ** (n_guesses - j)
            for j in range(max(v, 0), n_guesses + 1)
        )

    steepest = max((tail(n_right - i) - tail(n_right)) / i for i in range(1, n_pairs + 1))
    by_hand = tail(n_right) + 2 * n_pairs * delta * steepest
    chance = chance_of_right_guesses(n_right, n_guesses, n_pairs, epsilon, delta)
    assert chance == pytest.approx(by_hand, rel=1e-12)


def test_bound_with_delta_is_smaller() -> None:
    bounds = [
        epsilon_of_guesses(40, 45, 200, delta=delta, error=0.05) for delta in (0.0, 1e-5, 1e-3)
    ]
    assert bounds[0] > bounds[1] > bounds[2] > 0


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
def test_bound_on_the_worst_private_run_is_wrong_no_more_often_than_it_says(epsilon) -> None:
    """Randomized response is right with probability exp(ε)/(1 + exp(ε)): all outcomes, weighed exactly."""
    n_guesses, error = 40, 0.05
    numbers = np.arange(n_guesses + 1)
    chances = stats.binom.pmf(numbers, n_guesses, 1 / (1 + math.exp(-epsilon)))
    bounds = [epsilon_of_guesses(n, n_guesses, n_guesses, delta=0.0, error=error) for n in numbers]
    assert 0 < sum(chances[np.array(bounds) > epsilon]) <= error


def test_bound_over_several_attempts_shares_the_error_among_them() -> None:
    """Half the pairs, the largest, are right, and the others are coins."""
    advantages = np.concatenate([np.linspace(2, 3, 32), np.tile([0.5, -0.5], 16)])
    bound = bound_epsilon([advantages, -advantages], delta=0.0, error=0.05)
    assert (bound.n_guesses, bound.n_right, bound.n_attempts) == (32, 32, 2 * 4)
    assert bound.epsilon == epsilon_of_guesses(32, 32, 64, delta=0.0, error=0.05 / 8)


def test_coins_prove_something_no_more_often_than_the_error_allows() -> None:
    """The best of ten attempts: without sharing the error it would be three times as often."""
    rng = np.random.default_rng(0)
    n_proofs = 0
    for _ in range(300):
        sizes = rng.exponential(size=(2, 128))
        coins = rng.choice([-1.0, 1.0], size=128)
        n_proofs += bound_epsilon(list(sizes * coins), delta=0.0, error=0.05).epsilon > 0
    assert n_proofs <= 15


def test_pairs_without_a_difference_count_as_wrong_guesses() -> None:
    bound = bound_epsilon([np.zeros(4 * MIN_GUESSES)], delta=0.0, error=0.05)
    assert (bound.epsilon, bound.n_right) == (0.0, 0)
