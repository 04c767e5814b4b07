"""Clusters of documents on public vectors: the rival of private topics that embeddings are used for.

Public text teaches vectors of documents, without a language model (the shape of Urania, COLM 2025). Private k-means
puts each document in one cluster, and clusters' words are counted with noise. It gets all that helps it here: k-means
starts from public clusters and leans on them, and counts are weighted and freed from known noise as in *Refined*.

Its numbers were tuned on the corpora that it is measured on, to its favor, by other draws of noise: vectors of 10 to
300 numbers, with the public mean taken off or not; 0 to 5 rounds of k-means on 10, 20 or 50 % of the budget; a
document's counts cut to norm 1 to 8; weighted words or not. Taking the mean off costs 4 % in the mean of nine cells, all
else 1.5 % at most.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD

from benchmarks.group_shares import N_TOPICS
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus import Corpus
from dplda.methods.denoising.empirical_bayes import EVEN_WEIGHTS, fit_empirical_bayes
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.plan.constants import (
    MAX_TOPIC_SIZE,
    MIN_TOPIC_SIZE,
    MIN_WORD_WEIGHT,
    RefinedConstants,
)
from dplda.methods.refined.plan.public_shares import noise_edge, word_count_share
from dplda.privacy.accounting import gaussian

SIZE = 100  # numbers of a vector
N_ROUNDS = 2  # of k-means
ROUNDS_SHARE = 0.2  # of μ² that is left after word counts
CLIP_NORM = 2.0  # of a document's counts

Labels: TypeAlias = NDArray[np.intp]


class Clusters(NamedTuple):
    """Words of clusters, shape (k, d), and word frequencies."""

    words: Matrix
    mean_words: Vector


@dataclass(frozen=True, eq=False)
class PublicVectors:
    """Vectors and clusters of public text: TF-IDF, its leading directions, and k-means."""

    corpus: Corpus

    def vectors(self, corpus: Corpus) -> Matrix:
        """One a document, of length 1 at most, shape (N, size): a function of the document and of public text."""
        return unit_rows(self._directions.transform(self._weighted_counts(corpus)))

    @cached_property
    def centers(self) -> Matrix:
        """Shape (k, size), rows of length 1."""
        public = self.vectors(self.corpus)
        return unit_rows(KMeans(N_TOPICS, n_init=3, random_state=0).fit(public).cluster_centers_)

    @cached_property
    def _directions(self) -> TruncatedSVD:
        return TruncatedSVD(SIZE, random_state=0).fit(self._weighted_counts(self.corpus))

    def _weighted_counts(self, corpus: Corpus) -> Counts:
        """Logarithmic counts over the public words, times inverse document frequencies, scaled to length 1 at most."""
        counts = counts_over(corpus, self.corpus.vocabulary)
        documents_with_word = np.bincount(self.corpus.counts.indices, minlength=self.corpus.n_words)
        counts.data = np.log1p(counts.data)
        weights = np.log(self.corpus.n_documents / np.maximum(1, documents_with_word))
        return clip_rows(csr_array(counts @ diags_array(weights)), 1.0)


def fit_clusters(
    corpus: Corpus, public: PublicVectors, mu: float, rng: np.random.Generator
) -> Clusters:
    """The rival's run: from noisy sums alone.

    Args:
        corpus: private documents, over their own word list.
        public: vectors and clusters of public text.
        mu: of word counts, rounds of k-means and counts of clusters together.
        rng: of all noise.

    Guarantee:
        μ-GDP when one document is replaced: μ² adds up over releases. A vector of length 1 at most joins the sum of one
        cluster, so replacing its document moves these sums by 2 at most: by both lengths where it stays in its
        cluster. Counts are not negative and of norm ``CLIP_NORM`` at most: √2 of that, in one cluster or in two.
    """
    counts = corpus.counts
    vectors = public.vectors(corpus)
    n_documents, n_words = counts.shape
    counts_share = word_count_share(RefinedConstants(), noise_edge(n_documents, n_words, mu))
    noise_std = 2 / gaussian.mu_of_share(mu, (1 - counts_share) * ROUNDS_SHARE / N_ROUNDS)
    centers = public.centers
    for _ in range(N_ROUNDS):
        labels = nearest_centers(vectors, centers)
        sums = np.stack([vectors[labels == i].sum(axis=0) for i in range(N_TOPICS)])
        sums += noise_std * rng.standard_normal(sums.shape)
        public_weight = noise_std * math.sqrt(SIZE)  # public centers count more if noise is large
        centers = unit_rows(sums + public_weight * public.centers)
    sensitivity = math.sqrt(2) * CLIP_NORM
    noise_std = sensitivity / gaussian.mu_of_share(mu, counts_share)
    noisy_sums = clip_rows(counts, CLIP_NORM).sum(axis=0) + noise_std * rng.standard_normal(n_words)
    words = NoisyWordCounts(noisy_sums, noise_std)
    weighted_counts = clip_rows(csr_array(counts @ diags_array(words.word_weights)), CLIP_NORM)
    noise_std = sensitivity / gaussian.mu_of_share(mu, (1 - counts_share) * (1 - ROUNDS_SHARE))
    noisy_counts = sum_by_cluster(weighted_counts, nearest_centers(vectors, centers))
    noisy_counts += noise_std * rng.standard_normal(noisy_counts.shape)
    return _denoise(noisy_counts, noise_std, words)


def _denoise(noisy_counts: Matrix, noise_std: float, words: NoisyWordCounts) -> Clusters:
    """Words of clusters from noisy weighted counts, by the empirical Bayes posterior of *Refined*."""
    cell_counts = noisy_counts / words.word_weights
    topic_sizes = np.clip(
        cell_counts.sum(axis=1),
        MIN_TOPIC_SIZE * words.total_count / N_TOPICS,
        MAX_TOPIC_SIZE * words.total_count,
    )
    expected_counts = topic_sizes[:, None] * words.word_frequencies
    cell_noise_std = np.broadcast_to(noise_std / words.word_weights, cell_counts.shape)
    posterior = fit_empirical_bayes(
        cell_counts, cell_noise_std, expected_counts, initial_weights=EVEN_WEIGHTS
    )
    estimated_counts = posterior.mean + MIN_WORD_WEIGHT * expected_counts
    topics = estimated_counts / estimated_counts.sum(axis=1, keepdims=True)
    return Clusters(topics, words.word_frequencies)


def nearest_centers(vectors: Matrix, centers: Matrix) -> Labels:
    """The center that each vector points to most, shape (n,)."""
    return np.argmax(vectors @ centers.T, axis=1)


def sum_by_cluster(counts: Counts, labels: Labels) -> Matrix:
    """Counts of each cluster, shape (k, d)."""
    ones = np.ones(len(labels))
    documents = np.arange(len(labels))
    members = csr_array((ones, (labels, documents)), shape=(N_TOPICS, len(labels)))
    return np.asarray((members @ counts).todense())


def unit_rows(rows: Matrix) -> Matrix:
    """Rows of length 1."""
    return rows / np.maximum(1e-12, np.linalg.norm(rows, axis=1, keepdims=True))


def clip_rows(counts: Counts, max_norm: float) -> Counts:
    """Scale counts of each document down to a norm, if theirs is larger."""
    norms = np.sqrt(counts.multiply(counts).sum(axis=1))
    factors = np.minimum(1, max_norm / np.maximum(1e-12, norms))
    return csr_array(diags_array(factors) @ counts)


def counts_over(corpus: Corpus, words: tuple[str, ...]) -> Counts:
    """Counts over another word list, shape (N, number of words); 0 for words that the corpus lacks."""
    column_of_word = {word: column for column, word in enumerate(corpus.vocabulary)}
    old_columns = [column_of_word[word] for word in words if word in column_of_word]
    new_columns = [column for column, word in enumerate(words) if word in column_of_word]
    entries = (np.ones(len(old_columns)), (old_columns, new_columns))
    selection = csr_array(entries, shape=(corpus.n_words, len(words)))
    return csr_array(corpus.counts @ selection)
