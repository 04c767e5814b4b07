"""Tests of a paper's claims about methods on a sweep's own numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pandas as pd

from dplda.evaluation.verdict import CHANCE, Conclusion, judge_mean
from dplda.methods.registry import parse_method

EQUAL = -1e-9  # logarithm of a ratio of 1, up to rounding


class ClaimVerdict(StrEnum):
    """Outcome of testing a claim."""

    HOLDS = "holds here"
    HOLDS_IN_PART = "holds at some ε, fails at others"
    FAILS = "does not hold here"
    UNDECIDED = "undecided: too few runs, or too similar"
    OPEN = "unknown: a method gave no number"


@dataclass(frozen=True, slots=True)
class Claim:
    """Some methods have smaller numbers than others, at ``all`` values of ε, the ``first`` or the ``last``."""

    words: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    at: str = "all"


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim and its verdict; for ``OPEN`` also the methods that gave no number."""

    claim: Claim
    verdict: ClaimVerdict
    missing: tuple[str, ...] = ()


def judge_claims(claims: Sequence[Claim], frame: pd.DataFrame, column: str) -> tuple[Judged, ...]:
    """Test claims with t tests on paired differences of logarithms; pairs share documents and split.

    A claim holds at an ε if each better method is found below each worse one, at level 1 %. It fails if one is found
    above, at level 1 % shared among all pairs and all ε, so a true claim is rejected once in a hundred times. Missing
    numbers cannot save a claim that others contradict.
    """
    noisy = frame[frame["epsilon"].notna()]
    numbers = (
        noisy.set_index(["epsilon", "corpus", "repeat", "method"])[column]
        .map(np.log)
        .unstack("method")
    )
    return tuple(_judged(claim, numbers) for claim in claims)


def _judged(claim: Claim, numbers: pd.DataFrame) -> Judged:
    table = numbers.reindex(columns=[*claim.better, *claim.worse]).sort_index()
    at_epsilon = [there for _, there in table.groupby(level="epsilon")]
    if claim.at != "all":
        at_epsilon = at_epsilon[:1] if claim.at == "first" else at_epsilon[-1:]
    pairs = [(better, worse) for better in claim.better for worse in claim.worse]
    n_told = n_for = n_against = 0
    for there in at_epsilon:
        differences = [(there[better] - there[worse]).dropna().tolist() for better, worse in pairs]
        chance = CHANCE / (len(pairs) * len(at_epsilon))
        against = any(
            judge_mean(each, most=0, chance=chance).answer is Conclusion.FAILS
            for each in differences
        )
        n_against += against
        n_told += against or all(differences)
        n_for += all(
            judge_mean(each, most=EQUAL).answer is Conclusion.HOLDS for each in differences
        )
    if not n_told:
        silent = tuple(parse_method(str(text)).title for text in table if table[text].isna().all())
        return Judged(claim, ClaimVerdict.OPEN, silent)
    if n_against:
        return Judged(claim, ClaimVerdict.HOLDS_IN_PART if n_for else ClaimVerdict.FAILS)
    return Judged(claim, ClaimVerdict.HOLDS if n_for == n_told else ClaimVerdict.UNDECIDED)


def n_paired_runs(frame: pd.DataFrame) -> int:
    """The largest number of paired runs at one ε behind a verdict."""
    return int(frame[["corpus", "repeat"]].drop_duplicates().shape[0])
