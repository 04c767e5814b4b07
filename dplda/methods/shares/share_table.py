r"""Topic shares summed by group, with the sensitivity of the table.

.. math:: S_{gi} = \sum_{n \in g} w_n θ_{ni}

where ``w_n`` is 1, or 1/m for each of the m documents of a person where persons are protected.

Theorem:
    Whatever the number of groups and topics, replacing one document (its words, its group, or both)
    moves S by at most √2 in the L2 norm; so does replacing all documents of one person.

Proof:
    A document adds the table with θ in row g and zeros elsewhere. No entry is negative, and θ sums
    to at most 1, so the table's length is at most 1. A person's documents add the mean of such
    tables, which has no negative entry and is no longer than the longest of them. Two tables x and
    y without negative entries have :math:`⟨x, y⟩ \ge 0`, so :math:`\|x - y\|^2 \le \|x\|^2 +
    \|y\|^2 \le 2`. N is public, and other documents' parts are the same bits
    (``document_topics``). Parts cut toward zero to whole steps stay as they are in this proof: none
    is negative, and none is longer (``privacy.noise.fixed_point``).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.core.types import Matrix, Vector
from dplda.privacy.bounded_sum import BoundedSum, SumBound
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.named_quantity import NamedQuantity
from dplda.privacy.noise.fixed_point import NON_NEGATIVE_DISTANCE, truncate_to_grid

SHARES = NamedQuantity("shares", "S", "topic shares by group", "after the topics")


@dataclass(frozen=True, slots=True, eq=False)
class GroupedDocuments:
    """Documents with their topics, their groups, and what is protected.

    Attributes:
        document_topics: θ, (N, k); zeros for a document without words.
        rows: the table's row of every document, (N,).
        n_rows: rows of the table, ``other`` included.
        persons: whose each document is, (N,), from 0; None where documents are protected.
    """

    document_topics: Matrix
    rows: NDArray[np.intp]
    n_rows: int
    persons: NDArray[np.intp] | None = None

    @property
    def n_units(self) -> int:
        """Number of what is protected: documents, or persons."""
        if self.persons is None:
            return len(self.document_topics)
        return int(self.persons.max()) + 1


def share_bound(n_units: int, n_topics: int) -> SumBound:
    """Bound of a table of shares, from public numbers.

    Args:
        n_units: documents, or persons where they are protected.
        n_topics: k.
    """
    return SumBound.of_vectors(
        n_documents=n_units,
        n_words=n_topics,
        vector_norm=1.0,
        vector_distance=NON_NEGATIVE_DISTANCE,
        more_roundings=2,  # of a person's weight, and of the product with it
    )


def sum_shares(documents: GroupedDocuments, *, is_exact: bool) -> BoundedSum[Matrix]:
    """Sum weighted topic shares by group: the noiseless table with its sensitivity, shape (G, k).

    Args:
        is_exact: whether the noise is exact, so that parts are cut to whole steps.
    """
    sum_bound = share_bound(documents.n_units, documents.document_topics.shape[1])
    weighted_topics = documents.document_topics * _weights(documents)[:, None]
    if is_exact:
        weighted_topics = truncate_to_grid(weighted_topics, sum_bound.grid_step)
    document_ids = np.arange(len(weighted_topics))
    ones = np.ones(len(weighted_topics))
    membership = csr_array(
        (ones, (documents.rows, document_ids)),
        shape=(documents.n_rows, len(weighted_topics)),
    )
    return sum_bound.attach(np.asarray(membership @ weighted_topics), is_exact=is_exact)


def release_table(mechanisms: Mechanisms, documents: GroupedDocuments, *, mu: float) -> Matrix:
    """The table with Gaussian noise of ``√2/μ`` on every cell, shape (G, k)."""
    table = sum_shares(documents, is_exact=mechanisms.is_exact)
    return mechanisms.release_sum(SHARES, table, mu=mu)


def _weights(documents: GroupedDocuments) -> Vector:
    """Weight of every document, (N,): 1, or one over the documents with words of its person.

    A person's weight rests on that person's documents alone.
    """
    n_documents = len(documents.document_topics)
    if documents.persons is None:
        return np.ones(n_documents)
    has_words = np.any(documents.document_topics > 0, axis=1)
    n_of_person = np.bincount(documents.persons, weights=has_words, minlength=documents.n_units)
    return np.asarray(1 / np.maximum(n_of_person, 1.0)[documents.persons])
