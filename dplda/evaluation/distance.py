"""Errors of estimated topics, the noise's part of them, and distances between topics."""

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
    """Errors of topics, shape (k, d), under the matching with the smallest L1 sum.

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
    """Error of private topics, split into sampling error and the effect of noise.

    The parts need not add up: noise can undo a sampling error, for example where it replaces a bad topic by the mean.

    Attributes:
        sampling: from the true topics to those that the same method finds without noise.
        privacy: from the un-noised topics to the private ones.
        total: from the true topics to the private ones.
    """

    sampling: TopicError
    privacy: TopicError
    total: TopicError


def error_parts(truth: Matrix, unnoised: Matrix, private: Matrix) -> ErrorParts:
    r"""Split the error of private topics; each pair of topic sets uses its own best matching.

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


def jensen_shannon(first: Matrix, second: Matrix) -> Matrix:
    r"""Jensen-Shannon distances between the rows of two topic tables.

    .. math:: d(p, q)^2 = H\!\left(\frac{p+q}{2}\right) - \frac{H(p) + H(q)}{2}, \quad H(p) = -\sum_w p_w \log_2 p_w

    Returns:
        Shape (m, n) for tables (m, d) and (n, d); 0 for equal topics, 1 without a word in common.

    Source:
        Endres and Schindelin (2003), "A new metric for probability distributions": the root of the divergence.
    """
    if first.shape[1] != second.shape[1]:
        raise InputError("second", f"over the same {first.shape[1]:,} words", f"{second.shape[1]:,} words")
    own, others = _entropy(first), _entropy(second)
    rows = [_entropy((row + second) / 2) - (entropy + others) / 2 for row, entropy in zip(first, own, strict=True)]
    squares = np.array(rows).reshape(len(first), len(second))
    return np.sqrt(np.clip(squares, 0, 1))  # rounding alone leaves [0, 1]


def _entropy(rows: Matrix) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Entropy of each row in bits."""
    logarithms = np.log2(rows, out=np.zeros_like(rows), where=rows > 0)
    result: np.ndarray[tuple[int], np.dtype[np.float64]] = -np.sum(rows * logarithms, axis=1)
    return result
