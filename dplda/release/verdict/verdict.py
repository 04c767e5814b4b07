"""The verdict in three words, before a release is paid for."""

from dataclasses import dataclass
from enum import StrEnum

from dplda.methods.base.problem import Problem
from dplda.methods.refined.constants import ASSUMED_PRIOR_ADVANTAGE, RefinedConstants
from dplda.methods.refined.schedule import (
    RefinedSchedule,
    make_schedule,
    prior_acceptance_threshold,
)
from dplda.release.verdict.signal_strength import PublicNumbers, SignalRange, signal_range

READABLE_SIGNAL = 225.0
"""Signal from which on readable topics are expected."""

WEAK_SIGNAL = 77.0
"""Signal below which no readable topic is expected."""

TABLE_REPLACES_STEPS = "Noise hides what your documents add to the table."


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
    """

    readability: Readability
    signal: SignalRange
    reason: str = ""

    def describe(self) -> str:
        """What to expect, in one or two sentences."""
        return " ".join(filter(None, (self.readability.meaning, self.reason)))


def foresee(numbers: PublicNumbers) -> ReleaseVerdict:
    """Foresee whether topics will be readable, from public numbers alone.

    A public table that noise keeps documents from changing may lower the verdict, with that as its
    reason. Calibrated for *Refined*, on twins with real words and on corpora.

    Args:
        numbers: public numbers of the release.
    """
    signal = signal_range(numbers)
    readability = Readability.NOTHING
    if signal.low >= READABLE_SIGNAL:
        readability = Readability.READABLE
    elif signal.high >= WEAK_SIGNAL:
        readability = Readability.WEAK
    if not numbers.has_table:
        return ReleaseVerdict(readability, signal)
    limit_by_table = _limit_beside_table(_schedule(numbers))
    if limit_by_table.rank < readability.rank:
        return ReleaseVerdict(limit_by_table, signal, TABLE_REPLACES_STEPS)
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


def _limit_beside_table(schedule: RefinedSchedule) -> Readability:
    """The best that documents can add to a table that is in use.

    Where steps cannot pay beside a table of the usual advantage, the topics are the table's own.
    Where they cannot beside the weakest table that would be accepted, they may be.
    """
    if not schedule.steps_can_pay(ASSUMED_PRIOR_ADVANTAGE):
        return Readability.NOTHING
    lowest_advantage = prior_acceptance_threshold(schedule.n_documents, schedule.run_mu)
    if not schedule.steps_can_pay(lowest_advantage):
        return Readability.WEAK
    return Readability.READABLE
