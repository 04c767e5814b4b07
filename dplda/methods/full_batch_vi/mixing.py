r"""Estimate of α0, how much documents mix topics, from a released pair average at no further cost.

Documents of the model have :math:`E_2 - m m^⊤ = c \sum_i s_i (A_i - m)(A_i - m)^⊤` with topic shares ``s``, mean ``m``
and :math:`c = 1/(1 + α_0)`. Topics come from the steps, so ``c`` is the slope of a line through the origin, seen in d²
released numbers at once. Three errors affect it:

*Noise* on the pair average, which is known; *errors of topics*, of which draws are known (``uncertainty``): to first
order they move the slope by twice their part along the line; and *clipping*: documents of more similar words weigh
less, so the mean over weights is at most the mean over documents, and at most ``1 - mass`` below it.

Topics lean toward the given α0, so the truth is on the far side of the reading and only one end is known: a lower one
of a reading above the given α0, an upper one below it. Without a spectral start no pairs were released, and expected
counts alone cannot separate α0 from documents' lengths. On real text α0 is what the model would need for these pairs.
On simulated documents the end held in all 64 runs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from dplda.core.types import Matrix
from dplda.methods.shrinkage.topics import mean_words
from dplda.spectral.statistics import Averages

REACH = 2.92  # 95 % point of Student's t at two degrees of freedom, for two draws of the topics' error
SMALLEST = 1e-300  # avoids 0/0 for equal topics


@dataclass(frozen=True, slots=True, eq=False)
class Slope:
    """Slope of word pairs against topics; a function of released values.

    Attributes:
        value: ``c``.
        noise: its standard deviation from the pair average's noise.
        pull: shape (k, d), gradient: its entrywise product with a topic error, summed, is the slope's error.
        unclipped: mean weight of a document, in [0, 1].
    """

    value: float
    noise: float
    pull: Matrix
    unclipped: float


@dataclass(frozen=True, slots=True)
class Mixing:
    """α0 as these documents show it, with one 95 % limit.

    Attributes:
        reading: of α0, at least 0; infinite where topics show nowhere in the pairs.
        low, high: the limit on the side of ``given``, the run's α0; 0 or infinite on the other side.
    """

    reading: float
    low: float
    high: float
    given: float

    @property
    def contradicts(self) -> bool:
        """Whether the given α0 is beyond the limit."""
        return self.low > self.given or self.high < self.given


def slope(averages: Averages, topics: Matrix) -> Slope:
    """The slope of released pairs of positive mass; ``topics`` have shape (k, d), rows on the simplex, above 0."""
    pairs = averages.pairs / averages.mass
    shares, _ = nnls(topics.T, mean_words(averages))
    shares = shares / np.sum(shares)
    mean = shares @ topics
    apart = topics - mean
    line = (apart.T * shares) @ apart
    size = max(float(np.sum(line**2)), SMALLEST)
    value = (float(np.sum(pairs * line)) - float(mean @ line @ mean)) / size
    noise = averages.noise_level() * math.sqrt(2 * size + 2 * float(np.sum(np.diag(line) ** 2))) / size
    pull = -2 * value / size * shares[:, None] * (apart @ line)
    return Slope(value, noise, pull, min(1.0, max(0.0, averages.mass)))


def mixing(found: Slope, errors: Sequence[Matrix], *, given: float, bias: float) -> Mixing:
    """The reading of α0, with its limit.

    Args:
        found: the slope.
        errors: two independent draws of the topics' error, each of shape (k, d).
        given: α0 of the run.
        bias: relative error of inference, all along the line at worst.
    """
    moved = [float(np.sum(found.pull * error)) for error in errors]
    reach = REACH * math.sqrt(found.noise**2 + float(np.mean(np.square(moved)))) + 2 * bias * abs(found.value)
    reading = _alpha0(found.value)
    if reading < given:
        return Mixing(reading, 0.0, _alpha0(found.value - reach), given)
    most = found.value + (1 - found.unclipped) * max(0.0, 1 - found.value)
    return Mixing(reading, _alpha0(most + reach), math.inf, given)


def _alpha0(c: float) -> float:
    return math.inf if c <= 0 else max(0.0, 1 / c - 1)
