"""Topics after the run: their noise is the one foretold, and shrinking and weighing do what is claimed of them."""

from dataclasses import replace

import numpy as np
import pytest

from dplda.methods.denoising.spectral_topics import (
    denoise_topics,
    estimate_word_frequencies,
    topic_noise_std,
)
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.population import Population
from dplda.spectral.statistics import Averages
from dplda.spectral.tensor import decompose
from dplda.spectral.topics import RawTopics, project_to_simplex, scale_to_unit_sum, unwhiten
from dplda.spectral.whitening import Whitening, whiten

D, K, ALPHA0 = 60, 3, 2.0
C = Coefficients(ALPHA0)


def population(seed: int = 0) -> Population:
    topics = np.random.default_rng(seed).dirichlet(np.full(D, 0.15), size=K)
    return Population(topics, ALPHA0 * np.array([0.5, 0.3, 0.2]))


def exact(of: Population) -> Averages:
    mean = of.mean_words()
    return Averages(mean, of.pair_moment() + C.a * np.outer(mean, mean), 1.0)


def noisy(
    exact_averages: Averages, rng: np.random.Generator, entry: float, word: float
) -> Averages:
    """Histogram noise: the diagonal has four times the variance."""
    symmetric_noise = np.triu(rng.standard_normal((D, D)), 1)
    pairs = exact_averages.pairs + entry * (
        symmetric_noise + symmetric_noise.T + 2 * np.diag(rng.standard_normal(D))
    )
    words = exact_averages.words + word * rng.standard_normal(D)
    return replace(exact_averages, pairs=pairs, words=words, entry_noise=entry, word_noise=word)


def found_in(averages: Averages, of: Population) -> tuple[RawTopics, Whitening]:
    """Topics of noisy averages, whose third moment is seen without noise."""
    W = whiten(averages.pair_moment(C), K, entry_noise=averages.entry_noise)
    components = decompose(of.third_moment(W.whitener), rng=np.random.default_rng(0))
    return unwhiten(components, W, C, averages.mean_words(C)), W


@pytest.mark.parametrize(("entry", "word"), [(2e-6, 0.0), (1e-9, 2e-5)])
def test_noise_in_cells_is_the_one_foretold(entry: float, word: float) -> None:
    """200 draws beyond the plane of the topics, by topics and by groups of words: 200·20 squares are within 10 %."""
    of, rng = population(), np.random.default_rng(5)
    raw, W = found_in(exact(of), of)
    truth = scale_to_unit_sum(raw.words)
    plane = np.linalg.qr(truth.T)[0]
    draws = []
    for _ in range(200):
        cells = scale_to_unit_sum(found_in(noisy(exact(of), rng, entry, word), of)[0].words)
        off = cells[np.argmin(np.sum((cells[None] - truth[:, None]) ** 2, axis=2), axis=1)] - truth
        draws.append(off - off @ plane @ plane.T)
    squares = np.mean(np.square(draws), axis=0)
    noise_variance = topic_noise_std(truth, W, noisy(exact(of), rng, entry, word), ALPHA0) ** 2
    for words in np.array_split(np.argsort(noise_variance[0]), 3):
        np.testing.assert_allclose(
            np.sum(squares[:, words], axis=1), np.sum(noise_variance[:, words], axis=1), rtol=0.1
        )


def test_estimate_word_frequencies_is_nearer_than_either_reading() -> None:
    true_averages, rng = population(), np.random.default_rng(1)
    errors = np.zeros(3)
    for _ in range(20):
        noisy_averages = noisy(exact(true_averages), rng, 1e-3, 1e-2)
        rows = np.sum(noisy_averages.pairs, axis=1)
        single_readings = (
            NoisyWordCounts(noisy_averages.words, 1e-2),
            NoisyWordCounts(rows, 1e-3 * np.sqrt(D + 3)),
        )
        readings = (
            estimate_word_frequencies(noisy_averages),
            *(counts.word_frequencies for counts in single_readings),
        )
        errors += [np.sum((reading - true_averages.mean_words()) ** 2) for reading in readings]
    assert errors[0] < 0.9 * min(errors[1:])
    np.testing.assert_allclose(
        estimate_word_frequencies(exact(true_averages)), true_averages.mean_words(), atol=1e-12
    )


def test_denoise_topics_without_noise_keeps_topics_of_the_model() -> None:
    of = population()
    raw, W = found_in(exact(of), of)
    denoised = denoise_topics(raw, W, exact(of), estimate_word_frequencies(exact(of)), C.alpha0, K)
    np.testing.assert_allclose(
        denoised.words, project_to_simplex(scale_to_unit_sum(raw.words)), atol=1e-6
    )


def test_shrunk_topics_err_less_than_projected_ones() -> None:
    of, rng = population(), np.random.default_rng(2)
    errors_before, errors_after, errors_without_aspect = [], [], []
    for _ in range(20):
        noisy_averages = noisy(exact(of), rng, 2e-5, 2e-4)
        raw, W = found_in(noisy_averages, of)
        nearest = np.argmin(
            [np.sum((row - scale_to_unit_sum(raw.words)) ** 2, axis=1) for row in of.topics], axis=1
        )
        for errors, words in (
            (errors_before, project_to_simplex(scale_to_unit_sum(raw.words))),
            (
                errors_after,
                denoise_topics(
                    raw, W, noisy_averages, estimate_word_frequencies(noisy_averages), C.alpha0, K
                ).words,
            ),
            (
                errors_without_aspect,
                denoise_topics(
                    raw,
                    W,
                    noisy_averages,
                    estimate_word_frequencies(noisy_averages),
                    C.alpha0,
                    K + 1,
                ).words,
            ),
        ):
            errors.append(np.mean(np.sum(np.abs(words[nearest] - of.topics), axis=1)))
    assert np.mean(errors_after) < 0.97 * np.mean(errors_before)
    assert np.mean(errors_after) < 1.02 * np.mean(errors_without_aspect)


def test_denoise_topics_mends_negative_topics_without_noise() -> None:
    """Topics that never meet in a document, though the model says that they do: a topic takes from another."""
    of = population()
    mean = of.mean_words()
    law = Averages(mean, of.topics.T @ np.diag([0.5, 0.3, 0.2]) @ of.topics, 1.0)
    shifted_topics = of.topics - 0.3 * np.roll(of.topics, 1, axis=0)
    raw = RawTopics(shifted_topics, np.full(K, ALPHA0 / K), mean, np.ones(K))
    whitening = whiten(law.pair_moment(C), K)

    def error(words: np.ndarray) -> float:
        return float(np.sum(np.abs(words - of.topics)))

    mended, unmended = (
        denoise_topics(raw, whitening, law, estimate_word_frequencies(law), C.alpha0, n).words
        for n in (K, K + 1)
    )
    assert error(mended) < 0.7 * error(unmended)
    noisy_law = replace(
        law, entry_noise=1.0, word_noise=1.0
    )  # as much noise as could have made them negative
    topics_of_k, topics_of_more = (
        denoise_topics(
            raw, whitening, noisy_law, estimate_word_frequencies(noisy_law), C.alpha0, n
        ).words
        for n in (K, K + 1)
    )
    np.testing.assert_array_equal(topics_of_k, topics_of_more)
