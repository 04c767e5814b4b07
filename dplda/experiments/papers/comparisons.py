r"""Comparisons of two methods by ranks of their runs, over one ε or several.

At every ε the runs of both methods on one corpus are ranked together; a refusal ranks behind every
number, and equal numbers share a rank. A run's score is the sum of its centered ranks over ε, so
that the dependence between its values of ε does not matter. If runs of both methods had one
distribution, every division of a corpus' runs among the two would be equally likely: the chance of
a sum of scores as low as the one found is that over random divisions. It is at most the level
once in 1/level times, whatever the distribution, for any number of runs of each method.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm, rankdata

from dplda.core.types import Matrix
from dplda.experiments.papers.readings import title_without_reading

LEVEL = 0.01
POWER = 0.9  # with which the number of runs that would decide does so
N_DIVISIONS = 10_000
MOST_RUNS = 10_000  # more are never asked for
_SEED = 0


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """How two methods' runs compare.

    Attributes:
        better: title of the method that is claimed to have the smaller numbers, without its noise.
        worse: title of the other, likewise.
        n_runs: draws of noise of both methods, over all corpora.
        n_compared: pairs of runs at one ε on one corpus of which at least one has a number.
        share_below: share of these pairs in which ``better`` is below, ties half; NaN without any.
        chance_if_equal: chance of this evidence for the order if both were alike.
        chance_if_reversed: the same for the opposite order.
        chances_against: the same for the opposite order at each ε.
    """

    better: str
    worse: str
    n_runs: tuple[int, int]
    n_compared: int
    share_below: float
    chance_if_equal: float
    chance_if_reversed: float
    chances_against: dict[float, float]


class RunTable:
    """Numbers of a sweep's private runs by method, ε, corpus and draw; a refusal is infinite.

    Args:
        frame: results of a sweep, one row per run.
        column: the error, smaller is better.
    """

    def __init__(self, frame: pd.DataFrame, column: str) -> None:
        """Keep the runs with noise by method, and by themselves the unigram's values without noise.

        Runs of other methods without noise are left out. A refused run counts as infinite; one that
        failed is left out.
        """
        is_noiseless = frame["epsilon"].isna()
        self._unigram = frame.loc[is_noiseless & (frame["method"] == "unigram"), column]
        noisy_rows = frame[~is_noiseless]
        measured_values = noisy_rows[column].where(noisy_rows["refused"] == "", math.inf)
        noisy_rows = noisy_rows.assign(value=measured_values)
        finished_rows = noisy_rows.dropna(subset="value")  # a program that failed says nothing
        self._rows = {
            str(method_text): method_rows
            for method_text, method_rows in finished_rows.groupby("method")
        }
        self._values: dict[tuple[str, tuple[float, ...]], dict[int, Matrix]] = {}

    def epsilons_of(self, methods: Sequence[str]) -> list[float]:
        """Every ε at which each of these methods was run, ascending."""
        grids = [set(self._runs_of(method)["epsilon"]) for method in methods]
        shared_epsilons = set.intersection(*grids)
        return sorted(map(float, shared_epsilons))

    def count_refusals(self, method: str, epsilons: Sequence[float]) -> tuple[int, int]:
        """Number of a method's refusals, and of its runs.

        Args:
            method: written form of the method.
            epsilons: values of ε that are counted.

        Returns:
            Refusals, then all runs with a number or a refusal.
        """
        values = self._runs_at(method, epsilons)["value"]
        return int(np.isinf(values).sum()), len(values)

    def median(self, method: str, epsilons: Sequence[float]) -> float:
        """Median number of a method, refusals infinite; NaN without runs.

        Args:
            method: written form of the method.
            epsilons: values of ε whose runs count.
        """
        return float(self._runs_at(method, epsilons)["value"].median())

    def unigram_median(self) -> float:
        """Median number of the unigram; infinite where it was not run."""
        return float(self._unigram.median()) if len(self._unigram) else math.inf

    def n_runs(self, method: str) -> int:
        """Draws of noise of a method, over all corpora."""
        rows = self._runs_of(method)
        return len(set(zip(rows["corpus"], rows["repeat"], strict=True)))

    def values(self, method: str, epsilons: Sequence[float]) -> dict[int, Matrix]:
        """Numbers of a method by the number of the corpus; NaN where a draw has none.

        They are worked out once for all comparisons of the method, and cannot be changed.

        Args:
            method: written form of the method.
            epsilons: values of ε, in the order of columns.

        Returns:
            A table for each corpus, shape (draws, ε).
        """
        key = (method, tuple(epsilons))
        if key not in self._values:
            self._values[key] = self._pivot(method, epsilons)
        return self._values[key]

    def _pivot(self, method: str, epsilons: Sequence[float]) -> dict[int, Matrix]:
        """Numbers of a method by corpus, of shape (draws, ε), NaN where a draw has none.

        The tables cannot be written to.
        """
        rows = self._runs_at(method, epsilons)
        by_corpus = {}
        for corpus in sorted(set(rows["corpus"].astype(int))):
            rows_of_corpus = rows[rows["corpus"] == corpus]
            grid = rows_of_corpus.pivot(index="repeat", columns="epsilon", values="value")
            numbers = grid.reindex(columns=list(epsilons)).to_numpy(dtype=np.float64, copy=True)
            numbers.flags.writeable = False
            by_corpus[corpus] = numbers
        return by_corpus

    def _runs_of(self, method: str) -> pd.DataFrame:
        """Runs of a method that gave a number or refused; a table without rows if it has none."""
        if method in self._rows:
            return self._rows[method]
        return pd.DataFrame(columns=["epsilon", "corpus", "repeat", "value"], dtype=float)

    def _runs_at(self, method: str, epsilons: Sequence[float]) -> pd.DataFrame:
        rows = self._runs_of(method)
        return rows[rows["epsilon"].isin(epsilons)]


def compare(
    table: RunTable, better: str, worse: str, epsilons: Sequence[float]
) -> PairedComparison:
    """Compare two methods' runs on the same documents.

    Args:
        table: of a sweep.
        better: text of the method that is claimed to have the smaller numbers.
        worse: text of the other.
        epsilons: the values of ε where that is claimed.

    Returns:
        The share of pairs in which ``better`` is below, the chances of its runs at all ε
        together if the methods were equal or reversed, and at each ε if they were reversed.
        In the share a tie counts half; a pair with a NaN, or of two infinite numbers, does not
        count. The share is NaN, and each chance 1, if no pair of runs can be compared.
    """
    better_values = table.values(better, epsilons)
    worse_values = table.values(worse, epsilons)
    blocks_of_corpora = _blocks(better_values, worse_values)
    n_below, n_compared = _count_below(blocks_of_corpora)
    chance_if_equal, chance_if_reversed = _chances(blocks_of_corpora)
    chances_against = {}
    for epsilon_index, epsilon in enumerate(epsilons):
        blocks_at_epsilon = [
            (better_runs[:, [epsilon_index]], worse_runs[:, [epsilon_index]])
            for better_runs, worse_runs in blocks_of_corpora
        ]
        _, chances_against[epsilon] = _chances(blocks_at_epsilon)
    return PairedComparison(
        better=title_without_reading(better),
        worse=title_without_reading(worse),
        n_runs=(table.n_runs(better), table.n_runs(worse)),
        n_compared=n_compared,
        share_below=n_below / n_compared if n_compared else math.nan,
        chance_if_equal=chance_if_equal,
        chance_if_reversed=chance_if_reversed,
        chances_against=chances_against,
    )


def runs_to_decide(share_below: float, *, level: float) -> int:
    """Draws of noise of each method after which a test decides with probability 0.9.

    Args:
        share_below: share of pairs of runs in which one is below the other.
        level: of the test.

    Returns:
        At most ``MOST_RUNS``, which also stands for a share of 0.5 or NaN, that no test decides.

    Source:
        Noether (1987), Sample size determination for some common nonparametric tests.
    """
    distance = abs(share_below - 0.5)
    quantiles = float(norm.isf(level) + norm.isf(1 - POWER))
    if not distance > 0:
        return MOST_RUNS
    both_methods = quantiles**2 / (3 * distance**2)
    return min(MOST_RUNS, math.ceil(both_methods / 2))


def _blocks(
    first: dict[int, Matrix],
    second: dict[int, Matrix],
) -> list[tuple[Matrix, Matrix]]:
    """Numbers of both methods on every corpus that both ran on."""
    return [
        (first_runs, second[corpus]) for corpus, first_runs in first.items() if corpus in second
    ]


def _count_below(blocks_of_corpora: Sequence[tuple[Matrix, Matrix]]) -> tuple[float, int]:
    """Count pairs of runs at one ε in which the first is below, ties half; and all pairs.

    A pair with a NaN, or of two infinite numbers, does not count.
    """
    n_below = 0.0
    n_compared = 0
    for first_runs, second_runs in blocks_of_corpora:
        first_values = first_runs[:, None, :]
        second_values = second_runs[None, :, :]
        is_compared = (
            ~np.isnan(first_values)
            & ~np.isnan(second_values)
            & (np.isfinite(first_values) | np.isfinite(second_values))
        )
        n_below += float(np.sum((first_values < second_values) & is_compared))
        n_below += float(np.sum((first_values == second_values) & is_compared)) / 2
        n_compared += int(np.sum(is_compared))
    return n_below, n_compared


def _chances(blocks_of_corpora: Sequence[tuple[Matrix, Matrix]]) -> tuple[float, float]:
    """Estimate the chances of a sum of scores as low, and as high, as the first method's.

    Each corpus' runs are divided at random between the methods; the actual division counts as one.
    """
    actual_sum = 0.0
    random_sums = np.zeros(N_DIVISIONS, dtype=np.float32)
    for block_number, (first_runs, second_runs) in enumerate(blocks_of_corpora):
        scores = _scores(np.vstack([first_runs, second_runs]))
        actual_sum += float(np.sum(scores[: len(first_runs)]))
        random_sums += _divisions(block_number, len(scores), len(first_runs)) @ scores
    as_low = 1 + int(np.sum(random_sums <= actual_sum))
    as_high = 1 + int(np.sum(random_sums >= actual_sum))
    return as_low / (1 + N_DIVISIONS), as_high / (1 + N_DIVISIONS)


@lru_cache(maxsize=16)
def _divisions(block: int, n_runs: int, n_first: int) -> NDArray[np.float32]:
    """Random divisions of a corpus' runs, shape (divisions, runs): 1 for those of the first method.

    Args:
        block: number of the corpus, which makes its divisions independent of the others'.
        n_runs: runs of both methods.
        n_first: runs of the first.
    """
    rng = np.random.default_rng([_SEED, block, n_runs, n_first])
    members = np.tile(np.arange(n_runs) < n_first, (N_DIVISIONS, 1))
    return rng.permuted(members, axis=1).astype(np.float32)


def _scores(values: Matrix) -> NDArray[np.float32]:
    """Sum over ε of every run's centered rank among the runs on its corpus, shape (runs,).

    These are multiples of a half, exact in single precision.
    """
    ranks = rankdata(values, axis=0, nan_policy="omit")
    centered = ranks - np.nanmean(ranks, axis=0)
    return np.asarray(np.nansum(centered, axis=1), dtype=np.float32)
