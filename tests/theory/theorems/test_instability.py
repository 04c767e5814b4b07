"""Behind the whitened tensor: each claim of the Proofs page is a number."""

import math

import numpy as np
import pytest

from dplda import simulate
from dplda.spectral.population import Population
from dplda.theory.theorems.instability import mismatch, published_bounds, swap
from dplda.theory.theorems.spectrum import from_population


@pytest.mark.parametrize("apart", [1e-6, 1e-8, 1e-10])
def test_a_nudge_of_any_size_swaps_the_order_of_equal_topics(apart) -> None:
    found = swap(apart)
    assert found.apart == apart
    assert found.moved == pytest.approx(math.sqrt(2), abs=1e-4)


@pytest.mark.parametrize("epsilon", [1.0, 10.0, 100.0])
def test_bases_that_do_not_meet_cost_the_topics_at_any_budget(epsilon) -> None:
    found = [mismatch(n_documents=100_000, epsilon=epsilon, delta=1e-7, seed=seed) for seed in range(5)]
    assert np.median([one.as_published for one in found]) > 0.2
    assert np.max([one.aligned for one in found]) < 0.2 / epsilon  # what noise on unwhitening costs


def test_all_four_bounds_are_vacuous_in_the_papers_own_setting() -> None:
    truth = simulate(n_documents=3, n_words=100, n_topics=3, alpha0=0.1, mean_length=3, seed=0).truth
    assert truth is not None
    spectrum = from_population(Population(truth.topics, truth.alpha))
    bounds = published_bounds(spectrum, n_documents=100_000, epsilon=1.0, delta=1e-7)
    assert len(bounds) == 4
    assert all(bound.total > math.sqrt(2) and bound.vacuous for _, bound in bounds)
