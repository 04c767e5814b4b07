"""The chain from a corpus to topics: right, repeatable, and clear about what it refuses."""

from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from dplda import Corpus, Plan, topic_error
from dplda.core.errors import InputError
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.spectral import corpus_statistics, documents, tensor
from dplda.spectral.corpus_statistics import StatisticsCache
from dplda.spectral.cumulants import Coefficients
from tests.privacy.sources import seeded
from tests.tiny_corpora import corpus_of, topical_corpus

CORPUS = topical_corpus(1)
PRIVATE = Plan("adaptive", 30.0)
with_both_plans = pytest.mark.parametrize("plan", [None, PRIVATE], ids=["un-noised", "adaptive"])


def fitted(
    plan: Plan | None, seed: int = 0, corpus: Corpus = CORPUS, **runtime_arguments: Any
) -> FitResult:
    return fit_spectral(corpus, plan, Problem(3, 1.0), Runtime(seed, **runtime_arguments))


@with_both_plans
def test_topics_of_a_simulated_corpus_are_found(plan: Plan | None) -> None:
    """N = 2,000: the un-noised error is about 0.03, that at ε = 30 about 0.04."""
    fitted_run = fitted(plan)
    assert topic_error(CORPUS.truth.topics, fitted_run.topics.words).l1_mean < 0.08
    assert np.all(fitted_run.topics.words >= 0)
    np.testing.assert_allclose(fitted_run.topics.words.sum(axis=1), 1)
    assert np.all(np.diff(fitted_run.topics.alpha) <= 0)
    assert fitted_run.topics.alpha.sum() == pytest.approx(1.0)
    assert fitted_run.details.components.converged
    assert 0 <= fitted_run.details.components.residual < 0.5


@with_both_plans
def test_fit_with_the_same_seed_is_the_same(plan: Plan | None) -> None:
    first_run, repeated_run = fitted(plan, seed=4), fitted(plan, seed=4)
    np.testing.assert_array_equal(first_run.topics.words, repeated_run.topics.words)
    np.testing.assert_array_equal(first_run.topics.alpha, repeated_run.topics.alpha)
    for first_release, repeated_release in zip(
        first_run.releases, repeated_run.releases, strict=True
    ):
        np.testing.assert_array_equal(first_release.value, repeated_release.value)


