"""Where the error of private topics comes from: too few documents, or the noise."""

from dataclasses import dataclass

from dplda.core.types import Matrix
from dplda.evaluation.distance import TopicError, topic_error


@dataclass(frozen=True, slots=True)
class ErrorParts:
    """The three sides of a triangle with the corners *true*, *un-noised* and *private*.

    The parts need not add up: noise can undo a sampling error, and does where it replaces a bad topic by the mean
    word distribution. In the L1 distances no side is longer than the other two together.

    Attributes:
        sampling: from the true topics to those that the same method finds without noise.
        privacy: from the un-noised topics to the private ones: what the noise moved.
        total: from the true topics to the private ones.

    Example:
        >>> import numpy as np
        >>> from dplda.evaluation import error_parts
        >>> truth, unnoised, private = (np.array([[p, 1 - p], [0.0, 1.0]]) for p in (1.0, 0.75, 0.875))
        >>> parts = error_parts(truth, unnoised, private)
        >>> parts.sampling.l1_sum, parts.privacy.l1_sum, parts.total.l1_sum
        (0.5, 0.25, 0.25)
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

    Raises:
        InputError: the shapes differ.

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
    return ErrorParts(
        sampling=topic_error(truth, unnoised),
        privacy=topic_error(unnoised, private),
        total=topic_error(truth, private),
    )
