"""Released evidence that topics explain documents better than word frequencies, in sentences."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import ndtri

from dplda.core import checks
from dplda.core.formatting import WITHOUT_TOPICS
from dplda.core.types import Vector

ERROR_RATE = "Of 100 collections without topics, about 5 would pass."
NOISE_LEVEL = 0.99
"""One-sided level at which a topic's part is called above the noise."""

NOISE_QUANTILE = float(ndtri(NOISE_LEVEL))
"""The same in standard deviations of a topic's noise."""


@dataclass(frozen=True, eq=False)
class ReleasedEvidence:
    """Released numbers, each with known noise.

    Attributes:
        gain_nats: mean gain of a document in nats, with noise.
        gain_noise: its standard deviation.
        length: mean number of a document's words that were scored, as released, at least 1.
        length_noise: its standard deviation.
        by_topic: shape (k,), mean of what a document loses without each topic, in nats, with noise.
        topic_noise: standard deviation of each.
    """

    gain_nats: float
    gain_noise: float
    length: float
    length_noise: float
    by_topic: Vector
    topic_noise: float

    def reorder_topics(self, order: Sequence[int]) -> "ReleasedEvidence":
        """Released numbers alone, with topics in another order."""
        return ReleasedEvidence(
            self.gain_nats,
            self.gain_noise,
            self.length,
            self.length_noise,
            self.by_topic[list(order)],
            self.topic_noise,
        )

    @property
    def is_finite(self) -> bool:
        """Whether these are numbers of a run, for files of unknown origin."""
        parts = (
            self.gain_nats,
            self.gain_noise,
            self.length,
            self.length_noise,
            self.topic_noise,
            *self.by_topic,
        )
        return (
            all(map(math.isfinite, parts))
            and self.length >= 1
            and min(self.gain_noise, self.length_noise) >= 0
        )

    @property
    def gain_per_word(self) -> float:
        """Gain in nats a word: topics lower perplexity by the factor ``exp(−gain)``."""
        return self.gain_nats / self.length

    @property
    def gain(self) -> float:
        """The gain a word, under the name that code of users has for it."""
        return self.gain_per_word

    def interval(self, level: float = 0.9) -> tuple[float, float]:
        """Confidence interval of the gain a word, from known noise.

        Large gains are clipped, which lowers it.

        Args:
            level: of confidence, in (0, 1).
        """
        checks.between("level", level, 0, 1, open_ends=True)
        error = math.hypot(self.gain_noise, self.gain_per_word * self.length_noise) / self.length
        margin = float(ndtri((1 + level) / 2)) * error
        return self.gain_per_word - margin, self.gain_per_word + margin

    @property
    def noise_threshold(self) -> float:
        """Level in nats that a topic without a part in the gain stays below in 99 of 100 cases."""
        return NOISE_QUANTILE * self.topic_noise

    @property
    def is_above_noise(self) -> tuple[bool, ...]:
        """Whether each topic has a part in the gain beyond the noise.

        Documents without topics can have that too.
        """
        return tuple(map(bool, self.by_topic > self.noise_threshold))

    @property
    def supported_topics(self) -> tuple[int, ...]:
        """Topics that the documents bear out: their part in the gain is beyond the noise."""
        return tuple(topic for topic, is_above in enumerate(self.is_above_noise) if is_above)

    def describe_gain(self, owner: str = "your") -> str:
        """The gain as a sentence: by how much perplexity falls, in percent.

        Args:
            owner: word for whose documents they are.
        """
        low, high = self.interval()
        if low <= 0:
            hidden = f"topics explain {owner} documents better than word frequencies"
            return f"Noise hides whether {hidden}."
        percent = -100 * math.expm1(-self.gain_per_word)
        half_width = 50 * (math.exp(-low) - math.exp(-high))
        n_digits = 0 if half_width >= 1 else 1
        rounded_percent = round(percent, n_digits)
        covering_width = half_width + abs(rounded_percent - percent)  # covers what rounding moved
        rounded_width = math.ceil(10**n_digits * covering_width) / 10**n_digits
        percentage = f"{rounded_percent:.{n_digits}f} ± {rounded_width:.{n_digits}f}%"
        return f"Topics explain {owner} documents {percentage} better than word frequencies."


@dataclass(frozen=True, slots=True)
class NullComparison:
    """Evidence compared with whole runs on documents without topics.

    Attributes:
        is_significant: whether the documents gain more than documents without topics do.
        supported_topics: topics that carry the gain.
    """

    is_significant: bool
    supported_topics: tuple[int, ...]

    def describe(self, n_topics: int) -> str:
        """Number of topics that carry the gain, as a sentence."""
        if not self.is_significant:
            return (
                f"No topic carries this gain: documents without topics gain as much. {ERROR_RATE}"
            )
        n_supported = len(self.supported_topics)
        verb = "carry" if n_supported > 1 else "carries"
        return f"{n_supported or 'None'} of {n_topics} topics {verb} this gain. {ERROR_RATE}"


def describe_topics_above_noise(evidence: ReleasedEvidence) -> str:
    """Number of topics that have a part beyond noise, as a sentence.

    It never claims that documents have topics.
    """
    n_topics = len(evidence.by_topic)
    n_above_noise = sum(evidence.is_above_noise)
    if not n_above_noise:
        return f"None of the {n_topics} topics has a part beyond the noise."
    verb = "has" if n_above_noise == 1 else "have"
    sentence = f"{n_above_noise} of {n_topics} topics {verb} a part beyond the noise."
    return f"{sentence} {WITHOUT_TOPICS}"
