"""Golden numbers were computed independently of this package, to the digits given, at δ = 1e-7."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from dplda.core.errors import InputError
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.composition import (
    Accounting,
    classic_multiplier,
    noise_multipliers,
    true_epsilon,
    zcdp_delta,
)

DELTA = 1e-7
EPSILONS = (0.1, 0.5, 1, 2, 5, 10)
THREE_EQUAL = {
    Accounting.SPLIT_CLASSIC: (177.18, 35.435, 17.718, 8.859, 3.544, 1.772),
    Accounting.SPLIT_ANALYTIC: (123.78, 26.792, 13.848, 7.167, 3.021, 1.589),
    Accounting.ZCDP: (76.91, 16.625, 8.62, 4.497, 1.939, 1.053),
    Accounting.EXACT: (71.585, 15.581, 8.104, 4.242, 1.84, 1.004),
}

SHARES = st.lists(st.floats(0.01, 1), min_size=1, max_size=6).map(
    lambda raw: tuple(np.array(raw) / math.fsum(raw))
)
PROVED = [accounting for accounting in Accounting if accounting is not Accounting.SPLIT_CLASSIC]


@pytest.mark.parametrize("accounting", Accounting)
def test_noise_multipliers_of_three_equal_releases_match_golden_numbers(accounting):
    for epsilon, golden in zip(EPSILONS, THREE_EQUAL[accounting], strict=True):
        for multiplier in noise_multipliers(epsilon, DELTA, (1 / 3,) * 3, accounting):
            assert multiplier == pytest.approx(golden, abs=6e-4 if golden < 10 else 6e-3)


@given(st.floats(0.01, 20), st.floats(1e-4, 10))
@settings(max_examples=60)
def test_zcdp_delta_is_the_best_over_orders(epsilon, rho):
    alphas = 1 + np.geomspace(1e-9, 1e5, 40_001)
    exponents = (
        (alphas - 1) * (alphas * rho - epsilon)
        - np.log(alphas - 1)
        + alphas * np.log1p(-1 / alphas)
    )
    by_grid = math.exp(min(0.0, float(np.min(exponents))))
    assert zcdp_delta(epsilon, rho) <= by_grid * (1 + 1e-9)
    assert zcdp_delta(epsilon, rho) >= by_grid * (1 - 1e-4)


@given(st.floats(0.01, 20), st.floats(1e-4, 10))
@settings(max_examples=60)
def test_zcdp_delta_is_never_below_that_of_the_gaussian(epsilon, rho):
    assert (
        zcdp_delta(epsilon, rho)
        >= gaussian.delta_of(epsilon, math.sqrt(2 * rho)) * (1 - 1e-9) - 1e-15
    )


@given(st.floats(0.05, 20), st.floats(1e-10, 0.1), SHARES, st.sampled_from(PROVED))
@settings(max_examples=60, deadline=None)
def test_noise_multipliers_of_proved_accountings_keep_delta(epsilon, delta, shares, accounting):
    multipliers = noise_multipliers(epsilon, delta, shares, accounting)
    mu = gaussian.compose([1 / multiplier for multiplier in multipliers])
    assert gaussian.delta_of(epsilon, mu) <= delta * (1 + 1e-9)
    if accounting is Accounting.EXACT:
        assert true_epsilon(multipliers, delta) == pytest.approx(epsilon, rel=1e-5)


def _classic_limit(delta):
    """The ε above which the classic τ no longer keeps δ."""
    return brentq(
        lambda e: gaussian.delta_of(e, 1 / classic_multiplier(e, delta)) / delta - 1,
        1e-3,
        100,
        xtol=1e-10,
    )


def test_classic_limit_of_two_deltas_equals_the_known_one():
    assert _classic_limit(DELTA) == pytest.approx(9.1, abs=0.05)
    assert _classic_limit(1e-2) == pytest.approx(6.8, abs=0.05)


def test_classic_noise_keeps_its_promise_up_to_its_limit():
    for delta in (1e-12, DELTA, 1e-5, 0.1, 0.5):
        limit = _classic_limit(delta) * (1 - 1e-9)
        for epsilon in np.linspace(0.05, 1, 20) * limit:
            assert gaussian.delta_of(epsilon, 1 / classic_multiplier(epsilon, delta)) <= delta
        for epsilon in limit * np.array([1.001, 1.1, 2, 5]):
            assert gaussian.delta_of(epsilon, 1 / classic_multiplier(epsilon, delta)) > delta
    assert gaussian.delta_of(10, 1 / classic_multiplier(10, DELTA)) == pytest.approx(
        1.6e-7, rel=0.03
    )


def test_shares_a_hair_above_one_do_not_overspend():
    multipliers = noise_multipliers(1, DELTA, (0.5, 0.5 + 5e-10), Accounting.EXACT)
    assert gaussian.compose([1 / multiplier for multiplier in multipliers]) <= gaussian.mu_for(
        1, DELTA
    ) * (1 + 1e-14)


@pytest.mark.parametrize(
    "call",
    [
        lambda: noise_multipliers(0, DELTA, (1,), Accounting.EXACT),
        lambda: noise_multipliers(1, 1, (1,), Accounting.SPLIT_CLASSIC),
        lambda: noise_multipliers(1, DELTA, (), Accounting.EXACT),
        lambda: noise_multipliers(1, DELTA, (0.5, 0.0), Accounting.EXACT),
        lambda: noise_multipliers(1, DELTA, (0.5, 0.6), Accounting.EXACT),
        lambda: noise_multipliers(1, DELTA, (math.nan,), Accounting.ZCDP),
        lambda: true_epsilon((), DELTA),
        lambda: true_epsilon((1, -1), DELTA),
        lambda: zcdp_delta(1, 0),
    ],
)
def test_accounting_with_arguments_out_of_range_is_refused(call):
    with pytest.raises(InputError):
        call()