def test_noise_of_a_fit_stays_equal_with_fewer_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed drives both; more starts of the decomposition must not shift the noise, nor repeat it."""
    run_with_many_starts = fitted(PRIVATE)
    monkeypatch.setattr(tensor, "MAX_STARTS", 1)
    run_with_few_starts = fitted(PRIVATE)
    for release_of_few, release_of_many in zip(
        run_with_few_starts.releases, run_with_many_starts.releases, strict=True
    ):
        np.testing.assert_array_equal(release_of_few.value, release_of_many.value)


def test_noise_of_a_seed_is_uncorrelated_with_its_starts() -> None:
    noise, starts = seeded(7).normals("x", 10_000), np.random.default_rng(7).standard_normal(10_000)
    assert len(np.intersect1d(noise, starts)) == 0
    assert abs(np.corrcoef(noise, starts)[0, 1]) < 0.05  # five standard errors


@with_both_plans
def test_fit_of_reordered_documents_is_the_same(plan: Plan | None) -> None:
    order = np.random.default_rng(0).permutation(CORPUS.n_documents)
    shuffled = Corpus(
        CORPUS.counts[order], CORPUS.vocabulary, CORPUS.label, CORPUS.name, CORPUS.vocabulary_source
    )
    np.testing.assert_allclose(
        fitted(plan, corpus=shuffled).topics.words, fitted(plan).topics.words, atol=1e-7
    )


def test_fit_of_reordered_words_permutes_the_topics() -> None:
    order = np.random.default_rng(1).permutation(CORPUS.n_words)
    permuted = corpus_of(CORPUS.counts.toarray()[:, order])
    permuted_topics, expected = fitted(None, corpus=permuted).topics, fitted(None).topics
    np.testing.assert_allclose(permuted_topics.words, expected.words[:, order], atol=1e-7)
    np.testing.assert_allclose(permuted_topics.alpha, expected.alpha, rtol=1e-6)


def test_fit_with_remembered_sums_equals_one_without() -> None:
    sums = StatisticsCache(CORPUS.counts)
    separate_fits = [fitted(PRIVATE, seed=seed) for seed in range(6)]
    shared = [fitted(PRIVATE, seed=seed, statistics=sums) for seed in (0, 1, 2, 3, 4, 5, 0)]
    for separate_fit, shared_fit in zip([*separate_fits, separate_fits[0]], shared, strict=True):
        np.testing.assert_array_equal(separate_fit.topics.words, shared_fit.topics.words)


def test_clip_weights_bring_norms_down_to_their_levels() -> None:
    sums = StatisticsCache(CORPUS.counts)
    level = float(np.median(sums.pair_norms))
    weights = sums.weights(level)
    assert np.all((weights >= 0) & (weights <= 1))
    assert np.max(weights * sums.pair_norms) <= level * (1 + 1e-15)
    np.testing.assert_array_equal(weights[sums.pair_norms <= level], 1)
    word_norms = np.sqrt(CORPUS.counts.power(2).sum(axis=1)) / CORPUS.lengths
    assert np.max(weights * word_norms) <= np.sqrt(np.sqrt(2) * level)


@with_both_plans
def test_fit_with_short_documents_counts_them_without_harm(plan: Plan | None) -> None:
    rows = CORPUS.counts.toarray()
    short_rows = np.zeros((200, CORPUS.n_words), dtype=int)
    short_rows[:100, 0] = 2
    mixed_corpus = corpus_of(np.vstack([rows, short_rows]))
    fitted_run = fitted(plan, corpus=mixed_corpus)
    assert fitted_run.details.size.n_documents == 2200
    assert topic_error(CORPUS.truth.topics, fitted_run.topics.words).l1_mean < 0.1


def test_fit_of_documents_of_rank_one_resolves_one_topic() -> None:
    """One word in every document: the pair moment has rank one."""
    rows = np.zeros((50, 4), dtype=int)
    rows[:, 1] = 4
    fitted_run = fit_spectral(corpus_of(rows), None, Problem(2, 1.0))
    assert fitted_run.topics.resolved == 1
    np.testing.assert_allclose(fitted_run.topics.words[0], [0, 1, 0, 0], atol=1e-9)


def test_sums_of_another_corpus_are_refused() -> None:
    """They would be released under this corpus' guarantee, with its N."""
    with pytest.raises(InputError, match="sums"):
        fitted(PRIVATE, statistics=StatisticsCache(topical_corpus(2).counts))


@with_both_plans
def test_progress_of_a_fit_rises_within_zero_to_one(plan: Plan | None) -> None:
    steps: list[tuple[float, str]] = []
    fitted(plan, report=lambda fraction, step: steps.append((fraction, step)))
    fractions = [fraction for fraction, _ in steps]
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0] <= fractions[-1] <= 1
    assert all(step for _, step in steps)


@with_both_plans
def test_progress_that_raises_ends_the_fit(plan: Plan | None) -> None:
    with pytest.raises(KeyboardInterrupt):
        fitted(plan, report=Mock(side_effect=KeyboardInterrupt))


def test_triple_norms_are_computed_once_in_a_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    norm_calls, honest = [], documents.triple_norm_bounds
    monkeypatch.setattr(
        corpus_statistics, "triple_norm_bounds", lambda *of: norm_calls.append(of) or honest(*of)
    )
    fitted(PRIVATE)
    assert len(norm_calls) == 1


def test_triple_norms_of_other_directions_are_computed_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    norm_calls, honest = [], documents.triple_norm_bounds
    monkeypatch.setattr(
        corpus_statistics, "triple_norm_bounds", lambda *of: norm_calls.append(of) or honest(*of)
    )
    view = corpus_statistics.CorpusStatistics(
        StatisticsCache(CORPUS.counts), Coefficients(1.0), keep_short=True
    )
    directions = np.random.default_rng(0).random((CORPUS.n_words, 3))
    once = view.triple_norms(0.5, directions)
    directions *= 2  # in place: what is remembered must not follow
    np.testing.assert_allclose(view.triple_norms(0.5, directions), 8 * once)
    assert len(norm_calls) == 2
