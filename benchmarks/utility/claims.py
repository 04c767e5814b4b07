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
        lower_limit: lower limit of the mean logarithm.
        upper_limit: upper limit of the mean logarithm.
        gap: logarithms are taken as parts of this method's logarithm of a ratio to the rival; None for none.
        epsilons: where it is made; empty for everywhere.
    """

    words: str
    methods: tuple[Method, ...]
    rival: Method
    lower_limit: float = -math.inf
    upper_limit: float = math.inf
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
        if self.claim.gap:
            return self.verdict.error
        return self.verdict.error * self.value


def measure_of(rows: pd.DataFrame) -> str:
    """``l1_mean`` where the truth is known, else ``perplexity``; of the rows of one setting."""
    return "l1_mean" if rows["l1_mean"].notna().any() else "perplexity"


def judge_claim(frame: pd.DataFrame, claim: Claim) -> Iterator[Judged]:
    """A verdict for every setting, method and ε at which there is anything to compare, in one draw at least.

    Args:
        frame: rows of a sweep, as its store gives them.
        claim: on methods of this sweep.
    """
    for setting, rows in frame.groupby("setting", sort=False):
        for method in claim.methods:
            epsilons = sorted(rows.loc[rows["method"] == method.key, "epsilon"].unique())
            for epsilon in epsilons:
                if claim.epsilons and epsilon not in claim.epsilons:
                    continue
                values = _log_ratios(rows, method, claim.rival, epsilon)
                if claim.gap is not None:
                    values = values / _log_ratios(rows, claim.gap, claim.rival, epsilon)
                verdict = judge_mean(
                    _independent_means(values.dropna()).tolist(),
                    least=claim.lower_limit,
                    most=claim.upper_limit,
                )
                if verdict.n:
                    yield Judged(claim, str(setting), method, float(epsilon), verdict)


def _independent_means(values: "pd.Series[float]") -> "pd.Series[float]":
    """Means of corpora where there are several, else values of single draws of noise."""
    corpora = values.groupby(level="corpus").mean()
    return corpora if len(corpora) > 1 else values


def _log_ratios(
    rows: pd.DataFrame, method: Method, rival: Method, epsilon: float
) -> "pd.Series[float]":
    """Logarithms of ratios of two methods, by corpus and repeat; a rival without ε is the same in all of these."""
    own_values = _values(rows, method, epsilon)
    rival_values = _values(rows, rival, epsilon)
    if not rival.needs_epsilon:
        corpora = own_values.index.get_level_values("corpus")
        rival_values = rival_values.droplevel("repeat").reindex(corpora).set_axis(own_values.index)
    return np.log(own_values) - np.log(rival_values)


def _values(rows: pd.DataFrame, method: Method, epsilon: float) -> "pd.Series[float]":
    """The measure of a method's rows at ε, by corpus and repeat."""
    is_compared = rows["method"] == method.key
    if method.needs_epsilon:
        is_compared &= rows["epsilon"] == epsilon
    return rows[is_compared].set_index(["corpus", "repeat"])[measure_of(rows)]
