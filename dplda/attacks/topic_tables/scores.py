r"""Likelihood ratios of documents: under a topic table, and under what the others alone say.

The score of a document with counts c is

.. math:: \max_θ \sum_w c_w \log (θ A)_w - \max_η \sum_w c_w \log (η B)_w

with the table's topics A, and a reference B of other documents: their word frequencies, or topics
fitted to them. A table that was fitted to a document fits it better than documents of its kind.
"""

from dataclasses import dataclass, replace

import numpy as np

from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus import Corpus, Label
from dplda.evaluation.shares import shares
from dplda.methods.refined.documents.noiseless import fit_noiseless
from dplda.spectral.topics import Topics

SMOOTHING = 0.02  # share of word frequencies in every topic, so that no word has probability 0
PSEUDO_COUNT = 0.5  # of each word in the reference documents
N_REFERENCE_PASSES = 10
MAX_REFERENCE_TOPICS = 50
ALPHA0 = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """Word frequencies and topics of documents that were not in.

    Attributes:
        frequencies: word frequencies of the reference documents, shape (1, d), above 0.
        topics: topics fitted to them, shape (k, d), above 0.
    """

    frequencies: Matrix
    topics: Matrix


def make_reference(counts: Counts, n_topics: int, *, seed: int) -> Reference:
    """Fit word frequencies and topics to reference documents.

    A single topic is the word frequencies.

    Args:
        counts: the reference documents, shape (n, d), with a word at least.
        n_topics: topics of the table; at most ``MAX_REFERENCE_TOPICS`` are fitted.
        seed: of the topics that the fit starts from.
    """
    frequencies = smoothed_frequencies(counts)
    n_fitted = min(n_topics, MAX_REFERENCE_TOPICS)
    if n_fitted == 1:
        topics = frequencies[None, :]
    else:
        topics = _fit_topics(counts, frequencies, n_fitted, seed=seed)
    return Reference(frequencies[None, :], topics)


def smoothed_frequencies(counts: Counts) -> Vector:
    """Word frequencies of documents, with ``PSEUDO_COUNT`` for each word, so all are above 0.

    Args:
        counts: word counts, shape (n, d).

    Returns:
        Shape (d,), on the simplex.
    """
    word_totals = np.asarray(counts.sum(axis=0), dtype=np.float64).ravel()
    word_counts = word_totals + PSEUDO_COUNT
    frequencies = word_counts / np.sum(word_counts)
    return np.asarray(frequencies)


def _fit_topics(counts: Counts, frequencies: Vector, n_topics: int, *, seed: int) -> Matrix:
    """Fit topics to reference documents, without noise, shape (k, d), above 0.

    The fit starts from topics that equal the word frequencies, so that the seed divides them.
    """
    equal_words = np.tile(frequencies, (n_topics, 1))
    equal_alpha = np.ones(n_topics)
    equal_topics = Topics.without_spectrum(equal_words, equal_alpha, frequencies)
    unresolved_topics = replace(equal_topics, resolved=0)
    corpus = Corpus.from_counts(counts, label=Label.SENSITIVE, name="reference documents")
    fitted_topics = fit_noiseless(
        corpus, unresolved_topics, alpha0=ALPHA0, n_passes=N_REFERENCE_PASSES, seed=seed
    )
    return smooth_topics(fitted_topics.words, frequencies)


def smooth_topics(topics: Matrix, frequencies: Vector) -> Matrix:
    """Mix topics with word frequencies, so that every word has a positive probability.

    Args:
        topics: shape (k, d), rows on the simplex.
        frequencies: shape (d,), above 0, on the simplex.
    """
    topic_part = (1 - SMOOTHING) * topics
    frequency_part = SMOOTHING * frequencies
    return topic_part + frequency_part


def log_likelihoods(counts: Counts, topics: Matrix) -> Vector:
    """Log likelihood of each document under its best mixture of topics, nats, shape (N,).

    The mixture of several topics is found approximately. There is no multinomial coefficient: a
    document without words has 0.

    Args:
        counts: word counts, shape (N, d).
        topics: shape (k, d), above 0.
    """
    if len(topics) == 1:
        log_word_probabilities = np.log(topics[0])
        return np.asarray(counts @ log_word_probabilities)
    n_documents = counts.shape[0]
    flat_prior = np.zeros(len(topics))
    mixtures = shares(counts, topics, flat_prior, tolerance=1e-3, max_steps=200)
    document_ids = np.arange(n_documents)
    n_entries_of_document = np.diff(counts.indptr)
    document_of_entry = np.repeat(document_ids, n_entries_of_document)
    topics_by_word = np.ascontiguousarray(topics.T)
    mixture_of_entry = mixtures[document_of_entry]
    topics_of_entry = topics_by_word[counts.indices]
    word_probabilities = np.einsum("ij,ij->i", mixture_of_entry, topics_of_entry)
    log_probabilities = np.log(word_probabilities)
    terms = counts.data * log_probabilities
    sums = np.bincount(document_of_entry, weights=terms, minlength=n_documents)
    return np.asarray(sums, dtype=np.float64)


def score_documents(counts: Counts, topics: Matrix, reference: Reference) -> tuple[Vector, Vector]:
    """Likelihood ratios of documents, against the reference's topics and its word frequencies.

    Args:
        counts: word counts, shape (N, d).
        topics: the attacked table, shape (k, d), rows on the simplex.
        reference: what documents that were not in say.

    Returns:
        Two arrays of shape (N,), nats: against topics, and against word frequencies.
    """
    smoothed_topics = smooth_topics(topics, reference.frequencies[0])
    under_table = log_likelihoods(counts, smoothed_topics)
    under_topics = log_likelihoods(counts, reference.topics)
    under_frequencies = log_likelihoods(counts, reference.frequencies)
    return under_table - under_topics, under_table - under_frequencies
