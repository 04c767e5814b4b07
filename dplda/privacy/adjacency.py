"""The one definition of neighbouring corpora."""

from enum import StrEnum

import numpy as np

from dplda._types import Counts


class Adjacency(StrEnum):
    """Which corpora a guarantee makes hard to tell apart."""

    REPLACE_ONE = "replace one document"


def differing_documents(counts: Counts, other: Counts) -> int:
    """How many row positions differ between two corpora of the same shape.

    Two corpora are neighbours under ``REPLACE_ONE`` when this is at most 1: N is public and equal, one document may be
    any other document over the same vocabulary, an empty one included.

    Args:
        counts: shape (N, d).
        other: shape (N, d).

    Raises:
        ValueError: the shapes differ, so no number of replacements leads from one to the other.
    """
    if counts.shape != other.shape:
        raise ValueError(f"corpora of shape {counts.shape} and {other.shape} are not comparable by replacement")
    difference = (counts - other).tocsr()
    difference.eliminate_zeros()
    return int(np.count_nonzero(np.diff(difference.indptr)))
