r"""The cost of publishing the best of several private runs, as a grid search over splits does.

An example that can be computed exactly: each run publishes one number, the true one plus Gaussian
noise, and the run with the largest number is kept. Of m runs the largest has the distribution
:math:`Φ(x)^m`, and a neighbor's is the same, shifted by μ.
"""

import math

from scipy.optimize import minimize_scalar
from scipy.special import log_ndtr

from dplda.privacy.accounting import gaussian

LOWEST = -12.0  # standard deviations, between which the most telling result is looked for
HIGHEST = 12.0
GRID_STEP = 0.05


def n_splits(n_edges: int, n_steps: int) -> int:
    """Number of splits of ε over edges in whole steps, each at least one step.

    Args:
        n_edges: of a configuration.
        n_steps: into which ε is divided.
    """
    return math.comb(n_steps - 1, n_edges - 1)


def epsilon_of_all_runs(epsilon: float, delta: float, n_runs: int) -> float:
    """ε of publishing all runs, each (ε, δ)-DP by Gaussian noise, at the same δ; rounded up."""
    mu = gaussian.mu_for(epsilon, delta)
    composed_mu = math.sqrt(n_runs) * mu
    return gaussian.epsilon_for(composed_mu, delta)


def epsilon_of_largest(epsilon: float, delta: float, n_runs: int) -> float:
    r"""A lower bound on the ε of keeping the run with the largest result.

    Each run has exact Gaussian noise of its own.

    For every threshold t the events "the result is below t" of the two neighbors differ, so that
    :math:`ε \ge \ln((Φ(t)^m - δ)/Φ(t - μ)^m)`. The best threshold is taken: on a grid from
    ``LOWEST`` to ``HIGHEST``, then refined around the grid's best.

    Args:
        epsilon: of one run, at ``delta``.
        delta: of one run, and of the bound.
        n_runs: ``m``, at least 1.

    Returns:
        At least 0: a threshold with no probability beyond δ shows nothing.
    """
    mu = gaussian.mu_for(epsilon, delta)

    def negative_epsilon(threshold: float) -> float:
        """The bound at a threshold, negated; 0 where the event's probability is at most δ.

        The event is that all ``n_runs`` results are below the threshold, in standard deviations.
        """
        log_probability = n_runs * float(log_ndtr(threshold))
        if log_probability <= math.log(delta):
            return 0.0
        log_neighbor_probability = n_runs * float(log_ndtr(threshold - mu))
        delta_over_probability = delta / math.exp(log_probability)
        log_probability_beyond_delta = log_probability + math.log1p(-delta_over_probability)
        return log_neighbor_probability - log_probability_beyond_delta

    # The bound is 0 below some threshold and falls again above another: begin where it is largest.
    n_steps = int((HIGHEST - LOWEST) / GRID_STEP)
    grid = [LOWEST + GRID_STEP * step for step in range(n_steps)]
    best_on_grid = min(grid, key=negative_epsilon)
    thresholds_around = (best_on_grid - GRID_STEP, best_on_grid + GRID_STEP)
    minimum = minimize_scalar(negative_epsilon, bounds=thresholds_around, method="bounded")
    return -float(minimum.fun)
