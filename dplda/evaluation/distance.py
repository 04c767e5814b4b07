"""Errors of estimated topics, and distances between topics."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from dplda.core.errors import InputError
from dplda.core.types import Matrix
from dplda.spectral.topics import match

NEAR = 0.5
"""Largest L1 distance, of at most 2, at which a topic counts as the true one."""


@dataclass(frozen=True, slots=True)
class TopicError:
    """Distances between estimated topics and the true ones that they are matched with.

    Attributes:
        l1_sum: sum over topics of L1 distances, in [0, 2k]; the paper's error.
        l1_mean: mean over topics of L1 distances, in [0, 2].
        l2_mean: mean over topics of L2 distances, in [0, √2].
    """

    l1_sum: float
    l1_mean: float
    l2_mean: float


def topic_error(truth: Matrix, estimate: Matrix) -> TopicError:
    """Errors of topics under the matching with the smallest sum of L1 distances.

    Args:
        truth: true topics, shape (k, d), rows on the simplex.
        estimate: as many topics over the same words, in any order.

    Raises:
        InputError: a table that holds no topics, or two tables of different shapes.

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
    _require_topics("truth", truth)
    _require_topics("estimate", estimate)
    if truth.shape != estimate.shape:
        raise InputError("estimate", f"of shape {truth.shape}", f"shape {estimate.shape}")
    order = match(truth, estimate)
    difference = estimate[order] - truth
    l1_errors = np.sum(np.abs(difference), axis=1)
    l2_errors = np.linalg.norm(difference, axis=1)
    return TopicError(
        l1_sum=float(np.sum(l1_errors)),
        l1_mean=float(np.mean(l1_errors)),
        l2_mean=float(np.mean(l2_errors)),
    )


def _require_topics(name: str, table: object) -> None:
    """Refuse anything but an array of numbers with rows on the simplex."""
    if not _are_topics(table):
        requirement = "topics in rows of probabilities that sum to 1"
        raise InputError(name, requirement, "other numbers")


def _are_topics(table: object) -> bool:
    """Whether a table is an array of numbers with rows on the simplex."""
    if not isinstance(table, np.ndarray):
        return False
    is_numeric = table.dtype.kind in "buif"
    if not is_numeric or table.ndim != 2:
        return False
    row_sums = np.sum(table, axis=1)
    return bool(np.all(table >= 0) and np.allclose(row_sums, 1, atol=1e-6))


def jensen_shannon(first: Matrix, second: Matrix) -> Matrix:
    r"""Jensen-Shannon distances between the rows of two topic tables.

    .. math::
        d(p, q)^2 = H\!\left(\frac{p+q}{2}\right) - \frac{H(p) + H(q)}{2}, \quad
        H(p) = -\sum_w p_w \log_2 p_w

    Args:
        first: shape (m, d), rows on the simplex.
        second: shape (n, d), rows on the simplex.

    Returns:
        Shape (m, n); 0 for equal topics, 1 for topics without a word in common.

    Raises:
        InputError: the tables have different numbers of words.

    Source:
        Endres and Schindelin (2003), "A new metric for probability distributions": the root of the
        divergence.
    """
    d = first.shape[1]
    if second.shape[1] != d:
        raise InputError("second", f"over the same {d:,} words", f"{second.shape[1]:,} words")
    distances_in_nats = cdist(first, second, "jensenshannon")
    squares = distances_in_nats**2 / np.log(2)
    in_range = np.clip(np.nan_to_num(squares), 0, 1)  # only rounding leaves [0, 1]
    return np.asarray(np.sqrt(in_range))
