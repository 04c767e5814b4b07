"""Norms of documents' contributions, for tests of what bounds them."""

import numpy as np

from dplda.methods.variational import e_step
from dplda.methods.variational.padded import alike, laid_out


def contribution_norms(counts, topics, inference):
    """Frobenius norm of every document's contribution before clipping, shape (N,), in words."""
    words = np.ascontiguousarray(topics.T)
    norms = np.zeros(counts.shape[0])
    for width, which in alike(counts, e_step.CELLS, e_step.FINE):
        laid = laid_out(counts, which, width, inference.longest)
        norms[which] = e_step._contributions(*laid, words, inference)[-1]
    return norms
