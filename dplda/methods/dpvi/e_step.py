r"""The variational E-step, with scikit-learn's rounds of inference.

With :math:`B_{kv} = e^{⟨\log β_{kv}⟩}` in place of topics, documents contribute as in
``refined.documents``, but each stops when its γ has settled: the numbers of scikit-learn's loop
over documents, to float32.
"""

import numpy as np
from scipy.special import psi

from dplda.core.types import Matrix, Single
from dplda.methods.refined.documents.document_blocks import exp_digamma, gather_columns
from dplda.methods.refined.plan.constants import MIN_TOPIC_WEIGHT

COMPRESS_BELOW = 0.7  # share of documents still moving at which settled ones are removed


def exponentiated_expectation(parameters: Matrix) -> Matrix:
    r"""Compute :math:`e^{⟨\log x⟩}` of Dirichlet rows, same shape, every entry in (0, 1)."""
    return np.asarray(np.exp(psi(parameters) - psi(parameters.sum(axis=1, keepdims=True))))


def until_settled(
    local_topics: Single,
    counts: Single,
    prior: Single,
    gamma: Single,
    *,
    tolerance: float,
    most_iterations: int,
) -> Single:
    """Infer ``γ`` of every document until it moves by less than a mean ``tolerance``.

    Documents that have settled keep their γ and leave the computation. One whose γ is within the
    tolerance of 1 in the beginning keeps it.

    Args:
        local_topics: topics at every document's words, shape (n, k, width).
        counts: counts of these words, shape (n, width).
        prior: parameters of the prior of topic shares, rows alike, shape (n, k).
        gamma: parameters that inference starts from, shape (n, k).
        tolerance: mean absolute change of γ, in words.
        most_iterations: after which a document stops anyway; the first γ counts as one.

    Returns:
        Shape (n, k); a document's row does not depend on the others.
    """
    n, k = gamma.shape
    final_gamma = gamma.copy()
    active_documents = np.arange(n)
    prior_row = prior[:1]
    smallest_gamma = np.maximum(prior_row, MIN_TOPIC_WEIGHT)
    is_moving = np.sum(np.abs(gamma - 1), axis=1) >= tolerance * k
    for _ in range(1, most_iterations):
        if np.count_nonzero(is_moving) < COMPRESS_BELOW * len(active_documents):
            final_gamma[active_documents] = gamma
            active_documents = active_documents[is_moving]
            counts = counts[is_moving]
            gamma = gamma[is_moving]
            local_topics = gather_columns(local_topics.swapaxes(0, 1), np.flatnonzero(is_moving))
            is_moving = is_moving[is_moving]
            if not len(active_documents):
                break
        topic_weights = exp_digamma(np.maximum(gamma, smallest_gamma))
        word_ratios = np.vecmat(topic_weights, local_topics)
        np.divide(counts, word_ratios, out=word_ratios)
        new_gamma = np.matvec(local_topics, word_ratios)
        new_gamma *= topic_weights
        new_gamma += prior_row
        has_settled = np.sum(np.abs(new_gamma - gamma), axis=1) < tolerance * k
        np.copyto(gamma, new_gamma, where=is_moving[:, None])
        is_moving &= ~has_settled
    final_gamma[active_documents] = gamma
    return final_gamma
