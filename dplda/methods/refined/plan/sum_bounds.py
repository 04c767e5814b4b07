"""Bounds of the sums that ask documents about topics, from public numbers alone."""

import math

from dplda.methods.refined.plan.constants import MAX_TOPIC_PART
from dplda.privacy.bounded_sum import SumBound

EVIDENCE_DISTANCE = math.sqrt(4 + 1 + 4 * MAX_TOPIC_PART**2) * (1 + 2**-50)
"""L2 distance of two documents' evidence at most, rounded up: gains in [−1, 1], lengths in [0, 1],
parts in a ball."""


def largest_gain(n_documents: int, mu: float) -> float:
    """Gain at which a document's is clipped, in nats: ``√(Nμ)/2``, at least 1.

    Args:
        n_documents: number of documents N.
        mu: Gaussian budget of a run and of all releases that it continues.
    """
    return max(1.0, math.sqrt(n_documents * mu) / 2)


def largest_parts(n_documents: int, n_topics: int, mu: float) -> float:
    """Length at which a document's parts by topic are clipped, in nats: ``√(Nμ)/(5k)``, at least 1.

    At this length the noise of a part is about a tenth of a k-th of a nat. Few topics with little
    noise fit the chance words of long documents too: clipped at 1, their parts would be as long as
    those of topics that documents have.

    Args:
        n_documents: number of documents N.
        n_topics: number of topics k.
        mu: Gaussian budget of a run and of all releases that it continues.
    """
    return max(1.0, math.sqrt(n_documents * mu) / (5 * n_topics))


def prior_test_bound(*, n_documents: int, n_words: int) -> SumBound:
    """Bound of the prior test: one number in [−1, 1] a document, so two are at most 2 apart."""
    return SumBound.of_vectors(
        n_documents=n_documents, n_words=n_words, vector_norm=1.0, vector_distance=2.0
    )


def evidence_bound(*, n_documents: int, n_words: int, n_topics: int) -> SumBound:
    """Bound of the released evidence: two vectors are at most ``EVIDENCE_DISTANCE`` apart."""
    return SumBound.of_vectors(
        n_documents=n_documents,
        n_words=n_words,
        vector_norm=math.sqrt(2 + MAX_TOPIC_PART**2),
        vector_distance=EVIDENCE_DISTANCE,
        more_roundings=n_topics,
    )


def evidence_sensitivity(n_documents: int, n_topics: int) -> float:
    """L2 sensitivity of the released evidence with noise in floating point, roundings included."""
    bound = evidence_bound(n_documents=n_documents, n_words=1, n_topics=n_topics)
    return bound.floating_point_sensitivity
