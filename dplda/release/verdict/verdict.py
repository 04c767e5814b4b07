"""The verdict in three words, before a release is paid for."""

from dataclasses import dataclass
from enum import StrEnum

from dplda.release.verdict.signal_strength import (
    PublicNumbers,
    estimate_signal,
    estimate_signal_beside_table,
)


@dataclass(frozen=True, slots=True)
class VerdictBorders:
    """Numbers at which one verdict gives way to another.

    Attributes:
        weak: signal below which nothing readable is expected: a sixth of the themes or fewer are
            then found seven times in ten, or more often.
        readable: signal from which on readable topics are expected: two thirds of the themes are
            then found three times in five, or more often.
        table_alone: signal below which a release beside a public table is expected to be the
            table's own topics, or nothing: it then is three times in five, or more often.
    """

    weak: float
    readable: float
    table_alone: float


BORDERS = VerdictBorders(weak=53.0, readable=138.0, table_alone=68.9)
"""Borders as ``python -m benchmarks verdict`` fits them to twins with real words and to corpora.

That of *weak* is as fitted; 2,000 real messages, which had two themes of six at 53.8, are weak by
it. The others were fitted to earlier evidence; today's, 135 and 64, would foretell no better.
Themes of twins are known, and those found count. Themes of corpora are not, so the topics count
that a report calls borne out: more than documents without topics have.
"""


@dataclass(frozen=True, slots=True)
class CountedOutcomes:
    """Cases with one verdict, counted by what came of them.

    Attributes:
        n_readable: found two thirds of the themes or more.
        n_weak: found fewer, but more than a sixth.
        n_nothing: found a sixth or fewer, or beside a table no more than the table's own topics.
    """

    n_readable: int
    n_weak: int
    n_nothing: int

    @property
    def n_cases(self) -> int:
        """Number of cases with this verdict."""
        return self.n_readable + self.n_weak + self.n_nothing

    def describe(self) -> str:
        """The chances of each outcome, as a clause."""
        return (
            f"of {self.n_cases} such tests, {self.n_readable} found two thirds of the themes,"
            f" {self.n_weak} some and {self.n_nothing} nothing"
        )


WEAK_OUTCOMES = CountedOutcomes(n_readable=19, n_weak=22, n_nothing=15)
"""Outcomes of *weak* without a table, on twins and corpora: ``python -m benchmarks verdict``."""

WEAK_OUTCOMES_BESIDE_TABLE = CountedOutcomes(n_readable=21, n_weak=21, n_nothing=2)
"""Likewise beside the English table."""

TABLE_IS_RESULT = "These would be the table's own topics, not your documents'."
"""Reason where a release is expected to end with a table's own topics."""

TABLE_MAY_BE_RESULT = "They may be the table's own topics."
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
        """The expectation of the topics, as a sentence."""
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
        outcomes: what came of cases with this verdict, where that is not all but certain; None
            elsewhere.
    """

    readability: Readability
    signal: float
    reason: str = ""
    is_table_alone: bool = False
    outcomes: CountedOutcomes | None = None

    def describe(self) -> str:
        """The expectation, with the chances of each outcome if they are known, and its reason."""
        expectation = self.readability.meaning
        if self.outcomes is not None:
            expectation = f"{expectation.partition(':')[0]}: {self.outcomes.describe()}."
        return " ".join(filter(None, (expectation, self.reason)))


def foresee(numbers: PublicNumbers, borders: VerdictBorders = BORDERS) -> ReleaseVerdict:
    """Foresee whether topics will be readable, from public numbers alone.

    Beside a public table a run makes no steps where noise hides what documents alone would show, so
    that the table's own topics are the result: the verdict is *nothing*, and says why. Where it
    makes steps, the table helps them, so something is found: topics are weak at least. Calibrated
    for *Refined*, on twins with real words and on corpora.

    Args:
        numbers: public numbers of the release.
        borders: other than the usual ones to measure them.
    """
    signal = estimate_signal(numbers)
    if numbers.has_table and estimate_signal_beside_table(numbers) < borders.table_alone:
        return ReleaseVerdict(Readability.NOTHING, signal, TABLE_IS_RESULT, is_table_alone=True)
    if signal >= borders.readable:
        return ReleaseVerdict(Readability.READABLE, signal)
    if numbers.has_table:
        return ReleaseVerdict(
            Readability.WEAK, signal, TABLE_MAY_BE_RESULT, outcomes=WEAK_OUTCOMES_BESIDE_TABLE
        )
    if signal >= borders.weak:
        return ReleaseVerdict(Readability.WEAK, signal, outcomes=WEAK_OUTCOMES)
    return ReleaseVerdict(Readability.NOTHING, signal)
