"""Data of error curves: one line per method, and the finding over all of them."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING

from dplda.experiments.sweeps.frame import summary
from dplda.methods.base.method import Method
from dplda.methods.base.method_names import short_title
from dplda.methods.registry import METHODS, parse_method
from dplda.privacy.release import Status

if TYPE_CHECKING:
    import pandas as pd

AMONG = "Lowest proven method run:"  # methods not run may be better
SO_FAR = " so far"  # a method not yet run may be better
NO_NUMBER_YET = "No proven method has a number yet"
NONE_BEATS_UNIGRAM = "No proven method run here beats the unigram"
TIE = 0.02  # relative advantage over the unigram that counts as none


class Measure(StrEnum):
    """The quantity plotted against ε; its value is a column of the sweep's frame."""

    L1_SUM = "l1_sum"
    L1_MEAN = "l1_mean"
    L2_MEAN = "l2_mean"
    PERPLEXITY = "perplexity"

    @property
    def axis(self) -> str:
        """Title of the axis."""
        return {
            Measure.L1_SUM: "L1 error, sum over topics",
            Measure.L1_MEAN: "L1 error, mean over topics",
            Measure.L2_MEAN: "L2 error, mean over topics",
            Measure.PERPLEXITY: "held-out perplexity",
        }[self]

    @property
    def short(self) -> str:
        """Word used in hover texts."""
        return "perplexity" if self is Measure.PERPLEXITY else "error"

    def per_mean_l1(self, n_topics: int) -> float | None:
        """Factor from a mean L1 error to this quantity; None where there is none."""
        return {Measure.L1_MEAN: 1.0, Measure.L1_SUM: float(n_topics)}.get(self)

    def trivial(self, n_topics: int) -> tuple[float, str] | None:
        """Error of topics that share no word with the truth, and its formula; None for a perplexity."""
        sums = (2.0 * n_topics, f"2k = {2 * n_topics}")
        ends = {
            Measure.L1_SUM: sums,
            Measure.L1_MEAN: (2.0, "2"),
            Measure.L2_MEAN: (math.sqrt(2), "√2"),
        }
        return ends.get(self)


@dataclass(frozen=True, slots=True)
class MethodLine:
    """One method's errors against ε.

    Attributes:
        method: name in the sweep, for example ``"config-1/as published"``.
        epsilons: ascending; empty for a method without ε, whose other tuples then have one entry.
        median: over repeats, at each ε; NaN without a result.
        low, high: 10 % and 90 % quantiles.
        refused: number of repeats without a result: no finite noise was enough, or no topic was left.
    """

    method: str
    title: str
    status: Status
    epsilons: tuple[float, ...]
    median: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    n: tuple[int, ...]
    refused: tuple[int, ...]

    @property
    def family(self) -> str:
        """Name of the method without its calibration."""
        return self.method.split("/")[0]

    @property
    def has_result(self) -> bool:
        """Whether any median is finite."""
        return any(math.isfinite(value) for value in self.median)

    @property
    def last_epsilon(self) -> float:
        """The largest ε with a number; ∞ for a method without ε."""
        points = zip(self.epsilons, self.median, strict=True)
        return max((epsilon for epsilon, value in points if math.isfinite(value)), default=math.inf)

    def at(self, epsilon: float) -> float:
        """The median at ε, or of a method without ε; NaN where there is none."""
        if not self.epsilons:
            return self.median[0] if self.median else math.nan
        return dict(zip(self.epsilons, self.median, strict=True)).get(epsilon, math.nan)


def lines_of(frame: "pd.DataFrame", measure: Measure) -> tuple[MethodLine, ...]:
    """Medians and 10–90 % bands over repeats and corpora.

    Returns:
        Methods in the order of the registry; among calibrations of one name, proven ones first.
    """
    table = summary(frame, str(measure))
    found = [
        _line(parse_method(str(text)), rows.sort_values("epsilon"))
        for text, rows in table.groupby("method")
    ]
    names = list(dict.fromkeys(method.name for method in METHODS.values()))

    def place(line: MethodLine) -> tuple[int, bool]:
        return names.index(line.family.partition("@")[0]), line.status is not Status.PROVEN

    return tuple(sorted(found, key=place))


