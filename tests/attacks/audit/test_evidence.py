"""The judge itself: its bounds hold, they come near, and with the runs of the gate they are enough."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr

from dplda.attacks.audit.evidence import Measure, bound_loss, gaussian_mu, pure_epsilon
from dplda.attacks.audit.promise import ATTACKED_SHARE
from tests.attacks.audit import gate
from tests.attacks.audit.gate import EPSILON, MU

Law = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]


def gaussian_law(mu: float) -> Law:
    """Scores of two corpora that a μ-Gaussian mechanism hides."""
    return lambda rng, n: (rng.standard_normal(n) + mu, rng.standard_normal(n))


def laplace_law(epsilon: float) -> Law:
    """Scores of a replaced word: two cells of a histogram, each with half of the difference."""

    def one(rng: np.random.Generator, n: int) -> np.ndarray:
        x = rng.laplace(scale=2 / epsilon, size=(n, 2))
        return np.round((np.abs(x + 1) - np.abs(x)).sum(axis=1), 9)

    return lambda rng, n: (one(rng, n), -one(rng, n))


def bounds(
    law: Law, measure: Measure, runs: int, times: int, error: float = gate.ERROR
) -> np.ndarray:
    rng = np.random.default_rng(0)
    return np.array([bound_loss(*law(rng, runs), measure, error=error).lower for _ in range(times)])


@pytest.mark.parametrize(
    ("law", "measure", "truth"),
    [
        (gaussian_law(1.0), gaussian_mu, 1.0),
        (laplace_law(1.0), pure_epsilon, 1.0),
        (lambda rng, n: (np.ones(n), np.ones(n)), gaussian_mu, 0.0),
    ],
)
def test_loss_bound_exceeds_truth_no_more_often_than_its_error(law, measure, truth) -> None:
    """At an error of 0.1 that can be seen: at most 40 of 400 expected; more than 62 in one of 10,000 times."""
    above = np.count_nonzero(bounds(law, measure, 400, 400, error=0.1) > truth)
    assert above <= stats.binom.isf(1e-4, 400, 0.1)


@pytest.mark.parametrize(
    ("law", "measure", "truth"),
    [
        (gaussian_law(1.0), gaussian_mu, 1.0),
        (laplace_law(1.0), pure_epsilon, 1.0),
        (lambda rng, n: (np.ones(n), np.ones(n)), gaussian_mu, 0.0),
    ],
)
def test_loss_bound_from_many_draws_is_within_a_tenth_of_truth(law, measure, truth) -> None:
    (lower,) = bounds(law, measure, 400_000, 1)
    assert truth == 0 or 0.9 * truth < lower <= truth


def test_rates_of_a_loss_bound_equal_clopper_pearson_limits() -> None:
    """Against scipy's own interval; one-sided at half of the error each."""
    rng = np.random.default_rng(1)
    first_scores, second_scores = gaussian_law(1.5)(rng, 300)
    loss_bound = bound_loss(first_scores, second_scores, gaussian_mu, error=0.02)
    for runs, side, bound in (
        (first_scores, "greater", loss_bound.hits),
        (second_scores, "less", loss_bound.alarms),
    ):
        test = stats.binomtest(
            int(np.sum(runs[150:] >= loss_bound.threshold)), 150, alternative=side
        )
        interval = test.proportion_ci(confidence_level=0.99)
        assert bound == pytest.approx(
            interval.low if side == "greater" else interval.high, rel=1e-9
        )


def test_bound_loss_chooses_its_threshold_without_the_runs_it_counts() -> None:
    first_scores, second_scores = gaussian_law(2.0)(np.random.default_rng(2), 400)
    loss_bound = bound_loss(first_scores, second_scores, gaussian_mu, error=0.01)
    first_scores[200:], second_scores[200:] = 5.0, -5.0
    assert (
        bound_loss(first_scores, second_scores, gaussian_mu, error=0.01).threshold
        == loss_bound.threshold
    )


def test_loss_measures_equal_hand_computed_values() -> None:
    hits, alarms = np.array([0.8]), np.array([0.1])
    assert gaussian_mu(ndtr(hits), ndtr(alarms)) == pytest.approx(0.7)
    assert pure_epsilon(hits, alarms) == pytest.approx(math.log(8))
    assert pure_epsilon(1 - alarms, 1 - hits) == pytest.approx(
        math.log(8)
    )  # told from what is not said
    assert pure_epsilon(np.array([0.0]), np.array([1.0])) == -np.inf


SHARE = math.sqrt(ATTACKED_SHARE)
FOUND = {
    "Gaussian, √2": (
        gaussian_law(math.sqrt(2) * SHARE * MU),
        gaussian_mu,
        MU,
        gate.RUNS_GAUSSIAN[gate.ROOT_TWO],
    ),
    "Gaussian, 2": (gaussian_law(2 * SHARE * MU), gaussian_mu, MU, gate.RUNS_GAUSSIAN[gate.TWO]),
    "Gaussian, all": (gaussian_law(1e9), gaussian_mu, MU, gate.RUNS_GAUSSIAN[gate.ALL]),
    "Laplace, √2": (
        laplace_law(math.sqrt(2) * ATTACKED_SHARE * EPSILON),
        pure_epsilon,
        EPSILON,
        gate.RUNS_LAPLACE[gate.ROOT_TWO],
    ),
    "Laplace, 2": (
        laplace_law(2 * ATTACKED_SHARE * EPSILON),
        pure_epsilon,
        EPSILON,
        gate.RUNS_LAPLACE[gate.TWO],
    ),
    "Laplace, all": (laplace_law(1e9), pure_epsilon, EPSILON, gate.RUNS_LAPLACE[gate.ALL]),
}


@pytest.mark.parametrize(("law", "measure", "claim", "runs"), FOUND.values(), ids=FOUND)
def test_gate_runs_find_the_loss_of_each_mutant_law(
    law: Law, measure: Measure, claim: float, runs: int
) -> None:
    """60 audits of the law of a mutant's scores: all find it, 2.5 of their standard deviations above the claim."""
    lower_bounds = bounds(law, measure, runs, 60)
    assert np.all(lower_bounds > claim)
    assert np.mean(lower_bounds) - claim >= 2.5 * np.std(lower_bounds)
