"""Tests of a claim on a mean by samples: it holds, it fails, or they cannot tell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.special import stdtrit

CHANCE = 0.01  # of a wrong answer, for a mean exactly on a limit


class Conclusion(StrEnum):
    """Possible outcomes of a test."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class MeanTest:
    """Outcome of a test.

    Attributes:
        answer: whether the claim holds.
        mean: of the values; NaN without values.
        error: its standard error; NaN for fewer than two values.
        n: number of values.
    """

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
    """Test whether the mean behind independent values is between two limits.

    Two one-sided t tests at one level: the claim holds if the mean is significantly inside, and
    fails if significantly outside. Fewer than two values leave it undecided.

    Args:
        values: independent samples.
        least: lower limit.
        most: upper limit.
        chance: largest probability of a wrong answer either way, for normal values with a mean
            exactly on a limit.

    Returns:
        The answer, with the mean, its standard error and the number of values.
    """
    n = len(values)
    mean = float(np.mean(values)) if n else math.nan
    if n < 2:
        return MeanTest(Conclusion.UNDECIDED, mean, math.nan, n)
    standard_error = float(np.std(values, ddof=1)) / math.sqrt(n)
    margin = float(stdtrit(n - 1, 1 - chance)) * standard_error
    lower_end = mean - margin
    upper_end = mean + margin
    conclusion = Conclusion.UNDECIDED
    if least <= lower_end and upper_end <= most:
        conclusion = Conclusion.HOLDS
    elif upper_end < least or lower_end > most:
        conclusion = Conclusion.FAILS
    return MeanTest(conclusion, mean, standard_error, n)
