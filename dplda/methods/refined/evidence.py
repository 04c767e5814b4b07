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
from dplda.methods.denoising.word_frequencies import WordReading
from dplda.methods.refined.document_blocks import Block, factors, taken
from dplda.methods.refined.documents import (
    LONGEST,
    Documents,
    for_noise,
    of_words,
    overshooting,
    step_of_parts,
)
from dplda.methods.refined.prior import FREE, Tilt
from dplda.methods.refined.run import Found, Run
from dplda.methods.refined.schedule import GAIN, GATE
from dplda.privacy import gaussian
from dplda.privacy.noise.whole import FixedPointSum, cut
from dplda.privacy.sensitivity import bounded_numbers

ADVANTAGE = 1.0  # nats, the most that a document says for or against a table
SHUFFLED = 0x73687566  # stream of the placebo's order of words
RUNS = 40  # on documents without topics
LEVEL = 0.95  # one-sided, of saying "better" and of naming a topic
BACKGROUND = 0.1  # of word frequencies in every topic that is scored, as in completion perplexity
ALL = np.uint32(2**32 - 1)
FAINTEST = np.float32(2.0**-126)  # added to a word's chance: rounding can leave 0, or less
PART = (
    math.sqrt(5) / 2
)  # largest norm of what a document loses without each topic; so topics get half of the noise
EVIDENCE_DISTANCE = math.sqrt(4 + 1 + 4 * PART**2) * (1 + 2**-50)  # of two documents' ``explained``


@dataclass(frozen=True, eq=False)
class TopicEvidence(ReleasedEvidence):
    """Evidence, and whole runs on documents ``without_topics``, by number, to compare it with; None in such a run."""

    without_topics: Callable[[int], tuple[object, "TopicEvidence | None"]] | None = None

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

    def null_runs(self, report: Report = silent) -> tuple["TopicEvidence", ...]:
        """Whole runs on documents without topics: takes as long as that many fits."""
        assert self.without_topics is not None
        found = []
        for number in range(RUNS):
            report(number / RUNS, f"Run {number + 1} of {RUNS} on documents without topics")
            found.append(self.without_topics(number)[1])
        return tuple(one for one in found if one is not None)

    null = cached_property(null_runs)

    @cached_property
    def better(self) -> bool:
        """Whether the documents gain more than documents without topics would: wrong in 5 % of such corpora."""
        gains = np.array([one.explained for one in self.null])
        reach = (
            float(stdtrit(len(gains) - 1, LEVEL))
            * math.sqrt(1 + 1 / len(gains))
            * float(np.std(gains, ddof=1))
        )
        return bool(self.explained > np.mean(gains) + reach)

    @cached_property
    def carrying(self) -> tuple[int, ...]:
        """The topics that the documents bear out: at most 5 % of those without."""
        if not self.better:
            return ()
        parts: Matrix = np.stack([one.by_topic for one in self.null])
        least = max(float(np.quantile(parts, LEVEL)), self.noise_alone)
        return tuple(int(i) for i in np.flatnonzero(self.by_topic > least))

    @property
    def n_topics(self) -> int:
        """How many topics the documents bear out."""
        return len(self.carrying)


def advantage(run: Run, words: WordReading, ratios: Matrix, share: float) -> float:
    """How much more a document gains by a table than by the same one with its words shuffled, as released."""
    p = words.frequencies
    shuffled = ratios[:, np.random.default_rng(SHUFFLED).permutation(len(p))]
    prior = np.full(len(ratios), run.problem.alpha0 / len(ratios))
    true, false = (Scored(Tilt(each, FREE)(p), p, prior) for each in (ratios, shuffled))
    total = summed(
        run.documents,
        partial(advantages, true, false, ADVANTAGE),
        size=1,
        exact=run.mechanisms.exact,
        largest_distance=2.0,
    )
    apart = bounded_numbers(n_documents=run.documents.n_documents, size=1.0, apart=2.0)
    noisy = run.mechanisms.vector(GATE, total, sensitivity=apart, mu=gaussian.share(run.mu, share))
    return ADVANTAGE * float(noisy[0]) / run.documents.n_documents


