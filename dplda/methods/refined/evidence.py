r"""Evidence that topics explain documents better than word frequencies do, and null runs beside it.

Sums are of documents that were fitted: small corpora flatter themselves. Null runs, which are whole
runs on documents without topics, drawn from the released word frequencies, say how much; they read
released numbers alone.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import stdtrit

from dplda.core.types import Matrix, Report, silent
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.methods.refined.constants import MAX_TOPIC_LOSS, N_NULL_RUNS, SIGNIFICANCE_LEVEL
from dplda.privacy.bounded_sum import SumBound

EVIDENCE_DISTANCE = math.sqrt(4 + 1 + 4 * MAX_TOPIC_LOSS**2) * (1 + 2**-50)
"""L2 distance of two documents' evidence at most, rounded up: gains in [−1, 1], lengths in [0, 1],
losses in a ball."""


@dataclass(frozen=True, eq=False)
class TopicEvidence(ReleasedEvidence):
    """Evidence of a run, and null runs to compare it with.

    Attributes:
        null_fit: a run on documents without topics, by its number; None in such a run.
        known_null_runs: evidence of all null runs, where they were run before; None to run them
            when asked for.
    """

    null_fit: Callable[[int], tuple[object, "TopicEvidence | None"]] | None = None
    known_null_runs: tuple["TopicEvidence", ...] | None = None

    def with_length_of(self, previous: ReleasedEvidence) -> "TopicEvidence":
        """Combine the mean length with that of the release that is continued, by inverse variance.

        A length without noise stays as it is. Lengths belong to the documents, which both releases
        share. Gains belong to the topics of their own release, so those of the previous topics are
        never averaged into these.
        """
        length_variance = self.length_noise**2
        previous_length_variance = previous.length_noise**2
        if not length_variance:
            return self
        previous_weight = length_variance / (length_variance + previous_length_variance)
        return replace(
            self,
            length=self.length + previous_weight * (previous.length - self.length),
            length_noise=math.sqrt(1 - previous_weight) * self.length_noise,
        )

    def run_null_fits(self, report: Report = silent) -> tuple["TopicEvidence", ...]:
        """Evidence of all null runs; takes as long as that many fits."""
        assert self.null_fit is not None
        null_evidence = []
        for run_index in range(N_NULL_RUNS):
            message = f"Run {run_index + 1} of {N_NULL_RUNS} on documents without topics"
            report(run_index / N_NULL_RUNS, message)
            null_evidence.append(self.null_fit(run_index)[1])
        return tuple(evidence for evidence in null_evidence if evidence is not None)

    @cached_property
    def null_runs(self) -> tuple["TopicEvidence", ...]:
        """Evidence of all null runs, run when it is first asked for unless it is known."""
        if self.known_null_runs is not None:
            return self.known_null_runs
        return self.run_null_fits()

    @cached_property
    def is_significant(self) -> bool:
        """Whether documents gain more than those without topics; wrong for 5 % of such corpora."""
        null_gains = np.array([evidence.gain_nats for evidence in self.null_runs])
        n_runs = len(null_gains)
        quantile = float(stdtrit(n_runs - 1, SIGNIFICANCE_LEVEL))
        null_std = float(np.std(null_gains, ddof=1))
        margin = quantile * math.sqrt(1 + 1 / n_runs) * null_std
        return bool(self.gain_nats > np.mean(null_gains) + margin)

    @cached_property
    def supported_topics(self) -> tuple[int, ...]:
        """Topics that the documents support: at most 5 % of those that documents lack."""
        if not self.is_significant:
            return ()
        null_losses: Matrix = np.stack([evidence.by_topic for evidence in self.null_runs])
        null_level = float(np.quantile(null_losses, SIGNIFICANCE_LEVEL))
        threshold = max(null_level, self.noise_threshold)
        return tuple(int(topic) for topic in np.flatnonzero(self.by_topic > threshold))

    @property
    def n_supported_topics(self) -> int:
        """Number of topics that the documents support."""
        return len(self.supported_topics)


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
