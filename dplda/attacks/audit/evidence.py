r"""Lower bounds on a mechanism's privacy loss from runs on a corpus and its neighbor.

Each run gives a score; the attacker guesses the first corpus when it reaches a threshold. This is
right on the first with probability p and wrong on the second with probability q. Privacy bounds p
by q: :math:`Φ^{-1}(p) - Φ^{-1}(q) \le μ` for a μ-Gaussian mechanism, :math:`p \le e^ε q + δ` for an
(ε, δ)-private one. The first half of the runs chooses the threshold; on the second half p is
bounded from below and q from above, each by Clopper and Pearson with half of the error. The measure
of the two is then a lower bound, whatever the score, and wrong with at most that probability.

Source:
    Dong, Roth & Su, Gaussian differential privacy, Theorem 2.2 and Corollary 2.5; Nasr and others,
    tight auditing of differentially private machine learning.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtri

Scores: TypeAlias = NDArray[np.float64]
"""One number per independent run, all on one corpus."""
Measure: TypeAlias = Callable[[Scores, Scores], Scores]
"""Function of p and q: rises with p, falls with q."""

N_THRESHOLDS = 200


def gaussian_mu(hits: Scores, alarms: Scores) -> Scores:
    """The smallest μ of a Gaussian mechanism that allows these rates.

    Args:
        hits: p, chance that a score reaches the threshold on the first neighbor, in [0, 1].
        alarms: q, the same on the second.
    """
    hit_quantile = ndtri(hits)
    alarm_quantile = ndtri(alarms)
    return hit_quantile - alarm_quantile


def pure_epsilon(hits: Scores, alarms: Scores) -> Scores:
    """Smallest ε of an ε-private mechanism that allows these rates.

    Args:
        hits: p, chance that a score reaches the threshold on the first neighbor, in [0, 1].
        alarms: q, the same on the second.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        loss_by_hits = np.log(hits / alarms)
        misses = 1 - hits
        true_negatives = 1 - alarms
        loss_by_misses = np.log(true_negatives / misses)
        return np.fmax(loss_by_hits, loss_by_misses)


@dataclass(frozen=True, slots=True)
class LossBound:
    """Privacy loss that runs prove, up to the allowed error.

    Attributes:
        lower: lower bound on the privacy loss of the mechanism.
        threshold: score from which on the attacker guesses the first corpus.
        hits: lower bound on the chance to reach it on the first corpus.
        alarms: upper bound on the chance to reach it on the second.
    """

    lower: float
    threshold: float
    hits: float
    alarms: float


def bound_loss(first: Scores, second: Scores, measure: Measure, *, error: float) -> LossBound:
    """Bound a mechanism's privacy loss from below, by equally many runs on two neighbors.

    The first half of the runs chooses the threshold of the scores, the second half bounds its rates
    of hits and false alarms.

    Args:
        first: scores of runs on the first corpus, shape (runs,); they tend to be larger.
        second: scores on the second, shape (runs,).
        measure: loss that two rates prove.
        error: chance that the bound is wrong, at most.
    """
    n_choosing = len(first) // 2
    first_choosing = first[:n_choosing]
    second_choosing = second[:n_choosing]
    thresholds = _candidate_thresholds(np.concatenate([first_choosing, second_choosing]))
    choosing_hits, choosing_alarms = _bound_rates(
        first_choosing, second_choosing, thresholds, error=error
    )
    choosing_losses = measure(choosing_hits, choosing_alarms)
    best_threshold = thresholds[[np.argmax(choosing_losses)]]
    hits, alarms = _bound_rates(
        first[n_choosing:], second[n_choosing:], best_threshold, error=error
    )
    loss = measure(hits, alarms)
    return LossBound(
        lower=float(loss[0]),
        threshold=float(best_threshold[0]),
        hits=float(hits[0]),
        alarms=float(alarms[0]),
    )


def _candidate_thresholds(scores: Scores) -> Scores:
    """Thresholds that are tried, ascending: the least score, and the middles of gaps.

    The gaps are those between ``N_THRESHOLDS`` quantiles of the scores at most.
    """
    shares = np.linspace(0, 1, N_THRESHOLDS)
    quantiles = np.quantile(scores, shares, method="nearest")
    score_levels = np.unique(quantiles)
    upper_levels = score_levels[1:]
    lower_levels = score_levels[:-1]
    gap_middles = (upper_levels + lower_levels) / 2
    return np.concatenate([score_levels[:1], gap_middles])


def bound_from_counts(
    measure: Measure,
    hits: Scores,
    alarms: Scores,
    runs: int,
    error: float,
) -> Scores:
    """The bound from numbers of runs at or above a threshold.

    Args:
        measure: loss that two rates prove.
        hits: numbers of runs on the first corpus, one for each threshold.
        alarms: numbers of runs on the second.
        runs: how many runs there were on either.
        error: chance that the bound is wrong, at most.
    """
    return measure(*_clopper_pearson(hits, alarms, runs, error))


def _bound_rates(
    first: Scores, second: Scores, thresholds: Scores, *, error: float
) -> tuple[Scores, Scores]:
    """Lower bounds on p and upper bounds on q for each threshold."""
    hits = _count_reaching(first, thresholds)
    alarms = _count_reaching(second, thresholds)
    return _clopper_pearson(hits, alarms, len(first), error)


def _count_reaching(scores: Scores, thresholds: Scores) -> Scores:
    """Number of scores at or above each threshold, shape (thresholds,)."""
    n_below = np.searchsorted(np.sort(scores), thresholds)
    return len(scores) - n_below.astype(float)


def _clopper_pearson(
    hits: Scores, alarms: Scores, runs: int, error: float
) -> tuple[Scores, Scores]:
    """Lower bound on the rate of hits and upper bound on that of false alarms.

    The chance that one of them is wrong is at most ``error``. 0 without a hit, and 1 where every
    run is an alarm.
    """
    error_of_each = error / 2
    n_misses = runs - hits
    n_silent = runs - alarms
    hit_bound = stats.beta.ppf(error_of_each, hits, n_misses + 1)
    alarm_bound = stats.beta.isf(error_of_each, alarms + 1, n_silent)
    lower_hit_rate = np.where(hits > 0, hit_bound, 0.0)
    upper_alarm_rate = np.where(alarms < runs, alarm_bound, 1.0)
    return lower_hit_rate, upper_alarm_rate
