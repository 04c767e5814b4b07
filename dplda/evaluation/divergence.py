"""The Jensen–Shannon distance between topics."""

import numpy as np

from dplda.core.errors import InputError
from dplda.core.types import Matrix


def jensen_shannon(first: Matrix, second: Matrix) -> Matrix:
    r"""Distances between the rows of two tables of topics.

    .. math:: d(p, q)^2 = H\!\left(\frac{p+q}{2}\right) - \frac{H(p) + H(q)}{2}, \quad H(p) = -\sum_w p_w \log_2 p_w

    Args:
        first: shape (m, d), rows on the simplex.
        second: shape (n, d), rows on the simplex.

    Returns:
        Shape (m, n), a metric in [0, 1]: 0 for equal topics, 1 for topics without a word in common.

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
    """In bits."""
    logarithms = np.log2(rows, out=np.zeros_like(rows), where=rows > 0)
    result: np.ndarray[tuple[int], np.dtype[np.float64]] = -np.sum(rows * logarithms, axis=1)
    return result
