"""Orderings that a paper states, put to the test on a sweep's own numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd

from dplda.methods import parse_method
from dplda.privacy.release import Status


class Verdict(StrEnum):
    """What the numbers say of a claim."""

    HOLDS = "holds here"
    HOLDS_IN_PART = "holds at some ε only"
    FAILS = "does not hold here"
    OPEN = "cannot be told: a method gave no number"


@dataclass(frozen=True, slots=True)
class Claim:
    """One method or several have smaller numbers than others.

    Attributes:
        words: the claim, without capital or full stop.
        better: texts of the methods said to be better, all of them.
        worse: texts of the methods said to be worse, all of them.
        at: ``all`` values of ε, the ``first`` or the ``last``.
    """

    words: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    at: str = "all"


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim and what became of it.

    Attributes:
        claim: as stated.
        verdict: on our numbers.
        missing: titles of the methods that gave no number, for ``OPEN``.
    """

    claim: Claim
    verdict: Verdict
    missing: tuple[str, ...] = ()


def judge(claims: Sequence[Claim], frame: pd.DataFrame, column: str) -> tuple[Judged, ...]:
    """Put claims to the test.

    Args:
        claims: about methods of the frame.
        frame: tidy, of one setting.
        column: smaller is better.

    Returns:
        One for each claim, decided on medians over repeats: at an ε it holds where every method named gave a number
        and all are in order, and fails where two of them are not; elsewhere it is open.
    """
    noisy = frame[frame["epsilon"].notna()]
    medians = noisy.groupby(["epsilon", "method"])[column].median().unstack("method")
    return tuple(_judged(claim, medians) for claim in claims)


def _judged(claim: Claim, medians: pd.DataFrame) -> Judged:
    table = medians.reindex(columns=[*claim.better, *claim.worse]).sort_index()
    if claim.at != "all":
        table = table.iloc[:1] if claim.at == "first" else table.iloc[-1:]
    better, worse = table[list(claim.better)], table[list(claim.worse)]
    contradicted = better.max(axis=1) >= worse.min(axis=1)  # numbers that are missing cannot mend it
    whole = table.notna().all(axis=1)
    n_for, n_against = int((whole & ~contradicted).sum()), int(contradicted.sum())
    if n_for + n_against == 0:
        silent = tuple(parse_method(str(text)).title for text in table if table[text].isna().all())
        return Judged(claim, Verdict.OPEN, silent)
    if n_against == 0:
        return Judged(claim, Verdict.HOLDS)
    return Judged(claim, Verdict.HOLDS_IN_PART if n_for else Verdict.FAILS)


def _among(status: str) -> str:
    """Whose numbers are compared."""
    return "of the proven methods" if status == Status.PROVEN else f"of the methods {status}"


def outcome(frame: pd.DataFrame, column: str, *, unit: str = "") -> str:
    """What came out, a sentence or two in which every number is read from the frame.

    Args:
        frame: tidy, of one setting.
        column: smaller is better.
        unit: what the numbers are, e.g. ``"of at most 6"``.
    """
    if frame.empty or not frame[column].notna().any():
        return "Nothing has come out yet."
    exact = frame[frame["epsilon"].isna()].groupby("method")[column].median()
    beside = "; ".join(f"{parse_method(text).title.lower()} {value:.3g}" for text, value in exact.dropna().items())
    noisy = frame[frame["epsilon"].notna() & frame[column].notna()]
    if noisy.empty:
        return f"Without privacy: {beside}."
    largest = noisy["epsilon"].max()
    there = noisy[noisy["epsilon"] == largest]
    medians = there.groupby(["status", "method"])[column].median()
    said = []
    for status in medians.index.unique("status"):
        ranked = medians.loc[status].sort_values()
        text, value = ranked.index[0], ranked.iloc[0]
        said.append(f"{value:.3g} is the least {_among(status)}, by {parse_method(text).title}")
    text = f"At ε = {largest:g}: {'; '.join(said)}."
    if unit:
        text = text.replace(":", f" ({unit}):", 1)
    return f"{text} Without privacy: {beside}." if beside else text
