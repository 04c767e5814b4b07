"""Norms of documents' contributions, for tests of what bounds them."""

import numpy as np

from dplda.methods.variational import e_step


def contribution_norms(counts, topics, inference):
    """Frobenius norm of every document's contribution before clipping, shape (N,), in words."""
    words = np.ascontiguousarray(topics.T)
    norms = np.zeros(counts.shape[0])
    for which in e_step._alike(counts):
        norms[which] = e_step._contributions(counts[which], words, inference, None).norms
    return norms
