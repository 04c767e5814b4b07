"""Park and others' Figure 1 as curves over ε, and its claims about minibatches and accountants."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from dplda.evaluation.verdict import Conclusion, MeanTest, judge_mean
from dplda.methods.base.calibration import Scaling

if TYPE_CHECKING:
    import pandas as pd

CLEARLY_LESS = -1e-9
"""Mean logarithm of a ratio below which perplexity falls; a ratio of 1 is 0 up to rounding."""


class PaperAccounting(StrEnum):
    """Accountings of the paper's figure; values are the columns of their ε."""

    MOMENTS = "epsilon"
    STRONG = "strong"

    @property
    def in_words(self) -> str:
        """Name in legends."""
        return "moments accountant" if self is PaperAccounting.MOMENTS else "strong composition"


@dataclass(frozen=True, slots=True, kw_only=True)
class MinibatchCurve:
    """Perplexity over ε, for minibatches of one size under one accounting.

    Attributes:
        mean_size: ``S``, documents in a minibatch on average.
        accounting: how ε is counted.
        epsilons: ε of each noise multiplier, ascending; those of infinite ε are left out.
        perplexities: median over draws at each ε.
        noise_multipliers: σ at each ε.
    """

    mean_size: float
    accounting: PaperAccounting
    epsilons: tuple[float, ...]
    perplexities: tuple[float, ...]
    noise_multipliers: tuple[float, ...]


def minibatch_curves(frame: "pd.DataFrame", scaling: Scaling) -> tuple[MinibatchCurve, ...]:
    """Curves of one clipping, smallest minibatches first, each size under both accountings.

    Args:
        frame: results of ``Minibatches``.
        scaling: calibration, or reading of the published clipping.
    """
    return tuple(_curves(frame[frame["calibration"] == str(scaling)]))


def _curves(rows: "pd.DataFrame") -> Iterator[MinibatchCurve]:
    """Yield a curve for each minibatch size and accounting: median perplexity by ε.

    Noise whose ε is infinite is left out.
    """
    for mean_size, rows_of_size in rows.groupby("size"):
        by_noise = rows_of_size.groupby("sigma")
        perplexities = by_noise["perplexity"].median()
        for accounting in PaperAccounting:
            epsilons = by_noise[str(accounting)].first().sort_values()
            epsilons = epsilons[np.isfinite(epsilons)]
            yield MinibatchCurve(
                mean_size=float(str(mean_size)),
                accounting=accounting,
                epsilons=tuple(epsilons.tolist()),
                perplexities=tuple(perplexities.loc[epsilons.index].tolist()),
                noise_multipliers=tuple(epsilons.index.tolist()),
            )


def noiseless_perplexity(frame: "pd.DataFrame") -> float:
    """Perplexity of variational inference without noise."""
    return float(frame.loc[frame["calibration"] == "", "perplexity"].iloc[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeVerdict:
    """Whether larger minibatches have lower perplexity at equal noise, as the paper found.

    Attributes:
        smallest: mean size of the smallest minibatches.
        largest: mean size of the largest ones.
        test: of the logarithms of their ratios, one for each σ and draw.
    """

    smallest: float
    largest: float
    test: MeanTest

    @property
    def finding(self) -> str:
        """The verdict as a figure's title."""
        titles = {
            Conclusion.HOLDS: "Larger minibatches have lower perplexity at equal noise",
            Conclusion.FAILS: "Larger minibatches do not have lower perplexity",
            Conclusion.UNDECIDED: "Minibatches of all sizes have about the same perplexity",
        }
        return titles[self.test.answer]

    def describe(self) -> str:
        """Write the verdict as a sentence, with the change of perplexity and its runs."""
        factor = math.exp(self.test.mean)
        percent_text = f"{abs(factor - 1):.1%}"
        change_text = f"{percent_text} lower" if factor < 1 else f"{percent_text} higher"
        phrases = {
            Conclusion.HOLDS: "holds here",
            Conclusion.FAILS: "does not hold here",
            Conclusion.UNDECIDED: "is undecided here",
        }
        return (
            f"*Larger minibatches have lower perplexity* {phrases[self.test.answer]}: at equal"
            f" noise, perplexity with S = {self.largest:,.0f} is {change_text} than with"
            f" S = {self.smallest:,.0f} ({self.test.n} pairs of runs)."
        )


def judge_sizes(frame: "pd.DataFrame", scaling: Scaling) -> SizeVerdict:
    """Test whether the largest minibatches have lower perplexity than the smallest at equal σ.

    The claim holds, fails, or is undecided.

    Args:
        frame: results of ``Minibatches``, with at least two sizes.
        scaling: calibration, or reading of the published clipping.
    """
    rows = frame[frame["calibration"] == str(scaling)]
    by_run = rows.pivot_table(index=_run_columns(rows), columns="size", values="perplexity")
    smallest_size, largest_size = by_run.columns.min(), by_run.columns.max()
    log_ratios = np.log(by_run[largest_size]) - np.log(by_run[smallest_size])
    return SizeVerdict(
        smallest=float(smallest_size),
        largest=float(largest_size),
        test=judge_mean(log_ratios.tolist(), most=CLEARLY_LESS),
    )


def _run_columns(rows: "pd.DataFrame") -> list[str]:
    """Columns that tell the draws of one size apart."""
    return [name for name in ("sigma", "repeat") if name in rows]


def describe_accounting(frame: "pd.DataFrame") -> str:
    """Say whether the moments accountant gives a smaller ε than strong composition at every noise.

    If so, the sentence tells the smallest and the largest ratio of the two ε.

    Args:
        frame: results of ``Minibatches``; the noise of all clippings is the same.
    """
    rows = frame[frame["calibration"] != ""].drop_duplicates(["sigma", "size"])
    factors = (rows["strong"] / rows["epsilon"]).to_numpy()
    claim = "*The moments accountant gives a far smaller ε than strong composition*"
    if np.all(factors > 1):
        return (
            f"{claim} holds: for the same noise strong composition gives {np.min(factors):.1f} to"
            f" {np.max(factors):.1f} times as much."
        )
    return f"{claim} does not hold for every noise."
