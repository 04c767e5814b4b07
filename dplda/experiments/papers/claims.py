"""Claims of the papers: that some methods have smaller numbers than others, and their verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd

from dplda.experiments.papers.comparisons import (
    LEVEL,
    PairedComparison,
    RunTable,
    compare,
    runs_to_decide,
)
from dplda.experiments.papers.readings import NoiseReading, title_without_reading

_POOLED_PART = 0.5  # of the level of a rejection, for all values of ε together; the rest for each


class ClaimVerdict(StrEnum):
    """Outcome of testing a claim."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that some methods have smaller numbers than others.

    Attributes:
        words: the claim, as the paper states it.
        better: texts of the methods with the smaller numbers.
        worse: texts of the others.
        at: the values of ε where it is claimed: ``all``, the ``first`` or the ``last``.
        reading: of the paper's noise, which the methods have.
    """

    words: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    at: str = "all"
    reading: NoiseReading = NoiseReading.PUBLISHED


@dataclass(frozen=True, slots=True)
class Refusals:
    """How often a method of a claim refused.

    Attributes:
        title: of the method.
        n_refused: runs at one ε in which it refused.
        n_runs: runs at one ε in all.
    """

    title: str
    n_refused: int
    n_runs: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim and its verdict.

    Attributes:
        claim: the claim.
        verdict: the outcome of its test.
        comparisons: one for each better and each worse method.
        deciding: the comparison that the verdict rests on: the clearest one against the claim, or
            the weakest one for it.
        refusals: of the claim's methods that refused in some run.
        finds_nothing: titles of better methods whose median is not below the unigram's.
        n_runs_needed: draws of noise of each method that would decide it; None if it is decided,
            or no number would.
    """

    claim: Claim
    verdict: ClaimVerdict
    comparisons: tuple[PairedComparison, ...]
    deciding: PairedComparison
    refusals: tuple[Refusals, ...] = ()
    finds_nothing: tuple[str, ...] = ()
    n_runs_needed: int | None = None


def judge_claims(
    claims: Sequence[Claim],
    frame: pd.DataFrame,
    column: str,
) -> tuple[Judged, ...]:
    """Test claims by permutations of ranks; see ``comparisons``.

    A claim holds if each better method is found below each worse one, over all its values of ε
    together, at level 1 %. It does not hold if some pair is found reversed, over all its values of
    ε together or at one of them, at 1 % shared among all these tests: a true claim is rejected at
    most once in a hundred times. A refusal ranks behind every number, since it gives no topics.

    Args:
        claims: what is claimed.
        frame: results of a sweep, one row per run.
        column: the error, smaller is better.
    """
    table = RunTable(frame, column)
    return tuple(_judge(claim, table) for claim in claims)


def _judge(claim: Claim, table: RunTable) -> Judged:
    """Judge a claim: compare each better method with each worse one where it is claimed.

    It fails if one comparison is significantly reversed, with the level shared among all. It holds
    if every comparison is significant at the whole level, and is undecided otherwise. Only an
    undecided claim may have a number of draws that would decide it. The deciding comparison has the
    smallest share of runs for the claim, among the reversed ones if there are any.
    """
    epsilons = _epsilons_where_claimed(claim, table)
    comparisons = tuple(
        compare(table, better, worse, epsilons) for better in claim.better for worse in claim.worse
    )
    n_comparisons = len(comparisons)
    reversed_comparisons = [
        tested_comparison
        for tested_comparison in comparisons
        if _is_reversed(tested_comparison, n_comparisons)
    ]
    verdict = ClaimVerdict.UNDECIDED
    if reversed_comparisons:
        verdict = ClaimVerdict.FAILS
    elif all(comparison.chance_if_equal <= LEVEL for comparison in comparisons):
        verdict = ClaimVerdict.HOLDS
    n_runs_needed = None
    if verdict is ClaimVerdict.UNDECIDED:
        n_runs_needed = _runs_needed(comparisons)
    refusals, titles_finding_nothing = _collect_notes(claim, table, epsilons)
    return Judged(
        claim=claim,
        verdict=verdict,
        comparisons=comparisons,
        deciding=min(
            reversed_comparisons or comparisons, key=lambda comparison: comparison.share_below
        ),
        refusals=refusals,
        finds_nothing=titles_finding_nothing,
        n_runs_needed=n_runs_needed,
    )


def _epsilons_where_claimed(claim: Claim, table: RunTable) -> Sequence[float]:
    """Values of ε of the claim's methods: all, or only the first or the last one."""
    epsilons = table.epsilons_of((*claim.better, *claim.worse))
    if claim.at == "all":
        return epsilons
    return epsilons[:1] if claim.at == "first" else epsilons[-1:]


def _is_reversed(comparison: PairedComparison, n_pairs: int) -> bool:
    """Whether the opposite order is found, at this pair's share of the level.

    With several ε it may be found over all together or at a single one: each has a part of the
    level.
    """
    level = LEVEL / n_pairs
    n_epsilons = len(comparison.chances_against)
    if n_epsilons < 2:
        return comparison.chance_if_reversed <= level
    smallest_chance_at_one_epsilon = min(comparison.chances_against.values())
    return (
        comparison.chance_if_reversed <= _POOLED_PART * level
        or smallest_chance_at_one_epsilon <= (1 - _POOLED_PART) * level / n_epsilons
    )


def _runs_needed(comparisons: Sequence[PairedComparison]) -> int | None:
    """Draws of each method that would decide a claim if these comparisons stayed as they are.

    Where some speak against the claim, the fewest draws in which one of them refutes it. Otherwise
    the draws in which all confirm it, or None if one of them has nothing to compare.
    """
    level_against = _POOLED_PART * LEVEL / len(comparisons)
    runs_to_refute = [
        runs_to_decide(comparison.share_below, level=level_against)
        for comparison in comparisons
        if comparison.share_below < 0.5
    ]
    if runs_to_refute:
        return min(runs_to_refute)
    if any(comparison.n_compared == 0 for comparison in comparisons):
        return None
    return max(runs_to_decide(comparison.share_below, level=LEVEL) for comparison in comparisons)


def _collect_notes(
    claim: Claim, table: RunTable, epsilons: Sequence[float]
) -> tuple[tuple[Refusals, ...], tuple[str, ...]]:
    """Collect what a verdict should mention.

    Returns:
        How often the claim's methods refused, for those that did; and titles of better methods
        whose median is no better than the unigram's, which is infinite where it was not run.
    """
    refusals = []
    for method_text in (*claim.better, *claim.worse):
        n_refused, n_runs = table.count_refusals(method_text, epsilons)
        if n_refused:
            refusals.append(Refusals(title_without_reading(method_text), n_refused, n_runs))
    unigram_median = table.unigram_median()
    titles_finding_nothing = tuple(
        title_without_reading(method_text)
        for method_text in claim.better
        if table.median(method_text, epsilons) >= unigram_median
    )
    return tuple(refusals), titles_finding_nothing
