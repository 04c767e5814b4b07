"""The accountant against golden numbers, against another accountant, and against 50 digits; always on the safe side."""

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda.core.errors import InputError
from dplda.privacy.accounting.gaussian import compose, delta_of, epsilon_for, mu_for, mu_of_share

epsilons = st.floats(1e-3, 100)
deltas = st.floats(-14, -0.05).map(lambda exponent: 10**exponent)
mus = st.floats(1e-3, 20)


def exact_delta(epsilon: float, mu: float) -> mpmath.mpf:
    with mpmath.workdps(50):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)


@settings(max_examples=300)
@given(epsilons, mus)
def test_delta_of_is_just_above_the_exact_delta(epsilon: float, mu: float) -> None:
    exact = exact_delta(epsilon, mu)
    rounded_delta = delta_of(epsilon, mu)
    if exact > 1e-290:
        assert exact <= rounded_delta
    if exact > 1e-15:
        assert rounded_delta <= exact * (1 + 1e-8) + 1e-15


@given(epsilons | st.floats(2, 12).map(lambda exponent: 10**exponent), deltas)
def test_mu_for_a_guarantee_is_the_largest_that_keeps_it(epsilon: float, delta: float) -> None:
    mu = mu_for(epsilon, delta)
    assert exact_delta(epsilon, mu) <= delta
    assert exact_delta(epsilon, mu * (1 + 1e-6)) > delta


@given(mus, deltas)
def test_epsilon_for_a_mu_is_the_smallest_that_is_kept(mu: float, delta: float) -> None:
    epsilon = epsilon_for(mu, delta)
    assert exact_delta(epsilon, mu) <= delta
    assert epsilon < 1e-6 or exact_delta(epsilon * (1 - 1e-5), mu) > delta


@given(mus, st.lists(st.floats(1e-3, 1), min_size=1, max_size=12))
def test_shares_of_a_whole_never_compose_to_more_than_it(mu: float, weights: list[float]) -> None:
    total_weight = math.fsum(weights)
    shares = [mu_of_share(mu, weight / total_weight) for weight in weights]
    assert compose(shares) <= mu * (1 + 1e-14)
    assert compose(shares) == pytest.approx(mu, rel=1e-12)
    assert all(compose(shares) >= part for part in shares)


REFUSED = [
    *[("epsilon", lambda bad=bad: mu_for(bad, 1e-7)) for bad in (0, -1, math.nan, math.inf)],
    *[
        ("delta", lambda bad=bad, call=call: call(1.0, bad))
        for bad in (0, 1, -0.1, math.nan)
        for call in (mu_for, epsilon_for)
    ],
    *[("mu", lambda bad=bad: delta_of(1.0, bad)) for bad in (0, -1, math.nan, math.inf)],
    *[("mu", lambda bad=bad: epsilon_for(bad, 1e-7)) for bad in (0, -1, math.nan, math.inf)],
]


@pytest.mark.parametrize(("name", "call"), REFUSED)
def test_numbers_that_are_none_are_refused(name: str, call: Callable[[], float]) -> None:
    with pytest.raises(InputError, match=f"{name} must be a (finite )?number"):
        call()


def test_mu_for_a_float32_keeps_the_guarantee() -> None:
    """``np.float32(0.5) == 0.5``, and a cache would take one for the other."""
    mu_for.cache_clear()
    for epsilon, delta in ((0.5, 1e-7), (2.0, 1e-12)):
        expected_mu = mu_for(np.float32(epsilon), delta)
        assert delta_of(epsilon, expected_mu) <= delta
        assert mu_for(epsilon, delta) == expected_mu


def test_mu_for_an_uncomputable_guarantee_is_refused() -> None:
    with pytest.raises(InputError, match="delta must be large enough"):
        mu_for(1e-9, 1e-12)
