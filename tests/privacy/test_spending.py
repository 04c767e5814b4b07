"""Many releases as one: sums of μ² beside slack, under caps that no order of requests and no knowledge passes."""

import math
from fractions import Fraction
from itertools import repeat

import mpmath
import numpy as np
import pytest
from dp_accounting import ComposedDpEvent, GaussianDpEvent
from dp_accounting.pld import PLDAccountant
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import (
    NOTHING_SPENT,
    SLACK_UNITS,
    SQUARED_MU_UNITS,
    BudgetCaps,
    Spending,
    largest_epsilon,
)
from dplda.privacy.noise.exact import RESERVED_DELTA_SHARE, delta_of_noise, max_tv_slack
from dplda.release.ledger.amounts import to_units
from dplda.release.ledger.balance import Balance

UNIT = 1 / SLACK_UNITS
REQUESTS = st.tuples(
    st.floats(0.01, 2), st.floats(1e-9, 3e-7), st.floats(0, 1), st.floats(0, 1e-13)
)


def accepted(cap: tuple[float, float], requests) -> tuple[Balance, list[Spending]]:
    """The balance after all requests that fit, and what these spent."""
    balance, spendings = Balance(to_units(*cap, up=False)), []
    for epsilon, delta, passing, tv_slack in requests:
        spending = Spending(
            gaussian.mu_for(epsilon, delta_of_noise(delta)), passing * delta / 4, tv_slack
        )
        balance_after = balance.after_release(epsilon=epsilon, delta=delta, spending=spending)
        if balance_after is not None:
            balance, _ = balance_after, spendings.append(spending)
    return balance, spendings


@given(st.floats(0.1, 6), st.floats(1e-8, 1e-5), st.lists(REQUESTS, max_size=20))
@settings(max_examples=60)
def test_accepted_requests_in_any_order_keep_the_budget(
    epsilon: float, delta: float, requests
) -> None:
    balance, spendings = accepted((epsilon, delta), requests)
    if spendings:
        covered = sum(
            spending.selection_failure
            + (1 + math.exp(balance.budget_caps.epsilon)) * spending.tv_slack
            for spending in spendings
        )
        noise = gaussian.delta_of(
            balance.budget_caps.epsilon, gaussian.compose([spending.mu for spending in spendings])
        )
        assert noise + covered <= delta


@pytest.mark.parametrize("seed", range(2))
def test_random_sequences_agree_with_dp_accounting(seed: int) -> None:
    """Until nothing fits: δ of the noise by privacy loss distributions, and the slack, use most of δ and no more."""
    rng, cap = np.random.default_rng(seed), (2.0, 1e-6)
    rows = [(rng.uniform(0.1, 1), 10 ** rng.uniform(-9, -7), rng.uniform(), 0.0) for _ in range(80)]
    balance, spendings = accepted(cap, [*rows, *repeat((0.01, 1e-9, 0.0, 0.0), 200)])
    accountant = PLDAccountant(value_discretization_interval=1e-4)
    accountant.compose(
        ComposedDpEvent([GaussianDpEvent(1 / spending.mu) for spending in spendings])
    )
    total_delta = accountant.get_delta(cap[0]) + sum(
        spending.selection_failure for spending in spendings
    )
    assert len(spendings) >= 4
    assert total_delta <= cap[1] * 1.002, "an upper bound of theirs"
    assert balance.used_totals.squared_mu > 0.99 * balance.budget_caps.caps.squared_mu
    assert accountant.get_delta(cap[0]) > 0.7 * cap[1]


def test_balance_after_three_releases_at_epsilon_1_is_below_two() -> None:
    balance, _ = accepted((3.0, 3e-7), repeat((1.0, 1e-7, 0.0, 0.0), 3))
    assert balance.total_guarantee == pytest.approx((1.717, 3e-7), rel=1e-3)
    assert balance.describe_total() == "ε = 1.72 at δ = 3e-7; their ε add up to 3"
    assert (
        balance.percent_left,
        accepted((4.0, 1e-6), repeat((2.0, 1e-7, 0.0, 0.0), 9))[0].percent_left,
    ) == (63, 2)
    assert balance.after_release(
        epsilon=2.4, delta=1e-7, spending=Spending(gaussian.mu_for(2.4, 1e-7))
    )
    epsilon, delta = balance.remaining
    larger_epsilon = 1.001 * epsilon
    assert (
        balance.after_release(
            epsilon=larger_epsilon,
            delta=delta,
            spending=Spending(gaussian.mu_for(larger_epsilon, delta)),
        )
        is None
    )


def test_balance_of_many_documents_holds_three_releases_at_a_third_each() -> None:
    """Ten million documents: at ε = 9 the distance would cost all of δ, so the caps are of a smaller ε."""
    balance, spendings = accepted((9.0, 3e-7), repeat((3.0, 1e-7, 0.0, 2.5e-13), 3))
    assert (len(spendings), balance.budget_caps.epsilon < 9) == (3, True)


