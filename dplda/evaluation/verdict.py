"""What samples say about a claim on a mean: it holds, it fails, or they cannot tell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.special import stdtrit

CHANCE = 0.01


class Conclusion(StrEnum):
    """Possible outcomes of a test."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class MeanTest:
    """Outcome of a test, with the mean, its standard error and the number of values."""

    answer: Conclusion
    mean: float
    error: float
    n: int


def judge_mean(
    values: Sequence[float],
    *,
    least: float = -math.inf,
    most: float = math.inf,
    chance: float = CHANCE,
) -> MeanTest:
    """Whether the mean behind independent values lies between two limits.

    Two one-sided t tests at one level: the claim holds if the mean is significantly inside, and fails if significantly
    outside. For normal values, a mean exactly on a limit is misjudged at most that often either way.
    """
    n = len(values)
    mean = float(np.mean(values)) if n else math.nan
    if n < 2:
        return MeanTest(Conclusion.UNDECIDED, mean, math.nan, n)
    error = float(np.std(values, ddof=1)) / math.sqrt(n)
    reach = float(stdtrit(n - 1, 1 - chance)) * error
    low, high = mean - reach, mean + reach
    if least <= low and high <= most:
        return MeanTest(Conclusion.HOLDS, mean, error, n)
    outside = high < least or low > most
    return MeanTest(Conclusion.FAILS if outside else Conclusion.UNDECIDED, mean, error, n)
