"""What Play shows, as ``python -m benchmarks play`` computed it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from dplda.core import assets
from dplda.figures import LearnedSection


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of the slider.

    Attributes:
        epsilon: None without noise.
        right: how often the attacker is right, the mean over runs of the chance that the releases leave.
        promised: how often anybody may be right; None where nothing is promised.
        scores: of every run, above 0 where the attacker says that the letter was in; None where all give it away.
        was_in: whether it was, of every run.
    """

    epsilon: float | None
    sections: Sequence[LearnedSection]
    right: float
    promised: float | None
    scores: Sequence[float] | None
    was_in: Sequence[bool]


@dataclass(frozen=True, slots=True)
class Shipped:
    """All stops, and what they have in common: the number of letters, and the leading words of the one attacked."""

    n_documents: int
    letter: Sequence[str]
    stops: Sequence[Stop]


@cache
def shipped() -> Shipped:
    """The file's numbers, read once."""
    content = json.loads((assets.folder() / "play" / "newspaper.json").read_text("utf-8"))
    stops = []
    for stop in content["stops"]:
        topics = zip(content["sections"], stop.pop("topics"), strict=True)
        stops.append(Stop(sections=[LearnedSection(title, **topic) for title, topic in topics], **stop))
    return Shipped(content["simulation"]["n_documents"], content["letter"], stops)
