"""Data of error curves: one line per method, and the finding over all of them."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
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
        """Name in hover texts: *perplexity*, or *error* for all others."""
        if self is Measure.PERPLEXITY:
            return "perplexity"
        return "error"

    def per_mean_l1(self, n_topics: int) -> float | None:
        """Factor from a mean L1 error to this quantity; None where there is none."""
        return {Measure.L1_MEAN: 1.0, Measure.L1_SUM: float(n_topics)}.get(self)

    def trivial(self, n_topics: int) -> tuple[float, str] | None:
        """Error of topics without a true word, and its formula; None for a perplexity."""
        trivial_errors = {
            Measure.L1_SUM: (2.0 * n_topics, f"2k = {2 * n_topics}"),
            Measure.L1_MEAN: (2.0, "2"),
            Measure.L2_MEAN: (math.sqrt(2), "√2"),
        }
        return trivial_errors.get(self)


@dataclass(frozen=True, slots=True)
class MethodLine:
    """One method's errors against ε.

    Attributes:
        method: name in the sweep, for example ``"config-1/as published"``.
        title: of the method.
        status: what may be claimed of it.
        epsilons: ascending; empty for a method without ε, whose other tuples then have one entry.
        median: over repeats, at each ε; NaN without a result.
        low, high: 10 % and 90 % quantiles.
        n: number of repeats with a result.
        refused: number of repeats without a result: no finite noise was enough, or no topic was
            left.
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
        measured_epsilons = [epsilon for epsilon, median in points if math.isfinite(median)]
        return max(measured_epsilons, default=math.inf)

    def at(self, epsilon: float) -> float:
        """The median at ε, or of a method without ε; NaN where there is none."""
        if self.epsilons:
            median_by_epsilon = dict(zip(self.epsilons, self.median, strict=True))
            return median_by_epsilon.get(epsilon, math.nan)
        if self.median:
            return self.median[0]
        return math.nan


def lines_of(frame: "pd.DataFrame", measure: Measure) -> tuple[MethodLine, ...]:
    """Medians and 10–90 % bands over repeats and corpora, a line for each method of the frame.

    Args:
        frame: rows of a sweep.
        measure: the column that is summed up.

    Returns:
        Methods in the order of the registry; among calibrations of one name, proven ones first.
    """
    table = summary(frame, str(measure))
    lines = []
    for text, rows in table.groupby("method"):
        method = parse_method(str(text))
        lines.append(_line_of_rows(method, rows.sort_values("epsilon")))
    registered_names = list(dict.fromkeys(method.name for method in METHODS.values()))

    def rank(line: MethodLine) -> tuple[int, bool]:
        """Place in the registry, then whether the line is not proven."""
        method_name, _, _ = line.family.partition("@")
        place = registered_names.index(method_name)
        return place, line.status is not Status.PROVEN

    lines.sort(key=rank)
    return tuple(lines)


