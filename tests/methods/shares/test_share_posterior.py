"""The tables that a noisy one leaves possible: on the simplex, and as sure as they say."""

import itertools

import numpy as np
import pytest
from scipy.special import betaln
from scipy.stats import norm, truncnorm

from dplda.methods.shares.exchangeable_groups import SPREAD_WEIGHTS, draw_exchangeable
from dplda.methods.shares.share_posterior import _draw_walks, draw_share_tables, group_sizes
from dplda.privacy.accounting.gaussian import mu_for


def test_draws_are_tables_of_shares() -> None:
    noisy_table = np.random.default_rng(0).normal(5, 20, (6, 3))
    draws = draw_share_tables(noisy_table, 20.0, n_draws=50)
    assert draws.shape == (50, 6, 3)
    assert np.all(draws >= 0)
    np.testing.assert_allclose(draws.sum(axis=2), 1)


def test_draws_of_the_same_table_are_the_same() -> None:
    noisy_table = np.random.default_rng(0).normal(50, 20, (6, 3))
    np.testing.assert_array_equal(
        draw_share_tables(noisy_table, 20.0), draw_share_tables(noisy_table, 20.0)
    )


def test_group_sizes_are_row_sums_but_at_least_twice_the_noise() -> None:
    table = np.array([[30.0, 50.0], [-9.0, 4.0]])
    assert group_sizes(table, 10.0).tolist() == [80.0, 20.0]


def test_draws_without_noise_are_the_table() -> None:
    shares = np.random.default_rng(1).dirichlet(np.ones(4), 7)
    draws = draw_share_tables(shares * 1000, 1e-6, chains=[range(3)])
    np.testing.assert_allclose(draws.mean(axis=0), shares, atol=1e-6)


def test_exchangeable_draws_agree_with_numerical_integration() -> None:
    """Two routes: draws, and a sum over τ, m and all ways in which groups can stand apart."""
    shares = np.array([0.2, 0.24, 0.9])
    stds = np.array([0.05, 0.1, 0.08])
    draws = draw_exchangeable(shares, stds, 40_000, np.random.default_rng(2), mean_share=0.25)
    spreads = np.array([0.0, *np.geomspace(0.001, 0.4, 40)])
    means = np.linspace(-3, 3.5, 2601)[:, None]
    total = stds**2 + spreads[:, None, None] ** 2
    density_alike = norm.pdf(shares, means, np.sqrt(total))
    pull = spreads[:, None, None] ** 2 / total
    alike_means = pull * shares + (1 - pull) * means
    interval_ends = (-shares / stds, (1 - shares) / stds)
    density_apart = norm.cdf(interval_ends[1]) - norm.cdf(interval_ends[0])
    apart_means = truncnorm.mean(*interval_ends, shares, stds)
    prior = SPREAD_WEIGHTS[:, None] * norm.pdf(means[:, 0], 0.25, 1)
    total_weight, posterior_mean = 0.0, np.zeros(3)
    for is_apart in itertools.product([True, False], repeat=3):
        n_apart = sum(is_apart)
        weights = np.exp(betaln(1 + n_apart, 9 + 3 - n_apart)) * prior
        weights = weights * np.where(is_apart, density_apart, density_alike).prod(axis=2)
        total_weight += weights.sum()
        expected = np.where(is_apart, apart_means, alike_means)
        posterior_mean += np.einsum("tm,tmg->g", weights, expected)
    np.testing.assert_allclose(draws.mean(axis=0), posterior_mean / total_weight, atol=0.004)


def test_share_statements_beside_outlying_groups_hold_as_often_as_they_say() -> None:
    """Without them in the model, what is said with .95 is true in .86 of these tables."""
    said_95 = []
    errors = []
    for seed in range(12):
        generator = np.random.default_rng(seed)
        shares = generator.dirichlet(np.full(10, 20.0))
        shares = shares * np.exp(generator.normal(0, 0.3, (20, 10)))
        shares /= shares.sum(axis=1, keepdims=True)
        shares = 0.7 * shares + 0.3 * np.eye(10)[np.arange(20) % 10]
        noisy = np.vstack([45 * shares, np.zeros(10)])
        noisy += generator.standard_normal(noisy.shape)
        draws = draw_share_tables(noisy, 1.0, seed=seed)[:, :-1]
        errors.append(np.abs(draws.mean(axis=0) - shares).mean())
        for group in range(19):
            stated_share = np.mean(draws[:, group, None] > draws[:, group + 1 :], axis=0)
            is_right = (stated_share > 0.5) == (shares[group] > shares[group + 1 :])
            surest = np.maximum(stated_share, 1 - stated_share)
            said_95 += is_right[(surest > 0.93) & (surest < 0.97)].tolist()
    assert len(said_95) > 300
    assert 0.92 <= np.mean(said_95) <= 0.98
    assert np.mean(errors) < 0.015


