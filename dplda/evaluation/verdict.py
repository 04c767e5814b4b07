"""What draws say of a claim about a mean: it holds, it fails, or they do not tell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.special import stdtrit

CHANCE = 0.01


class Conclusion(StrEnum):
    """What may be said."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class MeanTest:
    """An answer and what it rests on."""

    answer: Conclusion
    mean: float
    error: float
    n: int


def judge_mean(
    values: Sequence[float], *, least: float = -math.inf, most: float = math.inf, chance: float = CHANCE
) -> MeanTest:
    """Whether the mean that values scatter about lies between two limits.

    Two one-sided t tests at one level: the claim holds where the mean could not be outside, fails where it could not be
    inside. So of claims whose mean lies just on a limit that part is called wrongly, either way, where values are
    normal. Fewer than two values tell nothing.

    Args:
        values: independent and alike, such as differences of two methods paired over draws of noise.
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
