"""How much better topics explain documents than word frequencies, as a private run released it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import ndtri

from dplda.core import checks
from dplda.core.formatting import WITHOUT_TOPICS
from dplda.core.types import Vector

ERROR_RATE = "Of 100 collections without topics, about 5 would pass."
NOISE_LEVEL = 0.99  # one-sided, of a topic's part against the noise alone


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
        """Released numbers alone, topics in another order."""
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
        """Nats a word: perplexity falls by the factor ``exp(−gain)``, from word frequencies to topics."""
        return self.gain_nats / self.length

    def interval(self, level: float = 0.9) -> tuple[float, float]:
        """Ends of the gain at a level in (0, 1), from known noise; long gains are cut, which lowers it."""
        checks.between("level", level, 0, 1, open_ends=True)
        error = math.hypot(self.gain_noise, self.gain_per_word * self.length_noise) / self.length
        reach = float(ndtri((1 + level) / 2)) * error
        return self.gain_per_word - reach, self.gain_per_word + reach

    @property
    def noise_threshold(self) -> float:
        """What a topic without any part in the gain stays below in 99 of 100 cases, in nats a document."""
        return float(ndtri(NOISE_LEVEL)) * self.topic_noise

    @property
    def is_above_noise(self) -> tuple[bool, ...]:
        """Whether each topic has a part in the gain beyond the noise; documents without topics can have that too."""
        return tuple(map(bool, self.by_topic > self.noise_threshold))

    def describe_gain(self, whose: str = "your") -> str:
        """The gain as a sentence: how much lower perplexity is."""
        low, high = self.interval()
        if low <= 0:
            return f"Noise hides whether topics explain {whose} documents better than word frequencies."
        percent, reach = (
            -100 * math.expm1(-self.gain_per_word),
            50 * (math.exp(-low) - math.exp(-high)),
        )
        digits = 0 if reach >= 1 else 1
        shown = round(percent, digits)
        around = (
            math.ceil(10**digits * (reach + abs(shown - percent))) / 10**digits
        )  # covers what rounding moved
        better = f"{shown:.{digits}f} ± {around:.{digits}f}%"
        return f"Topics explain {whose} documents {better} better than word frequencies."


@dataclass(frozen=True, slots=True)
class NullComparison:
    """Evidence set beside whole runs on documents without topics.

    Attributes:
        is_significant: whether these documents gain more.
        supported_topics: the topics that carry the gain.
    """

    is_significant: bool
    supported_topics: tuple[int, ...]

    def describe(self, n_topics: int) -> str:
        """How many topics carry the gain."""
        if not self.is_significant:
            return (
                f"No topic carries this gain: documents without topics gain as much. {ERROR_RATE}"
            )
        number = len(self.supported_topics)
        return f"{number or 'None'} of {n_topics} topics {'carry' if number > 1 else 'carries'} this gain. {ERROR_RATE}"


def describe_topics_above_noise(evidence: ReleasedEvidence) -> str:
    """How many topics have a part beyond noise; never a claim that documents have topics."""
    number, k = sum(evidence.is_above_noise), len(evidence.by_topic)
    if not number:
        return f"None of the {k} topics has a part beyond the noise."
    return f"{number} of {k} topics {'has' if number == 1 else 'have'} a part beyond the noise. {WITHOUT_TOPICS}"
