r"""The privacy loss of replacing one document in Poisson-sampled Gaussian sums.

Each of T steps takes every document with probability ν, adds up their contributions, entrywise
non-negative and of norm at most C, and adds Gaussian noise of standard deviation σC to every entry.

Guarantee:
    *The worst replacement turns a contribution of the first unit vector (times C) into the second.*
    Condition on which other documents were taken (hockey-stick divergences are jointly convex) and
    let ``C = 1``. With contributions x and x′ the distributions are ``P = (1−ν)N(0) + νN(x)`` and
    ``Q = (1−ν)N(0) + νN(x′)``, and for :math:`γ = e^ε ≥ 1`

    .. math:: H_γ(P‖Q) = E\big[(νX - γνY - (1-ν)(γ-1))_+\big],\quad
        X = e^{⟨x,z⟩/σ^2-\|x\|^2/2σ^2},\ Y = e^{⟨x',z⟩/σ^2-\|x'\|^2/2σ^2},\ z∼N(0,σ^2 I):

    the price of an option on the spread of two log-normal martingales, :math:`g(X,Y)` convex with
    :math:`g_{XY} ≤ 0`. Along a path of covariances Σ of their logarithms its derivative is
    :math:`\tfrac12 E[X^2 g_{XX}]` per unit of :math:`Σ_{xx}`, :math:`E[XY g_{XY}] ≤ 0` per unit of
    :math:`Σ_{xy}`. As :math:`Σ_{xy} = ⟨x,x'⟩/σ^2 ≥ 0` for non-negative contributions, taking it to
    0 and then both variances to :math:`1/σ^2` only raises the price: orthogonal contributions of
    full norm are the worst. Exchanging x and x′ covers γ < 1.

    For orthogonal contributions both distributions are products over two coordinates,
    ``P = mixture × N(0)`` and ``Q = N(0) × mixture``: *replacing one document costs exactly what
    removing one and adding one cost when composed.* The pair does not depend on earlier outcomes,
    so T steps compose as T removals and T additions.

Source:
    Ours. For contributions of any sign the same argument ends at opposite contributions, which
    dp-accounting's ``REPLACE_ONE`` assumes; at ν = 1 the two amount to a sensitivity of 2C against
    √2·C. A pair that dominates every step dominates the composition: Zhu, Dong & Wang, optimal
    accounting via the characteristic function, Theorem 10. Pessimistic discretization:
    dp-accounting.
"""

import math
from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from dplda.core.optional_packages import requiring
from dplda.core.types import Vector

with requiring("dp-accounting", "Accounting for minibatches"):
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

GRID_STEP = 1e-4  # smallest spacing of losses, which are rounded up
MAX_LOSSES = 20_000  # of one step
REACH = 10.0
"""Noise beyond which the loss counts as infinite, in standard deviations: probability < 1e-23."""


def replacement_loss(
    noise_multiplier: float, sampling_rate: float, steps: int, *, grid_step: float = GRID_STEP
) -> PrivacyLossDistribution:
    """Compute the privacy loss of a schedule when one document is replaced, on the safe side.

    Composes the losses of removing the document and of adding another one, on a grid.

    Args:
        noise_multiplier: ``σ`` > 0.
        sampling_rate: ``ν`` in (0, 1).
        steps: ``T`` ≥ 1.
        grid_step: smallest spacing of losses.
    """
    lowest_loss, highest_loss = _loss_range(noise_multiplier, sampling_rate)
    loss_spacing = max(grid_step, (highest_loss - lowest_loss) / MAX_LOSSES)
    first_grid_point = math.floor(lowest_loss / loss_spacing)
    last_grid_point = math.ceil(highest_loss / loss_spacing)
    removal = _compose_steps(
        _removal_deltas,
        noise_multiplier,
        sampling_rate,
        steps,
        first_grid_point,
        last_grid_point,
        loss_spacing,
    )
    addition = _compose_steps(
        _addition_deltas,
        noise_multiplier,
        sampling_rate,
        steps,
        -last_grid_point,
        -first_grid_point,
        loss_spacing,
    )
    # the two directions of the replacement have the same law: the coordinates change places
    return removal.compose(addition)


def _loss_range(sigma: float, rate: float) -> tuple[float, float]:
    """Smallest and largest loss of a removal, in nats, for noise up to ``REACH`` deviations."""

    def loss_at(x: float) -> float:
        log_density_ratio = (2 * x - 1) / (2 * sigma**2)
        return float(np.logaddexp(math.log1p(-rate), math.log(rate) + log_density_ratio))

    return loss_at(-REACH * sigma), loss_at(1 + REACH * sigma)


def _removal_deltas(losses: Vector, sigma: float, rate: float) -> Vector:
    """δ at every ε of ``losses``: the mixture against the noise alone, with little cancellation."""
    excess = np.expm1(losses)
    threshold = _point_of_density_ratio(excess, sigma, rate)
    return rate * ndtr((1 - threshold) / sigma) - (excess + rate) * ndtr(-threshold / sigma)


def _addition_deltas(losses: Vector, sigma: float, rate: float) -> Vector:
    """δ at every ε of ``losses``: the noise alone against the mixture."""
    excess = np.expm1(-losses)
    threshold = _point_of_density_ratio(excess, sigma, rate)
    # multiplied by e^ε at the end: 1 − e^ε (1 − ν) = e^ε (expm1(−ε) + ν)
    scaled_deltas = (excess + rate) * ndtr(threshold / sigma) - rate * ndtr((threshold - 1) / sigma)
    return np.where(np.isfinite(threshold), np.exp(losses) * scaled_deltas, 0.0)


def _point_of_density_ratio(excess: Vector, sigma: float, rate: float) -> Vector:
    """Point where the mixture is ``1 + excess`` times as dense as noise; −∞ where always more."""
    shift_ratio = 1 + excess / rate  # of the shifted noise to the noise
    is_reached = shift_ratio > 0
    points = sigma**2 * np.log(np.where(is_reached, shift_ratio, 1.0)) + 0.5
    return np.where(is_reached, points, -np.inf)


def _compose_steps(
    deltas_of: Callable[[Vector, float, float], Vector],
    sigma: float,
    rate: float,
    steps: int,
    first_grid_point: int,
    last_grid_point: int,
    loss_spacing: float,
) -> PrivacyLossDistribution:
    """Privacy loss of all steps of a schedule in one direction, on the safe side.

    Args:
        deltas_of: δ at each of some losses for one step, from losses, σ and rate.
        sigma: σ of a step.
        rate: chance of the document to be in a step's minibatch.
        steps: number of steps.
        first_grid_point: smallest loss of the grid, in spacings.
        last_grid_point: largest one.
        loss_spacing: spacing of the grid, in nats.
    """
    grid_points = np.arange(first_grid_point, last_grid_point + 1, dtype=np.float64)
    losses: Vector = grid_points * loss_spacing
    deltas = np.clip(deltas_of(losses, sigma, rate), 0.0, 1.0)
    # rounding may make them rise by a hair: never taken as less than any that follows
    falling_deltas = np.maximum.accumulate(deltas[::-1])[::-1]
    pmf = pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(
        loss_spacing, first_grid_point, last_grid_point, falling_deltas
    )
    return PrivacyLossDistribution(pmf).self_compose(steps)
