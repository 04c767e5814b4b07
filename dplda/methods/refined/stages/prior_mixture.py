"""Frequencies that topics of steps are shrunk to: mixtures of a prior's topics.

Documents need not have a topic for each one of a prior. They may have two where the prior has one,
or none. So every topic is shrunk to the mixture of the prior's topics and the word frequencies that
its released cells are nearest to. All of this reads released values alone.
"""

import numpy as np
from scipy.optimize import nnls

from dplda.core.types import Matrix, Vector
from dplda.methods.refined.plan.constants import MAX_MIXTURE_ROUNDS


def mix_prior_topics(
    noisy_cells: Matrix, prior_topics: Matrix, word_frequencies: Vector, word_weights: Vector
) -> Matrix:
    """Mixtures of prior topics and word frequencies that noisy cells are nearest to, shape (k, d).

    Cells times word weights have equal noise, so the nearest mixture is that of least squares, with
    weights of at least 0. A topic whose cells are nearest to none has the word frequencies.

    Args:
        noisy_cells: of the topics, in words, (k, d).
        prior_topics: rows on the simplex, (k, d).
        word_frequencies: on the simplex, (d,).
        word_weights: above 0, (d,).

    Returns:
        Rows on the simplex, in the order of the cells.
    """
    candidates = np.vstack([prior_topics, word_frequencies])
    basis, coordinates = np.linalg.qr((candidates * word_weights).T)
    targets = (noisy_cells * word_weights) @ basis
    n_rounds = MAX_MIXTURE_ROUNDS * len(candidates)
    mixture_weights = np.array(
        [nnls(coordinates, target, maxiter=n_rounds)[0] for target in targets]
    )
    mixture_weights[np.sum(mixture_weights, axis=1) == 0, -1] = 1.0
    mixtures = mixture_weights @ candidates
    return np.asarray(mixtures / np.sum(mixtures, axis=1, keepdims=True))
