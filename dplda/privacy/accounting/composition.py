r"""Noise needed by several Gaussian releases together, under four kinds of accounting.

A noise multiplier is the standard deviation per unit of sensitivity. From most wasteful to exact: ε
and δ divided with :math:`τ = \sqrt{2\ln(1.25/δ)}/ε` for every release, as in the paper; divided and
calibrated exactly; zero-concentrated DP with the best known conversion; exact composition.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scipy.optimize import brentq, minimize_scalar

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.privacy.accounting import gaussian


class Accounting(StrEnum):
    """A way of composing Gaussian releases."""

    SPLIT_CLASSIC = "ε and δ divided, classic τ"
    SPLIT_ANALYTIC = "ε and δ divided, exact Gaussian"
    ZCDP = "zero-concentrated DP"
    EXACT = "exact Gaussian composition"


@dataclass(frozen=True, slots=True)
class RequiredNoise:
    """Noise that an accounting asks for.

    Attributes:
        accounting: how releases are composed.
        multipliers: standard deviation of the noise of each release per unit of sensitivity.
        true_epsilon: ε of this noise under exact composition at the same δ.
    """

    accounting: Accounting
    multipliers: tuple[float, ...]
    true_epsilon: float


def classic_multiplier(epsilon: float, delta: float) -> float:
    r"""The classic noise multiplier :math:`τ = \sqrt{2\ln(1.25/δ)}/ε`.

    Raises:
        InputError: ε is not above 0, or δ not in (0, 1).

    Source:
        The paper's Proposition 18; its proof needs ε ≤ 1 and the claim fails above 9.1 at δ = 1e-7.
    """
    checks.positive("epsilon", epsilon)
    checks.between("delta", delta, 0, 1, open_ends=True)
    squared_ratio = 2 * math.log(1.25 / delta)  # (ετ)²
    return math.sqrt(squared_ratio) / epsilon


def zcdp_delta(epsilon: float, rho: float) -> float:
    r"""δ of ρ-zCDP at ε by the best known conversion, rounded up.

    .. math:: δ = \inf_{α>1} \frac{e^{(α-1)(αρ-ε)}}{α-1}\Big(1-\frac1α\Big)^α

    Raises:
        InputError: ε is below 0, or ρ is not above 0.

    Source:
        Canonne, Kamath & Steinke, the discrete Gaussian for differential privacy, Corollary 13.
    """
    checks.at_least("epsilon", epsilon, 0)
    checks.positive("rho", rho)

    def log_delta(log_excess: float) -> float:
        """Logarithm of the bound on δ at the order whose excess over 1 has this logarithm."""
        order_excess = math.exp(log_excess)  # α − 1
        alpha = 1 + order_excess
        return (
            order_excess * (alpha * rho - epsilon)
            - log_excess
            - alpha * math.log1p(1 / order_excess)
        )

    excess_guess = max((epsilon + rho) / (2 * rho), 1e-3)
    log_excess_guess = math.log(excess_guess)
    minimum = minimize_scalar(
        log_delta,
        bounds=(log_excess_guess - 25, log_excess_guess + 10),
        method="bounded",
        options={"xatol": 1e-9},
    )
    least_delta = math.exp(min(0.0, float(minimum.fun)))
    return min(1.0, least_delta * (1 + 1e-12))


def zcdp_rho_for(epsilon: float, delta: float) -> float:
    """The largest ρ, rounded down, at which ρ-zCDP is (ε, δ)-DP by ``zcdp_delta``.

    It is at most that of the Gaussian mechanism.

    Raises:
        InputError: ε is not above 0, or δ not in (0, 1).
    """
    checks.positive("epsilon", epsilon)
    checks.between("delta", delta, 0, 1, open_ends=True)

    def log_excess_delta(log_rho: float) -> float:
        """Logarithm of δ at this ρ, less that of the δ allowed; above 0 if ρ is too large."""
        delta_at_rho = zcdp_delta(epsilon, math.exp(log_rho))
        log_delta = math.log(max(delta_at_rho, 1e-300))
        return log_delta - math.log(delta)

    # no conversion allows more than the Gaussian mechanism itself
    gaussian_rho = gaussian.mu_for(epsilon, delta) ** 2 / 2
    low_log_rho = math.log(gaussian_rho) - 1
    while log_excess_delta(low_log_rho) > 0:
        low_log_rho -= 1
    high_log_rho = math.log(gaussian_rho)
    rho = gaussian_rho
    if log_excess_delta(high_log_rho) > 0:
        log_rho = brentq(log_excess_delta, low_log_rho, high_log_rho, xtol=1e-12)
        rho = math.exp(float(log_rho))

    def is_private(rho: float) -> bool:
        """Whether ρ-zCDP is (ε, δ)-DP."""
        return zcdp_delta(epsilon, rho) <= delta

    return gaussian.nudge_until(rho, -1e-12, is_private)


def noise_multipliers(
    epsilon: float, delta: float, shares: Sequence[float], accounting: Accounting
) -> tuple[float, ...]:
    """The noise multiplier of each release that makes all of them together (ε, δ)-DP.

    Args:
        epsilon: ε of all releases.
        delta: δ of all releases.
        shares: share of each release, of ε and δ where these are divided, else of μ² (or ρ); at
            most 1 together.
        accounting: how releases are composed.

    Raises:
        InputError: ε or δ is out of its range, there are no shares, one is not above 0, or their
            sum is above 1.

    Guarantee:
        Except for ``SPLIT_CLASSIC``, the releases together are (ε, δ)-DP, even if each is chosen
        knowing earlier ones. The classic τ keeps that promise only while every share of ε is at
        most 9.1 or so.
    """
    checks.positive("epsilon", epsilon)
    checks.between("delta", delta, 0, 1, open_ends=True)
    checked_shares = _checked(shares)
    return tuple(
        _multiplier_of_share(epsilon, delta, share, accounting) * (1 + 1e-15)
        for share in checked_shares
    )


def true_epsilon(multipliers: Sequence[float], delta: float) -> float:
    """ε, rounded up, of Gaussian releases with these noise multipliers under exact composition.

    Raises:
        InputError: there are no multipliers, one is not above 0, or δ is not in (0, 1).
    """
    if not multipliers:
        raise InputError("multipliers", "at least one number", "none")
    for multiplier in multipliers:
        checks.positive("multiplier", multiplier)
    mus = [1 / multiplier for multiplier in multipliers]
    total_mu = gaussian.compose(mus)
    return gaussian.epsilon_for(total_mu, delta)


def compare(epsilon: float, delta: float, shares: Sequence[float]) -> tuple[RequiredNoise, ...]:
    """Compute the noise that each of the four accountings asks for, and the ε that it really gives.

    Rows come in the order of ``Accounting``. Arguments and refusals are as in
    ``noise_multipliers``.
    """
    multipliers_by_accounting = {
        accounting: noise_multipliers(epsilon, delta, shares, accounting)
        for accounting in Accounting
    }
    return tuple(
        RequiredNoise(accounting, multipliers, true_epsilon(multipliers, delta))
        for accounting, multipliers in multipliers_by_accounting.items()
    )


def _checked(shares: Sequence[float]) -> tuple[float, ...]:
    """Check the shares, and scale them down to a sum of one where rounding put them above it.

    Raises:
        InputError: there are none, one is not positive, or their sum is above one.
    """
    if not shares:
        raise InputError("shares", "at least one number", "none")
    for share in shares:
        checks.positive("share", share)
    sum_of_shares = math.fsum(shares)
    if sum_of_shares > 1 + 1e-9:
        raise InputError("shares", "fractions that sum to at most 1", f"{sum_of_shares:g}")
    return tuple(share / max(1.0, sum_of_shares) for share in shares)


def _multiplier_of_share(
    epsilon: float, delta: float, share: float, accounting: Accounting
) -> float:
    """Noise multiplier of one release that gets a share of (ε, δ), up to rounding.

    The share is of ε and δ where these are divided, else of μ² or ρ; arguments are as in
    ``noise_multipliers``.
    """
    match accounting:
        case Accounting.SPLIT_CLASSIC:
            return classic_multiplier(share * epsilon, share * delta)
        case Accounting.SPLIT_ANALYTIC:
            mu = gaussian.mu_for(share * epsilon, share * delta)
            return 1 / mu
        case Accounting.ZCDP:
            rho = share * zcdp_rho_for(epsilon, delta)
            return math.sqrt(0.5 / rho)
        case Accounting.EXACT:
            total_mu = gaussian.mu_for(epsilon, delta)
            return 1 / gaussian.mu_of_share(total_mu, min(share, 1))
