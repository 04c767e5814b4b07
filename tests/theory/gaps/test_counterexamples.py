"""What the paper does not prove: each claim of the Proofs page is a number."""

import math

import numpy as np
import pytest

from dplda import simulate
from dplda.core.errors import InputError
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.plan import Plan
from dplda.spectral.population import Population
from dplda.theory.gaps import counterexamples
from dplda.theory.gaps.instability import mismatch, swap
from dplda.theory.theorems.at_budget import at_budget
from dplda.theory.theorems.spectrum import from_population


@pytest.mark.parametrize(("n", "ratio"), [(4400, 73.4), (44_000, 734), (440_000, 7341)])
def test_counterexample_of_rotation_exceeds_the_published_bound(n: int, ratio: float) -> None:
    counterexample = counterexamples.rotation(n)
    assert counterexample.n_documents == n == sum(number for _, number in counterexample.documents)
    assert counterexample.change == pytest.approx(0.977, abs=5e-4)
    assert counterexample.ratio == pytest.approx(ratio, rel=1e-3)
    assert counterexample.gap > 1


@pytest.mark.parametrize(("n", "ratio"), [(4400, 22.0), (440_000, 2210)])
def test_counterexample_of_exchange_exceeds_the_published_bound(n: int, ratio: float) -> None:
    counterexample = counterexamples.exchange(n)
    assert counterexample.gap == pytest.approx(1.54, abs=0.01)
    assert counterexample.change == pytest.approx(3.66e-2, rel=5e-3)
    assert counterexample.ratio == pytest.approx(ratio, rel=1e-3)


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(InputError):
        counterexamples.rotation(80)
    with pytest.raises(InputError):
        counterexamples.exchange(88, excess=41)


def test_sigma_grows_with_alpha0_only_where_it_was_scaled() -> None:
    topics = np.random.default_rng(0).dirichlet(np.full(50, 0.1), size=3)
    alphas = np.array([0.1, 1.0, 10.0, 1000.0])
    scaled_sigmas, per_document = counterexamples.scalings(
        topics, np.full(3, 1 / 3), tuple(alphas), n_documents=100_000
    )
    assert np.all(np.diff(scaled_sigmas / (alphas * (alphas + 1))) < 0)
    assert np.all(np.diff(per_document) < 0)
    assert np.all(np.diff(scaled_sigmas) > 0)


@pytest.mark.parametrize(
    ("alpha0", "variance", "spent"),
    [
        (0.1, True, (2.0, 3.0, 4.3, 5.4)),
        (1000.0, True, (4.5, 6.6, 9.9, 12.6)),
        (0.1, False, (0.31, 0.63, 1.33, 2.05)),
        (10.0, False, (0.57, 1.18, 2.49, 3.9)),
    ],
)
def test_published_config_1_spends_more_than_its_epsilon(
    alpha0: float, variance: bool, spent: tuple[float, ...]
) -> None:
    for epsilon, true_epsilon in zip((0.5, 1.0, 2.0, 3.0), spent, strict=True):
        spent_epsilon = counterexamples.spent_by_published_config_1(
            epsilon=epsilon, delta=1e-7, alpha0=alpha0, variance=variance
        )
        assert spent_epsilon == pytest.approx(true_epsilon, rel=0.02)


@pytest.mark.parametrize("nudge", [1e-6, 1e-8, 1e-10])
def test_nudge_of_any_size_swaps_the_order_of_equal_topics(nudge) -> None:
    assert swap(nudge) == pytest.approx(math.sqrt(2), abs=1e-4)


@pytest.mark.parametrize("epsilon", [1.0, 10.0, 100.0])
def test_bases_that_do_not_meet_cost_the_topics_at_any_budget(epsilon) -> None:
    mismatches = [
        mismatch(n_documents=100_000, epsilon=epsilon, delta=1e-7, seed=seed) for seed in range(5)
    ]
    as_published, aligned = zip(*mismatches, strict=True)
    assert np.median(as_published) > 0.2
    assert np.max(aligned) < 0.2 / epsilon  # what noise on unwhitening costs


def test_bounds_in_the_papers_own_setting_are_vacuous() -> None:
    truth = simulate(
        n_documents=3, n_words=100, n_topics=3, alpha0=0.1, mean_length=3, seed=0
    ).truth
    assert truth is not None
    spectrum = from_population(Population(truth.topics, truth.alpha))
    plans = [
        Plan(f"config-{n}", 1.0, 1e-7, calibration=Calibration.PUBLISHED) for n in (1, 2, 3, 4)
    ]
    bounds = [at_budget(plan, spectrum, n_documents=100_000) for plan in plans]
    assert all(bound.total > math.sqrt(2) and bound.vacuous for bound in bounds)


@pytest.mark.parametrize("alpha0", [0.01, 0.1, 1.0, 1000.0])
def test_pair_moment_has_no_eigenvalue_above_1(alpha0: float) -> None:
    """So a k-th eigenvalue of 1.5, as the paper's Figure 3a has it, is one of a multiple of M₂."""
    topics = np.eye(3)  # the largest that topics can have: each is one word
    alpha = alpha0 * np.array([0.98, 0.01, 0.01])
    assert np.linalg.eigvalsh(Population(topics, alpha).pair_moment())[-1] <= 1
