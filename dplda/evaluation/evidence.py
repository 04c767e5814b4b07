"""Released evidence that topics explain documents better than word frequencies, in sentences.

Two things flatter a gain: documents without topics have one too, and topics fit the documents that
they were made of better than new ones. Runs on simulated documents measure both
(``EvidenceCheck``). Before these runs no sentence says *better*.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scipy.special import ndtri

from dplda.core import checks
from dplda.core.formatting import WITHOUT_TOPICS
from dplda.core.types import Vector

ERROR_RATE = "About 1 in 100 collections without topics would gain as much by chance."
HOW_MEASURED = (
    "To measure this, topics predict one half of each document's words from the other half. A topic"
    " has evidence if it helps with that more than noise and chance would."
)
"""What *better* and *evidence* rest on, for readers of a report."""

NOISE_LEVEL = 0.99
"""One-sided level at which a topic's part in the gain is called above the noise."""

NOISE_QUANTILE = float(ndtri(NOISE_LEVEL))
"""The same in standard deviations of a topic's noise."""

USUAL_LEVEL = 0.9
"""Level of the confidence intervals that sentences state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceCheck:
    """Evidence compared with runs on simulated documents, which use released numbers only.

    Attributes:
        is_significant: whether the documents gain more than documents without topics.
        supported_topics: topics that carry the gain; none if it is not significant.
        optimism: nats a document by which the released gain of the fitted documents is above that
            of new ones; below 0 where clipping took more from it than fitting added, and 0 if the
            gain is not significant.
        optimism_error: standard deviation of the gain of new documents beside its noise: of the
            optimism, of what clipping took, and of the choice of documents.
    """

    is_significant: bool
    supported_topics: tuple[int, ...]
    optimism: float
    optimism_error: float

    def reorder_topics(self, order: Sequence[int]) -> "EvidenceCheck":
        """The same comparison with topics in another order.

        Args:
            order: for each new place, the topic's old place.
        """
        supported_topics = tuple(
            new_place for new_place, topic in enumerate(order) if topic in self.supported_topics
        )
        return replace(self, supported_topics=supported_topics)


@dataclass(frozen=True, slots=True)
class EvidenceStatement:
    """Evidence in words, its parts in agreement.

    Attributes:
        verdict: one sentence.
        further: topics counted, or what is open, in one or two sentences; empty if nothing is.
    """

    verdict: str
    further: str = ""


@dataclass(frozen=True, eq=False)
class ReleasedEvidence:
    """Released numbers, each with known noise.

    Attributes:
        gain_nats: mean gain of a document in nats, with noise.
        gain_noise: standard deviation of its noise.
        length: mean number of a document's scored words, as released, at least 1.
        length_noise: standard deviation of its noise.
        by_topic: shape (k,), mean part of each topic in a document's gain, in nats, with noise.
        topic_noise: standard deviation of the noise of each.
        known_check: comparison with runs on simulated documents; None before these runs.
    """

    gain_nats: float
    gain_noise: float
    length: float
    length_noise: float
    by_topic: Vector
    topic_noise: float
    known_check: EvidenceCheck | None = None

    @property
    def check(self) -> EvidenceCheck | None:
        """Comparison with runs on simulated documents; None before these runs."""
        return self.known_check

    def released_numbers(self, check: EvidenceCheck | None = None) -> "ReleasedEvidence":
        """A copy of the released numbers, for a page that must not wait for runs.

        Args:
            check: comparison that was made meanwhile; None keeps the known one.
        """
        copied_numbers = self.reorder_topics(range(len(self.by_topic)))
        return copied_numbers if check is None else replace(copied_numbers, known_check=check)

    def reorder_topics(self, order: Sequence[int]) -> "ReleasedEvidence":
        """A copy of the released numbers with topics in another order.

        The noise of a topic's part stays, as all topics have the same.

        Args:
            order: for each new place, the topic's old place.
        """
        check = self.known_check
        return ReleasedEvidence(
            gain_nats=self.gain_nats,
            gain_noise=self.gain_noise,
            length=self.length,
            length_noise=self.length_noise,
            by_topic=self.by_topic[list(order)],
            topic_noise=self.topic_noise,
            known_check=None if check is None else check.reorder_topics(order),
        )

    @property
    def is_finite(self) -> bool:
        """Whether all numbers are finite, the length at least 1 and noise at least 0.

        Files of unknown origin may hold others.
        """
        numbers = (
            self.gain_nats,
            self.gain_noise,
            self.length,
            self.length_noise,
            self.topic_noise,
            *self.by_topic,
        )
        is_in_range = (
            self.length >= 1 and min(self.gain_noise, self.length_noise, self.topic_noise) >= 0
        )
        return all(map(math.isfinite, numbers)) and is_in_range

    @property
    def gain_per_word(self) -> float:
        """Gain of the fitted documents in nats a word, which may flatter (``interval_of_new``).

        Topics lower perplexity by the factor ``exp(−gain)``.
        """
        return self.gain_nats / self.length

    @property
    def gain(self) -> float:
        """``gain_per_word``, under the name in the public interface."""
        return self.gain_per_word

    def interval(self, level: float = USUAL_LEVEL) -> tuple[float, float]:
        """Confidence interval of the fitted documents' gain a word, from known noise.

        Args:
            level: confidence, in (0, 1).

        Returns:
            Its two ends. Large gains are clipped before their release, which lowers it.
        """
        return self._interval(level, optimism=0.0, optimism_error=0.0)

    def interval_of_new(self, level: float = USUAL_LEVEL) -> tuple[float, float]:
        """Confidence interval of new documents' gain a word, in nats, less the optimism.

        Without a comparison it is that of the fitted documents.

        Args:
            level: confidence, in (0, 1).

        Raises:
            InputError: the level is not in (0, 1).
        """
        check = self.check
        if check is None:
            return self.interval(level)
        return self._interval(level, optimism=check.optimism, optimism_error=check.optimism_error)

    def _interval(
        self, level: float, *, optimism: float, optimism_error: float
    ) -> tuple[float, float]:
        """Normal interval of the gain a word, less the optimism, in nats: its two ends.

        ``optimism`` and its error are of a document, in nats.

        Raises:
            InputError: the level is not in (0, 1).
        """
        checks.between("level", level, 0, 1, open_ends=True)
        gain_per_word = (self.gain_nats - optimism) / self.length
        error_of_gain = math.hypot(self.gain_noise, optimism_error)
        error_of_length = gain_per_word * self.length_noise
        error = math.hypot(error_of_gain, error_of_length) / self.length
        quantile = float(ndtri((1 + level) / 2))
        margin = quantile * error
        return gain_per_word - margin, gain_per_word + margin

    @property
    def gain_of_new(self) -> float:
        """Gain of new documents in nats a word: the middle of ``interval_of_new``."""
        low, high = self.interval_of_new()
        return (low + high) / 2

    @property
    def is_better(self) -> bool | None:
        """Whether topics explain new documents better than word frequencies.

        Without a comparison it is False if noise hides any gain, else None, for unknown.
        """
        if self.interval()[0] <= 0:
            return False
        check = self.check
        if check is None:
            return None
        return check.is_significant and self.interval_of_new()[0] > 0

    @property
    def better(self) -> bool | None:
        """``is_better``, under the name in the public interface."""
        return self.is_better

    @property
    def noise_threshold(self) -> float:
        """Level in nats that the part of a useless topic stays below in 99 of 100 cases."""
        return NOISE_QUANTILE * self.topic_noise

    @property
    def is_above_noise(self) -> tuple[bool, ...]:
        """Whether each topic has a part in the gain beyond the noise.

        Topics of documents without topics can have one too.
        """
        return tuple(map(bool, self.by_topic > self.noise_threshold))

    @property
    def supported_topics(self) -> tuple[int, ...]:
        """Topics that the documents support: those of the comparison, or all above the noise."""
        check = self.check
        return self.known_supported_topics if check is None else check.supported_topics

    @property
    def known_supported_topics(self) -> tuple[int, ...]:
        """``supported_topics`` as far as known: without a known comparison, all above the noise."""
        if self.known_check is not None:
            return self.known_check.supported_topics
        return tuple(topic for topic, is_above in enumerate(self.is_above_noise) if is_above)

    def in_words(self) -> str:
        """``describe``, under the name in the public interface."""
        return self.describe()

    def describe(self, owner: str = "your") -> str:
        """Describe the evidence as one statement: the verdict, then at most one reservation.

        Args:
            owner: word for the owner of the documents, such as *your*.
        """
        statement = self.describe_in_parts(owner)
        return f"{statement.verdict} {statement.further}".strip()

    def describe_in_parts(self, owner: str = "your") -> "EvidenceStatement":
        """``describe`` in two parts, for a surface that sets the verdict apart.

        If the gain is known, the verdict states it and the rest counts the topics. If it is not
        but some topics have evidence, the verdict counts these, and the rest says what is open.

        Args:
            owner: word for the owner of the documents, such as *your*.
        """
        if self.is_better is not False:
            return EvidenceStatement(self._describe_known_gain(owner), self._describe_topics())
        check = self.check
        is_chance = check is not None and not check.is_significant
        if is_chance or not self.supported_topics:
            return EvidenceStatement(self._describe_unknown_gain(owner))
        if check is None:
            return EvidenceStatement(
                self._count_topics("a part beyond the noise"),
                f"Together, topics may explain {owner} documents no more closely than word"
                " frequencies.",
            )
        return EvidenceStatement(
            self._count_topics(f"evidence in {owner} documents"),
            "Noise hides whether they explain new documents, too.",
        )

    def _describe_known_gain(self, owner: str) -> str:
        """Describe the fall of perplexity in percent.

        It says *better* if ``is_better`` holds, and *more closely* before the comparison.
        """
        if self.is_better:
            fall_text = _percentage(*self.interval_of_new())
            return (
                f"Topics explain new documents of this kind {fall_text} better than word"
                " frequencies."
            )
        fall_text = _percentage(*self.interval())
        return f"Topics fit {owner} documents {fall_text} more closely than word frequencies."

    def _describe_unknown_gain(self, owner: str) -> str:
        """Say why the gain is unknown: documents without topics may have as much, or noise.

        After a significant comparison, noise hides the gain of new documents. Otherwise it hides
        that of the owner's.

        Args:
            owner: word for the owner of the documents, such as *your*.
        """
        check = self.check
        if check is not None and not check.is_significant and self.interval()[0] > 0:
            return (
                f"Topics explain {owner} documents no more than they would explain documents"
                " without topics."
            )
        documents = f"{owner} documents"
        if check is not None and check.is_significant:
            documents = "new documents of this kind"
        return f"Noise hides whether topics explain {documents} more closely than word frequencies."

    def _describe_topics(self) -> str:
        """Count topics with evidence; before the comparison, those above the noise.

        A reservation follows in both cases, if there are such topics.
        """
        if self.check is None:
            sentence = self._count_topics("a part beyond the noise")
            return f"{sentence} {WITHOUT_TOPICS}" if self.supported_topics else sentence
        return f"{self._count_topics('evidence')} {ERROR_RATE}"

    def _count_topics(self, evidence_phrase: str) -> str:
        """Say how many of the topics have something, in a sentence."""
        n_topics, n_supported = len(self.by_topic), len(self.supported_topics)
        if not n_supported:
            return f"None of the {n_topics} topics has {evidence_phrase}."
        verb = "have" if n_supported > 1 else "has"
        return f"{n_supported} of {n_topics} topics {verb} {evidence_phrase}."


def _percentage(low: float, high: float) -> str:
    """Fall of perplexity in percent, with the half width of its interval.

    The half width is rounded up, so that the text covers the interval. There is one decimal, or
    none if the half width is at least 1 and less than half of the fall.

    Args:
        low, high: ends of an interval of the gain a word, in nats.
    """
    middle = (low + high) / 2
    percent = -100 * math.expm1(-middle)
    half_width = 50 * (math.exp(-low) - math.exp(-high))
    is_coarse = half_width >= 1 and percent > 2 * half_width
    n_digits = 0 if is_coarse else 1
    unit = 10**n_digits
    rounded_percent = round(percent, n_digits)
    covering_width = half_width + abs(rounded_percent - percent)  # covers what rounding moved
    rounded_width = math.ceil(unit * covering_width) / unit
    return f"{rounded_percent:.{n_digits}f} ± {rounded_width:.{n_digits}f}%"
