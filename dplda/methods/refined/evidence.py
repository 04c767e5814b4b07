r"""Evidence: how much better topics explain documents than word frequencies do, in bounded numbers of each document.

A document's words are dealt into two halves by a public hash of the word and of the whole document. Its most likely
topic shares are found on one half and the other half is scored, both ways; the mean of the two is its gain in nats. So
topics gain where words of the two halves belong together, as in perplexity by document completion, and words that
merely occur often gain nothing. A half is a function of its own document alone.

Sums are released once, after the last step, of documents that were fitted: small corpora flatter themselves. Whole runs
on documents without topics, drawn from the released word frequencies, say how much; they read released numbers alone.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from dplda.core.types import Matrix, Report, Vector, silent
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.document_blocks import DocumentBlock, clip_factors, gather_columns
from dplda.methods.refined.documents import (
    MAX_DOCUMENT_LENGTH,
    Documents,
    as_fixed_point,
    fixed_point_step,
    over_relaxed_e_step,
    topic_posteriors,
)
from dplda.methods.refined.prior import INITIAL_PRIOR_POWER, PriorTilt
from dplda.methods.refined.run import Run, StageResult
from dplda.methods.refined.schedule import GAIN, GATE
from dplda.privacy.accounting import gaussian
from dplda.privacy.noise.fixed_point import FixedPointSum, truncate_to_grid
from dplda.privacy.sensitivity import bounded_numbers

MAX_PRIOR_ADVANTAGE = 1.0  # nats, the most that a document says for or against a table
SHUFFLED = 0x73687566  # stream of the placebo's order of words
N_NULL_RUNS = 40  # on documents without topics
SIGNIFICANCE_LEVEL = 0.95  # one-sided, of saying "better" and of naming a topic
BACKGROUND_SHARE = (
    0.1  # of word frequencies in every topic that is scored, as in completion perplexity
)
ALL = np.uint32(2**32 - 1)
FAINTEST = np.float32(2.0**-126)  # added to a word's chance: rounding can leave 0, or less
MAX_TOPIC_LOSS = (
    math.sqrt(5) / 2
)  # largest norm of what a document loses without each topic; so topics get half of the noise
EVIDENCE_DISTANCE = math.sqrt(4 + 1 + 4 * MAX_TOPIC_LOSS**2) * (
    1 + 2**-50
)  # of two documents' ``explained``


@dataclass(frozen=True, eq=False)
class TopicEvidence(ReleasedEvidence):
    """Evidence, and whole runs on documents ``without_topics``, by number, to compare it with; None in such a run."""

    null_fit: Callable[[int], tuple[object, "TopicEvidence | None"]] | None = None

    def with_length_of(self, previous: ReleasedEvidence) -> "TopicEvidence":
        """Combine the mean length with that of the release that is continued, by inverse variance.

        Lengths belong to the documents, which both releases share. Gains belong to the topics of
        their own release, so those of the previous topics are never averaged into these.
        """
        own_variance, previous_variance = self.length_noise**2, previous.length_noise**2
        if not own_variance:
            return self
        weight = own_variance / (own_variance + previous_variance)
        return replace(
            self,
            length=self.length + weight * (previous.length - self.length),
            length_noise=math.sqrt(1 - weight) * self.length_noise,
        )

    def run_null_fits(self, report: Report = silent) -> tuple["TopicEvidence", ...]:
        """Whole runs on documents without topics: takes as long as that many fits."""
        assert self.null_fit is not None
        found = []
        for number in range(N_NULL_RUNS):
            report(
                number / N_NULL_RUNS,
                f"Run {number + 1} of {N_NULL_RUNS} on documents without topics",
            )
            found.append(self.null_fit(number)[1])
        return tuple(one for one in found if one is not None)

    null_runs = cached_property(run_null_fits)

    @cached_property
    def is_significant(self) -> bool:
        """Whether the documents gain more than documents without topics would: wrong in 5 % of such corpora."""
        gains = np.array([one.explained for one in self.null_runs])
        reach = (
            float(stdtrit(len(gains) - 1, SIGNIFICANCE_LEVEL))
            * math.sqrt(1 + 1 / len(gains))
            * float(np.std(gains, ddof=1))
        )
        return bool(self.explained > np.mean(gains) + reach)

    @cached_property
    def supported_topics(self) -> tuple[int, ...]:
        """The topics that the documents bear out: at most 5 % of those without."""
        if not self.is_significant:
            return ()
        parts: Matrix = np.stack([one.by_topic for one in self.null_runs])
        least = max(float(np.quantile(parts, SIGNIFICANCE_LEVEL)), self.noise_alone)
        return tuple(int(i) for i in np.flatnonzero(self.by_topic > least))

    @property
    def n_supported_topics(self) -> int:
        """How many topics the documents bear out."""
        return len(self.supported_topics)


def release_prior_advantage(
    run: Run, words: NoisyWordCounts, ratios: Matrix, share: float
) -> float:
    """How much more a document gains by a table than by the same one with its words shuffled, as released."""
    p = words.word_frequencies
    shuffled = ratios[:, np.random.default_rng(SHUFFLED).permutation(len(p))]
    prior = np.full(len(ratios), run.problem.alpha0 / len(ratios))
    true, false = (
        TopicScorer(PriorTilt(each, INITIAL_PRIOR_POWER)(p), p, prior)
        for each in (ratios, shuffled)
    )
    total = sum_numbers(
        run.documents,
        partial(prior_advantages, true, false, MAX_PRIOR_ADVANTAGE),
        size=1,
        exact=run.mechanisms.is_exact,
        largest_distance=2.0,
    )
    apart = bounded_numbers(
        n_documents=run.documents.n_documents, vector_norm=1.0, vector_distance=2.0
    )
    noisy = run.mechanisms.vector(
        GATE, total, sensitivity=apart, mu=gaussian.mu_of_share(run.mu, share)
    )
    return MAX_PRIOR_ADVANTAGE * float(noisy[0]) / run.documents.n_documents


def release_evidence(
    run: Run, found: StageResult, *, total_mu: float, evidence_share: float
) -> TopicEvidence:
    """Release the gain of a run's topics and each topic's part in it.

    Args:
        total_mu: ``μ`` of this run and of all releases that it continues. It sets where gains are cut, so
            that a continued run cuts them, and hears them, as one release at the total does.
        evidence_share: fraction of this run's ``μ²`` that is spent here.
    """
    n_documents, mechanisms, topics = run.documents.n_documents, run.mechanisms, found.topics
    largest_gain = max(1.0, math.sqrt(n_documents * total_mu) / 2)  # nats; cutting and noise vanish
    scored = TopicScorer(topics.words, topics.mean_words, topics.alpha, BACKGROUND_SHARE)
    total = sum_numbers(
        run.documents,
        partial(evidence_vectors, scored, largest_gain),
        size=2 + len(topics.words),
        exact=mechanisms.is_exact,
        largest_distance=EVIDENCE_DISTANCE,
    )
    sensitivity = evidence_sensitivity(n_documents, run.problem.n_topics)
    mu = gaussian.mu_of_share(run.mu, evidence_share)
    noisy = mechanisms.vector(GAIN, total, sensitivity=sensitivity, mu=mu) / n_documents
    noise_std = mechanisms.noise_std_of(GAIN) / n_documents
    length_unit = MAX_DOCUMENT_LENGTH / 2  # half of a document's words are scored
    return TopicEvidence(
        explained=float(noisy[0]) * largest_gain,
        noise=noise_std * largest_gain,
        length=max(1.0, float(noisy[1]) * length_unit),
        length_noise=noise_std * length_unit,
        by_topic=noisy[2:] / MAX_TOPIC_LOSS,
        topic_noise=noise_std / MAX_TOPIC_LOSS,
    )


def evidence_sensitivity(n_documents: int, n_topics: int) -> float:
    """How far replacing a document moves the sum of ``explained``: ``EVIDENCE_DISTANCE``, and roundings."""
    size = math.sqrt(2 + MAX_TOPIC_LOSS**2)
    return bounded_numbers(
        n_documents=n_documents,
        vector_norm=size,
        vector_distance=EVIDENCE_DISTANCE,
        more_roundings=n_topics,
    )


class TopicScorer:
    """Topics, shape (k, d), to score documents with, mixed with some of the word frequencies, shape (d,), above 0.

    Attributes:
        known: the mixed topics over their sum, shape (k, d).
        base: word frequencies over that sum, shape (d,): a topic that is these.
        prior: ``α``, shape (k,).
    """

    def __init__(
        self, topics: Matrix, mean_words: Vector, prior: Vector, background: float = 0.0
    ) -> None:
        mixed = (1 - background) * topics + background * mean_words
        self.known, self.prior = topic_posteriors(mixed), prior
        self.base = (mean_words / np.sum(mixed, axis=0)).astype(np.float32)

    def score_block(self, block: DocumentBlock, *, parts: bool = False) -> tuple[Vector, Matrix]:
        """Gains, shape (n,), and what of each is lost where one topic is the word frequencies, shape (n, k)."""
        seen = gather_columns(self.known, block.word_ids)
        gain = -np.vecdot(np.take(np.log(self.base), block.word_ids, mode="clip"), block.counts)
        lost, found = np.zeros((len(seen), len(self.known) if parts else 0)), []
        halves = [half.astype(np.float32) for half in _halves(block)]
        for counts, scored in (halves, halves[::-1]):
            gamma = np.matvec(seen, counts)
            added = np.full(gamma.shape, self.prior, np.float32)
            shares = over_relaxed_e_step(seen, counts, added, gamma + added, np.positive)
            shares /= np.sum(shares, axis=1, keepdims=True)
            found.append((scored, shares, np.vecmat(shares, seen)))
        if parts:  # from here on, how far word frequencies are from topics
            np.subtract(np.take(self.base, block.word_ids, mode="clip")[:, None], seen, out=seen)
        for scored, shares, chances in found:
            whole = np.vecdot(np.log(chances), scored)
            gain += whole
            lost += whole[:, None]
            for i in range(lost.shape[1]):
                without = np.abs(seen[:, i] * shares[:, i, None] + chances) + FAINTEST
                lost[:, i] -= np.vecdot(np.log(without), scored)
        return gain / 2, lost / 2


def prior_advantages(
    one: TopicScorer, other: TopicScorer, bound: float, block: DocumentBlock
) -> Matrix:
    """How much more documents gain by one set of topics than by another, over ``bound``, cut to ±1, shape (n, 1).

    What they gain by the other counts against the one: where any topics gain, steps find their own.

    Guarantee:
        A document's part is a function of it and of the arguments, and in [−1, 1].
    """
    own, its = (each.score_block(block)[0] for each in (one, other))
    return np.clip((own - its - np.maximum(its, 0.0)) / bound, -1, 1)[:, None]


def evidence_vectors(scored: TopicScorer, bound: float, block: DocumentBlock) -> Matrix:
    """Documents' gains over ``bound``, cut to ±1; lengths, a longest one as 1; and parts; shape (n, 2 + k).

    Guarantee:
        A document's part is a function of it and of the arguments, in [−1, 1] × [0, 1] × a ball of radius ``PART`` (up
        to rounding, which whole numbers are cut below). Two of them are at most ``√(4 + 1 + 4 PART²)`` apart.
    """
    gain, lost = scored.score_block(block, parts=True)
    lost *= MAX_TOPIC_LOSS * clip_factors(np.sqrt(np.vecdot(lost, lost)), 1.0)[:, None]
    length = np.minimum(np.sum(block.counts, axis=1) / MAX_DOCUMENT_LENGTH, 1.0)
    return np.column_stack([np.clip(gain / bound, -1, 1), length, lost])


def sum_numbers(
    documents: Documents,
    numbers: Callable[[DocumentBlock], Matrix],
    *,
    size: int,
    exact: bool,
    largest_distance: float,
) -> Vector | FixedPointSum:
    """The sum of a vector of every document, shape (size,), as mechanisms take it.

    Args:
        numbers: vectors of a block's documents, shape (n, size).
        exact: whether it is a sum of whole numbers.
        largest_distance: bound on the L2 distance of any two documents' vectors.
    """
    unit = fixed_point_step(documents, 1.0) if exact else 0.0
    total = documents.sum_blocks(partial(_part, numbers, unit), (size, 1))[:, 0]
    return as_fixed_point(total, unit, bound=1.0, largest_distance=largest_distance)


def _halves(block: DocumentBlock) -> tuple[Matrix, Matrix]:
    """Each word's count in two parts, by as many bits of a hash as it counts, at most 32."""
    many = np.ceil(block.counts).astype(np.uint32)
    names = _hashed(block.word_ids.astype(np.uint32))
    whole: NDArray[np.uint32] = np.sum(names * many, axis=1, dtype=np.uint32)
    many = np.minimum(many, np.uint32(32))
    drawn = np.bitwise_count(_hashed(names ^ whole[:, None]) & (ALL >> (np.uint32(32) - many)))
    one = drawn / np.maximum(many, 1) * block.counts
    return one, block.counts - one


def _hashed(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Wellons' mixing of 32 bits: every bit of the result depends on all of a number's."""
    x = numbers + np.uint32(1)
    for shift, times in ((16, 0x7FEB352D), (15, 0x846CA68B), (16, 1)):
        x ^= x >> np.uint32(shift)
        x *= np.uint32(times)
    return x


def _part(numbers: Callable[[DocumentBlock], Matrix], unit: float, block: DocumentBlock) -> Matrix:
    each = numbers(block)
    return np.asarray(np.sum(truncate_to_grid(each, unit) if unit else each, axis=0)[:, None])
