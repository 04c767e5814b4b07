"""Statements of the paper on when which configuration is better, judged on predicted errors.

The paper derives its remarks from its bounds and words its conclusion after its figures. Here each
statement is counted over many settings: how often the predictions of the methods agree with it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np
from scipy.stats import qmc

from dplda.theory.prediction.advice import READABLE
from dplda.theory.prediction.expected import RANGES, covered, expected
from dplda.theory.prediction.regime_axes import Point
from dplda.theory.prediction.regimes import CLOSE, error_of

N_SETTINGS = 2048  # a power of two, as Sobol's sequence wants it
CLEAR_SHARE = 0.9  # of the decided settings, for a verdict on all of them
MIN_DECIDED = 5  # settings below which a statement is not judged
CONFIGURATIONS = ("config-1", "config-2", "config-3", "config-4")


class Agreement(StrEnum):
    """Whether predictions agree with a statement."""

    HOLDS = "holds"
    MOSTLY = "mostly holds"
    RARELY = "rarely holds"
    FAILS = "does not hold"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the paper: in some region, one configuration is better than others.

    Attributes:
        source: where it stands.
        words: in our words.
        favored: name of the configuration that is said to be better.
        rivals: names of those that it is said to beat.
        is_in_region: whether the statement speaks of a setting.
    """

    source: str
    words: str
    favored: str
    rivals: tuple[str, ...]
    is_in_region: Callable[[Point], bool]


@dataclass(frozen=True, slots=True)
class Tally:
    """Settings in which a statement was judged.

    Attributes:
        n_better: settings in which the favored configuration has the smaller error.
        n_worse: settings in which a rival has.
        n_close: settings whose errors are too close to call.
        n_unreadable: settings in which none of them finds readable topics; the statement is not
            judged there.
    """

    n_better: int
    n_worse: int
    n_close: int
    n_unreadable: int

    @property
    def n_decided(self) -> int:
        """Settings in which at least one of the configurations finds readable topics."""
        return self.n_better + self.n_worse + self.n_close

    @property
    def verdict(self) -> Agreement:
        """The verdict on the statement, from the settings counted by ``n_decided``.

        Undecided below ``MIN_DECIDED`` of these. It holds or fails with ``CLEAR_SHARE`` of them for
        or against it, else the majority counts. Settings too close to call count against it, and
        so does a tie.
        """
        if self.n_decided < MIN_DECIDED:
            return Agreement.UNDECIDED
        n_against = self.n_decided - self.n_better
        if self.n_better / self.n_decided >= CLEAR_SHARE:
            return Agreement.HOLDS
        if n_against / self.n_decided >= CLEAR_SHARE:
            return Agreement.FAILS
        return Agreement.MOSTLY if self.n_better > n_against else Agreement.RARELY


@dataclass(frozen=True, slots=True)
class PaperCheck:
    """The paper's statements beside what is predicted.

    Attributes:
        tallies: each statement with its count, in the order of the paper.
        n_best: by configuration, the settings in which it has the smallest error of all; those in
            which none finds readable topics do not count.
    """

    tallies: tuple[tuple[Statement, Tally], ...]
    n_best: Mapping[str, int]


def _everywhere(_: Point) -> bool:
    return True


STATEMENTS = (
    Statement(
        "Remark 14",
        "2 is better than 1 in practice",
        "config-2",
        ("config-1",),
        _everywhere,
    ),
    Statement(
        "Section 7",
        "2 is better than 1 at small ε (below 1)",
        "config-2",
        ("config-1",),
        lambda point: point.epsilon < 1,
    ),
    Statement(
        "Section 7",
        "1 is better than 2 at larger ε (1 and above)",
        "config-1",
        ("config-2",),
        lambda point: point.epsilon >= 1,
    ),
    Statement(
        "Remark 15",
        "3 is better than 2 when k is large (10 and above)",
        "config-3",
        ("config-2",),
        lambda point: point.n_topics >= 10,
    ),
    Statement(
        "Remark 16",
        "3 is better than 4 when N > √d",
        "config-3",
        ("config-4",),
        lambda point: point.n_documents > math.sqrt(point.n_words),
    ),
    Statement(
        "Conclusion",
        "1 is the best of the four when N ≫ k (1,000 documents a topic)",
        "config-1",
        ("config-2", "config-3", "config-4"),
        lambda point: point.n_documents >= 1000 * point.n_topics,
    ),
    Statement(
        "Conclusion",
        "1 is the best of the four when documents hardly mix topics (α₀ ≤ 0.2)",
        "config-1",
        ("config-2", "config-3", "config-4"),
        lambda point: point.alpha0 <= 0.2,
    ),
    Statement(
        "Conclusion",
        "2 is the best of the four when N is small and documents mix topics (N ≤ 30,000, α₀ ≥ 1)",
        "config-2",
        ("config-1", "config-3", "config-4"),
        lambda point: point.n_documents <= 30_000 and point.alpha0 >= 1,
    ),
    Statement(
        "Conclusion",
        "3 is the best of the four when k is large (10 and above)",
        "config-3",
        ("config-1", "config-2", "config-4"),
        lambda point: point.n_topics >= 10,
    ),
)