def released(run: Run, found: Found, *, total_mu: float, evidence_share: float) -> TopicEvidence:
    """Release the gain of a run's topics and each topic's part in it.

    Args:
        total_mu: ``μ`` of this run and of all releases that it continues. It sets where gains are cut, so
            that a continued run cuts them, and hears them, as one release at the total does.
        evidence_share: fraction of this run's ``μ²`` that is spent here.
    """
    n_documents, mechanisms, topics = run.documents.n_documents, run.mechanisms, found.topics
    largest_gain = max(1.0, math.sqrt(n_documents * total_mu) / 2)  # nats; cutting and noise vanish
    scored = Scored(topics.words, topics.mean_words, topics.alpha, BACKGROUND)
    total = summed(
        run.documents,
        partial(explained, scored, largest_gain),
        size=2 + len(topics.words),
        exact=mechanisms.exact,
        largest_distance=EVIDENCE_DISTANCE,
    )
    sensitivity = evidence_apart(n_documents, run.problem.n_topics)
    mu = gaussian.share(run.mu, evidence_share)
    noisy = mechanisms.vector(GAIN, total, sensitivity=sensitivity, mu=mu) / n_documents
    noise_std = mechanisms.noise_in(GAIN) / n_documents
    length_unit = LONGEST / 2  # half of a document's words are scored
    return TopicEvidence(
        explained=float(noisy[0]) * largest_gain,
        noise=noise_std * largest_gain,
        length=max(1.0, float(noisy[1]) * length_unit),
        length_noise=noise_std * length_unit,
        by_topic=noisy[2:] / PART,
        topic_noise=noise_std / PART,
    )


def evidence_apart(n_documents: int, n_topics: int) -> float:
    """How far replacing a document moves the sum of ``explained``: ``EVIDENCE_DISTANCE``, and roundings."""
    size = math.sqrt(2 + PART**2)
    return bounded_numbers(
        n_documents=n_documents, size=size, apart=EVIDENCE_DISTANCE, more=n_topics
    )


class Scored:
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
        self.known, self.prior = of_words(mixed), prior
        self.base = (mean_words / np.sum(mixed, axis=0)).astype(np.float32)

    def gain(self, block: Block, *, parts: bool = False) -> tuple[Vector, Matrix]:
        """Gains, shape (n,), and what of each is lost where one topic is the word frequencies, shape (n, k)."""
        seen = taken(self.known, block.words)
        gain = -np.vecdot(np.take(np.log(self.base), block.words, mode="clip"), block.counts)
        lost, found = np.zeros((len(seen), len(self.known) if parts else 0)), []
        halves = [half.astype(np.float32) for half in _halves(block)]
        for counts, scored in (halves, halves[::-1]):
            gamma = np.matvec(seen, counts)
            added = np.full(gamma.shape, self.prior, np.float32)
            shares = overshooting(seen, counts, added, gamma + added, np.positive)
            shares /= np.sum(shares, axis=1, keepdims=True)
            found.append((scored, shares, np.vecmat(shares, seen)))
        if parts:  # from here on, how far word frequencies are from topics
            np.subtract(np.take(self.base, block.words, mode="clip")[:, None], seen, out=seen)
        for scored, shares, chances in found:
            whole = np.vecdot(np.log(chances), scored)
            gain += whole
            lost += whole[:, None]
            for i in range(lost.shape[1]):
                without = np.abs(seen[:, i] * shares[:, i, None] + chances) + FAINTEST
                lost[:, i] -= np.vecdot(np.log(without), scored)
        return gain / 2, lost / 2


def advantages(one: Scored, other: Scored, bound: float, block: Block) -> Matrix:
    """How much more documents gain by one set of topics than by another, over ``bound``, cut to ±1, shape (n, 1).

    What they gain by the other counts against the one: where any topics gain, steps find their own.

    Guarantee:
        A document's part is a function of it and of the arguments, and in [−1, 1].
    """
    own, its = (each.gain(block)[0] for each in (one, other))
    return np.clip((own - its - np.maximum(its, 0.0)) / bound, -1, 1)[:, None]


def explained(scored: Scored, bound: float, block: Block) -> Matrix:
    """Documents' gains over ``bound``, cut to ±1; lengths, a longest one as 1; and parts; shape (n, 2 + k).

    Guarantee:
        A document's part is a function of it and of the arguments, in [−1, 1] × [0, 1] × a ball of radius ``PART`` (up
        to rounding, which whole numbers are cut below). Two of them are at most ``√(4 + 1 + 4 PART²)`` apart.
    """
    gain, lost = scored.gain(block, parts=True)
    lost *= PART * factors(np.sqrt(np.vecdot(lost, lost)), 1.0)[:, None]
    length = np.minimum(np.sum(block.counts, axis=1) / LONGEST, 1.0)
    return np.column_stack([np.clip(gain / bound, -1, 1), length, lost])


def summed(
    documents: Documents,
    numbers: Callable[[Block], Matrix],
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
    unit = step_of_parts(documents, 1.0) if exact else 0.0
    total = documents.total(partial(_part, numbers, unit), (size, 1))[:, 0]
    return for_noise(total, unit, bound=1.0, largest_distance=largest_distance)


def _halves(block: Block) -> tuple[Matrix, Matrix]:
    """Each word's count in two parts, by as many bits of a hash as it counts, at most 32."""
    many = np.ceil(block.counts).astype(np.uint32)
    names = _hashed(block.words.astype(np.uint32))
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


def _part(numbers: Callable[[Block], Matrix], unit: float, block: Block) -> Matrix:
    each = numbers(block)
    return np.asarray(np.sum(cut(each, unit) if unit else each, axis=0)[:, None])
