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
    """A claim that some methods have smaller numbers than others.

    Attributes:
        words: the claim, as the paper states it.
        better: texts of the methods with the smaller numbers.
        worse: texts of the others.
        at: the values of ε where it is claimed: ``all``, the ``first`` or the ``last``.
    """

    words: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    at: str = "all"


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim and its verdict.

    Attributes:
        claim: the claim.
        verdict: the outcome of its test.
        missing: titles of the methods that gave no number, where that leaves it open.
    """

    claim: Claim
    verdict: ClaimVerdict
    missing: tuple[str, ...] = ()


def judge_claims(claims: Sequence[Claim], frame: pd.DataFrame, column: str) -> tuple[Judged, ...]:
    """Test claims with t tests on paired differences of logarithms.

    Pairs share documents and split.

    A claim holds at an ε if each better method is found below each worse one, at level 1 %. It
    fails if one is found above, at level 1 % shared among all pairs and all ε, so a true claim is
    rejected once in a hundred times. Missing numbers cannot save a claim that others contradict.
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
    tables = [rows for _, rows in table.groupby(level="epsilon")]
    if claim.at == "first":
        tables = tables[:1]
    elif claim.at != "all":
        tables = tables[-1:]
    n_pairs = len(claim.better) * len(claim.worse)
    n_decided = n_for = n_against = 0
    for rows in tables:
        differences = _paired_differences(claim, rows)
        chance = CHANCE / (n_pairs * len(tables))
        is_against = any(
            judge_mean(pair, most=0, chance=chance).answer is Conclusion.FAILS
            for pair in differences
        )
        n_against += is_against
        n_decided += is_against or all(differences)
        n_for += all(
            judge_mean(pair, most=EQUAL).answer is Conclusion.HOLDS for pair in differences
        )
    if not n_decided:
        silent_texts = [str(text) for text in table if table[text].isna().all()]
        silent = tuple(parse_method(text).title for text in silent_texts)
        return Judged(claim, ClaimVerdict.OPEN, silent)
    return Judged(claim, _verdict(n_decided, n_for, n_against))


def _paired_differences(claim: Claim, rows: pd.DataFrame) -> list[list[float]]:
    """Differences of logarithms at one ε, a list for each better and each worse method."""
    return [
        (rows[better] - rows[worse]).dropna().tolist()
        for better in claim.better
        for worse in claim.worse
    ]


def _verdict(n_decided: int, n_for: int, n_against: int) -> ClaimVerdict:
    """The verdict by numbers of ε: decided, for the claim and against it."""
    if n_against:
        return ClaimVerdict.HOLDS_IN_PART if n_for else ClaimVerdict.FAILS
    return ClaimVerdict.HOLDS if n_for == n_decided else ClaimVerdict.UNDECIDED


def n_paired_runs(frame: pd.DataFrame) -> int:
    """The largest number of paired runs at one ε behind a verdict."""
    return int(frame[["corpus", "repeat"]].drop_duplicates().shape[0])
