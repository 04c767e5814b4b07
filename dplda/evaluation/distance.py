"""How far estimated topics are from true ones."""

from dataclasses import dataclass

import numpy as np

from dplda.core.errors import InputError
from dplda.core.types import Matrix
from dplda.spectral.topics import match


@dataclass(frozen=True, slots=True)
class TopicError:
    """Distances between matched topics.

    Attributes:
        l1_sum: sum over topics of L1 distances, in [0, 2k]; the paper's.
        l1_mean: mean over topics, in [0, 2].
        l2_mean: mean over topics of L2 distances, in [0, √2].

    Example:
        >>> import numpy as np
        >>> from dplda.evaluation import topic_error
        >>> error = topic_error(np.eye(2, 4), np.eye(4)[2:])
        >>> error.l1_sum, error.largest_l1_sum, round(error.l2_mean, 3)
        (4.0, 4, 1.414)
    """

    l1_sum: float
    l1_mean: float
    l2_mean: float
    n_topics: int

    @property
    def largest_l1_sum(self) -> int:
        """``2k``, the sum of k topics that share no word with their partners."""
        return 2 * self.n_topics


def topic_error(truth: Matrix, estimate: Matrix) -> TopicError:
    """Errors under the matching that makes the L1 sum least.

    Args:
        truth: shape (k, d), rows on the simplex.
        estimate: shape (k, d), rows on the simplex.

    Raises:
        InputError: the shapes differ.

    Example:
        >>> import numpy as np
        >>> import dplda
        >>> truth = np.array([[0.5, 0.5, 0.0], [0.0, 0.2, 0.8]])
        >>> dplda.topic_error(truth, truth[::-1]).l1_mean
        0.0
        >>> estimate = np.array([[0.0, 0.25, 0.75], [0.5, 0.5, 0.0]])
        >>> print(f"{dplda.topic_error(truth, estimate).l1_sum:.2f}")
        0.10
    """
    if truth.shape != estimate.shape:
        raise InputError("estimate", f"of shape {truth.shape}", f"shape {estimate.shape}")
    difference = estimate[match(truth, estimate)] - truth
    l1 = np.sum(np.abs(difference), axis=1)
    l2 = np.linalg.norm(difference, axis=1)
    return TopicError(float(np.sum(l1)), float(np.mean(l1)), float(np.mean(l2)), len(truth))
