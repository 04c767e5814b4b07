"""NPMI coherence: whether a topic's leading words occur in the same documents."""

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
        by_topic: shape (k,), mean over pairs of leading words; NaN for a topic of a single word.
    """

    by_topic: Vector

    @property
    def mean(self) -> float:
        """Mean over topics, without NaN; NaN where no topic has a value."""
        known = self.by_topic[~np.isnan(self.by_topic)]
        return float(np.mean(known)) if known.size else float("nan")


def npmi(topics: Matrix, counts: Counts, *, n_words: int = 10) -> Coherence:
    r"""Normalized pointwise mutual information of the leading words.

    For words ``i``, ``j`` that occur in shares ``p_i``, ``p_j`` of the documents and together in ``p_ij``,
    :math:`\log\frac{p_{ij}}{p_i p_j} / (-\log p_{ij})`: 1 for words that always occur together, 0 for independent
    ones, −1 for words that never meet.

    Args:
        counts: shape (N, d), N ≥ 1, documents not used for fitting; only presence counts.
        n_words: leading words per topic, 2 to d, without those of probability 0.

    Returns:
        Values in [−1, 1]. Pairs with a word that occurs nowhere count as −1.

    Source:
        Bouma (2009); Röder, Both & Hinneburg (2015) for the mean over pairs. Equal to gensim's ``c_npmi`` with a
        window that covers whole documents, ε = 1e-12 added to ``p_ij`` included, but for two cases: a word seen
        nowhere (gensim divides by zero) and two words that occur in every document (1 here, by continuity; rounding
        makes it −1 there).

    Example:
        >>> import numpy as np
        >>> from dplda.corpus import Corpus
        >>> from dplda.evaluation import npmi
        >>> documents = Corpus.from_counts([[1, 1, 0, 0], [2, 1, 0, 0], [0, 0, 1, 1]], label="public", name="pairs")
        >>> together, apart = [0.5, 0.5, 0.0, 0.0], [0.5, 0.0, 0.5, 0.0]
        >>> npmi(np.array([together, apart]), documents.counts, n_words=2).by_topic.round(1).tolist()
        [1.0, -0.9]
    """
    n_documents, d = counts.shape
    if topics.ndim != 2 or topics.shape[1] != d:
        raise InputError("topics", f"of shape (k, {d})", f"shape {topics.shape}")
    checks.integer_at_least("number of documents", n_documents, 1)
    checks.integer_between("n_words", n_words, 2, d)

    order: Indices = np.argsort(-topics, axis=1, kind="stable")[:, :n_words]
    has = np.take_along_axis(topics, order, axis=1) > 0
    columns, place = np.unique(order, return_inverse=True)
    place = place.reshape(order.shape)
    picked = counts[:, columns]
    present = csr_array((np.ones(picked.nnz), picked.indices, picked.indptr), shape=picked.shape)
    met = (present.T @ present).toarray() / n_documents
    alone = np.diag(met)
    later, earlier = np.tril_indices(n_words, -1)
    together, apart = (
        met[place[:, earlier], place[:, later]],
        alone[place[:, earlier]] * alone[place[:, later]],
    )
    both = together + _EPSILON
    seen, always = apart > 0, together == 1
    ordinary = seen & ~always
    information = np.log(both, where=ordinary, out=np.zeros_like(both))
    ratio = np.log(apart, where=ordinary, out=np.zeros_like(both)) / np.where(
        ordinary, information, 1.0
    )
    values = np.where(always, 1.0, np.where(seen, ratio - 1.0, -1.0))
    valid = has[:, earlier] & has[:, later]
    n_pairs = np.sum(valid, axis=1)
    sums = np.sum(np.where(valid, values, 0.0), axis=1)
    return Coherence(np.where(n_pairs > 0, sums / np.maximum(n_pairs, 1), np.nan))
