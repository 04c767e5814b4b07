"""The moments of a corpus equal, to rounding, what is counted tuple by tuple."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplda.core.errors import CorpusError
from dplda.spectral.cumulants import Coefficients, three_positions
from dplda.spectral.documents import measure_lengths
from dplda.spectral.statistics import (
    ExactMoments,
    add_remaining_cube,
    average_frequencies,
    shift_directions,
    triple_average,
)
from tests.spectral.tuples import seen_by, u_statistics, weighted_averages
from tests.tiny_corpora import counts_of, random_rows

LONG = random_rows(0, n_documents=5, n_words=4, longest=5, shortest=3)
WITH_SHORT = np.array([[0, 0, 0], [1, 1, 0], [3, 0, 0], [1, 2, 1], [0, 1, 0], [0, 2, 3], [1, 1, 1]])
DIRECTIONS = np.random.default_rng(1).standard_normal((4, 2))


@pytest.mark.parametrize("alpha0", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("rows", [LONG, WITH_SHORT], ids=["long", "with short documents"])
def test_exact_moments_are_the_u_statistics(rows: np.ndarray, alpha0: float) -> None:
    d = rows.shape[1]
    c = Coefficients(alpha0)
    M2, M3 = u_statistics(rows, c)
    moments = ExactMoments(counts_of(rows), c)
    np.testing.assert_allclose(moments.pair_moment() @ np.eye(d), M2, atol=1e-15)
    np.testing.assert_allclose(moments.pair_matrix, M2, atol=1e-15)
    np.testing.assert_allclose(moments.third_moment(np.eye(d)), M3, atol=1e-14)
    B = DIRECTIONS[:d]
    np.testing.assert_allclose(moments.third_moment(B), seen_by(M3, B), atol=1e-13)


@given(st.integers(0, 10**6))
def test_averages_are_counts_of_tuples(seed: int) -> None:
    rows = random_rows(seed, n_documents=4, n_words=4, longest=5)
    rng = np.random.default_rng(seed)
    weights = rng.uniform(size=4)
    counts = counts_of(rows)
    words, pairs, triples = weighted_averages(rows, weights)
    averages = average_frequencies(counts, measure_lengths(counts), weights)
    np.testing.assert_allclose(averages.words, words, atol=1e-15)
    np.testing.assert_allclose(averages.pairs, pairs, atol=1e-15)
    assert averages.mass == pytest.approx(np.sum(weights[rows.sum(axis=1) >= 3]) / 4, abs=1e-15)
    for B in (np.eye(4), DIRECTIONS):
        third = triple_average(counts, measure_lengths(counts), weights, B)
        np.testing.assert_allclose(third, seen_by(triples, B), atol=1e-13)


@pytest.mark.parametrize("alpha0", [0.1, 1.0, 10.0, 1000.0])
def test_shift_absorbs_all_subtractions(alpha0: float) -> None:
    """E3(B, B, B) + (c − 3b² − b³) t³ = E3(W, W, W) + b s₃(E2(W, W), t) + c t³, here with an arbitrary W."""
    c = Coefficients(alpha0)
    rows = random_rows(7, n_documents=40, n_words=8, longest=12, shortest=3)
    counts, W = counts_of(rows), np.random.default_rng(2).standard_normal((8, 3))
    length, ones = measure_lengths(counts), np.ones(40)
    averages = average_frequencies(counts, length, ones)
    t = W.T @ averages.mean_words(c)
    direct = triple_average(counts, length, ones, W) + c.b * three_positions(
        W.T @ averages.pairs @ W, t
    )
    direct += c.c * np.einsum("i,j,m->ijm", t, t, t)
    by_shift = add_remaining_cube(
        triple_average(counts, length, ones, shift_directions(W, t, c)), t, c
    )
    size = np.max(np.abs(direct))
    np.testing.assert_allclose(by_shift, direct, atol=1e-12 * max(size, 1))


def test_sums_of_triples_of_two_documents_are_refused() -> None:
    with pytest.raises(CorpusError, match="only 2 of 4 documents"):
        ExactMoments(counts_of([[3, 0], [0, 3], [1, 1], [0, 0]]), Coefficients(1.0))


@pytest.mark.parametrize("shortest", [0, 3])
def test_refusal_of_two_private_documents_tells_their_number_alone(shortest: int) -> None:
    rows = np.array([[shortest, 0, 0], [1, 1, 1]])
    with pytest.raises(CorpusError) as refusal:
        ExactMoments(counts_of(rows), Coefficients(1.0), keep_short=True)
    assert str(refusal.value) == "The corpus has 2 documents. Give at least 3."
