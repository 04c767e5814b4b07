"""The one definition of neighbouring corpora."""

from enum import StrEnum

import numpy as np

from dplda._types import Counts

REPLACEMENT_IN_WORDS = (
    "A document that is replaced is one removed and one added. Where every document's contribution is non-negative"
    " and bounded, and minibatches are sampled, that is exactly what it costs: each step counts as two steps of a"
    " mechanism that protects a document's presence, so the same noise has a larger ε than the papers print for adding"
    " or removing one."
)


class Adjacency(StrEnum):
    """Which corpora a guarantee makes hard to tell apart.

    Everything this program compares protects ``REPLACE_ONE``; published accounting of sampled minibatches speaks of
    ``ADD_OR_REMOVE_ONE``, under which N itself is protected. ``REPLACEMENT_IN_WORDS`` says what the change costs.
    Where documents of a person are read as one, replacing one protects the person: ``REPLACE_PERSON``, N being the
    number of persons.
    """

    REPLACE_ONE = "replace one document"
    ADD_OR_REMOVE_ONE = "add or remove one document"
    REPLACE_PERSON = "replace all documents of one person"

    @property
    def happens(self) -> str:
        """What sets neighbours apart, as a clause."""
        return {
            Adjacency.REPLACE_ONE: "one document is replaced",
            Adjacency.ADD_OR_REMOVE_ONE: "one document is added or removed",
            Adjacency.REPLACE_PERSON: "all documents of one person are replaced",
        }[self]

    @property
    def unit(self) -> str:
        """What is protected: a document, or a person."""
        return "person" if self is Adjacency.REPLACE_PERSON else "document"


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
