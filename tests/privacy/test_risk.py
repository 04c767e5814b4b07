"""The two sentences on risk, against brute force over all guessing rules and by quadrature."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.odds import best_guess
from dplda.privacy.accounting.risk import raised_guess, right_guess, risk_of


def density_gap(mu: float) -> float:
    """Total variation of N(0, 1) and N(μ, 1), by integrating the gap of their densities."""
    gap, _ = quad(
        lambda x: max(0.0, norm.pdf(x, loc=mu) - norm.pdf(x)), mu / 2, mu / 2 + 40, epsabs=1e-12
    )
    return gap


@pytest.mark.parametrize("mu", [0.01, 0.2, 0.6, 1.5, 4.0])
def test_right_guess_is_half_of_one_plus_the_total_variation(mu) -> None:
    assert right_guess(mu) == pytest.approx((1 + density_gap(mu)) / 2, abs=1e-8)
    assert right_guess(mu) >= norm.cdf(mu / 2)


@pytest.mark.parametrize("mu", [0.05, 0.3, 1.0, 3.0])
@pytest.mark.parametrize("chance", [1e-6, 0.01, 0.3, 0.9])
def test_raised_guess_is_the_power_of_the_best_test(mu, chance) -> None:
    """The most powerful test of size p of N(0, 1) against N(μ, 1) looks at the likelihood ratio."""
    threshold = norm.isf(chance)
    power, _ = quad(lambda x: norm.pdf(x, loc=mu), threshold, threshold + 45, limit=200)
    assert raised_guess(chance, mu) == pytest.approx(power, abs=1e-8)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_raised_guess_is_the_best_of_all_pairs_on_the_privacy_curve(epsilon) -> None:
    """By another route: inf over ε of δ(ε) + e^ε p, with δ(ε) from SciPy's normal law alone."""
    mu = gaussian.mu_for(epsilon, 1e-7)

    def bound(at: float) -> float:
        delta = norm.cdf(mu / 2 - at / mu) - math.exp(at) * norm.cdf(-mu / 2 - at / mu)
        return delta + math.exp(at) * 0.01

    best = minimize_scalar(bound, bounds=(0, 12), method="bounded", options={"xatol": 1e-10})
    assert raised_guess(0.01, mu) == pytest.approx(best.fun, rel=1e-6)


@pytest.mark.parametrize(
    ("epsilon", "delta", "times"), [(1.0, 1e-7, 55), (3.0, 1e-7, 62), (1.0, 1e-5, 56)]
)
def test_risk_of_gaussian_noise_is_what_the_texts_say(epsilon, delta, times) -> None:
    risk = risk_of(epsilon, delta, is_gaussian=True)
    assert f"at most {times} times in 100" in risk.describe_right_guess()


def test_raised_guess_at_epsilon_one_is_said_as_in_the_texts() -> None:
    sentence = risk_of(1.0, 1e-7, is_gaussian=True).describe_raised_guess("person")
    assert "a guess about a person that is right 1 time in 100" in sentence
    assert "at most 1.8 times in 100" in sentence


@given(st.floats(0.05, 12), st.sampled_from([1e-9, 1e-7, 1e-5, 1e-3]))
def test_risk_of_gaussian_noise_is_never_above_that_of_the_pair(epsilon, delta) -> None:
    of_noise = risk_of(epsilon, delta, is_gaussian=True)
    of_pair = risk_of(epsilon, delta, is_gaussian=False)
    assert of_noise.right_guess <= of_pair.right_guess * (1 + 1e-9)
    assert of_noise.raised_guess <= of_pair.raised_guess * (1 + 1e-9)


def test_risk_of_other_noise_is_that_of_the_pair() -> None:
    assert risk_of(1.0, 0.0, is_gaussian=True).right_guess == best_guess(1.0, 0.0)
    assert risk_of(math.inf, 1.0, is_gaussian=True).right_guess == 1.0


@pytest.mark.parametrize("failure", [0.0, 0.01, 0.2])
@pytest.mark.parametrize("slack", [0.0, 0.005])
def test_guess_bounds_cover_the_worst_mixture_with_slack(failure, slack) -> None:
    """With chance γ the result names the document, or never does; τ moves mass where it tells most."""
    mu = 0.5
    thresholds = np.linspace(-6, 6, 4001)
    hits, false_hits = norm.sf(thresholds - mu), norm.sf(thresholds)
    with_it = np.minimum(1, (1 - failure) * hits + failure + slack)
    without = np.maximum(0, (1 - failure) * false_hits - slack)
    best = np.max((with_it + 1 - without) / 2)
    assert best <= right_guess(mu, selection_failure=failure, tv_slack=slack)
    for chance in (0.01, 0.2):
        reached = with_it[without <= chance].max()
        bound = raised_guess(chance, mu, selection_failure=failure, tv_slack=slack)
        assert reached <= bound


def test_raised_guess_exceeds_a_discounted_curve_that_would_be_too_small() -> None:
    """(1 − γ)F(p) + γ is passed by a selection that never says anything without the document."""
    mu, failure, chance = 0.5, 0.2, 0.1
    curve = norm.cdf(norm.ppf(chance / (1 - failure)) + mu)
    reached = (1 - failure) * curve + failure
    assert reached > (1 - failure) * norm.cdf(norm.ppf(chance) + mu) + failure
    assert reached <= raised_guess(chance, mu, selection_failure=failure)
