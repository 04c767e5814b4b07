"""Risks of minibatches and of Laplace noise are those that integrals give."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from dplda.methods.base.problem import Budget
from dplda.methods.dpvi.accounting import SamplingSchedule
from dplda.methods.dpvi.schedule_risk import risk_of_schedule
from dplda.methods.registry import parse_method
from dplda.privacy.accounting.laplace_risk import MAX_EPSILON, risk_of_laplace
from dplda.privacy.accounting.risk import RARE_GUESS, raised_guess, right_guess
from tests.tiny_corpora import topical_corpus


def total_variation_of_one_step(sigma: float, rate: float) -> float:
    """Of one replaced document in one minibatch, on a fine grid of both of its coordinates."""
    points = np.linspace(-8 * sigma, 1 + 8 * sigma, 1501)
    noise = norm.pdf(points, 0, sigma)
    mixture = (1 - rate) * noise + rate * norm.pdf(points, 1, sigma)
    difference = np.abs(np.outer(mixture, noise) - np.outer(noise, mixture))
    return float(np.sum(difference) / 2 * (points[1] - points[0]) ** 2)


@pytest.mark.parametrize(("sigma", "rate"), [(0.8, 0.2), (2.0, 0.5)])
def test_risk_of_one_minibatch_is_its_total_variation(sigma: float, rate: float) -> None:
    chance = (1 + total_variation_of_one_step(sigma, rate)) / 2
    right = risk_of_schedule(SamplingSchedule(sigma, rate, 1)).right_guess
    assert chance - 1e-6 <= right <= chance + 1e-3


def test_risk_of_sums_over_all_documents_is_that_of_gaussian_noise() -> None:
    risk = risk_of_schedule(SamplingSchedule(4.0, 1.0, 2))
    mu = 2 / 4.0
    assert risk.right_guess == pytest.approx(right_guess(mu), rel=1e-9)
    assert risk.raised_guess == pytest.approx(raised_guess(RARE_GUESS, mu), rel=1e-9)


@pytest.mark.parametrize("epsilon", [1e-3, 0.3, 1.0, 3.0, MAX_EPSILON])
def test_risk_of_one_laplace_release_has_its_closed_form(epsilon: float) -> None:
    chance = 1 - np.exp(-epsilon / 2) / 2
    risk = risk_of_laplace((epsilon,))
    assert risk is not None
    assert chance - 1e-9 <= risk.right_guess <= chance + 1e-3


def test_risk_of_laplace_noise_beyond_the_largest_epsilon_takes_no_grid() -> None:
    """A grid up to ε = 10,000 would take gigabytes; ε alone says that nothing is promised."""
    assert risk_of_laplace((MAX_EPSILON, 1.0)) is None
    claim = parse_method("config-1/Laplace").guarantee(topical_corpus(0), Budget(1e4, 1e-7))
    assert "right at most 100 times in 100" in claim.describe_risk()


def test_risk_of_two_laplace_releases_is_an_integral() -> None:
    first_epsilon, second_epsilon = 1.0, 0.5

    def excess(x: float) -> float:
        """Density at x of the second number, times total variation of the first beyond its loss."""
        loss = second_epsilon * (abs(x - 1) - abs(x))
        remaining = (
            1 - np.exp((-loss - first_epsilon) / 2)
            if -loss >= -first_epsilon
            else 1 - np.exp(-loss)
        )
        return second_epsilon / 2 * np.exp(-second_epsilon * abs(x)) * max(remaining, 0.0)

    pieces = [quad(excess, low, high)[0] for low, high in ((-80, 0), (0, 1), (1, 80))]
    chance = (1 + sum(pieces)) / 2
    risk_of_both = risk_of_laplace((first_epsilon, second_epsilon))
    risk_at_once = risk_of_laplace((first_epsilon + second_epsilon,))
    assert risk_of_both is not None
    assert risk_at_once is not None
    assert chance - 1e-6 <= risk_of_both.right_guess <= chance + 1e-3
    assert risk_of_both.right_guess < risk_at_once.right_guess


@pytest.mark.parametrize(("epsilon", "right"), [(1.0, 55), (3.0, 62)])
def test_minibatches_promise_what_gaussian_noise_does(epsilon: float, right: int) -> None:
    claim = parse_method("dp-vi").guarantee(topical_corpus(0), Budget(epsilon, 1e-7))
    assert f"right at most {right} times in 100" in claim.describe_risk()


def test_laplace_noise_promises_more_than_its_epsilon() -> None:
    claim = parse_method("config-1/Laplace").guarantee(topical_corpus(0), Budget(1.0, 1e-7))
    assert "right at most 61 times in 100" in claim.describe_risk()
