"""Coherence of topics by NPMI: leading words of a coherent topic occur in the same documents."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Counts, Matrix, Vector

_EPSILON = 1e-12  # added to the share of documents with both words, as gensim does

Indices = np.ndarray[tuple[int, int], np.dtype[np.intp]]


@dataclass(frozen=True, slots=True, eq=False)
class Coherence:
    """Coherence of every topic.

    Attributes:
        by_topic: shape (k,), mean over pairs of leading words, in [−1, 1]; NaN for a topic of a
            single word.
    """

    by_topic: Vector

    @property
    def mean(self) -> float:
        """Mean over topics that have a value; NaN if none has."""
        known_values = self.by_topic[~np.isnan(self.by_topic)]
        if not known_values.size:
            return float("nan")
        return float(np.mean(known_values))


def npmi(topics: Matrix, counts: Counts, *, n_words: int = 10) -> Coherence:
    r"""Normalized pointwise mutual information of the leading words.

    For words ``i``, ``j`` that occur in shares ``p_i``, ``p_j`` of the documents and together in
    ``p_ij``, :math:`\log\frac{p_{ij}}{p_i p_j} / (-\log p_{ij})`: 1 for words that always occur
    together, 0 for independent ones, −1 for words that never do.

    Args:
        topics: ``μ``, shape (k, d), rows on the simplex.
        counts: shape (N, d), N ≥ 1, documents not used for fitting; only presence counts.
        n_words: leading words per topic, 2 to d, without those of probability 0.

    Returns:
        Coherence of each topic; NaN for one with fewer than two words. Pairs with a word that
        occurs nowhere count as −1.

    Raises:
        InputError: the shapes do not fit, or a number is out of its range.

    Source:
        Bouma (2009); Röder, Both & Hinneburg (2015) for the mean over pairs. Equal to gensim's
        ``c_npmi`` with a window that covers whole documents, ε = 1e-12 added to ``p_ij`` included,
        except for a word that occurs nowhere (gensim divides by zero) and for two words that occur
        in every document (1 here, by continuity; rounding makes it −1 there).

    Example:
        >>> import numpy as np
        >>> from dplda.corpus import Corpus
        >>> from dplda.evaluation import npmi
        >>> counts = [[1, 1, 0, 0], [2, 1, 0, 0], [0, 0, 1, 1]]
        >>> documents = Corpus.from_counts(counts, label="public", name="pairs")
        >>> together, apart = [0.5, 0.5, 0.0, 0.0], [0.5, 0.0, 0.5, 0.0]
        >>> coherence = npmi(np.array([together, apart]), documents.counts, n_words=2)
        >>> coherence.by_topic.round(1).tolist()
        [1.0, -0.9]
    """
    n_documents, d = counts.shape
    if topics.ndim != 2 or topics.shape[1] != d:
        raise InputError("topics", f"of shape (k, {d})", f"shape {topics.shape}")
    checks.integer_at_least("number of documents", n_documents, 1)
    checks.integer_between("n_words", n_words, 2, d)
    word_order: Indices = np.argsort(-topics, axis=1, kind="stable")
    leading_columns = word_order[:, :n_words]
    leading_probabilities = np.take_along_axis(topics, leading_columns, axis=1)
    is_in_topic = leading_probabilities > 0
    later_ranks, earlier_ranks = np.tril_indices(n_words, -1)
    earlier_columns = leading_columns[:, earlier_ranks]
    later_columns = leading_columns[:, later_ranks]
    pair_coherences = _coherences_of_pairs(counts, earlier_columns, later_columns)
    is_pair = is_in_topic[:, earlier_ranks] & is_in_topic[:, later_ranks]
    n_pairs = np.sum(is_pair, axis=1)
    counted_coherences = np.where(is_pair, pair_coherences, 0.0)
    coherence_sums = np.sum(counted_coherences, axis=1)
    means = coherence_sums / np.maximum(n_pairs, 1)
    return Coherence(np.where(n_pairs > 0, means, np.nan))


def _coherences_of_pairs(counts: Counts, first_words: Indices, second_words: Indices) -> Matrix:
    """NPMI of pairs of words in the documents, shape (k, pairs).

    Args:
        counts: shape (N, d).
        first_words: column of each pair's first word, shape (k, pairs).
        second_words: column of its second word, likewise.
    """
    word_pairs = [first_words, second_words]
    columns, positions_in_columns = np.unique(word_pairs, return_inverse=True)
    first_positions, second_positions = positions_in_columns.reshape(2, *first_words.shape)
    shares_together = _shares_of_documents(counts[:, columns])
    shares_alone = np.diag(shares_together)
    joint_share = shares_together[first_positions, second_positions]
    product_of_shares = shares_alone[first_positions] * shares_alone[second_positions]
    return _npmi_of_pairs(joint_share, product_of_shares)


def _shares_of_documents(counts: Counts) -> Matrix:
    """Share of documents that contain both of two words, for all pairs of columns, shape (d, d)."""
    n_documents = counts.shape[0]
    ones = np.ones(counts.nnz)
    presence = csr_array((ones, counts.indices, counts.indptr), shape=counts.shape)
    documents_with_both = (presence.T @ presence).toarray()
    return np.asarray(documents_with_both / n_documents)


def _npmi_of_pairs(joint_share: Matrix, product_of_shares: Matrix) -> Matrix:
    """NPMI of pairs: 1 for words that every document has, −1 if one of them occurs nowhere.

    For other pairs 1e-12 is added to ``p_ij``. Words that never occur together are thus a little
    above −1.

    Args:
        joint_share: ``p_ij``, share of documents with both words.
        product_of_shares: ``p_i p_j``.
    """
    smoothed_share = joint_share + _EPSILON
    both_occur = product_of_shares > 0
    is_everywhere = joint_share == 1
    is_ordinary = both_occur & ~is_everywhere
    zeros = np.zeros_like(smoothed_share)
    log_joint = np.log(smoothed_share, where=is_ordinary, out=zeros.copy())
    log_product = np.log(product_of_shares, where=is_ordinary, out=zeros.copy())
    positive_log_joint = np.where(is_ordinary, log_joint, 1.0)
    ratio = log_product / positive_log_joint
    npmi_of_rarer = np.where(both_occur, ratio - 1.0, -1.0)
    return np.where(is_everywhere, 1.0, npmi_of_rarer)
