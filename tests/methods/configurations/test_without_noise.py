"""Without noise a configuration is the exact fit to rounding, or as close to it as averages are."""

from contextlib import suppress
from functools import cache

import numpy as np
import pytest

from dplda import topic_error
from dplda.core.errors import NoFiniteNoise, NoTopics
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.averages import AveragesRoute
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Status
from tests.methods.configurations.variants import (
    CORPUS,
    ENTRIES,
    PATHS,
    SUMS,
    Entry,
    every_path,
    every_proven_variant,
    every_variant,
    run,
)
from tests.privacy.sources import ScaledNoise
from tests.tiny_corpora import corpus_of, topical_corpus

SEED = 2


def of_averages(entry: Entry) -> bool:
    """Whether a configuration puts plain averages together; the others start from the U-statistics."""
    route = entry.variant.route
    return isinstance(route, type) and issubclass(route, AveragesRoute)


@every_variant
@every_path
def test_noise_of_scale_zero_is_none_bit_for_bit_where_documents_are_clipped(
    entry: Entry, path: str
) -> None:
    """At an ε at which ``adaptive`` clips, and its clip levels are released; some of the zeros are negative."""
    epsilon, zeros = 3.0 if entry.name == "adaptive" else None, ScaledNoise(SEED, 0.0)
    zeros.kind = NoiseKind.NONE
    silent, _ = run(entry, path, zeros, epsilon=epsilon)
    unclipped, _ = run(entry, path, zeros, epsilon=1e5)
    assert np.array_equal(silent.topics.words, unclipped.topics.words) == (entry.name != "adaptive")
    with PATHS[path]():
        sums = SUMS if path == "cached" else None
        noiseless_run = fit_spectral(
            CORPUS,
            entry.plan(epsilon),
            Problem(3, 1.0),
            Runtime(SEED, noise=NoNoise(), statistics=sums),
        )
    assert noiseless_run.guarantee.status is Status.NOT_PRIVATE
    for field in ("words", "alpha", "mean_words", "overlap"):
        np.testing.assert_array_equal(
            getattr(silent.topics, field), getattr(noiseless_run.topics, field)
        )
    if silent.details.components is not None:  # what a plan leaves un-noised is in none
        np.testing.assert_array_equal(
            silent.details.components.eigenvalues, noiseless_run.details.components.eigenvalues
        )
    if silent.details.whitening is not None:
        np.testing.assert_array_equal(
            silent.details.whitening.whitener, noiseless_run.details.whitening.whitener
        )
        np.testing.assert_array_equal(
            silent.details.whitening.spectrum, noiseless_run.details.whitening.spectrum
        )


@pytest.mark.parametrize("entry", [e for e in ENTRIES if not of_averages(e)], ids=str)
@every_path
def test_configuration_on_u_statistics_without_noise_is_the_exact_fit(
    entry: Entry, path: str
) -> None:
    """Up to rounding: the exact fit applies an operator where a plan adds a matrix up block by block, and what passes a
    mechanism goes to coordinates and back.
    """
    assert np.all(CORPUS.counts.sum(axis=1) >= 3)
    fitted_run, _ = run(entry, path, NoNoise(), epsilon=1e5)
    with PATHS[path]():
        exact = fit_spectral(CORPUS, None, Problem(3, 1.0), Runtime(SEED))
    np.testing.assert_allclose(fitted_run.topics.words, exact.topics.words, atol=1e-9)
    if entry.name != "config-4":  # which knows E1 through its topics alone
        np.testing.assert_allclose(fitted_run.topics.alpha, exact.topics.alpha, atol=1e-9)
        np.testing.assert_allclose(
            fitted_run.topics.mean_words, exact.topics.mean_words, atol=1e-12
        )


@cache
def exact_fit(n: int) -> FitResult:
    return fit_spectral(topical_corpus(2, n_documents=n), None, Problem(3, 1.0))


@pytest.mark.parametrize("n", [500, 5_000, 50_000])
@pytest.mark.parametrize("entry", [e for e in ENTRIES if of_averages(e)], ids=str)
def test_configuration_on_averages_without_noise_is_within_order_one_over_n(
    entry: Entry, n: int
) -> None:
    corpus = topical_corpus(2, n_documents=n)
    fitted_run = fit_spectral(corpus, entry.plan(1e5), Problem(3, 1.0), Runtime(noise=NoNoise()))
    assert topic_error(exact_fit(n).topics.words, fitted_run.topics.words).l1_mean < 5 / n


@every_proven_variant
def test_proven_configuration_with_any_number_of_usable_documents_runs(entry: Entry) -> None:
    """A refusal that depends on exact data would tell two neighbours apart; a noisy one is told by its message."""
    rows = np.zeros((6, 4), dtype=int)
    for usable in (0, 2, 3):
        rows[:usable] = 1
        with suppress(NoTopics, NoFiniteNoise):
            fitted_run = fit_spectral(corpus_of(rows), entry.plan(1.0), Problem(2, 1.0), Runtime(1))
            np.testing.assert_allclose(fitted_run.topics.words.sum(axis=1), 1)


@every_variant
def test_configuration_with_as_many_topics_as_words_finds_them(entry: Entry) -> None:
    """There is no eigenvalue after the last one then."""
    rows = np.repeat(np.diag([5, 5, 5]), [2100, 2000, 1900], axis=0)
    fitted_run = fit_spectral(
        corpus_of(rows), entry.plan(1e5), Problem(3, 0.01), Runtime(noise=NoNoise())
    )
    assert topic_error(np.eye(3), fitted_run.topics.words).l1_mean < 0.01
