"""Orderings that a paper states, put to the test on a sweep's own numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pandas as pd

from dplda.evaluation.verdict import CHANCE, Conclusion, judge_mean
from dplda.methods.registry import parse_method
from dplda.privacy.release import Status

EQUAL = -1e-9  # the logarithm of a ratio that is 1 but for rounding


class ClaimVerdict(StrEnum):
    """What the numbers say of a claim."""

    HOLDS = "holds here"
    HOLDS_IN_PART = "holds at some ε, fails at others"
    FAILS = "does not hold here"
    UNDECIDED = "undecided: too few runs, or too much alike"
    OPEN = "cannot be told: a method gave no number"


@dataclass(frozen=True, slots=True)
class Claim:
    """One method or several have smaller numbers than others, at ``all`` values of ε, the ``first`` or the ``last``."""

    words: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    at: str = "all"


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim and what became of it; for ``OPEN`` titles of the methods that gave no number."""

    claim: Claim
    verdict: ClaimVerdict
    missing: tuple[str, ...] = ()


def judge_claims(claims: Sequence[Claim], frame: pd.DataFrame, column: str) -> tuple[Judged, ...]:
    """Put claims to the test.

    At every ε the logarithms of two methods' numbers are subtracted, paired over repeats, which share documents and
    split. There a claim holds where a t test finds each method said to be better below each other one, at 1 %; it fails
    where one is found above, at 1 % shared among all pairs and all ε, so that a true claim is called false once in a
    hundred times.

    Returns:
        One for each claim. Numbers that are missing cannot mend what the others contradict.
    """
    noisy = frame[frame["epsilon"].notna()]
    numbers = noisy.set_index(["epsilon", "corpus", "repeat", "method"])[column].map(np.log).unstack("method")
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
        against = any(judge_mean(each, most=0, chance=chance).answer is Conclusion.FAILS for each in differences)
        n_against += against
        n_told += against or all(differences)
        n_for += all(judge_mean(each, most=EQUAL).answer is Conclusion.HOLDS for each in differences)
    if not n_told:
        silent = tuple(parse_method(str(text)).title for text in table if table[text].isna().all())
        return Judged(claim, ClaimVerdict.OPEN, silent)
    if n_against:
        return Judged(claim, ClaimVerdict.HOLDS_IN_PART if n_for else ClaimVerdict.FAILS)
    return Judged(claim, ClaimVerdict.HOLDS if n_for == n_told else ClaimVerdict.UNDECIDED)


def n_paired_runs(frame: pd.DataFrame) -> int:
    """How many numbers at an ε a verdict on a method rests on, at most."""
    return int(frame[["corpus", "repeat"]].drop_duplicates().shape[0])


def outcome(frame: pd.DataFrame, column: str, *, unit: str = "") -> str:
    """What came out, a sentence or two in which every number is read from the frame.

    Args:
        unit: what the numbers are, e.g. ``"of at most 6"``.
    """
    known = frame[frame[column].notna()] if len(frame) else frame
    if known.empty:
        return "Nothing has come out yet."
    exact = known[known["epsilon"].isna()].groupby("method")[column].median()
    noisy, said = known[known["epsilon"].notna()], []
    if len(noisy):
        largest = noisy["epsilon"].max()
        medians = noisy[noisy["epsilon"] == largest].groupby(["status", "method"])[column].median()
        for status in medians.index.unique("status"):
            among = "of the proven methods" if status == Status.PROVEN else f"of the methods {status}"
            text, value = medians.loc[status].idxmin(), medians.loc[status].min()
            said.append(f"{value:.3g} is the least {among}, by {parse_method(text).title}")
        said = [f"At ε = {largest:g}{f' ({unit})' if unit else ''}: {'; '.join(said)}."]
    if len(exact):
        beside = "; ".join(f"{parse_method(text).title.lower()} {value:.3g}" for text, value in exact.items())
        said.append(f"Without privacy: {beside}.")
    return " ".join(said)
