r"""The tables of shares that a noisy one leaves possible: a small hierarchical model of the noise.

A noisy table has rows :math:`S_g`, one for each group, with independent noise of standard deviation
σ on every cell. A row's sum is the noisy size of its group, :math:`\hat n_g`. Of each topic

.. math:: P_g | s_g \sim N(s_g, v_g), \quad P_g = S_g / \hat n_g, \quad v_g = (σ / \hat n_g)^2,

and the true shares :math:`s_g` of groups are alike. Groups without an order are drawn around a
common mean, but for a few that stand apart (``exchangeable_groups``). Those on an axis of time
scatter around a walk,

.. math:: s_g | w_g \sim N(w_g, u_g), \quad w_{g+1} - w_g \sim N(0, τ^2),
          \quad u_g = p (1 - p) / \hat n_g.

A group's share is a mean over its documents, so it scatters even where nothing changes. With p for
the share in all groups, u is the variance of that mean if each document is of one topic, and more
than it if documents mix topics. Without u this scatter is taken for steps of the walk (200
simulated corpora, ε = 1: said with .95, true with .91; with it .94).

Each series has a start of its own with a flat prior. τ is uniform up to .4, on a grid, so that
everything but τ has a closed form: one banded solve per τ. Draws are cut at 0, and every row is
divided by its sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky_banded, solve_banded

from dplda.core.types import Matrix, Tensor3, Vector
from dplda.methods.shares.exchangeable_groups import SPREAD_WEIGHTS, SPREADS, draw_exchangeable

N_DRAWS = 400
LEAST_SIZE = 2.0  # of a group, in units of the noise of a cell
SEED = 0  # public: draws are post-processing of a released table


def group_sizes(noisy_table: Matrix, noise_std: float) -> Vector:
    """Noisy number of documents of every group, shape (G,), at least ``2 σ``.

    Args:
        noisy_table: S, (G, k).
        noise_std: σ of every cell, in documents.
    """
    return np.asarray(np.maximum(noisy_table.sum(axis=1), LEAST_SIZE * noise_std))


def draw_share_tables(
    noisy_table: Matrix,
    noise_std: float,
    *,
    chains: Sequence[Sequence[int]] = (),
    n_draws: int = N_DRAWS,
    seed: int = SEED,
) -> Tensor3:
    """Tables of shares that the noisy one leaves possible, shape (n_draws, G, k), rows sum to 1.

    Args:
        noisy_table: S, (G, k), in documents; the last row is of documents without a group.
        noise_std: σ of every cell, in documents, above 0.
        chains: rows that follow each other in time, one sequence for each series; the others, and
            all rows if there are none, are drawn around a common mean.
        n_draws: how many.
        seed: of the draws; public, as the noisy table is.
    """
    noisy_group_sizes = group_sizes(noisy_table, noise_std)
    noisy_shares = noisy_table / noisy_group_sizes[:, None]
    share_stds = noise_std / noisy_group_sizes
    generator = np.random.default_rng(seed)
    n_groups, n_topics = noisy_table.shape
    drawn_tables = np.empty((n_draws, n_groups, n_topics))
    chained_rows = np.array([row for chain in chains for row in chain], dtype=np.intp)
    free_rows = np.setdiff1d(np.arange(n_groups), chained_rows)
    chain_lengths = [len(chain) for chain in chains]
    mean_shares = _mean_shares(noisy_table)
    for topic in range(n_topics):
        noisy_topic_shares = noisy_shares[:, topic]
        if len(free_rows):
            drawn_tables[:, free_rows, topic] = draw_exchangeable(
                noisy_topic_shares[free_rows],
                share_stds[free_rows],
                n_draws,
                generator,
                mean_share=1 / n_topics,
            )
        if len(chained_rows):
            document_variance = mean_shares[topic] * (1 - mean_shares[topic])
            drawn_tables[:, chained_rows, topic] = _draw_walks(
                noisy_topic_shares[chained_rows],
                share_stds[chained_rows],
                np.sqrt(document_variance / noisy_group_sizes[chained_rows]),
                chain_lengths,
                n_draws,
                generator,
            )
    return _to_simplex(drawn_tables)


def _mean_shares(noisy_table: Matrix) -> Vector:
    """Share of every topic in all groups together, (k,); all 0 if no noisy sum is above 0."""
    noisy_topic_sums = np.maximum(noisy_table.sum(axis=0), 0.0)
    return np.asarray(noisy_topic_sums / max(float(noisy_topic_sums.sum()), 1e-300))


def _to_simplex(draws: Tensor3) -> Tensor3:
    """Draws cut at 0, rows divided by their sum; equal shares where nothing is above 0."""
    draws = np.maximum(draws, 0.0)
    totals = draws.sum(axis=2, keepdims=True)
    equal_shares = np.full_like(draws, 1 / draws.shape[2])
    return np.asarray(np.divide(draws, totals, out=equal_shares, where=totals > 0))


def _choose_spreads(
    log_likelihoods: Vector, n_draws: int, generator: np.random.Generator
) -> NDArray[np.intp]:
    """Place on the grid of τ for every draw, shape (n_draws,), by its marginal likelihood."""
    weights = np.exp(log_likelihoods - np.max(log_likelihoods))
    weights *= SPREAD_WEIGHTS[-len(log_likelihoods) :]  # a walk leaves out τ = 0
    return np.asarray(generator.choice(len(weights), size=n_draws, p=weights / weights.sum()))


@dataclass(frozen=True, slots=True, eq=False)
class _WalkPosterior:
    """The walks along series that noisy shares leave possible, at one step size τ.

    Attributes:
        mean: shape (G,).
        cholesky_factor: of the precision matrix, in banded form, shape (2, G).
        log_likelihood: of τ, up to a constant.
    """

    mean: Vector
    cholesky_factor: Matrix
    log_likelihood: float


def _draw_walks(
    shares: Vector,
    noise_stds: Vector,
    scatter_stds: Vector,
    chain_lengths: Sequence[int],
    n_draws: int,
    generator: np.random.Generator,
) -> Matrix:
    """Draw shares of groups that scatter around walks along series, shape (n_draws, G).

    Draws for each the step size τ, common to all series, by its likelihood, then the walk, then
    the shares.

    Args:
        shares: noisy shares P, (G,), series after series.
        noise_stds: standard deviation of their noise √v, (G,).
        scatter_stds: standard deviation of shares around the walk √u, (G,).
        chain_lengths: groups of each series.
        n_draws: how many.
        generator: of the draws.
    """
    precisions = 1 / (noise_stds**2 + scatter_stds**2)
    posteriors = _walk_posteriors(shares, precisions, chain_lengths)
    walks = _draw_from_posteriors(posteriors, n_draws, generator)
    scatter_part = scatter_stds**2 * precisions
    share_noise = generator.standard_normal(walks.shape) * np.sqrt(scatter_part) * noise_stds
    return np.asarray(walks + scatter_part * (shares - walks) + share_noise)


def _walk_posteriors(
    shares: Vector, precisions: Vector, chain_lengths: Sequence[int]
) -> list[_WalkPosterior]:
    """Work out the posterior of the walks at every step size τ of the grid but 0, in its order.

    Args:
        shares: noisy shares, (G,), series after series.
        precisions: inverse variances of the shares about the walk, (G,).
        chain_lengths: groups of each series.

    Returns:
        Means of the walks, factors of their precision matrices, and log likelihoods of τ up to a
        constant.
    """
    continues_series = np.ones(len(shares) - 1)  # 1 where the next group is of the same series
    continues_series[np.cumsum(chain_lengths)[:-1] - 1] = 0.0
    n_neighbors = np.zeros(len(shares))  # of each group in its series
    n_neighbors[:-1] += continues_series
    n_neighbors[1:] += continues_series
    n_steps = float(continues_series.sum())
    weighted_shares = precisions * shares
    posteriors = []
    for step_size in np.array(SPREADS[1:]):
        bands = np.zeros((2, len(shares)))
        bands[0] = precisions + n_neighbors / step_size**2
        bands[1, :-1] = -continues_series / step_size**2
        cholesky_factor = cholesky_banded(bands, lower=True)
        half_solved = _solve_lower(cholesky_factor, weighted_shares)
        mean = np.ravel(_solve_lower(cholesky_factor, half_solved, transposed=True))
        log_determinant = 2 * np.log(cholesky_factor[0]).sum()
        log_likelihood = 0.5 * (weighted_shares @ mean) - 0.5 * log_determinant
        log_likelihood -= n_steps * np.log(step_size)
        posteriors.append(_WalkPosterior(mean, cholesky_factor, log_likelihood))
    return posteriors


def _draw_from_posteriors(
    posteriors: Sequence[_WalkPosterior], n_draws: int, generator: np.random.Generator
) -> Matrix:
    """Draw walks, shape (n_draws, G): for each first the step size τ, by its likelihood."""
    log_likelihoods = np.array([posterior.log_likelihood for posterior in posteriors])
    drawn_indices = _choose_spreads(log_likelihoods, n_draws, generator)
    n_groups = len(posteriors[0].mean)
    walks = np.empty((n_draws, n_groups))
    for posterior_index in np.unique(drawn_indices):
        posterior = posteriors[posterior_index]
        is_drawn_from_it = drawn_indices == posterior_index
        normals = generator.standard_normal((n_groups, int(is_drawn_from_it.sum())))
        walk_noise = _solve_lower(posterior.cholesky_factor, normals, transposed=True)
        walks[is_drawn_from_it] = (posterior.mean[:, None] + walk_noise).T
    return walks


def _solve_lower(factor: Matrix, right: Matrix | Vector, *, transposed: bool = False) -> Matrix:
    """Solve ``L x = b``, or ``Lᵀ x = b``, for a bidiagonal Cholesky factor in banded form.

    Args:
        factor: ``L`` in lower form: its diagonal in row 0, its subdiagonal in row 1.
        right: ``b``.
        transposed: whether ``Lᵀ`` is meant.
    """
    if not transposed:
        return np.asarray(solve_banded((1, 0), factor, right))
    upper = np.zeros_like(factor)
    upper[1] = factor[0]
    upper[0, 1:] = factor[1, :-1]
    return np.asarray(solve_banded((0, 1), upper, right))
