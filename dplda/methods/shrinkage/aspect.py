r"""Topics from a released pair average alone: the aspect model :math:`E_{vw} = \sum_{ij} R_{ij} A_{iv} A_{jw}`.

The spectral route uses only the pair average's leading eigenvectors. Here the noise beyond them is removed, the rest
becomes a distribution of word pairs, and EM fits topics ``A`` and a joint distribution ``R`` of two words' topics to
it, from a nearby start. All of it is post-processing of a released matrix with known noise.
"""

from functools import partial

import numpy as np

from dplda.core.engine import map_threads, row_blocks
from dplda.core.types import Matrix, Vector
from dplda.spectral.eigenpairs import leading_eigenpairs
from dplda.spectral.whitening import noise_floor, shrink

CUTS = 2  # rounds of {no negative pair, no rank beyond the topics}
BALANCINGS = 20  # rounds of scaling to given word frequencies
EM_ROUNDS = 40
BLOCK = 1_000_000  # cells processed together by one thread


def refit(pairs: Matrix, entry_noise: float, mean_words: Vector, start: Matrix, *, alpha0: float) -> Matrix:
    """Topics of the aspect model of a noisy ``E2``, from a ``start`` above 0; row sums are scaled to ``mean_words``.

    ``entry_noise`` is the deviation of one off-diagonal entry; ``R`` starts from a symmetric Dirichlet's pairs.
    """
    d, k = pairs.shape[0], len(start)
    values, vectors = leading_eigenpairs(pairs, k)
    m = max(1, int(np.sum(values > noise_floor(d, entry_noise))))
    law = (vectors[:, :m] * shrink(values[:m], d, entry_noise)) @ vectors[:, :m].T
    for _ in range(CUTS):
        values, vectors = leading_eigenpairs(np.maximum(law, 0, out=law), m)
        np.matmul(vectors * values, vectors.T, out=law)
    _balance(np.maximum(law, 0, out=law), mean_words)
    joint = (np.eye(k) + alpha0 / k) / (k * (1 + alpha0))
    return _fitted(law, start, joint)


def _balance(law: Matrix, mean_words: Vector) -> None:
    """Scales the matrix symmetrically toward row sums equal to the word frequencies."""
    least = 1e-9 * mean_words  # a word whose pairs were all cut away stays rare
    scales = np.sqrt(mean_words / np.maximum(law.sum(axis=1), least))
    for _ in range(BALANCINGS):
        scales = np.sqrt(scales * mean_words / np.maximum(law @ scales, least))
    law *= scales[:, None]
    law *= scales


def _fitted(law: Matrix, topics: Matrix, joint: Matrix) -> Matrix:
    blocks = list(row_blocks(len(law), max(1, BLOCK // len(law))))
    for _ in range(EM_ROUNDS):
        seen = sum(map_threads(partial(_pulled, law, topics, joint), blocks), start=np.zeros_like(topics))
        grown = topics * (joint @ seen)
        joint = joint * (seen @ topics.T)
        joint = (joint + joint.T) / (2 * np.sum(joint))
        topics = grown / np.sum(grown, axis=1, keepdims=True)
    return topics


def _pulled(law: Matrix, topics: Matrix, joint: Matrix, rows: slice) -> Matrix:
    expected = (topics[:, rows].T @ joint) @ topics
    np.divide(law[rows], np.maximum(expected, 1e-300, out=expected), out=expected)
    return np.asarray(topics[:, rows] @ expected)
