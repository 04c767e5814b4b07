r"""Shares of groups without an order: alike around a common mean, but for a few that stand apart.

Noisy shares :math:`P_g | s_g \sim N(s_g, v_g)` of one topic come from groups whose true shares are

.. math:: s_g \sim (1 - ω)\, N(m, τ^2) + ω\, U(0, 1).

A topic often belongs to a few groups, as a sport does to its newsgroup. Without the second part
these few make τ large, so that the small noise between all other groups is taken for differences
(20 Newsgroups: said with .95, true with .90; with it .93). Priors: :math:`m \sim N(1/k, 1)`, τ
uniform on a grid up to .4, :math:`ω \sim Beta(1, 9)`.

Gibbs sampling in some chains at once. Given which groups stand apart, τ and m have closed forms.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from dplda.core.types import Matrix, Vector

SPREADS = (0.0, *np.geomspace(0.001, 0.4, 40).tolist())
"""Values of τ: 0, where all groups are alike, and 40 up to .4."""
SPREAD_WEIGHTS = np.array([SPREADS[1], *np.gradient(np.array(SPREADS[1:]))])
"""Width of τ that each value stands for, so that τ is uniform between 0 and .4."""
MEAN_PRECISION = 1.0  # of m before any group is seen
APART_COUNTS = (1.0, 9.0)  # of the Beta distribution of ω: one group in ten stands apart
N_CHAINS = 40
N_WARM_UP = 8  # rounds of each chain that are not kept
LEAST_PROBABILITY = 1e-15  # at which a normal quantile is taken


def draw_exchangeable(
    shares: Vector,
    stds: Vector,
    n_draws: int,
    generator: np.random.Generator,
    *,
    mean_share: float,
) -> Matrix:
    """Draw shares of groups around a common mean, a few of them apart, shape (n_draws, G).

    Only shares of groups apart are sure to lie in [0, 1].

    Args:
        shares: noisy shares P of one topic, (G,).
        stds: standard deviation of their noise √v, (G,), above 0.
        n_draws: how many.
        generator: of the draws.
        mean_share: mean of m before any group is seen: 1/k.
    """
    n_chains = min(N_CHAINS, n_draws)
    n_rounds = -(-n_draws // n_chains)
    sampler = _Chains(shares, stds, n_chains, generator, mean_share)
    for _ in range(N_WARM_UP):
        sampler.advance()
    rounds = []
    for _ in range(n_rounds):
        sampler.advance()
        rounds.append(sampler.draw_shares())
    return np.concatenate(rounds)[:n_draws]


class _Chains:
    """Chains of Gibbs sampling, all advanced at once.

    Args:
        shares: noisy shares, (G,).
        stds: standard deviation of their noise, (G,).
        n_chains: C.
        generator: of all draws.
        mean_share: mean of m before any group is seen.
    """

    def __init__(
        self,
        shares: Vector,
        stds: Vector,
        n_chains: int,
        generator: np.random.Generator,
        mean_share: float,
    ) -> None:
        """Begin with no group apart, the smallest spread, and the prior mean as common mean.

        The rate of groups apart begins at its prior mean.
        """
        self._shares = shares
        self._stds = stds
        self._generator = generator
        self._mean_share = mean_share
        self._total_variances = stds**2 + np.array(SPREADS)[:, None] ** 2  # (T, G)
        self._precisions = 1 / self._total_variances
        self._log_variances = np.log(self._total_variances)
        # Of a uniform share, with its noise: the likelihood, and the ends between which it lies.
        self._below = ndtr(-shares / stds)
        self._above = ndtr((1 - shares) / stds)
        self._log_uniform = np.log(np.maximum(self._above - self._below, 1e-300))
        self._is_apart: NDArray[np.bool_] = np.zeros((n_chains, len(shares)), dtype=bool)
        self._apart_rate = np.full(n_chains, APART_COUNTS[0] / sum(APART_COUNTS))
        self._spread_indices = np.zeros(n_chains, dtype=np.intp)
        self._means = np.full(n_chains, mean_share)

    def advance(self) -> None:
        """One round: τ and m given who stands apart, then who stands apart given τ and m.

        Shares of those alike are normal around m, with τ² added to the noise's variance; shares of
        those apart are uniform. Last comes the rate of standing apart, given how many do. It is
        kept off 0 and 1.
        """
        self._draw_spread_with_mean()
        variances = self._total_variances[self._spread_indices]
        residuals = self._shares - self._means[:, None]
        log_alike = -0.5 * (np.log(2 * np.pi * variances) + residuals**2 / variances)
        log_alike += np.log1p(-self._apart_rate)[:, None]
        log_apart = self._log_uniform + np.log(self._apart_rate)[:, None]
        odds_alike = np.exp(np.clip(log_alike - log_apart, -500, 500))
        uniforms = self._generator.random(residuals.shape)
        self._is_apart = uniforms < 1 / (1 + odds_alike)
        n_apart = self._is_apart.sum(axis=1)
        n_alike = len(self._shares) - n_apart
        apart_rate = self._generator.beta(APART_COUNTS[0] + n_apart, APART_COUNTS[1] + n_alike)
        self._apart_rate = np.clip(apart_rate, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)

    def _draw_spread_with_mean(self) -> None:
        """Draw τ with m integrated out, and then m, by the groups that are alike."""
        is_alike = (~self._is_apart).astype(float)
        precisions = is_alike @ self._precisions.T + MEAN_PRECISION  # (C, T), of m
        weighted_sums = (is_alike * self._shares) @ self._precisions.T
        weighted_sums += MEAN_PRECISION * self._mean_share
        means = weighted_sums / precisions
        weighted_squares = (is_alike * self._shares**2) @ self._precisions.T
        misfits = weighted_squares - means * weighted_sums
        deviances = is_alike @ self._log_variances.T + np.log(precisions) + misfits
        log_weights = np.log(SPREAD_WEIGHTS) - 0.5 * deviances
        cumulated_weights = np.cumsum(
            np.exp(log_weights - log_weights.max(axis=1, keepdims=True)), axis=1
        )
        n_chains = len(cumulated_weights)
        thresholds = self._generator.random((n_chains, 1)) * cumulated_weights[:, -1:]
        self._spread_indices = np.sum(thresholds >= cumulated_weights[:, :-1], axis=1)
        chains = np.arange(n_chains)
        normals = self._generator.standard_normal(n_chains)
        mean_std = 1 / np.sqrt(precisions[chains, self._spread_indices])
        self._means = means[chains, self._spread_indices] + mean_std * normals

    def draw_shares(self) -> Matrix:
        """Draw the share of every group in each chain, (C, G).

        Groups apart have a uniform prior, and shares in [0, 1]. Others are drawn around the common
        mean, from their noisy share, and may lie outside.
        """
        spreads = np.array(SPREADS)[self._spread_indices][:, None]
        weights_of_data = spreads**2 / self._total_variances[self._spread_indices]
        noise = (
            self._generator.standard_normal(weights_of_data.shape)
            * np.sqrt(weights_of_data)
            * self._stds
        )
        alike_shares = (
            weights_of_data * self._shares + (1 - weights_of_data) * self._means[:, None] + noise
        )
        uniforms = self._generator.random(weights_of_data.shape)
        quantiles = self._below + uniforms * (self._above - self._below)
        safe_quantiles = np.clip(quantiles, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
        apart_shares = np.clip(self._shares + self._stds * ndtri(safe_quantiles), 0.0, 1.0)
        return np.asarray(np.where(self._is_apart, apart_shares, alike_shares))