def _line_of_rows(method: Method, rows: "pd.DataFrame") -> MethodLine:
    """One method's line from its summary, a row for each ε; failed repeats count as refused."""
    epsilons: tuple[float, ...] = ()
    if method.needs_epsilon:
        epsilons = tuple(map(float, rows["epsilon"]))
    return MethodLine(
        method=method.key,
        title=method.title,
        status=method.status,
        epsilons=epsilons,
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

    Returns:
        The finding over the ε at which every proven method with a number was run, with *so far* if
        there are others. Without such a method and without a recommendation, that none is drawn or
        that there is no number yet.
    """
    proven_lines = [
        line for line in lines if line.epsilons and line.status is Status.PROVEN and line.has_result
    ]
    if not proven_lines and recommendation:
        return recommendation
    if not proven_lines:
        if any(line.has_result for line in lines):
            return "No proven method is drawn"
        return NO_NUMBER_YET
    epsilons = all_epsilons(proven_lines)
    complete_epsilons = [
        epsilon for epsilon in epsilons if all(epsilon in line.epsilons for line in proven_lines)
    ]
    if not complete_epsilons:
        return recommendation or "No ε has a number from every proven method yet"
    so_far_text = "" if len(complete_epsilons) == len(epsilons) else SO_FAR
    return _lowest_over(proven_lines, complete_epsilons, unigram_error(lines)) + so_far_text


def unigram_error(lines: Sequence[MethodLine]) -> float:
    """Median of the unigram, which a useful method beats; NaN where it was not run."""
    medians = (line.median[0] for line in lines if line.family == "unigram" and line.has_result)
    return next(medians, math.nan)


def beats_unigram(error: float, unigram: float) -> bool:
    """Whether an error is smaller than the unigram's by more than a tie; True if that is unknown.

    Args:
        error: of a method; NaN if unknown.
        unigram: error of the unigram at the same ε; NaN if unknown.
    """
    return not error >= unigram * (1 - TIE)


def _lowest_over(proven: Sequence[MethodLine], epsilons: Sequence[float], unigram: float) -> str:
    """Say in a title which method has the smallest error, from the smallest ε to the largest.

    With one or two stretches of ε it names each one's winner; with more, the most frequent winner.
    Where none beats the unigram, or no ε has a number, it says that.
    """
    winner_by_epsilon = _winners(proven, epsilons, unigram)
    if not winner_by_epsilon:
        return NO_NUMBER_YET
    stretches = _stretches_of(winner_by_epsilon)
    if len(stretches) == 1:
        return _describe_one(stretches[0])
    if len(stretches) == 2:
        return _describe_two(*stretches)
    name, n_epsilons = Counter(winner_by_epsilon.values()).most_common(1)[0]
    where_text = f"at {n_epsilons} of {len(winner_by_epsilon)} values of ε"
    if not name:
        return f"No proven method beats the unigram {where_text}"
    return f"{AMONG} {name} {where_text}"


def _winners(
    proven: Sequence[MethodLine], epsilons: Sequence[float], unigram: float
) -> dict[float, str]:
    """Short name of the method with the smallest error, by ε.

    It is empty where that method does not beat the unigram; an ε without any number is left out.
    """
    winner_by_epsilon = {}
    for epsilon in epsilons:
        measured_lines = [line for line in proven if math.isfinite(line.at(epsilon))]
        if measured_lines:
            best_line = min(measured_lines, key=lambda line: line.at(epsilon))
            winner = ""
            if beats_unigram(best_line.at(epsilon), unigram):
                winner = short_title(best_line.title)
            winner_by_epsilon[epsilon] = winner
    return winner_by_epsilon


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Consecutive values of ε with the same winner.

    Attributes:
        name: of the winner; empty where no method beats the unigram.
        epsilons: ascending, at least one.
    """

    name: str
    epsilons: tuple[float, ...]


def _stretches_of(winners: Mapping[float, str]) -> list[_Stretch]:
    """Stretches of consecutive ε with the same winner, from the smallest ε on."""
    return [
        _Stretch(name, tuple(epsilon for epsilon, _ in pairs))
        for name, pairs in groupby(winners.items(), key=lambda pair: pair[1])
    ]


def _describe_one(stretch: _Stretch) -> str:
    """The finding where one method is lowest at every ε, or none beats the unigram at any."""
    if not stretch.name:
        return NONE_BEATS_UNIGRAM
    where_text = "at every ε"
    if len(stretch.epsilons) == 1:
        where_text = f"at ε = {stretch.epsilons[0]:g}"
    return f"{AMONG} {stretch.name} {where_text}"


def _describe_two(below: _Stretch, above: _Stretch) -> str:
    """The finding where one method, or none, is lowest up to some ε, and another or none above."""
    if not below.name:
        first_epsilon = f"{above.epsilons[0]:g}"
        return f"{AMONG} {above.name} from ε = {first_epsilon}; none beats the unigram below"
    above_in_words = "; none after that"
    if above.name:
        above_in_words = f", {above.name} above"
    return f"{AMONG} {below.name} up to ε = {below.epsilons[-1]:g}{above_in_words}"