@lru_cache(maxsize=1)
def spread_settings() -> tuple[Point, ...]:
    """Settings spread evenly, in logarithms, over all that predictions cover; the same always.

    ``N_SETTINGS`` are drawn by Sobol's sequence; those with more topics than words, or outside the
    ranges after rounding, are left out.
    """
    axes = list(RANGES)
    sobol = qmc.Sobol(len(axes), scramble=True, rng=np.random.default_rng(0))
    unit_cube = sobol.random(N_SETTINGS)
    log_lows, log_highs = np.log([RANGES[axis] for axis in axes]).T
    values = np.exp(log_lows + unit_cube * (log_highs - log_lows))
    points = []
    for values_of_point in values.tolist():
        numbers: dict[str, float] = {}
        for axis, value in zip(axes, values_of_point, strict=True):
            numbers[axis.value] = round(value) if axis.whole else value
        if numbers["n_topics"] > numbers["n_words"]:
            continue
        point = Point(**numbers)  # type: ignore[arg-type]  # whole where the axis is
        if covered(point):
            points.append(point)
    return tuple(points)


def check_statements(points: Sequence[Point], methods: Mapping[str, str]) -> PaperCheck:
    """Count for every statement the settings of its region that agree with it.

    Counts also, over all settings, how often each configuration is best.

    Args:
        points: settings.
        methods: text of the method that stands for each configuration, by the configuration's name.
    """
    all_points = tuple(points)
    errors_by_name = {name: _errors_of(all_points, method) for name, method in methods.items()}
    errors_by_point = []
    for errors_at_point in zip(*errors_by_name.values(), strict=True):
        errors_by_point.append(dict(zip(errors_by_name, errors_at_point, strict=True)))
    points_with_errors = list(zip(all_points, errors_by_point, strict=True))
    tallies = []
    for statement in STATEMENTS:
        errors_in_region = [
            errors for point, errors in points_with_errors if statement.is_in_region(point)
        ]
        tally = _tally(statement, errors_in_region)
        tallies.append((statement, tally))
    n_best = _count_best(errors_by_point, tuple(methods))
    return PaperCheck(tuple(tallies), n_best)


@lru_cache(maxsize=16)
def _errors_of(points: tuple[Point, ...], method: str) -> tuple[float, ...]:
    """Errors with which a method competes at points; kept, since calibrations share methods."""
    predictions = expected(points, method)
    return tuple(error_of(prediction, method) for prediction in predictions)


@lru_cache(maxsize=8)
def check_everywhere(methods: tuple[tuple[str, str], ...]) -> PaperCheck:
    """Check the statements over ``spread_settings``; ``methods`` as pairs of name and text."""
    return check_statements(spread_settings(), dict(methods))


def _count_best(
    errors_by_point: Sequence[Mapping[str, float]], names: Sequence[str]
) -> dict[str, int]:
    """Count, by configuration, the points at which its error is the smallest and readable.

    Of equal errors the first configuration's counts.
    """
    counts = dict.fromkeys(names, 0)
    for errors_at_point in errors_by_point:
        error_by_name = {name: _or_infinite(errors_at_point[name]) for name in names}
        best_name = min(names, key=error_by_name.__getitem__)
        if error_by_name[best_name] <= READABLE:
            counts[best_name] += 1
    return counts


def _tally(statement: Statement, errors_by_point: Sequence[Mapping[str, float]]) -> Tally:
    """Judge a statement at each point: its favored configuration against the best of its rivals.

    A point at which neither is readable is only counted. Errors within ``CLOSE`` of each other are
    too close to call. A method without an error loses to any that has one.
    """
    n_better = n_worse = n_close = n_unreadable = 0
    for errors_at_point in errors_by_point:
        favored_error = _or_infinite(errors_at_point[statement.favored])
        rival_error = min(_or_infinite(errors_at_point[name]) for name in statement.rivals)
        if min(favored_error, rival_error) > READABLE:
            n_unreadable += 1
        elif favored_error * (1 + CLOSE) < rival_error:
            n_better += 1
        elif rival_error * (1 + CLOSE) < favored_error:
            n_worse += 1
        else:
            n_close += 1
    return Tally(n_better=n_better, n_worse=n_worse, n_close=n_close, n_unreadable=n_unreadable)


def _or_infinite(error: float) -> float:
    """An error; infinite where a method has none, which loses to any number."""
    return error if math.isfinite(error) else math.inf
