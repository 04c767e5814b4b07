"""Rows of other papers, in their shape: what is written here is ours, and so are its mistakes.

- *HDP-LDA* (Zhao and others 2020): Laplace noise on the counts of words by topic before each round of Gibbs sampling.
  Noise of ``2/ε`` hides one word of one document in one round.
- *TopicDP* (Wang and others, KDD 2022): Gaussian noise on finished topics, scaled to the largest change that was seen
  when some documents were exchanged for others of the collection. The worst document is not among them.
"""

from dataclasses import replace

import numpy as np

from benchmarks.group_shares import ALPHA0, N_TOPICS
from dplda.core.types import Counts, Matrix
from dplda.corpus import Corpus, Label
from dplda.corpus.counts import canonical_counts
from dplda.methods.refined.documents.noiseless import fit_noiseless
from dplda.spectral.topics import Topics, match

N_ROUNDS = 30
BETA = 0.01
N_EXCHANGED = 6
N_PASSES = 15
LEAST = 1e-9  # of a noisy probability


def fit_hdp_lda(counts: Counts, epsilon: float, rng: np.random.Generator) -> Matrix:
    """Topics by Gibbs sampling with noisy counts, (k, d).

    All words of a round are drawn at once, given the counts of the round before.

    Args:
        counts: documents, (N, d).
        epsilon: of one word in one round.
        rng: of topics and noise.
    """
    n_documents, n_words = counts.shape
    entries = counts.tocoo()
    documents = np.repeat(entries.row, entries.data)
    words = np.repeat(entries.col, entries.data)
    topics_of_words = rng.integers(N_TOPICS, size=len(words))
    noisy = np.empty((N_TOPICS, n_words))
    for round_number in range(N_ROUNDS + 1):
        cells = np.bincount(topics_of_words * n_words + words, minlength=N_TOPICS * n_words)
        noisy = cells.reshape(N_TOPICS, n_words) + rng.laplace(0, 2 / epsilon, noisy.shape)
        noisy = np.maximum(noisy, 0) + BETA
        noisy /= noisy.sum(axis=1, keepdims=True)
        if round_number == N_ROUNDS:
            break
        of_documents = np.bincount(
            documents * N_TOPICS + topics_of_words, minlength=n_documents * N_TOPICS
        ).reshape(n_documents, N_TOPICS)
        weights = (of_documents[documents] + ALPHA0 / N_TOPICS) * noisy.T[words]
        sums = np.cumsum(weights, axis=1)
        topics_of_words = np.sum(sums < rng.random(len(words))[:, None] * sums[:, -1:], axis=1)
    return noisy


def fit_topic_dp(counts: Counts, mu: float, rng: np.random.Generator) -> Matrix:
    """Topics without noise, and noise scaled to a sensitivity from samples, (k, d).

    Args:
        counts: documents, (N, d).
        mu: that the noise would have if the sampled sensitivity were the true one.
        rng: of exchanged documents and noise.
    """
    topics = _fit(counts)
    largest_change = 0.0
    for _ in range(N_EXCHANGED):
        rows = np.arange(counts.shape[0])
        replaced_document, copied_document = rng.choice(len(rows), 2, replace=False)
        rows[replaced_document] = copied_document
        exchanged_topics = _fit(canonical_counts(counts[rows]))
        change = np.linalg.norm(exchanged_topics[match(topics, exchanged_topics)] - topics)
        largest_change = max(largest_change, float(change))
    noisy = topics + largest_change / mu * rng.standard_normal(topics.shape)
    noisy = np.maximum(noisy, LEAST)
    return np.asarray(noisy / noisy.sum(axis=1, keepdims=True))


def _fit(counts: Counts) -> Matrix:
    """Topics without noise, (k, d), from a start at word frequencies."""
    totals = np.asarray(counts.sum(axis=0), dtype=float).ravel() + 0.01
    frequencies = totals / totals.sum()
    equal = np.tile(frequencies, (N_TOPICS, 1))
    start = replace(Topics.without_spectrum(equal, np.ones(N_TOPICS), frequencies), resolved=0)
    corpus = Corpus.from_counts(counts, label=Label.PUBLIC, name="exchanged")
    return fit_noiseless(corpus, start, alpha0=ALPHA0, n_passes=N_PASSES).words
