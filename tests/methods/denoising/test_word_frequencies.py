"""Words first: what share of a budget goes on words, and how two noisy readings of them become one."""

import math

import numpy as np
import pytest

from dplda.methods.denoising.word_frequencies import (
    NoisyWordCounts,
    first_word_share,
    inverse_variance_mean,
)

WORDS = np.random.default_rng(0).dirichlet(np.ones(50))


def reading(noise: float, seed: int = 0) -> NoisyWordCounts:
    return NoisyWordCounts(WORDS + noise * np.random.default_rng(seed).standard_normal(50), noise)


@pytest.mark.parametrize(
    ("n_documents", "n_words", "mu", "share"),
    [
        (2000, 1000, 1.0, 1 / 2),
        (1000, 500, 0.5, 4 / 5),
        (4000, 1000, 1.0, 1 / 5),
        (20_000, 1000, 1.0, 1 / 101),
        (100, 1000, 2.0, 100 / 101),
        (100, 1000, math.inf, 1e-6),  # the least: exact noise is drawn no wider than that asks for
    ],
)
def test_first_word_share_follows_from_public_numbers(
    n_documents: int, n_words: int, mu: float, share: float
) -> None:
    """ν = 2d/(Nμ) and ν²/(1 + ν²), by hand."""
    assert first_word_share(n_documents, n_words, mu) == pytest.approx(share)


def test_counts_become_frequencies_with_their_noise() -> None:
    noisy_counts = NoisyWordCounts.as_frequencies(300 * WORDS, 6.0)
    np.testing.assert_allclose(noisy_counts.counts, WORDS)
    assert noisy_counts.noise_std == pytest.approx(6 / 300)
    nothing_but_noise = NoisyWordCounts.as_frequencies(np.array([-3.0, 1.0, -2.0]), 6.0)
    np.testing.assert_array_equal(nothing_but_noise.counts, [-3, 1, -2])
    assert nothing_but_noise.noise_std == 6


@pytest.mark.parametrize(("first_noise", "second_noise"), [(1.0, 1.0), (0.1, 0.3), (5.0, 0.02)])
def test_inverse_variance_mean_weighs_readings_by_their_precision(
    first_noise: float, second_noise: float
) -> None:
    """Two routes: an average with weights 1/s², and what normal equations of both readings say."""
    a, b = reading(first_noise, 1), reading(second_noise, 2)
    mean_counts = inverse_variance_mean(a, b)
    expected = np.average([a.counts, b.counts], axis=0, weights=[first_noise**-2, second_noise**-2])
    np.testing.assert_allclose(mean_counts.counts, expected, rtol=1e-12)
    design = np.array([[1 / first_noise], [1 / second_noise]])
    solved = np.linalg.lstsq(
        design, np.array([a.counts / first_noise, b.counts / second_noise]), rcond=None
    )[0]
    np.testing.assert_allclose(mean_counts.counts, solved[0], rtol=1e-9)
    assert mean_counts.noise_std == pytest.approx((first_noise**-2 + second_noise**-2) ** -0.5)
    back = inverse_variance_mean(b, a)
    np.testing.assert_allclose(back.counts, mean_counts.counts, rtol=1e-12)
    assert back.noise_std == pytest.approx(mean_counts.noise_std)


def test_inverse_variance_mean_has_the_stated_noise() -> None:
    """4,000 pairs of readings of 50 words: 1 % is more than six standard deviations of a standard deviation."""
    remaining_errors = [
        inverse_variance_mean(reading(0.2, 2 * i), reading(0.5, 2 * i + 1)).counts - WORDS
        for i in range(4000)
    ]
    assert np.std(remaining_errors) == pytest.approx(
        inverse_variance_mean(reading(0.2), reading(0.5)).noise_std, rel=0.01
    )


@pytest.mark.parametrize(
    ("noise_of_kept", "noise_of_other"), [(0.1, math.inf), (0.0, 0.1), (0.0, math.inf), (0.0, 0.0)]
)
def test_inverse_variance_mean_keeps_an_exact_reading_or_the_only_one(
    noise_of_kept: float, noise_of_other: float
) -> None:
    kept_reading, other_reading = (
        NoisyWordCounts(WORDS, noise_of_kept),
        NoisyWordCounts(np.full(50, 7.0), noise_of_other),
    )
    assert inverse_variance_mean(kept_reading, other_reading) is kept_reading
    if noise_of_other:
        assert inverse_variance_mean(other_reading, kept_reading).counts is kept_reading.counts


def test_word_frequencies_at_any_noise_are_a_distribution() -> None:
    np.testing.assert_allclose(NoisyWordCounts(WORDS, 0.0).word_frequencies, WORDS, atol=1e-12)
    noise = 1e9 * np.random.default_rng(0).standard_normal(50)
    np.testing.assert_allclose(
        NoisyWordCounts(WORDS + noise - np.mean(noise), 1e9).word_frequencies, 1 / 50, rtol=1e-3
    )
    for noise in (1e-4, 0.01, 0.1, 10.0):
        shrunk_frequencies = reading(noise).word_frequencies
        assert np.all(shrunk_frequencies > 0)
        assert np.sum(shrunk_frequencies) == pytest.approx(1)


@pytest.mark.parametrize("noise", [0.02, 0.1, 1.0])
def test_shrinking_brings_words_nearer_to_the_truth(noise: float) -> None:
    """Noise from a word's mean frequency on: in each of 20 readings, as a coin would say once in a million times."""
    for seed in range(20):
        noisy_counts = reading(noise, seed)
        assert np.sum((noisy_counts.word_frequencies - WORDS) ** 2) < np.sum(
            (noisy_counts.counts - WORDS) ** 2
        )
