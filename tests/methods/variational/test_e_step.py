"""The E-step: scikit-learn's numbers, bounded contributions, and nothing that leaks from one document to another."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import psi
from sklearn.decomposition import LatentDirichletAllocation

from dplda.methods.variational.e_step import (
    Inference,
    exponentiated_expectation,
    statistic,
)
from dplda.methods.variational.padded import STRIDE, exp_digamma
from tests.methods.variational.contributions import contribution_norms
from tests.tiny_corpora import counts_of, documents, only, random_rows, topical_corpus

CORPUS = topical_corpus(3, n_documents=2500, n_words=40)
K = 3
PARAMETERS = np.random.default_rng(0).gamma(2.0, 50.0, (K, 40))
TOPICS = exponentiated_expectation(PARAMETERS)
USUAL = Inference(prior=1 / K, tolerance=1e-3, most_iterations=100)


def of_scikit_learn(counts, *, tolerance: float, iterations: int) -> np.ndarray:
    """Scikit-learn's own statistic under the same topics."""
    model = LatentDirichletAllocation(
        K, doc_topic_prior=1 / K, mean_change_tol=tolerance, max_doc_update_iter=iterations, total_samples=1
    )
    model._init_latent_vars(40)
    model.components_, model.exp_dirichlet_component_ = PARAMETERS, TOPICS
    return model._e_step(counts.astype(float), cal_sstats=True, random_init=False)[1]


@pytest.mark.parametrize("tolerance", [1e-1, 1e-3, 1e-6])
def test_the_statistic_is_scikit_learns_whenever_documents_stop(tolerance: float) -> None:
    """Their digamma is good to 3e-9 relative, which is what is allowed for."""
    expected = of_scikit_learn(CORPUS.counts, tolerance=tolerance, iterations=60)
    found = statistic(CORPUS.counts, TOPICS, Inference(1 / K, tolerance, 60)).total
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8 * expected.max())


def test_every_word_is_shared_out_among_the_topics() -> None:
    found = statistic(CORPUS.counts, TOPICS, USUAL)
    np.testing.assert_allclose(found.total.sum(axis=0), CORPUS.counts.sum(axis=0), rtol=1e-12)
    assert np.all(found.total >= 0)
    assert (found.documents, found.clipped) == (CORPUS.n_documents, 0)


@pytest.mark.parametrize("tolerance", [1e-2, 1.0])
def test_a_document_adds_the_same_whatever_stands_beside_it(tolerance: float) -> None:
    """Bit for bit: the sum over single documents, in the same order of widths, is the sum over all of them."""
    inference = Inference(1 / K, tolerance, 50)
    counts = CORPUS.counts[:400]
    wide = counts_of(np.vstack([counts.toarray(), np.ones((1, 40), dtype=int)]))
    alone = contribution_norms(counts, TOPICS, inference)
    np.testing.assert_array_equal(contribution_norms(wide, TOPICS, inference)[:400], alone)
    backwards = contribution_norms(counts[np.arange(400)[::-1]], TOPICS, inference)[::-1]
    np.testing.assert_array_equal(backwards, alone)


@settings(max_examples=60, deadline=None)
@given(
    documents(STRIDE + 3, largest_count=40),
    st.floats(0.05, 30),
    st.integers(0, 2**31),
    st.sampled_from([1, 2, 40]),
)
def test_no_document_contributes_more_than_the_bound(row, bound: float, seed: int, iterations: int) -> None:
    """Any document under any topics, settled or not; non-negative besides, which the accounting needs."""
    topics = exponentiated_expectation(np.random.default_rng(seed).gamma(0.3, 10.0, (K, len(row))) + 1e-3)
    found = statistic(counts_of([row, row, row]), topics, Inference(0.1, 1e-2, iterations), bound=bound).total / 3
    assert np.linalg.norm(found) <= bound * (1 + 1e-12)
    assert np.all(found >= 0)


def test_only_what_exceeds_the_bound_is_scaled_down() -> None:
    norms = contribution_norms(CORPUS.counts, TOPICS, USUAL)
    bound = float(np.median(norms))
    found = statistic(CORPUS.counts, TOPICS, USUAL, bound=bound)
    assert found.clipped == np.count_nonzero(norms > bound)
    short = CORPUS.counts[np.flatnonzero(norms <= bound)]
    np.testing.assert_array_equal(
        statistic(short, TOPICS, USUAL, bound=bound).total, statistic(short, TOPICS, USUAL).total
    )


def test_long_documents_count_as_so_many_words() -> None:
    rows = random_rows(1, n_documents=30, n_words=40, longest=400, shortest=1)
    found = statistic(counts_of(rows), TOPICS, Inference(1 / K, 1e-3, 100, longest=50))
    assert found.total.sum() == pytest.approx(np.minimum(rows.sum(axis=1), 50).sum())


def test_empty_documents_and_no_documents_contribute_nothing() -> None:
    empty = counts_of(np.zeros((5, 40), dtype=int))
    for counts, n in ((empty, 5), (empty[:0], 0)):
        found = statistic(counts, TOPICS, USUAL, bound=1.0)
        assert (found.documents, found.clipped) == (n, 0)
        np.testing.assert_array_equal(found.total, np.zeros((K, 40)))
    np.testing.assert_array_equal(contribution_norms(empty, TOPICS, USUAL), np.zeros(5))


def test_a_document_of_one_word_is_shared_by_the_topics_that_know_it() -> None:
    """By hand: with one word every topic's φ is its θ B over their sum, and the fixed point of γ = α + c φ."""
    found = statistic(counts_of([only(2, 40, 7)] * 3), TOPICS, Inference(0.5, 1e-12, 10_000)).total / 3
    shares = found[:, 2] / 7
    weights = exponentiated_expectation((0.5 + 7 * shares)[None])[0]
    np.testing.assert_allclose(shares, weights * TOPICS[:, 2] / (weights @ TOPICS[:, 2]), rtol=1e-9)
    assert found.sum() == pytest.approx(7)


@pytest.mark.parametrize(("precision", "off"), [(np.float32, 4e-6), (np.float64, 1e-9)])
def test_a_topic_weighs_the_exponential_of_the_digamma_function(precision, off: float) -> None:
    x = np.geomspace(0.02, 1e9, 20_001).astype(precision)
    found = exp_digamma(x)
    assert found.dtype == precision
    np.testing.assert_allclose(found, np.exp(psi(x.astype(float))), rtol=off)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_next_to_nothing_weighs_nothing_and_a_number_has_the_same_bits_in_any_company(precision) -> None:
    assert not np.any(exp_digamma(np.array([1e-4, 1e-12, 1e-30], dtype=precision)))
    x = np.random.default_rng(0).gamma(2.0, 3.0, (37, 5)).astype(precision)
    alone = [exp_digamma(np.array([[entry]]))[0, 0] for entry in x.ravel()]
    np.testing.assert_array_equal(exp_digamma(x).ravel(), alone)
