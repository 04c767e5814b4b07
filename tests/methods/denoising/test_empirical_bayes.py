"""Empirical Bayes by known noise: what it must give without noise, under all noise, and where the law is known."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from dplda.methods.denoising import empirical_bayes
from dplda.methods.denoising.empirical_bayes import (
    CENTRES,
    EVEN_WEIGHTS,
    WIDTHS,
    fit_empirical_bayes,
)
from dplda.methods.denoising.word_frequencies import NoisyWordCounts

RNG = np.random.default_rng(5)


def cells(shape, noise, seed=0):
    """Cells whose ratios come from a law unlike the bumps, with noise."""
    rng = np.random.default_rng(seed)
    truth = np.where(rng.random(shape) < 0.3, 0.0, rng.gamma(2.0, 0.8, shape))
    base = rng.gamma(2.0, 5.0, shape)
    spread = noise * base * rng.uniform(0.5, 2.0, shape)
    return truth * base, truth * base + spread * rng.standard_normal(shape), spread, base


def test_empirical_bayes_without_noise_returns_the_values() -> None:
    values = RNG.gamma(1.0, 3.0, (4, 50))
    posterior = fit_empirical_bayes(values, np.zeros_like(values), np.full(values.shape, 2.0))
    np.testing.assert_array_equal(posterior.mean, values)
    np.testing.assert_array_equal(posterior.variance, 0)


def test_small_noise_moves_a_cell_by_less_than_its_noise() -> None:
    values, noise = RNG.uniform(0.2, 20, (4, 50)), 1e-4
    posterior = fit_empirical_bayes(values, np.full(values.shape, noise), np.ones(values.shape))
    assert np.max(np.abs(posterior.mean - values)) < noise / 2


def test_under_all_noise_every_cell_is_the_mean_of_the_law_times_its_base() -> None:
    base = RNG.gamma(2.0, 5.0, (3, 40))
    values = base + 1e9 * RNG.standard_normal(base.shape)
    weights = RNG.dirichlet(np.ones(len(CENTRES)))
    posterior = fit_empirical_bayes(
        values, np.full(base.shape, 1e9), base, initial_weights=weights, n_rounds=0
    )
    np.testing.assert_allclose(posterior.mean, base * (weights @ CENTRES), rtol=1e-4)
    np.testing.assert_allclose(
        np.ptp(NoisyWordCounts(values[0], 1e15).word_frequencies), 0, atol=1e-6
    )


@pytest.mark.parametrize("value", [-0.5, 0.1, 1.0, 7.0])
def test_posterior_moments_equal_those_of_the_integral(value: float) -> None:
    """Bayes' rule by quadrature, the point mass at 0 apart."""
    weights = RNG.dirichlet(np.ones(len(CENTRES)))
    noise = 0.7
    posterior = fit_empirical_bayes(
        np.array([value]), np.array([noise]), np.array([1.0]), initial_weights=weights, n_rounds=0
    )

    def density(r: float) -> float:
        return float(weights[1:] @ norm.pdf(r, CENTRES[1:], WIDTHS[1:]) * norm.pdf(value, r, noise))

    at_zero = weights[0] * norm.pdf(value, 0, noise)
    breaks = [0.01, 0.05, 0.2, 1, 3, 8]
    moments = [
        quad(lambda r, n=n: r**n * density(r), -1, 20, points=breaks, limit=500)[0]
        for n in (0, 1, 2)
    ]
    total = moments[0] + at_zero
    mean = moments[1] / total
    assert posterior.mean[0] == pytest.approx(mean, rel=1e-4)
    assert posterior.variance[0] == pytest.approx(moments[2] / total - mean**2, rel=1e-3)


@pytest.mark.parametrize("noise", [0.3, 1.0, 4.0])
def test_shrunk_cells_err_less_than_simpler_estimates(noise: float) -> None:
    truth, values, spread, base = cells((10, 500), noise)
    posterior_mean = fit_empirical_bayes(values, spread, base).mean

    def error(cells_: np.ndarray) -> float:
        return float(np.mean(((cells_ - truth) / base) ** 2))

    assert error(posterior_mean) < 0.95 * error(np.maximum(values, 0))
    assert error(posterior_mean) < error(base * np.mean(truth / base))


def test_em_never_lowers_the_likelihood() -> None:
    _, values, spread, base = cells((5, 200), 0.5)
    likely = empirical_bayes._likelihoods(*empirical_bayes._to_ratios(values, spread, base))
    scores = [
        np.sum(
            np.log(fit_empirical_bayes(values, spread, base, n_rounds=n).mixture_weights @ likely)
        )
        for n in (0, 1, 2, 5, 20)
    ]
    assert np.all(np.diff(scores) > 0)
    assert np.sum(EVEN_WEIGHTS) == pytest.approx(1)
