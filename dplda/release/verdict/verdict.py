"""The verdict in three words, before a release is paid for."""

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from dplda.methods.base.problem import Problem
from dplda.methods.refined.constants import RefinedConstants
from dplda.methods.refined.schedule import (
    RefinedSchedule,
    make_schedule,
)
from dplda.release.verdict.signal_strength import PublicNumbers, estimate_signal


@dataclass(frozen=True, slots=True)
class SignalBorders:
    """Signals at which one verdict gives way to the next.

    Attributes:
        weak: below it nothing readable is expected: a sixth of the themes or fewer are then found
            three times in five, or more often.
        readable: from it on readable topics are expected: two thirds of the themes are then found
            every other time, or more often.
    """

    weak: float
    readable: float


BORDERS = SignalBorders(weak=41.4, readable=98.3)
"""Borders as ``python -m benchmarks verdict`` fits them to twins with real words and to corpora,
without a table."""

LEAST_SHARE_IN_USE = 0.25
"""Share of the listed words that texts use at least, by ``(Σ√p)²``; from .26 on in those measured
with short documents, .9 with long ones."""

TABLE_IS_RESULT = "These would be the table's own topics, not your documents'."
"""Reason where a release is expected to end with a table's own topics."""

TABLE_MAY_BE_RESULT = "They may be the table's own topics, if your documents prefer these."
"""Reason where it may end so."""


class Readability(StrEnum):
    """Whether a release will have topics that people can read."""

    READABLE = "expect readable topics"
    WEAK = "weak"
    NOTHING = "nothing readable"

    @property
    def rank(self) -> int:
        """0 for nothing, 1 for weak, 2 for readable."""
        return (Readability.NOTHING, Readability.WEAK, Readability.READABLE).index(self)

    @property
    def short(self) -> str:
        """One word for a label."""
        return ("nothing", "weak", "readable")[self.rank]

    @property
    def meaning(self) -> str:
        """What to expect of the topics, as a sentence."""
        return _MEANINGS[self]


_MEANINGS = {
    Readability.READABLE: "Expect readable topics: two thirds of the themes or more.",
    Readability.WEAK: "Expect weak topics: some themes, and topics without meaning.",
    Readability.NOTHING: "Expect nothing readable: noise hides nearly every theme.",
}


@dataclass(frozen=True, slots=True)
class ReleaseVerdict:
    """A verdict and what it rests on.

    Attributes:
        readability: the verdict.
        signal: strength of topics against the noise.
        reason: what decides beside the signal, as a sentence; empty where nothing does.
        is_table_alone: whether a release would be a public table's own topics.
    """

    readability: Readability
    signal: float
    reason: str = ""
    is_table_alone: bool = False

    def describe(self) -> str:
        """What to expect, in one or two sentences."""
        return " ".join(filter(None, (self.readability.meaning, self.reason)))


def foresee(numbers: PublicNumbers, borders: SignalBorders = BORDERS) -> ReleaseVerdict:
    """Foresee whether topics will be readable, from public numbers alone.

    Where documents alone would show nothing readable, a release with a public table would be the
    table's own topics, and the verdict says so. Where it may be, the verdict is weak at best.
    Calibrated for *Refined*, on twins with real words and on corpora.

    Args:
        numbers: public numbers of the release.
        borders: of the signal; other than the usual ones to measure them.
    """
    verdict = _foresee_without_table(numbers, borders)
    if not numbers.has_table:
        return verdict
    schedule = _schedule(numbers)
    least_edge = schedule.noise_edge * math.sqrt(LEAST_SHARE_IN_USE)
    readability = verdict.readability
    if readability is Readability.NOTHING or not schedule.steps_can_pay(least_edge):
        return replace(
            verdict, readability=Readability.NOTHING, reason=TABLE_IS_RESULT, is_table_alone=True
        )
    if readability is Readability.WEAK or not schedule.steps_can_pay(schedule.noise_edge):
        return replace(verdict, readability=Readability.WEAK, reason=TABLE_MAY_BE_RESULT)
    return verdict


def _foresee_without_table(numbers: PublicNumbers, borders: SignalBorders) -> ReleaseVerdict:
    """Foresee what the documents alone would show."""
    signal = estimate_signal(numbers)
    readability = Readability.READABLE
    if signal < borders.weak:
        readability = Readability.NOTHING
    elif signal < borders.readable:
        readability = Readability.WEAK
    return ReleaseVerdict(readability, signal)


def _schedule(numbers: PublicNumbers) -> RefinedSchedule:
    """Make the schedule of a refined run with these numbers and a public table that is tested."""
    return make_schedule(
        Problem(numbers.n_topics, numbers.alpha0),
        n_documents=numbers.n_rows,
        n_words=numbers.n_words,
        total_mu=numbers.mu,
        constants=RefinedConstants(),
        asks_documents=True,
    )
