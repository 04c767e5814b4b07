"""Refinement without noise: expectation and maximisation as written down, a bound that climbs, and where it leads."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.special import gammaln, psi
from sklearn.decomposition import LatentDirichletAllocation

from dplda import topic_error
from dplda.core.errors import InputError
from dplda.evaluation.perplexity import completion_perplexity
from dplda.methods.base.problem import Problem
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.refined.documents.noiseless import fit_noiseless
from dplda.methods.refined.plan.constants import (
    MAX_DOCUMENT_LENGTH,
    OVER_RELAXATION,
    START_TOPIC_WEIGHT,
)
from dplda.spectral.topics import Topics
from tests.tiny_corpora import corpus_of, random_rows, topical_corpus

K, ALPHA0 = 3, 1.0
CORPUS = topical_corpus(5, n_documents=600, n_words=60, mean_length=30)


@cache
def start() -> Topics:
    return fit_spectral(CORPUS, None, Problem(K, ALPHA0)).topics


def refined(passes: int) -> Topics:
    return fit_noiseless(CORPUS, start(), alpha0=ALPHA0, n_passes=passes)


def inferred(counts, topics, prior):
    """Variational parameters of every document after the rounds of a pass, from equal shares; shape (N, k)."""
    gamma = np.tile(prior + counts.sum(axis=1, keepdims=True) / len(topics), len(topics))
    for pull in (1.0, *OVER_RELAXATION):
        shares = np.exp(psi(gamma))
        update = prior + shares * ((counts / np.maximum(shares @ topics, 1e-300)) @ topics.T)
        gamma = np.maximum(prior, gamma + pull * (update - gamma))
    return gamma


def bound(counts, topics, prior) -> float:
    """The evidence lower bound of all documents for point topics, up to orders of words."""
    k, gamma = len(topics), inferred(counts, topics, prior)
    logs = psi(gamma) - psi(gamma.sum(axis=1, keepdims=True))
    words = np.log(np.maximum(np.exp(logs) @ topics, 1e-300))
    shares = (prior - gamma) * logs + gammaln(gamma)
    constant = gammaln(k * prior) - k * gammaln(prior)
    return float(
        np.sum(counts * words)
        + np.sum(shares)
        - np.sum(gammaln(gamma.sum(axis=1)))
        + len(counts) * constant
    )


def test_pass_without_noise_is_one_round_of_variational_em() -> None:
    """Written down word by word, for a document of ten times the length that private steps cut at, too."""
    rows = random_rows(1, 40, 12, 30, shortest=1)
    rows[3] *= int(10 * MAX_DOCUMENT_LENGTH)
    start_topics = replace(
        start(), words=np.random.default_rng(0).dirichlet(np.full(12, 0.5), size=K)
    )
    passed_topics = fit_noiseless(corpus_of(rows), start_topics, alpha0=ALPHA0, n_passes=1)
    frequencies = rows.sum(axis=0) / rows.sum()
    topics = START_TOPIC_WEIGHT * start_topics.words + (1 - START_TOPIC_WEIGHT) * frequencies
    shares = np.exp(psi(inferred(rows, topics, ALPHA0 / K)))
    expected = topics * (shares.T @ (rows / (shares @ topics)))
    np.testing.assert_allclose(
        passed_topics.words, expected / expected.sum(axis=1, keepdims=True), rtol=1e-5, atol=1e-9
    )
    np.testing.assert_allclose(passed_topics.mean_words, frequencies)
    np.testing.assert_allclose(
        passed_topics.alpha, ALPHA0 * expected.sum(axis=1) / expected.sum(), rtol=1e-5
    )


def test_pass_without_noise_climbs_the_bound() -> None:
    counts = CORPUS.counts.toarray()
    climbed = [bound(counts, refined(passes).words, ALPHA0 / K) for passes in range(1, 13)]
    assert np.all(np.diff(climbed) > 0)
    truth = bound(counts, CORPUS.truth.topics, ALPHA0 / K)
    assert climbed[-1] > truth, "its top fits the documents better than the truth does"


def test_passes_without_noise_reach_batch_variational_inference() -> None:
    """To its perplexity; scikit-learn starts elsewhere, and keeps a law of every topic where passes keep a point."""
    all_documents = topical_corpus(6, n_documents=700, n_words=60, mean_length=20)
    corpus, test = (
        replace(all_documents, counts=all_documents.counts[:300]),
        all_documents.counts[300:],
    )
    start_topics = fit_spectral(corpus, None, Problem(K, ALPHA0)).topics
    rival = LatentDirichletAllocation(
        K,
        doc_topic_prior=ALPHA0 / K,
        topic_word_prior=1e-3,
        learning_method="batch",
        max_iter=25,
        random_state=0,
    ).fit(corpus.counts.astype(np.float64))

    def perplexity(words):
        prior = np.full(K, ALPHA0 / K)
        return completion_perplexity(
            words, prior, test=test, mean_words=start_topics.mean_words, seed=0
        )

    rival_perplexity = perplexity(rival.components_ / rival.components_.sum(axis=1, keepdims=True))
    topics_by_passes = [
        start_topics,
        *(
            fit_noiseless(corpus, start_topics, alpha0=ALPHA0, n_passes=passes)
            for passes in (1, 3, 10, 30)
        ),
    ]
    distances = [
        abs(perplexity(topics.words) / rival_perplexity - 1) for topics in topics_by_passes
    ]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 0.1 * distances[0]


def test_unresolved_topics_of_a_start_move_apart() -> None:
    """Equal rows would have equal shares of every document for ever."""
    mean = start().mean_words
    start_topics = replace(start(), words=np.vstack([start().words[:1], mean, mean]), resolved=1)
    passed_topics = fit_noiseless(CORPUS, start_topics, alpha0=ALPHA0, n_passes=30)
    assert topic_error(CORPUS.truth.topics, passed_topics.words).l1_mean < 0.25
    assert passed_topics.resolved == K


def test_topic_without_documents_is_the_mean() -> None:
    rows = np.tile([5, 3, 0, 0], (20, 1))
    words = np.array([[0.6, 0.4, 0, 0], [0, 0, 0.5, 0.5], [0, 0, 0.9, 0.1]])
    start_topics = Topics(
        words, np.ones(3), np.ones(3), np.ones(3), resolved=3, mean_words=words[0]
    )
    passed_topics = fit_noiseless(corpus_of(rows), start_topics, alpha0=1e-3, n_passes=3)
    np.testing.assert_allclose(
        passed_topics.words, np.tile([5 / 8, 3 / 8, 0, 0], (3, 1)), atol=0.03
    )


@pytest.mark.parametrize(
    "bad", [{"n_passes": 0}, {"n_passes": 1.5}, {"alpha0": 0.0}, {"alpha0": np.nan}]
)
def test_fit_noiseless_with_bad_parameters_is_refused(bad) -> None:
    with pytest.raises(InputError, match=next(iter(bad))):
        fit_noiseless(CORPUS, start(), **{"alpha0": 1.0} | bad)
