"""Bounds of the sums that ask documents about topics, from public numbers alone."""

import math

from dplda.methods.refined.plan.constants import MAX_TOPIC_LOSS
from dplda.privacy.bounded_sum import SumBound

EVIDENCE_DISTANCE = math.sqrt(4 + 1 + 4 * MAX_TOPIC_LOSS**2) * (1 + 2**-50)
"""L2 distance of two documents' evidence at most, rounded up: gains in [−1, 1], lengths in [0, 1],
losses in a ball."""


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
        vector_norm=math.sqrt(2 + MAX_TOPIC_LOSS**2),
        vector_distance=EVIDENCE_DISTANCE,
        more_roundings=n_topics,
    )


def evidence_sensitivity(n_documents: int, n_topics: int) -> float:
    """L2 sensitivity of the released evidence with noise in floating point, roundings included."""
    bound = evidence_bound(n_documents=n_documents, n_words=1, n_topics=n_topics)
    return bound.floating_point_sensitivity
