r"""Earlier accountants of a sampled Gaussian mechanism: log moments.

For one step, ``P = (1−ν)N(0, σ²) + νN(1, σ²)`` against ``Q = N(0, σ²)``, the log moment of order λ
is

.. math:: α(λ) = \log E_Q[(P/Q)^{λ+1}]
    = \log \sum_{j=0}^{λ+1} \binom{λ+1}{j} (1-ν)^{λ+1-j} ν^j e^{j(j-1)/2σ^2}.

The other direction, Q against P, is never larger (Mironov, Talwar & Zhang 2019). Log moments add
up.
"""

import math
from bisect import bisect_left

import numpy as np
from scipy.special import gammaln

from dplda.core.errors import InputError

HIGHEST_ORDER = 512
HIGHEST_CAPPED_ORDER = 1 << 15  # a tiny ε needs large orders, which its cap allows for much noise


def log_moment(order: int, noise_multiplier: float, sampling_rate: float) -> float:
    """Compute the log moment α(λ) of one step, at least 0.

    Args:
        order: ``λ`` ≥ 1, whole.
        noise_multiplier: ``σ`` > 0.
        sampling_rate: ``ν`` in (0, 1].
    """
    n = order + 1
    variance = noise_multiplier**2
    if sampling_rate == 1.0:
        return n * (n - 1) / (2 * variance)
    j = np.arange(n + 1)
    log_binomials = gammaln(n + 1) - gammaln(j + 1) - gammaln(n - j + 1)
    log_probabilities = (n - j) * math.log1p(-sampling_rate) + j * math.log(sampling_rate)
    log_terms = log_binomials + log_probabilities + j * (j - 1) / (2 * variance)
    return max(0.0, float(np.logaddexp.reduce(log_terms)))


def classic_epsilon(
    noise_multiplier: float,
    sampling_rate: float,
    steps: int,
    delta: float,
    *,
    highest_order: int = HIGHEST_ORDER,
) -> float:
    r"""Compute ε by Abadi and others' Theorem 2, :math:`\min_λ (Tα(λ) + \log(1/δ))/λ`.

    The minimum is found by halving, as α is convex.

    Args:
        noise_multiplier: ``σ`` > 0.
        sampling_rate: ``ν`` in (0, 1].
        steps: ``T`` ≥ 1.
        delta: δ of the schedule.
        highest_order: largest λ that is tried.
    """

    def epsilon_at(order: int) -> float:
        log_moment_of_steps = steps * log_moment(order, noise_multiplier, sampling_rate)
        return (log_moment_of_steps - math.log(delta)) / order

    best_order = bisect_left(
        range(highest_order),
        True,
        lo=1,
        key=lambda order: epsilon_at(order) <= epsilon_at(order + 1),
    )
    return epsilon_at(best_order) * (1 + 1e-12)


def capped_epsilon(
    noise_multiplier: float, sampling_rate: float, steps: int, delta: float
) -> float:
    r"""Compute ε by Park and others' moments accountant.

    Arguments are as for ``classic_epsilon``, with orders only up to σ² ln(1/(νσ)) and
    ``HIGHEST_CAPPED_ORDER``.

    Raises:
        InputError: no order is allowed.
    """
    order_cap = noise_multiplier**2 * math.log(1 / (sampling_rate * noise_multiplier))
    highest_order = math.floor(order_cap)
    if highest_order < 1:
        raise InputError(
            "the noise and the sampling rate",
            "such that σ² ln(1/(νσ)) is at least 1, the smallest order of the moments accountant",
            f"σ = {noise_multiplier:g} and ν = {sampling_rate:g}",
            "Choose another accountant, smaller minibatches or another noise multiplier.",
        )
    return classic_epsilon(
        noise_multiplier,
        sampling_rate,
        steps,
        delta,
        highest_order=min(HIGHEST_CAPPED_ORDER, highest_order),
    )
