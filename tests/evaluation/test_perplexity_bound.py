"""The variational bound on perplexity, by hand, by integration, and against scikit-learn's."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.sparse import csr_array
from scipy.stats import beta as beta_law
from sklearn.decomposition import LatentDirichletAllocation

from dplda.core.errors import CorpusError, InputError
from dplda.evaluation.perplexity_bound import bound_perplexity
from tests.tiny_corpora import topical_corpus


def counts_of(rows: list[list[int]]) -> csr_array:
    return csr_array(np.array(rows, dtype=np.int32))


ALPHA = np.array([0.7, 0.4])
TOPICS = np.array([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])


def test_bound_of_equal_topics_is_the_perplexity_of_their_distribution() -> None:
    """The shares do not matter, so the posterior is the prior and nothing is lost."""
    words = np.array([0.5, 0.3, 0.2])
    counts = counts_of([[4, 1, 0], [0, 2, 3]])
    by_hand = math.exp(-(4 * math.log(0.5) + 3 * math.log(0.3) + 3 * math.log(0.2)) / 10)
    perplexity = bound_perplexity(np.tile(words, (2, 1)), ALPHA, counts)
    assert by_hand <= perplexity < by_hand * 1.2


def test_perplexity_bound_is_just_above_the_exact_perplexity() -> None:
    """The exact likelihood of a document integrates over the shares of two topics."""
    document = np.array([5, 2, 1])
    counts = counts_of([document.tolist()])

    def likelihood(share: float) -> float:
        words = share * TOPICS[0] + (1 - share) * TOPICS[1]
        return float(np.prod(words**document) * beta_law(*ALPHA).pdf(share))

    exact = quad(likelihood, 0, 1)[0] ** (-1 / document.sum())
    perplexity = bound_perplexity(TOPICS, ALPHA, counts)
    assert exact < perplexity < exact * 1.1


def test_bound_agrees_with_scikit_learn_up_to_its_term_of_the_topics() -> None:
    """Its score adds the prior of the topics; taken away, the bounds of the documents are equal."""
    corpus = topical_corpus(0, n_documents=300, n_words=20)
    model = LatentDirichletAllocation(3, doc_topic_prior=0.4, max_iter=5, random_state=0)
    model.fit(corpus.counts.astype(np.float64))
    counts = corpus.counts.astype(np.float64)
    shares, _ = model._e_step(counts, cal_sstats=False, random_init=False)

    def score(rows: slice) -> float:
        return float(model._approx_bound(counts[rows], shares[rows], sub_sampling=False))

    of_topics = score(slice(150)) + score(slice(150, None)) - score(slice(None))
    by_scikit = math.exp(-(score(slice(None)) - of_topics) / counts.sum())
    topics = model.exp_dirichlet_component_  # sums are below 1: the same numbers go into the bound
    perplexity = bound_perplexity(topics, np.full(3, 0.4), corpus.counts)
    assert perplexity == pytest.approx(by_scikit, rel=2e-3)


def test_bound_prefers_the_true_topics() -> None:
    corpus = topical_corpus(1, n_documents=400, n_words=30)
    truth = corpus.truth
    mean = truth.alpha @ truth.topics / truth.alpha.sum()
    unigram = bound_perplexity(np.tile(mean, (3, 1)), truth.alpha, corpus.counts)
    assert bound_perplexity(truth.topics + 1e-12, truth.alpha, corpus.counts) < 0.9 * unigram


def test_bound_of_a_word_that_no_topic_has_is_infinite() -> None:
    topics = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]])
    assert math.isinf(bound_perplexity(topics, ALPHA, counts_of([[1, 1, 1]])))


def test_bound_of_empty_documents_is_refused() -> None:
    with pytest.raises(CorpusError, match="no words"):
        bound_perplexity(TOPICS, ALPHA, counts_of([[0, 0, 0]]))


def test_bound_of_another_vocabulary_is_refused() -> None:
    with pytest.raises(InputError, match="topics and alpha"):
        bound_perplexity(TOPICS[:, :2], ALPHA, counts_of([[1, 0, 0]]))