def test_walk_draws_agree_with_dense_matrices() -> None:
    """Two routes for two series: banded solves, and the inverse of the whole precision."""
    shares = np.array([0.1, 0.2, 0.25, 0.6, 0.5])
    stds = np.array([0.05, 0.1, 0.05, 0.08, 0.04])
    scatter_stds = np.array([0.03, 0.06, 0.0, 0.1, 0.02])
    generator = np.random.default_rng(3)
    draws = _draw_walks(shares, stds, scatter_stds, [3, 2], 40_000, generator)
    precisions = 1 / (stds**2 + scatter_stds**2)
    steps = np.zeros((3, 5))
    for row, group in enumerate((0, 1, 3)):
        steps[row, [group, group + 1]] = -1, 1
    spreads = np.geomspace(0.001, 0.4, 40)
    log_weights = []
    means = []
    for spread in spreads:
        precision = steps.T @ steps / spread**2 + np.diag(precisions)
        mean = np.linalg.solve(precision, shares * precisions)
        fit = shares * precisions @ mean
        log_weights.append(
            0.5 * fit - 0.5 * np.linalg.slogdet(precision)[1] - len(steps) * np.log(spread)
        )
        means.append(mean + scatter_stds**2 * precisions * (shares - mean))
    weights = np.exp(log_weights - np.max(log_weights)) * SPREAD_WEIGHTS[1:]
    posterior_mean = weights @ np.array(means) / weights.sum()
    np.testing.assert_allclose(draws.mean(axis=0), posterior_mean, atol=0.002)


def test_scatter_of_documents_is_not_taken_for_steps_of_a_walk() -> None:
    """Without the scatter in the model, what is said with .95 is true in .90 of these tables."""
    said_95 = []
    for seed in range(40):
        generator = np.random.default_rng(seed)
        sizes = generator.integers(40, 800, 16)
        steps = generator.normal(0, 0.1, (16, 4))
        shares = generator.dirichlet(np.ones(4)) * np.exp(np.cumsum(steps, axis=0))
        shares /= shares.sum(axis=1, keepdims=True)
        table = np.vstack([generator.multinomial(sizes, shares), np.zeros(4)])  # one topic each
        shown_shares = table[:-1] / sizes[:, None]
        noisy = table + generator.normal(0, 5.0, table.shape)
        draws = draw_share_tables(noisy, 5.0, chains=[range(16)], seed=seed)[:, :-1]
        for group in range(15):
            stated_share = np.mean(draws[:, group, None] > draws[:, group + 1 :], axis=0)
            is_right = (stated_share > 0.5) == (shown_shares[group] > shown_shares[group + 1 :])
            surest = np.maximum(stated_share, 1 - stated_share)
            said_95 += is_right[(surest > 0.93) & (surest < 0.97)].tolist()
    assert len(said_95) > 1000
    assert 0.92 <= np.mean(said_95) <= 0.98


def simulated_shares(generator: np.random.Generator, *, is_ordered: bool) -> np.ndarray:
    """True shares of 3 to 14 groups, alike to a random degree, (G, k)."""
    n_groups, k = generator.integers(3, 15), generator.integers(3, 10)
    steps = generator.normal(0, generator.choice([0.1, 0.3, 1.0]), (n_groups, k))
    logits = np.cumsum(0.5 * steps, axis=0) if is_ordered else steps
    shares = generator.dirichlet(np.ones(k)) * np.exp(logits)
    return shares / shares.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("is_ordered", [False, True])
@pytest.mark.parametrize("epsilon", [0.1, 0.3, 1.0])
def test_share_statements_hold_as_often_as_they_say(is_ordered, epsilon) -> None:
    """Many tables of known shares; fixed seeds, so the outcome is one and the same."""
    generator = np.random.default_rng(7)
    noise_std = np.sqrt(2) / mu_for(epsilon, 1e-7)
    holds = []
    said_95 = []
    for seed in range(40):
        shares = simulated_shares(generator, is_ordered=is_ordered)
        sizes = np.exp(generator.uniform(np.log(100), np.log(5000), len(shares)))
        table = np.vstack([shares * sizes[:, None], np.zeros(shares.shape[1])])
        noisy = table + generator.normal(0, noise_std, table.shape)
        chains = [range(len(shares))] if is_ordered else []
        draws = draw_share_tables(noisy, noise_std, chains=chains, seed=seed)[:, : len(shares)]
        low, high = np.quantile(draws, [0.05, 0.95], axis=0)
        holds.append(np.mean((low <= shares) & (shares <= high)))
        for group in range(len(shares)):
            is_larger = shares[group] > shares[group + 1 :]
            stated_share = np.mean(draws[:, group, None] > draws[:, group + 1 :], axis=0)
            is_said = (stated_share > 0.93) & (stated_share < 0.97)
            said_95 += is_larger[is_said].tolist()
    assert 0.80 <= np.mean(holds) <= 0.97
    assert len(said_95) > 100
    assert 0.88 <= np.mean(said_95) <= 0.99
