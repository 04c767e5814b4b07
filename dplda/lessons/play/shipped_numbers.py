"""Numbers that ship with the living picture: topics at each stop of ε, and an attacker's runs."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from dplda.core import assets
from dplda.privacy.accounting.risk import risk_of

NO_NOISE = "no noise"
FOLDER = assets.folder() / "play"
NUMBERS = FOLDER / "newspaper.json"
GAME = FOLDER / "game.json"


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A section of the newspaper as a run found it.

    Attributes:
        words: its leading words, the first one first.
        shares: their probabilities.
        own: whether each is a word of this section.
        error: L1 distance from the true section, at most 2.
    """

    words: Sequence[str]
    shares: Sequence[float]
    own: Sequence[bool]
    error: float


@dataclass(frozen=True, slots=True)
class SliderStop:
    """One stop of the slider.

    Attributes:
        epsilon: ε; None without noise.
        with_letter: sections from all letters.
        without_letter: sections with another letter in the place of the attacked one.
        success: the best attacker's mean chance of a right guess.
        scores: one a run, above 0 where the attacker says that the letter was in; None where every
            run gives it away.
        was_in: whether the letter was in, one a run.
    """

    epsilon: float | None
    with_letter: Sequence[FoundSection]
    without_letter: Sequence[FoundSection]
    success: float
    scores: Sequence[float] | None
    was_in: Sequence[bool]

    @property
    def name(self) -> str:
        """Its ε in words, by which the slider and the address name it."""
        if self.epsilon is None:
            return NO_NOISE
        return f"{self.epsilon:g}"


@dataclass(frozen=True, slots=True)
class ShippedNumbers:
    """The numbers of the picture.

    Attributes:
        n_documents: number of letters.
        delta: δ of every stop with noise.
        writer: invented name of the person who wrote the attacked letter.
        letter: its text.
        counted_words: words of it that the method counts, each once.
        titles: of the newspaper's sections.
        stops: all stops of the slider.
    """

    n_documents: int
    delta: float
    writer: str
    letter: str
    counted_words: frozenset[str]
    titles: Sequence[str]
    stops: Sequence[SliderStop]

    def promised_chance(self, stop: SliderStop) -> float:
        """Largest chance of a right guess that a stop's ε and δ allow; 1 without noise."""
        if stop.epsilon is None:
            return 1.0
        return risk_of(stop.epsilon, self.delta, is_gaussian=True).right_guess


@cache
def shipped_numbers() -> ShippedNumbers:
    """The file's numbers, read once."""
    content = json.loads(NUMBERS.read_text("utf-8"))
    stops = [
        SliderStop(
            epsilon=stop["epsilon"],
            with_letter=_sections(stop["with"]),
            without_letter=_sections(stop["without"]),
            success=stop["right"],
            scores=stop["scores"],
            was_in=stop["was_in"],
        )
        for stop in content["stops"]
    ]
    return ShippedNumbers(
        n_documents=content["simulation"]["n_documents"],
        delta=content["delta"],
        writer=content["writer"],
        letter=content["letter"],
        counted_words=frozenset(content["counted_words"]),
        titles=content["sections"],
        stops=stops,
    )


def times_in_100(chance: float) -> int:
    """A promised chance in times of 100, rounded up."""
    return math.ceil(100 * chance)


def _sections(topics: Sequence[Mapping[str, list[str]]]) -> list[FoundSection]:
    return [FoundSection(**topic) for topic in topics]  # type: ignore[arg-type]  # of JSON
