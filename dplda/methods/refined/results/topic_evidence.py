r"""Evidence that topics explain documents better than word frequencies, and runs to compare.

Sums are of documents that were fitted, so they flatter twice. Documents without topics gain, too:
null runs, whole runs on documents drawn from the released word frequencies, say how much. And
topics fit their own documents better than new ones: runs on documents drawn from the released
topics say how much, in part, as real documents follow topics less well than drawn ones. All of
them read released numbers alone.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import ndtri, stdtrit

from dplda.core.types import Matrix, Report, Vector, silent
from dplda.evaluation.evidence import EvidenceCheck, ReleasedEvidence
from dplda.methods.base.comparable_evidence import ComparableEvidence
from dplda.methods.refined.plan.constants import (
    GAIN_SPREAD,
    MAX_OPTIMISM_RUNS,
    MIN_NULL_RUNS,
    MIN_NULL_TOPICS,
    N_NULL_RUNS,
    NULL_TIME_SHARE,
    NULL_TOPIC_LEVEL,
    OPTIMISM_DOCUMENTS,
    OPTIMISM_DOUBT,
    OPTIMISM_FACTOR,
    SIGNIFICANCE_LEVEL,
)
from dplda.methods.refined.results.clipped_gain import estimate_clipped_gain

_SMALLEST_SHARE = 1e-12  # keeps 0/0 out of proportions


@dataclass(frozen=True, eq=False)
class TopicEvidence(ComparableEvidence):
    """Evidence of a run, and runs on simulated documents to compare it with.

    Attributes:
        null_fit: a run on documents without topics, by its number; None before runs are planned.
        null_run: the same, with what it gains without noise; likewise.
        optimism_run: a run on documents drawn from the released topics, by its number; likewise.
        n_documents: documents of the run, N.
        largest_gain: gain at which a document's was clipped, in nats.
        topic_shares: share of all words of each topic, shape (k,); None where unknown, so that
            topics of null runs count as no larger.
        topics_keep_places: whether topics keep the places of a prior's rows in every run, so that
            each is compared with null runs at its own place.
        known_null_runs: results of null runs, where they were run before; None to run them when
            asked for.
    """

    null_fit: Callable[[int], tuple[object, ComparableEvidence | None]] | None = None
    null_run: Callable[[int], "NullResult"] | None = None
    optimism_run: Callable[[int], "GainDifference"] | None = None
    n_documents: int = 0
    largest_gain: float = math.inf
    topic_shares: Vector | None = None
    topics_keep_places: bool = False
    known_null_runs: tuple["NullResult", ...] | None = None

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

    def compare(self, report: Report = silent) -> EvidenceCheck:
        """Compare with documents without topics, and measure how far the gain flatters.

        A gain that documents without topics reach too is not significant: no topic is supported,
        and nothing more is run. Optimism is the mean difference of gains, times
        ``OPTIMISM_FACTOR``, at least 0, less what clipping took from the gain. Takes as long as
        some ten fits; of few topics, up to forty.

        Args:
            report: progress callback, which may cancel.

        Guarantee:
            A function of released and public numbers alone: simulated documents are drawn with
            their own seeds from released topics and word frequencies.
        """
        null_runs = self._run_null_fits(report)
        if self.gain_nats <= self._null_threshold(null_runs):
            return EvidenceCheck(
                is_significant=False, supported_topics=(), optimism=0.0, optimism_error=0.0
            )
        differences = self._run_optimism_runs(report)
        mean_difference = float(np.mean([difference.nats for difference in differences]))
        optimism = max(0.0, OPTIMISM_FACTOR * mean_difference)
        errors = [
            OPTIMISM_FACTOR * difference.error / len(differences) for difference in differences
        ]
        clipped = estimate_clipped_gain(self.gain_nats, self.gain_noise, self.largest_gain)
        sampling_error = GAIN_SPREAD * abs(self.gain_nats) / math.sqrt(max(1, self.n_documents))
        return EvidenceCheck(
            is_significant=True,
            supported_topics=self._supported_topics(null_runs),
            optimism=optimism - clipped.nats,
            optimism_error=math.hypot(
                *errors, OPTIMISM_DOUBT * optimism, sampling_error, clipped.error
            ),
        )

    def _run_null_fits(self, report: Report = silent) -> tuple["NullResult", ...]:
        """Results of null runs: the known ones if there are any, else those of new runs.

        New runs need ``null_run``. The fewer topics a run has, the more runs are made, from
        ``MIN_NULL_RUNS`` to ``N_NULL_RUNS``.
        """
        if self.known_null_runs is not None:
            return self.known_null_runs
        assert self.null_run is not None
        n_for_topics = math.ceil(MIN_NULL_TOPICS / len(self.by_topic))
        n_runs = min(N_NULL_RUNS, max(MIN_NULL_RUNS, n_for_topics))
        null_results = []
        for run_index in range(n_runs):
            message = f"Run {run_index + 1} of {n_runs} on documents without topics"
            report(NULL_TIME_SHARE * run_index / n_runs, message)
            null_results.append(self.null_run(run_index))
        return tuple(null_results)

    def _null_threshold(self, null_runs: Sequence["NullResult"]) -> float:
        """Gain in nats that documents without topics stay below, but for 1 % of such corpora.

        The noise of this gain is known, and what null runs gain without noise varies little: so
        few runs suffice.
        """
        null_gains = [null_run.gain_nats for null_run in null_runs]
        n_runs = len(null_gains)
        spread_of_gains = math.sqrt(1 + 1 / n_runs) * float(np.std(null_gains, ddof=1))
        margin_of_runs = float(stdtrit(n_runs - 1, SIGNIFICANCE_LEVEL)) * spread_of_gains
        margin_of_noise = float(ndtri(SIGNIFICANCE_LEVEL)) * self.gain_noise
        return float(np.mean(null_gains)) + math.hypot(margin_of_runs, margin_of_noise)

    def _run_optimism_runs(self, report: Report) -> list["GainDifference"]:
        """Differences of gains on fitted and new documents, all drawn from the released topics.

        Fewer runs for more documents, from ``MAX_OPTIMISM_RUNS`` down to one.
        Needs ``optimism_run``.
        """
        assert self.optimism_run is not None
        n_runs = max(1, min(MAX_OPTIMISM_RUNS, OPTIMISM_DOCUMENTS // max(1, self.n_documents)))
        differences = []
        for run_index in range(n_runs):
            progress_share = NULL_TIME_SHARE + (1 - NULL_TIME_SHARE) * run_index / n_runs
            report(
                progress_share,
                f"Run {run_index + 1} of {n_runs} on documents drawn from these topics",
            )
            differences.append(self.optimism_run(run_index))
        return differences

    def _supported_topics(self, null_runs: Sequence["NullResult"]) -> tuple[int, ...]:
        """Topics that the documents support: at most 5 % of those that documents lack.

        A supported topic's part in the gain is above that level of the null runs and above
        ``noise_threshold``. A topic of a null run that has a larger share of all words counts in
        proportion (``_parts_at_shares``). Beside a prior the topic nearest to word frequencies has
        a part in the gain even where documents have no topics, so each is compared with its own
        place.
        """
        shares = np.ones(len(self.by_topic)) if self.topic_shares is None else self.topic_shares
        if self.topics_keep_places:
            parts = [_parts_at_shares(null_run, shares) for null_run in null_runs]
            null_levels = _null_levels_by_place(np.stack(parts))
        else:
            null_levels = np.array([_null_level(null_runs, float(share)) for share in shares])
        thresholds = np.maximum(null_levels, self.noise_threshold)
        return tuple(int(topic) for topic in np.flatnonzero(self.by_topic > thresholds))

    @cached_property
    def null_runs(self) -> tuple["NullResult", ...]:
        """Results of all null runs, run when they are first asked for unless they are known."""
        return self._run_null_fits()


@dataclass(frozen=True, slots=True, eq=False)
class NullResult:
    """Gain of a run on documents without topics.

    Attributes:
        gain_nats: mean gain of a simulated document in nats, without noise.
        by_topic: shape (k,), mean of each topic's part in the gain, in nats, with noise.
        topic_shares: share of all words of each topic, shape (k,); None for at most that of any
            topic that is compared.
    """

    gain_nats: float
    by_topic: Vector
    topic_shares: Vector | None = None


@dataclass(frozen=True, slots=True)
class GainDifference:
    """Gain of a simulated run's topics on the documents fitted, less that on new ones.

    Attributes:
        nats: mean difference, in nats a document.
        error: its standard error, from which documents were drawn.
    """

    nats: float
    error: float


def _parts_at_shares(null_run: NullResult, shares: float | Vector) -> Vector:
    """Parts of a null run's topics, had they at most these shares of all words, in nats, (k,).

    A part adds up over the words that a topic explains. One topic of documents without topics often
    takes all of them, and knows their frequencies better than noisy counts do: its part is large,
    as it is that of all words. With a smaller share of these it would have as much less.

    Args:
        null_run: result of the run.
        shares: share of all words of the topic that is compared, or of that at each place, (k,).
    """
    if null_run.topic_shares is None:
        return null_run.by_topic
    shares = np.maximum(shares, _SMALLEST_SHARE)
    return null_run.by_topic * shares / np.maximum(null_run.topic_shares, shares)


def _null_level(null_runs: Sequence[NullResult], share: float) -> float:
    """Part in the gain that topics without documents stay below in 95 of 100 cases.

    Args:
        null_runs: results of null runs.
        share: share of all words of the topic that is compared.
    """
    null_parts = np.concatenate([_parts_at_shares(null_run, share) for null_run in null_runs])
    n_below = math.ceil(NULL_TOPIC_LEVEL * (len(null_parts) + 1))
    return float(np.sort(null_parts)[min(n_below, len(null_parts)) - 1])


def _null_levels_by_place(null_parts: Matrix) -> Vector:
    """Parts in the gain that a topic without documents stays below in 95 of 100 runs, (k,).

    Args:
        null_parts: parts of each null run's topics, (runs, k), with the noise of a release; a
            column holds the topics at one place.
    """
    n_runs = len(null_parts)
    spread = math.sqrt(1 + 1 / n_runs) * np.std(null_parts, axis=0, ddof=1)
    margin = float(stdtrit(n_runs - 1, NULL_TOPIC_LEVEL)) * spread
    return np.asarray(np.mean(null_parts, axis=0) + margin)
