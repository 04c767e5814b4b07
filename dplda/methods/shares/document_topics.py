r"""Topic shares of every document's words, each a function of that document and released topics.

Of a document with counts ``c`` and length l, variational inference finds the weight of topic i in
it, and with it the topics of its words. Its share of topic i is

.. math:: θ_i = \frac1l \sum_w c_w φ_{wi}, \qquad φ_{wi} ∝ e^{ψ(γ_i)} A_{iw}.

It is the share of the document's words, not the posterior mean γ/Σγ, which leans toward α and would
draw all groups together. A document without a counted word has no shares: zeros.

Products are taken document by document (``document_blocks``), so that a document has the same bits
whatever its neighbors are.
"""

import numpy as np

from dplda.core.types import Counts, Matrix, Single, Vector
from dplda.methods.refined.documents.document_blocks import (
    DocumentBlock,
    exp_digamma,
    gather_columns,
    padded_blocks,
)
from dplda.methods.refined.documents.documents import over_relaxed_e_step, topic_posteriors
from dplda.methods.refined.plan.constants import MAX_BLOCK_CELLS


def infer_document_topics(counts: Counts, topics: Matrix, alpha: Vector) -> Matrix:
    """Topic shares of each document's words, shape (N, k); rows sum to 1, or are 0 without words.

    Args:
        counts: word counts, (N, d).
        topics: A, (k, d), rows on the simplex.
        alpha: α, (k,), at least 0.

    Guarantee:
        A row depends on its document, the topics and α alone, to the last bit; it is entrywise
        non-negative, and its sum is 1 up to the rounding of float64.
    """
    posteriors = topic_posteriors(topics)
    prior = alpha.astype(np.float32)
    document_topics = np.zeros((counts.shape[0], len(topics)))
    max_cells = MAX_BLOCK_CELLS // len(topics)
    for block in padded_blocks(counts, max_cells=max_cells, max_length=np.inf):
        document_topics[block.document_ids] = _infer_block(block, posteriors, prior)
    return document_topics


def _infer_block(block: DocumentBlock, posteriors: Single, prior: Single) -> Matrix:
    """Infer the topic shares of a block's documents, shape (n, k), float64, rows summing to 1.

    After the rounds of the step, a topic's share is that of the words which it accounts for.
    """
    local_topics = gather_columns(posteriors, block.word_ids)
    counts = block.counts.astype(np.float32)
    first_gamma = np.matvec(local_topics, counts)
    local_prior = np.full(first_gamma.shape, prior, np.float32)
    gamma = over_relaxed_e_step(local_topics, counts, local_prior, first_gamma + local_prior)
    topic_weights = exp_digamma(gamma)
    word_ratios = counts / np.vecmat(topic_weights, local_topics)
    expected_words_of_topics = (np.matvec(local_topics, word_ratios) * topic_weights).astype(
        np.float64
    )
    return np.asarray(
        expected_words_of_topics / np.sum(expected_words_of_topics, axis=1, keepdims=True)
    )
