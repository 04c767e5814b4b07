"""ε of a schedule of noisy minibatches, and the noise for a given ε.

dp-accounting is slow to import, so that is done on use.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from scipy.optimize import brentq

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.optional_packages import requiring
from dplda.methods.dpvi import moments
from dplda.privacy.accounting import gaussian
from dplda.privacy.adjacency import Adjacency

if TYPE_CHECKING:
    from dp_accounting import DpEvent

MIN_NOISE_MULTIPLIER = 0.2  # range of the search
MAX_NOISE_MULTIPLIER = 1e6
SEARCH_FACTOR = 1.25  # between noise multipliers that a search tries first
PRECISION = 1e-4  # relative, of a calibrated noise multiplier
ROUNDED_UP = 1 + 1e-12
ORDERS = (
    *range(2, 65),
    *range(68, 129, 4),
    *range(136, 257, 8),
    *range(272, moments.HIGHEST_ORDER + 1, 16),
)


class Accountant(StrEnum):
    """A way of composing the steps of a schedule, from the tightest to the most wasteful."""

    PLD = "privacy loss distributions"
    RDP = "Rényi DP, improved conversion"
    CLASSIC = "moments, classic conversion"
    CAPPED = "moments accountant of Park et al., orders capped"


@dataclass(frozen=True, slots=True)
class SamplingSchedule:
    """Consecutive noisy sums over random minibatches.

    Attributes:
        noise_multiplier: ``σ`` > 0, standard deviation of the noise per unit of one document's
            bound.
        sampling_rate: ``ν`` in (0, 1], chance of each document to be in a minibatch.
        steps: ``T`` ≥ 1, number of minibatches.
    """

    noise_multiplier: float
    sampling_rate: float
    steps: int

    def __post_init__(self) -> None:
        """Refuse a noise, rate or number of steps out of its range."""
        checks.positive("noise_multiplier", self.noise_multiplier)
        checks.share("sampling_rate", self.sampling_rate)
        checks.integer_at_least("steps", self.steps, 1)


@lru_cache(maxsize=4096)
def epsilon_of_schedule(
    schedule: SamplingSchedule,
    *,
    delta: float,
    accountant: Accountant = Accountant.PLD,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
) -> float:
    """Compute ε of a schedule, rounded up; infinite where the accountant gives none.

    The sums have one term per document, of norm at most the bound that σ refers to; where documents
    are replaced, terms are also entrywise non-negative.

    Args:
        schedule: the sums and their noise.
        delta: δ in (0, 0.5).
        accountant: how the steps are composed.
        adjacency: which corpora are neighbors.

    Raises:
        InputError: δ is out of range, or the accountant allows no order at this noise.

    Guarantee:
        Adding or removing one document: the accountants' own theorems. Replacing one: removing and
            adding one, composed (``replaced_loss``); log moments and Rényi divergences of the two
            add up and neither exceeds that of the removal, so every other accountant counts each
            step twice.
    """
    checks.delta(delta)
    is_replacement = (
        adjacency is not Adjacency.ADD_OR_REMOVE_ONE
    )  # a person's documents count as one
    counts_of_each_step = 2 if is_replacement else 1
    noise_multiplier = schedule.noise_multiplier
    sampling_rate = schedule.sampling_rate
    match accountant:
        case Accountant.PLD:
            return _pld_epsilon(schedule, delta, is_replacement=is_replacement)
        case Accountant.RDP:
            with requiring("dp-accounting", "Accounting for minibatches"):
                from dp_accounting.rdp import RdpAccountant

            composed_accountant = RdpAccountant(ORDERS).compose(
                _to_event(schedule), counts_of_each_step
            )
            return _round_up(composed_accountant.get_epsilon(delta))
        case Accountant.CLASSIC:
            return moments.classic_epsilon(
                noise_multiplier, sampling_rate, counts_of_each_step * schedule.steps, delta
            )
        case Accountant.CAPPED:
            return moments.capped_epsilon(
                noise_multiplier, sampling_rate, counts_of_each_step * schedule.steps, delta
            )


def _pld_epsilon(schedule: SamplingSchedule, delta: float, *, is_replacement: bool) -> float:
    """Compute ε by privacy loss distributions, rounded up.

    Where every document is used in each step (a sampling rate of 1), exact accounting of Gaussian
    sums takes their place.

    Raises:
        MissingPackageError: dp-accounting is needed and not installed.
    """
    noise_multiplier = schedule.noise_multiplier
    sampling_rate = schedule.sampling_rate
    if (
        sampling_rate == 1.0
    ):  # nothing is sampled: Gaussian sums, of sensitivity √2 if one is replaced
        squared_sensitivities = schedule.steps * (2 if is_replacement else 1)
        return gaussian.epsilon_for(
            math.sqrt(squared_sensitivities) / noise_multiplier * (1 + 1e-15), delta
        )
    if is_replacement:
        from dplda.methods.dpvi.replaced_loss import replacement_loss

        replacement_loss_distribution = replacement_loss(
            noise_multiplier, sampling_rate, schedule.steps
        )
        return _round_up(replacement_loss_distribution.get_epsilon_for_delta(delta))
    with requiring("dp-accounting", "Accounting for minibatches"):
        from dp_accounting.pld import PLDAccountant

    return _round_up(PLDAccountant().compose(_to_event(schedule)).get_epsilon(delta))


@lru_cache(maxsize=4096)
def noise_multiplier_for(
    *,
    epsilon: float,
    delta: float,
    sampling_rate: float,
    steps: int,
    accountant: Accountant = Accountant.PLD,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
) -> float:
    """Find the smallest noise multiplier of a schedule that costs at most ε, by root finding.

    Args:
        epsilon: ε > 0 of the schedule.
        delta: δ in (0, 0.5) of the schedule.
        sampling_rate: ``ν`` in (0, 1].
        steps: ``T`` ≥ 1.
        accountant: how the steps are composed.
        adjacency: which corpora are neighbors.

    Returns:
        σ ≥ ``MIN_NOISE_MULTIPLIER``, moved to the private side: ``epsilon_of_schedule`` of it is at
        most ``epsilon``. ``MIN_NOISE_MULTIPLIER`` itself where that much noise is enough.

    Raises:
        InputError: the accountant finds no noise that is large enough.
    """
    checks.epsilon(epsilon)
    checks.delta(delta)
    SamplingSchedule(MIN_NOISE_MULTIPLIER, sampling_rate, steps)  # or refused

    def excess_epsilon(log_sigma: float) -> float:
        """ε of the schedule at σ less the target; large where the accountant refuses that σ."""
        schedule = SamplingSchedule(math.exp(log_sigma), sampling_rate, steps)
        try:
            epsilon_of_sigma = epsilon_of_schedule(
                schedule, delta=delta, accountant=accountant, adjacency=adjacency
            )
        except InputError:  # no order allowed: too little noise, or so much that νσ nears 1
            epsilon_of_sigma = math.inf
        return min(epsilon_of_sigma, 1e6) - epsilon

    if accountant is Accountant.PLD:
        sufficient_log_sigma = _sufficient_log_sigma(epsilon, delta, sampling_rate, steps)
        low_log_sigma, high_log_sigma = _bracket_downward(sufficient_log_sigma, excess_epsilon)
    else:
        low_log_sigma, high_log_sigma = _bracket_upward(excess_epsilon)
    if low_log_sigma == high_log_sigma:
        return math.exp(low_log_sigma)
    log_sigma = float(brentq(excess_epsilon, low_log_sigma, high_log_sigma, xtol=PRECISION / 4))
    increment = PRECISION / 4
    while excess_epsilon(log_sigma) > 0:
        log_sigma += increment
        increment *= 2
    return math.exp(log_sigma)  # this very number: ε's last digits jitter from one σ to the next


def _sufficient_log_sigma(epsilon: float, delta: float, sampling_rate: float, steps: int) -> float:
    """Logarithm of a σ that is (nearly) enough, to search down from.

    By the classic conversion of log moments. Where its orders do not suffice, twice the Gaussian
    variance of as many steps without sampling.
    """
    try:
        sufficient_sigma = noise_multiplier_for(
            epsilon=epsilon,
            delta=delta,
            sampling_rate=sampling_rate,
            steps=steps,
            accountant=Accountant.CLASSIC,
        )
    except InputError:  # its orders end
        sufficient_sigma = math.sqrt(2 * steps) / gaussian.mu_for(epsilon, delta)
    return math.log(sufficient_sigma)


def _bracket_downward(
    high_log_sigma: float, excess_epsilon: Callable[[float], float]
) -> tuple[float, float]:
    """Step down from a sufficient σ to two logarithms of σ between which ε passes its target.

    Steps up first while the σ given is not enough. Both ends are equal where ε stays below its
    target down to the smallest σ considered.

    Args:
        high_log_sigma: logarithm of a σ that is (nearly) enough.
        excess_epsilon: ε at a logarithm of σ, less the target.

    Raises:
        InputError: more than the largest σ would be needed.
    """
    log_step = math.log(SEARCH_FACTOR)
    while excess_epsilon(high_log_sigma) > 0:  # a grid of losses adds a little to a tiny ε
        high_log_sigma += log_step
        if high_log_sigma > math.log(MAX_NOISE_MULTIPLIER):
            raise _out_of_reach()
    while high_log_sigma - log_step >= math.log(MIN_NOISE_MULTIPLIER):
        if excess_epsilon(high_log_sigma - log_step) > 0:
            return high_log_sigma - log_step, high_log_sigma
        high_log_sigma -= log_step
    return high_log_sigma, high_log_sigma


def _bracket_upward(excess_epsilon: Callable[[float], float]) -> tuple[float, float]:
    """Step up from the smallest σ to two logarithms of σ between which ε passes its target.

    Both are equal if the smallest noise is enough. Steps are small: capped orders leave only a
    window of σ, which large ones would miss.

    Raises:
        InputError: more than the largest σ would be needed.
    """
    log_step = math.log(SEARCH_FACTOR)
    low_log_sigma = math.log(MIN_NOISE_MULTIPLIER)
    if excess_epsilon(low_log_sigma) <= 0:
        return low_log_sigma, low_log_sigma
    while low_log_sigma < math.log(MAX_NOISE_MULTIPLIER):
        if excess_epsilon(low_log_sigma + log_step) <= 0:
            return low_log_sigma, low_log_sigma + log_step
        low_log_sigma += log_step
    raise _out_of_reach()


def _out_of_reach() -> InputError:
    """The error for an ε that no noise reaches."""
    return InputError(
        "epsilon",
        "within reach of this accountant at this δ, sampling rate and number of steps",
        "one for which it finds no noise large enough",
        "Choose another accountant, a larger ε, or fewer or smaller minibatches.",
    )


def _to_event(schedule: SamplingSchedule) -> "DpEvent":
    """Describe the schedule to dp-accounting: Poisson-sampled Gaussian steps, composed."""
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent

    step_event = PoissonSampledDpEvent(
        schedule.sampling_rate, GaussianDpEvent(schedule.noise_multiplier)
    )
    return SelfComposedDpEvent(step_event, schedule.steps)


def _round_up(epsilon: float) -> float:
    return max(0.0, float(epsilon)) * ROUNDED_UP
