"""Topic shares of a document: on the simplex, and its own whatever its neighbors are."""

import numpy as np
import pytest
from scipy.sparse import csr_array, vstack

from dplda.methods.shares.document_topics import infer_document_topics

N_WORDS = 60
K = 4
ALPHA = np.full(K, 0.1)


@pytest.fixture(scope="module")
def topics() -> np.ndarray:
    return np.random.default_rng(0).dirichlet(np.full(N_WORDS, 0.1), size=K)


@pytest.fixture(scope="module")
def counts() -> csr_array:
    generator = np.random.default_rng(1)
    return csr_array(generator.poisson(0.4, (500, N_WORDS)) * (generator.random((500, 1)) < 0.9))


def test_shares_of_a_document_with_words_sum_to_one(counts, topics) -> None:
    document_topics = infer_document_topics(counts, topics, ALPHA)
    has_words = counts.sum(axis=1) > 0
    assert not np.all(has_words)
    np.testing.assert_allclose(document_topics[has_words].sum(axis=1), 1, rtol=1e-14)
    assert np.all(document_topics >= 0)


def test_document_without_words_has_no_shares(counts, topics) -> None:
    document_topics = infer_document_topics(counts, topics, ALPHA)
    assert not np.any(document_topics[counts.sum(axis=1) == 0])


@pytest.mark.parametrize("n_kept", [1, 2, 3, 100, 499])
def test_document_topics_have_the_same_bits_among_any_documents(counts, topics, n_kept) -> None:
    generator = np.random.default_rng(n_kept)
    kept_rows = np.sort(generator.choice(500, n_kept, replace=False))
    other_documents = csr_array(generator.poisson(3, (77, N_WORDS)))
    surrounded = vstack([other_documents, counts[kept_rows], other_documents], format="csr")
    topics_alone = infer_document_topics(csr_array(counts[kept_rows]), topics, ALPHA)
    among = infer_document_topics(csr_array(surrounded), topics, ALPHA)[77 : 77 + n_kept]
    topics_of_all = infer_document_topics(counts, topics, ALPHA)[kept_rows]
    np.testing.assert_array_equal(topics_alone, topics_of_all)
    np.testing.assert_array_equal(among, topics_of_all)


def test_documents_of_one_topic_alone_have_that_topic(topics) -> None:
    disjoint = np.kron(np.eye(K), np.full(N_WORDS // K, K / N_WORDS))
    counts = csr_array(np.kron(np.eye(K), np.full(N_WORDS // K, 2)).astype(int))
    np.testing.assert_allclose(infer_document_topics(counts, disjoint, ALPHA), np.eye(K), atol=1e-6)


def test_shares_of_words_are_found_without_a_pull_toward_the_prior() -> None:
    """Ten words of one topic and thirty of another are a quarter and three, whatever α is."""
    disjoint = np.kron(np.eye(2), np.full(5, 0.2))
    counts = csr_array(np.array([[10, 0, 0, 0, 0, 30, 0, 0, 0, 0]]))
    shares = infer_document_topics(counts, disjoint, np.array([3.0, 3.0]))
    np.testing.assert_allclose(shares, [[0.25, 0.75]], atol=1e-6)
