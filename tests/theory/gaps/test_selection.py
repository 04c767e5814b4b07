import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from dplda.privacy.accounting import gaussian
from dplda.theory.gaps.selection import epsilon_of_all_runs, epsilon_of_largest, n_splits


@pytest.mark.parametrize(("n_edges", "n_steps"), [(2, 10), (3, 10), (3, 5), (4, 7)])
def test_n_splits_counts_what_can_be_listed(n_edges, n_steps) -> None:
    steps = range(1, n_steps + 1)
    listed_splits = [
        parts for parts in itertools.product(steps, repeat=n_edges) if sum(parts) == n_steps
    ]
    assert n_splits(n_edges, n_steps) == len(listed_splits)


def test_epsilon_of_largest_single_run_costs_its_own_epsilon() -> None:
    assert epsilon_of_largest(1.0, 1e-7, 1) == pytest.approx(1, abs=1e-6)
    assert epsilon_of_all_runs(1.0, 1e-7, 1) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("n_runs", [6, 36])
def test_epsilon_of_largest_is_the_one_at_which_the_exact_delta_is_spent(n_runs) -> None:
    """The hockey-stick divergence of the two densities, integrated."""
    delta = 1e-5
    mu = gaussian.mu_for(1.0, delta)
    epsilon = epsilon_of_largest(1.0, delta, n_runs)

    def density(x: float) -> float:
        return n_runs * norm.pdf(x) * norm.cdf(x) ** (n_runs - 1)

    def excess(x: float) -> float:
        return max(0.0, density(x) - math.exp(epsilon) * density(x - mu))

    spent_delta, _ = quad(excess, -3, 6, limit=500, points=[-1, 0, 1, 2])
    assert spent_delta == pytest.approx(delta, rel=0.02)


def test_epsilon_of_largest_event_is_as_likely_as_draws_say() -> None:
    """The worst event at a δ that draws can see: below a threshold, both neighbors' largest."""
    delta, n_runs = 0.01, 10
    mu = gaussian.mu_for(1.0, delta)
    largest = np.random.default_rng(1).standard_normal((400_000, n_runs)).max(axis=1)
    bounds = [
        math.log((np.mean(largest < t) - delta) / np.mean(largest + mu < t))
        for t in np.linspace(0.6, 2.2, 17)
    ]
    assert max(bounds) == pytest.approx(epsilon_of_largest(1.0, delta, n_runs), abs=0.15)


@pytest.mark.parametrize("n_runs", [2, 36, 171])
def test_epsilon_of_the_largest_run_is_below_that_of_all_runs(n_runs) -> None:
    smallest_epsilon = epsilon_of_largest(1.0, 1e-7, n_runs)
    assert 1 < smallest_epsilon < epsilon_of_all_runs(1.0, 1e-7, n_runs)


def test_epsilon_of_all_runs_is_exact_composition() -> None:
    mu = gaussian.mu_for(1.0, 1e-7)
    expected = gaussian.epsilon_for(gaussian.compose([mu] * 36), 1e-7)
    assert epsilon_of_all_runs(1.0, 1e-7, 36) == pytest.approx(expected, rel=1e-9)
