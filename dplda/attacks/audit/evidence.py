r"""What runs on a corpus and runs on its neighbour prove of a mechanism, whatever it claims.

Every run is boiled down to a score; who sees one of at least a threshold says that it came from the first corpus. He
is right on it with probability p, and wrong on the second with probability q. What is private keeps p and q together:
:math:`Φ^{-1}(p) - Φ^{-1}(q) \le μ` for a μ-Gaussian mechanism, :math:`p \le e^ε q + δ` for an (ε, δ)-private one. The
threshold is chosen on the first half of the runs; on the second half p is bounded from below and q from above, each by
Clopper and Pearson with half of the error: what a measure makes of the two is a lower bound on what the mechanism
has, whatever the score, and wrong with at most that probability.

Source:
    Dong, Roth & Su, Gaussian differential privacy, Theorem 2.2 and Corollary 2.5; Nasr and others, tight auditing of
    differentially private machine learning.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtri

Scores: TypeAlias = NDArray[np.float64]
"""One number for each of several independent runs, all on one corpus."""
Measure: TypeAlias = Callable[[Scores, Scores], Scores]
"""Of p and q: rises with p, falls with q."""

CANDIDATES = 200


def gaussian_mu(hits: Scores, alarms: Scores) -> Scores:
    """The least μ of a Gaussian mechanism that lets an attacker do so well."""
    return ndtri(hits) - ndtri(alarms)


def pure_epsilon(hits: Scores, alarms: Scores) -> Scores:
    """The least ε of an ε-private mechanism that lets an attacker do so well."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.fmax(np.log(hits / alarms), np.log((1 - alarms) / (1 - hits)))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is proved, up to the error that was allowed.

    Attributes:
        lower: bound on what was measured: the mechanism has at least this.
    """

    lower: float
    threshold: float
    hits: float
    alarms: float


def evidence(one: Scores, two: Scores, measure: Measure, *, error: float) -> Evidence:
    """A lower bound on what a mechanism has, from as many runs on two neighbours.

    Args:
        one: scores of runs on the first corpus, shape (runs,); they tend to be the larger ones.
        two: on the second, shape (runs,).
    """
    half = len(one) // 2
    seen = np.concatenate([one[:half], two[:half]])
    levels = np.unique(np.quantile(seen, np.linspace(0, 1, CANDIDATES), method="nearest"))
    between = np.concatenate([levels[:1], (levels[1:] + levels[:-1]) / 2])  # in the middle of a gap where there is one
    first = measure(*_bounds(one[:half], two[:half], between, error))
    threshold = between[[np.argmax(first)]]
    hits, alarms = _bounds(one[half:], two[half:], threshold, error)
    return Evidence(float(measure(hits, alarms)[0]), float(threshold[0]), float(hits[0]), float(alarms[0]))


def weighed(measure: Measure, hits: Scores, alarms: Scores, runs: int, error: float) -> Scores:
    """What is proved by numbers of runs at or above a threshold, of as many on either corpus."""
    return measure(*_clopper_pearson(hits, alarms, runs, error))


def _bounds(one: Scores, two: Scores, thresholds: Scores, error: float) -> tuple[Scores, Scores]:
    hits, alarms = (len(side) - np.searchsorted(np.sort(side), thresholds).astype(float) for side in (one, two))
    return _clopper_pearson(hits, alarms, len(one), error)


def _clopper_pearson(hits: Scores, alarms: Scores, runs: int, error: float) -> tuple[Scores, Scores]:
    lower = stats.beta.ppf(error / 2, hits, runs - hits + 1)
    upper = stats.beta.isf(error / 2, alarms + 1, runs - alarms)
    return np.where(hits > 0, lower, 0.0), np.where(alarms < runs, upper, 1.0)
