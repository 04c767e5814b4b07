"""What documents add to a minibatch, for tests of what bounds it."""

from functools import partial
from typing import NamedTuple

import numpy as np

from dplda.methods.full_batch_vi.documents import Documents
from dplda.methods.variational.e_step import until_settled


class Inference(NamedTuple):
    prior: float
    tolerance: float
    most_iterations: int
    longest: float = np.inf


def statistic(counts, topics, inference, *, bound=np.inf):
    """The sum, shape (k, d), and how many documents were scaled down."""
    rounds = partial(until_settled, tolerance=inference.tolerance, most_iterations=inference.most_iterations)
    documents = Documents(counts, len(topics), longest=inference.longest, rounds=rounds)
    prior = np.full(len(topics), inference.prior)
    return documents.contributions(topics, np.ones(topics.shape[1]), prior=prior, bound=bound)


def contribution_norms(counts, topics, inference):
    """Frobenius norm of every document's contribution before clipping, shape (N,), in words."""
    return np.array([np.linalg.norm(statistic(counts[[i]], topics, inference)[0]) for i in range(counts.shape[0])])