@given(
    st.floats(0.01, 30).map(lambda number: round(number, 9)),
    st.integers(10**6, 10**14).map(lambda number: number / SLACK_UNITS),
    st.booleans(),
)
@settings(max_examples=80)
def test_balance_allows_a_first_release_of_the_whole_budget(
    epsilon: float, delta: float, words: bool
) -> None:
    """As a single release always could, with all of its own slack."""
    first_spending = Spending(
        gaussian.mu_for(epsilon, delta_of_noise(delta)), 0.0, max_tv_slack(epsilon, delta) / 2
    )
    if words:
        half = (1 - RESERVED_DELTA_SHARE) * delta * (1 - 1e-9) / 2
        first_spending = Spending(gaussian.mu_for(epsilon, half), half, first_spending.tv_slack)
    assert Balance(to_units(epsilon, delta, up=False)).after_release(
        epsilon=epsilon, delta=delta, spending=first_spending
    )


def test_trading_noise_for_slack_stays_within_the_budget_caps() -> None:
    """After seeing the first result, the best of all that is left, exactly: what the theorem's fixed caps are for."""
    epsilon, delta = 1.0, 1e-6
    first_mu = gaussian.mu_for(epsilon, delta) / math.sqrt(2)
    loss = (
        np.linspace(-8, 8, 20_001) * first_mu + first_mu**2 / 2
    )  # of the first result, where D is true
    weight = np.exp(-((loss - first_mu**2 / 2) ** 2) / (2 * first_mu**2))
    weight /= weight.sum()

    def reached(rest_mu: float, passing: float, on_noise_with_slack: bool) -> float:
        """δ of everything, where the rest is spent on noise or on γ (or both), whatever is worse after each result."""
        epsilon_left = epsilon - loss
        noise = ndtr(rest_mu / 2 - epsilon_left / rest_mu) - np.exp(epsilon_left) * ndtr(
            -rest_mu / 2 - epsilon_left / rest_mu
        )
        leaked = passing + (1 - passing) * np.maximum(0, -np.expm1(epsilon_left))
        return float(
            weight
            @ (
                passing + (1 - passing) * noise
                if on_noise_with_slack
                else np.maximum(noise, leaked)
            )
        )

    assert (
        reached(first_mu, delta - gaussian.delta_of(epsilon, first_mu), on_noise_with_slack=False)
        > 1.2 * delta
    ), "a curve"
    box = BudgetCaps.for_first_release(
        Spending(first_mu), epsilon_alone=0.7, epsilon=epsilon, delta=delta
    )
    rest_mu = math.sqrt(box.caps.squared_mu / SQUARED_MU_UNITS - first_mu**2)
    assert (
        0.97 * delta
        < reached(rest_mu, box.caps.selection_failure * UNIT, on_noise_with_slack=True)
        <= delta
    )


def test_lower_budget_lowers_every_cap() -> None:
    box = BudgetCaps.for_first_release(
        Spending(0.1, 1e-9, 1e-14), epsilon_alone=0.5, epsilon=2.0, delta=1e-6
    )
    for epsilon, delta in ((1.0, 1e-6), (2.0, 1e-7), (0.0, 1e-6), (1.0, 0.0)):
        assert box.lowered_to(epsilon=epsilon, delta=delta).caps.is_within(box.caps)
        assert box.lowered_to(epsilon=epsilon, delta=delta).caps.squared_mu < box.caps.squared_mu


def test_largest_epsilon_of_what_is_left_rounds_down() -> None:
    box = BudgetCaps.for_first_release(
        Spending(0.1, 1e-9, 1e-14), epsilon_alone=0.5, epsilon=2.0, delta=1e-6
    )
    assert (largest_epsilon(0, 1e-7), NOTHING_SPENT.is_within(box.caps)) == (0.0, True)
    epsilon = largest_epsilon(SQUARED_MU_UNITS // 25, 1e-7)
    assert epsilon == pytest.approx(gaussian.epsilon_for(0.2, 1e-7), rel=1e-9)
    assert gaussian.mu_for(epsilon, 1e-7) <= 0.2


@pytest.mark.parametrize("mu", [1e-9, 0.1, 1 / 3, 2.0000001])
def test_price_of_squared_mu_in_whole_units_is_rounded_up(mu: float) -> None:
    """A price in whole units may be above the exact one by less than a unit, and never below."""
    exact = Fraction(mu) ** 2 * SQUARED_MU_UNITS
    assert 0 <= BudgetCaps(1.0).price(Spending(mu)).squared_mu - exact < 1


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 3.0, 20.0])
@pytest.mark.parametrize("tv_slack", [1e-25, 3e-17, 1e-9])
def test_price_of_distance_counts_it_on_both_neighbors(epsilon: float, tv_slack: float) -> None:
    """The theorem takes τ of δ once as it is and once times e^ε; fifty digits of it, rounded up."""
    with mpmath.workdps(50):
        exact = (1 + mpmath.exp(mpmath.mpf(epsilon))) * mpmath.mpf(tv_slack) * SLACK_UNITS
        price = BudgetCaps(epsilon).price(Spending(1.0, tv_slack=tv_slack)).tv_slack
        assert exact <= price <= exact * (1 + mpmath.mpf(10) ** -11) + 1


@pytest.mark.parametrize("failure", [1e-25, 1e-9, 1e-7 / 3])
def test_price_of_failed_selections_is_rounded_up(failure: float) -> None:
    exact = Fraction(failure) * SLACK_UNITS
    assert (
        0
        <= BudgetCaps(1.0).price(Spending(1.0, selection_failure=failure)).selection_failure - exact
        < 1
    )
