"""Refinement in whole numbers: the same statistic to a step a document, bounded, order-free; a run that may leave."""

import math

import numpy as np
import pytest

from dplda.corpus import Corpus, Label, VocabularySource
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.documents import documents
from dplda.methods.refined.documents.documents import (
    bounded_statistic,
    bounded_vectors,
    bounded_word_counts,
)
from dplda.methods.refined.plan.sum_bounds import prior_test_bound
from dplda.privacy.noise.exact import ExactNoise, delta_of_noise
from dplda.privacy.noise.fixed_point import FixedPointSum, grid_resolution
from dplda.privacy.noise.keys import NoiseKind
from tests.methods.refined.test_documents import (
    EXTREMES,
    RNG,
    TOPICS,
    WEIGHTS,
    D,
    K,
    laid_out,
)
from tests.tiny_corpora import random_rows, repeated_word, topical_corpus

N, BOUND = 200, 2.0
ROWS = random_rows(3, N, D, 60)
FINE = grid_resolution(N)


def counts(rows):
    return bounded_word_counts(laid_out(rows), BOUND, is_exact=True).value


def statistic(rows):
    return bounded_statistic(
        laid_out(rows), TOPICS, WEIGHTS, prior=0.2, clip_norm=BOUND, is_exact=True
    ).value


def test_fixed_point_sum_is_the_floating_point_sum_to_a_step_a_document() -> None:
    documents, whole_statistic = laid_out(ROWS), statistic(ROWS)
    by_float = documents.sum_contributions(TOPICS, WEIGHTS, prior=0.2, clip_norm=BOUND)
    assert whole_statistic.shape == (K, D)
    np.testing.assert_allclose(
        whole_statistic.numbers.reshape(K, D) * whole_statistic.unit, by_float, rtol=1e-8, atol=1e-8
    )
    whole_counts = counts(ROWS)
    np.testing.assert_allclose(
        whole_counts.numbers * whole_counts.unit,
        documents.sum_word_counts(clip_norm=BOUND),
        rtol=1e-8,
    )


@pytest.mark.parametrize("of", [counts, statistic])
def test_fixed_point_sum_in_another_order_has_the_same_bits(of) -> None:
    assert np.array_equal(of(ROWS).numbers, of(ROWS[RNG.permutation(N)]).numbers)


@pytest.mark.parametrize("of", [counts, statistic])
def test_fixed_point_sums_of_neighbors_stay_within_their_distance(of) -> None:
    """In exact integers, over pairs of extreme documents; disjoint ones come within a millionth of √2 C."""
    extremes = [*EXTREMES, repeated_word(7, D, 10**6)]
    neighbor_sums = [of(np.vstack([ROWS[: N - 1], row])) for row in extremes]
    furthest = 0.0
    for a in neighbor_sums:
        for b in neighbor_sums:
            squared_distance = sum(int(x) ** 2 for x in a.numbers - b.numbers)
            assert squared_distance <= 2 * int(FINE) ** 2
            furthest = max(furthest, math.sqrt(squared_distance) / FINE)
    assert furthest == pytest.approx(math.sqrt(2), rel=1e-6)
    assert (
        math.sqrt(2) * FINE
        <= neighbor_sums[0].neighbor_distance
        < math.sqrt(2) * FINE * (1 + 1e-14)
    )


@pytest.mark.parametrize("source", [VocabularySource.FIXED, VocabularySource.FROM_DATA])
def test_run_with_exact_noise_is_releasable_over_fixed_words_alone(
    source: VocabularySource,
) -> None:
    noise, corpus = ExactNoise(epsilon=1.0, delta=1e-6), topical_corpus(0)
    corpus = Corpus(corpus.counts, corpus.vocabulary, Label.SENSITIVE, "letters", source)
    run = fit_refined(
        corpus, Problem(3, 1.0), Budget(1.0, delta_of_noise(1e-6)), Runtime(noise=noise)
    )
    assert (
        run.guarantee.releasable
        == (source is VocabularySource.FIXED)
        == math.isfinite(run.guarantee.epsilon)
    )
    assert {release.noise for release in run.releases} == {NoiseKind.EXACT}
    assert math.fsum(release.mu**2 for release in run.releases) > 0


def cut_to_nothing(parts: np.ndarray, step: float) -> np.ndarray:
    return np.zeros_like(parts)


@pytest.mark.parametrize("of", [counts, statistic])
def test_fixed_point_sum_holds_truncated_parts_alone(of, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a part that is rounded, not cut, on the way would be noticed; ``cut`` itself is tested with noise."""
    assert np.any(of(ROWS).numbers)
    monkeypatch.setattr(documents, "truncate_to_grid", cut_to_nothing)
    assert not np.any(of(ROWS).numbers)


def test_bounded_vectors_hold_truncated_parts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def total() -> FixedPointSum:
        return bounded_vectors(
            laid_out(ROWS),
            lambda block: np.ones((len(block.word_ids), 1)),
            1,
            prior_test_bound(n_documents=N, n_words=D),
            is_exact=True,
        ).value

    assert np.any(total().numbers)
    monkeypatch.setattr(documents, "truncate_to_grid", cut_to_nothing)
    assert not np.any(total().numbers)