def _line(method: Method, rows: "pd.DataFrame") -> MethodLine:
    return MethodLine(
        method=method.key,
        title=method.title,
        status=method.status,
        epsilons=tuple(map(float, rows["epsilon"])) if method.needs_epsilon else (),
        median=tuple(map(float, rows["median"])),
        low=tuple(map(float, rows["low"])),
        high=tuple(map(float, rows["high"])),
        n=tuple(map(int, rows["n"])),
        refused=tuple(map(int, rows["n_refused"] + rows["n_failed"])),
    )


def all_epsilons(lines: Sequence[MethodLine]) -> tuple[float, ...]:
    """Every ε at which some method was run, ascending."""
    return tuple(sorted({epsilon for line in lines for epsilon in line.epsilons}))


def finding(lines: Sequence[MethodLine], *, recommendation: str = "") -> str:
    """Say in at most two title lines which proven method's median is lowest where, over all ε.

    Args:
        lines: every method of the chart.
        recommendation: title where no ε has a number from every proven method; empty to say so.
    """
    proven = [
        line for line in lines if line.epsilons and line.status is Status.PROVEN and line.has_result
    ]
    if not proven and recommendation:
        return recommendation
    if not proven:
        any_number = any(line.has_result for line in lines)
        return "No proven method is drawn" if any_number else NO_NUMBER_YET
    epsilons = all_epsilons(proven)
    all_ran = [epsilon for epsilon in epsilons if all(epsilon in line.epsilons for line in proven)]
    if not all_ran:
        return recommendation or "No ε has a number from every proven method yet"
    so_far = "" if len(all_ran) == len(epsilons) else SO_FAR
    return _lowest_over(proven, all_ran, unigram_error(lines)) + so_far


def unigram_error(lines: Sequence[MethodLine]) -> float:
    """Median of the unigram, which a useful method beats; NaN where it was not run."""
    medians = (line.median[0] for line in lines if line.family == "unigram" and line.has_result)
    return next(medians, math.nan)


def beats_unigram(error: float, unigram: float) -> bool:
    """Whether an error is smaller than the unigram's by more than a tie; True if that is unknown."""
    return not error >= unigram * (1 - TIE)


def _lowest_over(proven: Sequence[MethodLine], epsilons: Sequence[float], unigram: float) -> str:
    """The method with the smallest error, from the smallest ε to the largest."""
    winners: list[tuple[float, str]] = []  # ε, and its winner; an empty one where none is useful
    for epsilon in epsilons:
        measured = [line for line in proven if math.isfinite(line.at(epsilon))]
        if measured:
            winner = min(measured, key=lambda line: line.at(epsilon))
            is_useful = beats_unigram(winner.at(epsilon), unigram)
            winners.append((epsilon, short_title(winner.title) if is_useful else ""))
    if not winners:
        return NO_NUMBER_YET
    stretches = [
        (name, [epsilon for epsilon, _ in run])
        for name, run in groupby(winners, key=lambda pair: pair[1])
    ]
    if len(stretches) == 1:
        return _one_winner(*stretches[0])
    if len(stretches) == 2:
        return _two_winners(*stretches)
    name, number = Counter(name for _, name in winners).most_common(1)[0]
    where = f"at {number} of {len(winners)} values of ε"
    return f"{AMONG} {name} {where}" if name else f"No proven method beats the unigram {where}"


def _one_winner(name: str, epsilons: Sequence[float]) -> str:
    if not name:
        return NONE_BEATS_UNIGRAM
    where = "at every ε" if len(epsilons) > 1 else f"at ε = {epsilons[0]:g}"
    return f"{AMONG} {name} {where}"


def _two_winners(first: tuple[str, Sequence[float]], second: tuple[str, Sequence[float]]) -> str:
    """The finding where one method is lowest up to some ε, and another or none above."""
    (first_name, below), (second_name, above) = first, second
    if not first_name:
        return f"{AMONG} {second_name} from ε = {above[0]:g}; none beats the unigram below"
    rest = f", {second_name} above" if second_name else "; none after that"
    return f"{AMONG} {first_name} up to ε = {below[-1]:g}{rest}"
