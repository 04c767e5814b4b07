r"""The privacy loss of replacing one document in Poisson-sampled Gaussian sums of non-negative contributions.

Each of T steps takes every document with probability ν, adds up their contributions, entrywise non-negative and of norm
at most C, and adds Gaussian noise of standard deviation σC to every entry.

Guarantee:
    *The worst replacement turns a contribution of the first unit vector (times C) into the second.* Condition on which
    other documents were taken (hockey-stick divergences are jointly convex) and let ``C = 1``. With contributions x and
    x′ the distributions are ``P = (1−ν)N(0) + νN(x)`` and ``Q = (1−ν)N(0) + νN(x′)``, and for :math:`γ = e^ε ≥ 1`

    .. math:: H_γ(P‖Q) = E\big[(νX - γνY - (1-ν)(γ-1))_+\big],\quad
        X = e^{⟨x,z⟩/σ^2-\|x\|^2/2σ^2},\ Y = e^{⟨x',z⟩/σ^2-\|x'\|^2/2σ^2},\ z∼N(0,σ^2 I):

    the price of an option on the spread of two log-normal martingales, :math:`g(X,Y)` convex with :math:`g_{XY} ≤ 0`.
    Along a path of covariances Σ of their logarithms its derivative is :math:`\tfrac12 E[X^2 g_{XX}]` per unit of
    :math:`Σ_{xx}`, :math:`E[XY g_{XY}] ≤ 0` per unit of :math:`Σ_{xy}`. As :math:`Σ_{xy} = ⟨x,x'⟩/σ^2 ≥ 0` for
    non-negative contributions, taking it to 0 and then both variances to :math:`1/σ^2` only raises the price:
    orthogonal contributions of full norm are the worst. Exchanging x and x′ covers γ < 1.

    For orthogonal contributions both distributions are products over two coordinates, ``P = mixture × N(0)`` and ``Q =
    N(0) × mixture``: *replacing one document costs exactly what removing one and adding one cost when composed.* The
    pair does not depend on earlier outcomes, so T steps compose as T removals and T additions.

Source:
    Ours. For contributions of any sign the same argument ends at opposite contributions, which dp-accounting's
    ``REPLACE_ONE`` assumes; at ν = 1 the two amount to a sensitivity of 2C against √2·C. A pair that dominates every
    step dominates the composition: Zhu, Dong & Wang, optimal accounting via the characteristic function, Theorem 10.
    Pessimistic discretization: dp-accounting.
"""

import math
from collections.abc import Callable

import numpy as np
from dp_accounting.pld import pld_pmf
from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
from scipy.special import ndtr

from dplda.core.types import Vector

GRID, MOST = (
    1e-4,
    20_000,
)  # least spacing of losses, which are rounded up, and how many a step may have
REACH = 10.0  # standard deviations of noise beyond which the loss counts as infinite: probability below 1e-23


def replaced_document(
    noise_multiplier: float, sampling_rate: float, steps: int, *, grid: float = GRID
) -> PrivacyLossDistribution:
    """The privacy loss distribution of a schedule, ν < 1, when one document is replaced, on the safe side."""
    least, largest = _range(noise_multiplier, sampling_rate)
    grid = max(grid, (largest - least) / MOST)
    lowest, highest = math.floor(least / grid), math.ceil(largest / grid)
    removal = _composed(
        _removal_delta, noise_multiplier, sampling_rate, steps, lowest, highest, grid
    )
    addition = _composed(
        _addition_delta, noise_multiplier, sampling_rate, steps, -highest, -lowest, grid
    )
    # the two directions of the replacement have the same law: the coordinates change places
    return removal.compose(addition)


def _range(sigma: float, rate: float) -> tuple[float, float]:
    def loss(x: float) -> float:
        return float(np.logaddexp(math.log1p(-rate), math.log(rate) + (2 * x - 1) / (2 * sigma**2)))

    return loss(-REACH * sigma), loss(1 + REACH * sigma)


def _removal_delta(losses: Vector, sigma: float, rate: float) -> Vector:
    """δ at every ε of ``losses``: the mixture against the noise alone, as a sum with little cancellation."""
    excess = np.expm1(losses)
    cut = _where_density_ratio_is(excess, sigma, rate)
    return rate * ndtr((1 - cut) / sigma) - (excess + rate) * ndtr(-cut / sigma)


def _addition_delta(losses: Vector, sigma: float, rate: float) -> Vector:
    """δ at every ε of ``losses``: the noise alone against the mixture."""
    excess = np.expm1(-losses)
    cut = _where_density_ratio_is(excess, sigma, rate)
    # multiplied by e^ε at the end: 1 − e^ε (1 − ν) = e^ε (expm1(−ε) + ν)
    inside = (excess + rate) * ndtr(cut / sigma) - rate * ndtr((cut - 1) / sigma)
    return np.where(np.isfinite(cut), np.exp(losses) * inside, 0.0)


def _where_density_ratio_is(excess: Vector, sigma: float, rate: float) -> Vector:
    """Where the mixture's density is ``1 + excess`` times that of the noise alone; −∞ where it is always more."""
    ratio = 1 + excess / rate  # of the shifted noise to the noise
    positive = ratio > 0
    return np.where(positive, sigma**2 * np.log(np.where(positive, ratio, 1.0)) + 0.5, -np.inf)


def _composed(
    delta_of: Callable[[Vector, float, float], Vector],
    sigma: float,
    rate: float,
    steps: int,
    lowest: int,
    highest: int,
    grid: float,
) -> PrivacyLossDistribution:
    losses: Vector = np.arange(lowest, highest + 1, dtype=np.float64) * grid
    # rounding may make them rise by a hair: never taken as less than any that follows
    deltas = np.maximum.accumulate(np.clip(delta_of(losses, sigma, rate), 0.0, 1.0)[::-1])[::-1]
    pmf = pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(grid, lowest, highest, deltas)
    return PrivacyLossDistribution(pmf).self_compose(steps)
