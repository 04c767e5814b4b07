"""Claims that compare methods, judged by differences paired over draws of noise."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dplda.evaluation.verdict import MeanTest, judge_mean
from dplda.methods.base.method import Method


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said of methods beside another one, for every setting and ε.

    The measure is the logarithm of the ratio of the two perplexities, or errors where the truth is known.

    Attributes:
        words: the claim, in words.
        methods: of which it is made.
        rival: beside which.
        least: lower limit of the mean logarithm.
        most: upper limit of the mean logarithm.
        gap: logarithms are taken as parts of this method's logarithm of a ratio to the rival; None for none.
        epsilons: where it is made; empty for everywhere.
    """

    words: str
    methods: tuple[Method, ...]
    rival: Method
    least: float = -math.inf
    most: float = math.inf
    gap: Method | None = None
    epsilons: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """One verdict.

    Attributes:
        claim: on what.
        setting: on which documents.
        method: of which method.
        epsilon: at which ε.
        verdict: of mean logarithms, or parts of a gap.
    """

    claim: Claim
    setting: str
    method: Method
    epsilon: float
    verdict: MeanTest

    @property
    def value(self) -> float:
        """Geometric mean of the ratios; mean part of the gap where there is one."""
        return self.verdict.mean if self.claim.gap else math.exp(self.verdict.mean)

    @property
    def error(self) -> float:
        """Standard error of the value."""
        return self.verdict.error * (1 if self.claim.gap else self.value)


def measure_of(rows: pd.DataFrame) -> str:
    """``l1_mean`` where the truth is known, else ``perplexity``; of the rows of one setting."""
    return "l1_mean" if rows["l1_mean"].notna().any() else "perplexity"


def judged(frame: pd.DataFrame, claim: Claim) -> Iterator[Judged]:
    """A verdict for every setting, method and ε at which there is anything to compare, in one draw at least."""
    for setting, rows in frame.groupby("setting", sort=False):
        for method in claim.methods:
            grid = sorted(rows.loc[rows["method"] == method.key, "epsilon"].unique())
            for epsilon in grid:
                if not claim.epsilons or epsilon in claim.epsilons:
                    values = _logarithms(rows, method, claim.rival, epsilon)
                    if claim.gap is not None:
                        values = values / _logarithms(rows, claim.gap, claim.rival, epsilon)
                    found = judge_mean(
                        _apart(values.dropna()).tolist(), least=claim.least, most=claim.most
                    )
                    if found.n:
                        yield Judged(claim, str(setting), method, float(epsilon), found)


def _apart(values: "pd.Series[float]") -> "pd.Series[float]":
    """What is independent: means of corpora where there are several, else draws of noise."""
    corpora = values.groupby(level="corpus").mean()
    return corpora if len(corpora) > 1 else values


def _logarithms(
    rows: pd.DataFrame, method: Method, rival: Method, epsilon: float
) -> "pd.Series[float]":
    """Of the ratio of two methods, by corpus and repeat; what has no ε is the same in all of these."""
    own, other = (_values(rows, one, epsilon) for one in (method, rival))
    if not rival.needs_epsilon:
        other = (
            other.droplevel("repeat")
            .reindex(own.index.get_level_values("corpus"))
            .set_axis(own.index)
        )
    return np.log(own) - np.log(other)


def _values(rows: pd.DataFrame, method: Method, epsilon: float) -> "pd.Series[float]":
    here = rows["method"] == method.key
    if method.needs_epsilon:
        here &= rows["epsilon"] == epsilon
    return rows[here].set_index(["corpus", "repeat"])[measure_of(rows)]
