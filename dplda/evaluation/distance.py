"""How far estimated topics are from true ones, and how much of that is the noise's."""

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
    """

    l1_sum: float
    l1_mean: float
    l2_mean: float


def topic_error(truth: Matrix, estimate: Matrix) -> TopicError:
    """Errors under the matching that makes the L1 sum least.

    Args:
        truth: shape (k, d), rows on the simplex, as of ``estimate``.

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
    return TopicError(float(np.sum(l1)), float(np.mean(l1)), float(np.mean(l2)))


@dataclass(frozen=True, slots=True)
class ErrorParts:
    """The three sides of a triangle with the corners *true*, *un-noised* and *private*.

    The parts need not add up: noise can undo a sampling error, and does where it replaces a bad topic by the mean
    word distribution. In the L1 distances no side is longer than the other two together.

    Attributes:
        sampling: from the true topics to those that the same method finds without noise.
        privacy: from the un-noised topics to the private ones: what the noise moved.
        total: from the true topics to the private ones.
    """

    sampling: TopicError
    privacy: TopicError
    total: TopicError


def error_parts(truth: Matrix, unnoised: Matrix, private: Matrix) -> ErrorParts:
    r"""Split the error of private topics.

    Args:
        truth: shape (k, d), rows on the simplex.
        unnoised: shape (k, d), what the same chain finds on the same documents without noise.
        private: shape (k, d), what it finds with noise.

    Returns:
        Each pair under its own best matching.

    Source:
        The least L1 sum over matchings is a metric on sets of topics: matchings compose, and
        :math:`\|a - c\|_1 \le \|a - b\|_1 + \|b - c\|_1` term by term. Hence
        ``|sampling − privacy| ≤ total ≤ sampling + privacy`` for ``l1_sum`` and ``l1_mean``. The L2 mean is taken
        under the matching that is best in L1, so for it this holds only where the three matchings agree.

    Example:
        >>> import numpy as np
        >>> from dplda.evaluation import error_parts
        >>> truth, unnoised, private = (np.array([[p, 1 - p], [0.0, 1.0]]) for p in (1.0, 0.75, 0.5))
        >>> parts = error_parts(truth, unnoised, private)
        >>> parts.total.l1_sum <= parts.sampling.l1_sum + parts.privacy.l1_sum
        True
    """
    return ErrorParts(topic_error(truth, unnoised), topic_error(unnoised, private), topic_error(truth, private))
