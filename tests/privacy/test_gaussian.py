"""The accountant against golden numbers, against another accountant, and against 50 digits; always on the safe side."""

import math

import mpmath
import pytest
from dp_accounting.pld.privacy_loss_mechanism import GaussianPrivacyLoss
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda.core.errors import InputError
from dplda.privacy.gaussian import compose, delta_of, epsilon_for, mu_for, share

epsilons = st.floats(1e-3, 100)
deltas = st.floats(-14, -0.05).map(lambda exponent: 10**exponent)
mus = st.floats(1e-3, 20)


def exact_delta(epsilon: float, mu: float) -> mpmath.mpf:
    with mpmath.workdps(50):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)


@pytest.mark.parametrize(
    ("epsilon", "scale"),
    [(0.1, 41.32945), (0.5, 8.99568), (1, 4.67866), (2, 2.44906), (5, 1.06206), (10, 0.57958)],
)
def test_one_release_at_delta_1e_7_needs_the_scale_of_the_analytic_mechanism(epsilon: float, scale: float) -> None:
    assert 1 / mu_for(epsilon, 1e-7) == pytest.approx(scale, rel=1e-5)


@pytest.mark.parametrize(
    ("epsilon", "scale"), [(0.1, 71.585), (0.5, 15.581), (1, 8.104), (2, 4.242), (5, 1.840), (10, 1.004)]
)
def test_three_equal_releases_at_delta_1e_7_need_the_scale_of_exact_composition(epsilon: float, scale: float) -> None:
    each = share(mu_for(epsilon, 1e-7), 1 / 3)
    assert 1 / each == pytest.approx(scale, rel=3e-4)
    assert compose([each] * 3) == pytest.approx(mu_for(epsilon, 1e-7), rel=1e-12)


@pytest.mark.parametrize(("epsilon", "mu"), [(0.5, 0.1112), (1, 0.2137), (2, 0.4083), (3, 0.5932)])
def test_mu_at_delta_1e_7(epsilon: float, mu: float) -> None:
    assert mu_for(epsilon, 1e-7) == pytest.approx(mu, abs=6e-5)
    assert epsilon_for(mu, 1e-7) == pytest.approx(epsilon, rel=1e-3)


@given(epsilons, mus)
def test_delta_is_that_of_another_accountant(epsilon: float, mu: float) -> None:
    other = GaussianPrivacyLoss(standard_deviation=1 / mu).get_delta_for_epsilon(epsilon)
    assert delta_of(epsilon, mu) == pytest.approx(other, rel=1e-7, abs=1e-14)


@settings(max_examples=300)
@given(epsilons, mus)
def test_delta_is_never_rounded_down_and_hardly_up(epsilon: float, mu: float) -> None:
    exact = exact_delta(epsilon, mu)
    found = delta_of(epsilon, mu)
    if exact > 1e-290:
        assert exact <= found
    if exact > 1e-15:
        assert found <= exact * (1 + 1e-8) + 1e-15


@given(epsilons, deltas)
def test_mu_for_keeps_the_promise_and_wastes_nothing(epsilon: float, delta: float) -> None:
    mu = mu_for(epsilon, delta)
    assert exact_delta(epsilon, mu) <= delta
    assert exact_delta(epsilon, mu * (1 + 1e-6)) > delta


@given(st.floats(2, 12).map(lambda exponent: 10**exponent), deltas)
def test_so_it_does_at_the_largest_epsilon_there_is(epsilon: float, delta: float) -> None:
    mu = mu_for(epsilon, delta)
    assert exact_delta(epsilon, mu) <= delta
    assert exact_delta(epsilon, mu * (1 + 1e-6)) > delta


@given(mus, deltas)
def test_epsilon_for_keeps_the_promise_and_wastes_nothing(mu: float, delta: float) -> None:
    epsilon = epsilon_for(mu, delta)
    assert exact_delta(epsilon, mu) <= delta
    assert epsilon < 1e-6 or exact_delta(epsilon * (1 - 1e-5), mu) > delta


@given(st.tuples(epsilons, epsilons).map(sorted), st.tuples(deltas, deltas).map(sorted))
def test_more_epsilon_or_delta_never_buys_less_mu(pair: list[float], delta_pair: list[float]) -> None:
    (less, more), (small, large) = pair, delta_pair
    slack = 1 + 1e-9
    assert mu_for(less, small) <= mu_for(more, small) * slack
    assert mu_for(less, small) <= mu_for(less, large) * slack


@given(st.tuples(epsilons, epsilons).map(sorted), st.tuples(mus, mus).map(sorted))
def test_delta_falls_with_epsilon_and_rises_with_mu(pair: list[float], mu_pair: list[float]) -> None:
    (less, more), (low, high) = pair, mu_pair
    assert delta_of(more, low) <= delta_of(less, low) * (1 + 1e-8) + 1e-18
    assert delta_of(less, low) <= delta_of(less, high) * (1 + 1e-8) + 1e-18


@given(mus, deltas)
def test_there_and_back(mu: float, delta: float) -> None:
    epsilon = epsilon_for(mu, delta)
    if epsilon > 1e-3:
        assert mu_for(epsilon, delta) == pytest.approx(mu, rel=1e-6)


@given(mus, st.lists(st.floats(1e-3, 1), min_size=1, max_size=12))
def test_shares_of_a_whole_never_compose_to_more_than_it(mu: float, weights: list[float]) -> None:
    whole = math.fsum(weights)
    shares = [share(mu, weight / whole) for weight in weights]
    assert compose(shares) <= mu * (1 + 1e-14)
    assert compose(shares) == pytest.approx(mu, rel=1e-12)
    assert all(compose(shares) >= part for part in shares)


def test_composition_of_nothing_spends_nothing() -> None:
    assert compose([]) == 0


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf])
def test_an_epsilon_that_is_none_is_refused(epsilon: float) -> None:
    with pytest.raises(InputError, match="epsilon must be a finite number greater than 0"):
        mu_for(epsilon, 1e-7)


@pytest.mark.parametrize("delta", [0, 1, -0.1, 1.5, math.nan])
def test_a_delta_outside_its_range_is_refused(delta: float) -> None:
    for call in (lambda: mu_for(1.0, delta), lambda: epsilon_for(1.0, delta)):
        with pytest.raises(InputError, match="delta must be a number between 0 and 1, ends excluded"):
            call()


@pytest.mark.parametrize("mu", [0, -1, math.nan, math.inf])
def test_a_mu_that_is_none_is_refused(mu: float) -> None:
    for call in (lambda: delta_of(1.0, mu), lambda: epsilon_for(mu, 1e-7)):
        with pytest.raises(InputError, match="mu must be a finite number greater than 0"):
            call()


def test_what_cannot_be_computed_is_refused_rather_than_guessed() -> None:
    with pytest.raises(InputError, match="delta must be large enough"):
        mu_for(1e-9, 1e-12)
