"""The E-step: scikit-learn's numbers, bounded contributions, and nothing that leaks from one document to another."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import LatentDirichletAllocation

from dplda.methods.dpvi.e_step import exponentiated_expectation
from dplda.methods.refined.plan.constants import WIDTH_STEP
from tests.methods.dpvi.contributions import Inference, contribution_norms, statistic
from tests.tiny_corpora import counts_of, documents, random_rows, repeated_word, topical_corpus

CORPUS = topical_corpus(3, n_documents=500, n_words=40)
K = 3
PARAMETERS = np.random.default_rng(0).gamma(2.0, 50.0, (K, 40))
TOPICS = exponentiated_expectation(PARAMETERS)
USUAL = Inference(prior=1 / K, tolerance=1e-3, most_iterations=100)


@pytest.mark.parametrize("tolerance", [1e-1, 1e-3, 1e-6])
def test_statistic_at_any_tolerance_equals_scikit_learns(tolerance: float) -> None:
    """To float32, in which documents are inferred."""
    model = LatentDirichletAllocation(
        K, doc_topic_prior=1 / K, mean_change_tol=tolerance, max_doc_update_iter=60, total_samples=1
    )
    model._init_latent_vars(40)
    model.components_, model.exp_dirichlet_component_ = PARAMETERS, TOPICS
    expected = model._e_step(CORPUS.counts.astype(float), cal_sstats=True, random_init=False)[1]
    sums = statistic(CORPUS.counts, TOPICS, Inference(1 / K, tolerance, 60))
    np.testing.assert_allclose(sums, expected, rtol=1e-6, atol=1e-6 * expected.max())


def test_statistic_shares_out_every_word_among_the_topics() -> None:
    sums = statistic(CORPUS.counts, TOPICS, USUAL)
    np.testing.assert_allclose(sums.sum(axis=0), CORPUS.counts.sum(axis=0), rtol=1e-6)
    assert np.all(sums >= 0)


@settings(max_examples=60, deadline=None)
@given(
    documents(WIDTH_STEP + 3, largest_count=40),
    st.floats(0.05, 30),
    st.integers(0, 2**31),
    st.sampled_from([1, 2, 40]),
)
def test_statistic_of_a_document_is_within_the_bound(
    row, bound: float, seed: int, iterations: int
) -> None:
    """Any document under any topics, settled or not; non-negative besides, which the accounting needs."""
    topics = exponentiated_expectation(
        np.random.default_rng(seed).gamma(0.3, 10.0, (K, len(row))) + 1e-3
    )
    contribution = (
        statistic(counts_of([row, row, row]), topics, Inference(0.1, 1e-2, iterations), bound=bound)
        / 3
    )
    assert np.linalg.norm(contribution) <= bound * (1 + 1e-12)
    assert np.all(contribution >= 0)


def test_statistic_scales_down_only_what_exceeds_the_bound() -> None:
    norms = contribution_norms(CORPUS.counts, TOPICS, USUAL)
    bound = float(np.median(norms))
    long = CORPUS.counts[[np.argmax(norms)]]
    assert np.linalg.norm(statistic(long, TOPICS, USUAL, bound=bound)) == pytest.approx(bound)
    unclipped_counts = CORPUS.counts[np.flatnonzero(norms <= bound)]
    np.testing.assert_array_equal(
        statistic(unclipped_counts, TOPICS, USUAL, bound=bound),
        statistic(unclipped_counts, TOPICS, USUAL),
    )


def test_long_documents_count_as_so_many_words() -> None:
    rows = random_rows(1, n_documents=30, n_words=40, longest=400, shortest=1)
    sums = statistic(counts_of(rows), TOPICS, Inference(1 / K, 1e-3, 100, longest=50))
    assert sums.sum() == pytest.approx(np.minimum(rows.sum(axis=1), 50).sum())


def test_statistic_of_empty_documents_is_zero() -> None:
    empty = counts_of(np.zeros((5, 40), dtype=int))
    for counts in (empty, empty[:0]):
        np.testing.assert_array_equal(
            statistic(counts, TOPICS, USUAL, bound=1.0), np.zeros((K, 40))
        )


def test_statistic_of_a_document_of_one_word_solves_the_fixed_point() -> None:
    """By hand: with one word every topic's φ is its θ B over their sum, and the fixed point of γ = α + c φ."""
    contribution = (
        statistic(counts_of([repeated_word(2, 40, 7)] * 3), TOPICS, Inference(0.5, 1e-12, 10_000))
        / 3
    )
    shares = contribution[:, 2] / 7
    weights = exponentiated_expectation((0.5 + 7 * shares)[None])[0]
    np.testing.assert_allclose(shares, weights * TOPICS[:, 2] / (weights @ TOPICS[:, 2]), rtol=1e-5)
    assert contribution.sum() == pytest.approx(7)
