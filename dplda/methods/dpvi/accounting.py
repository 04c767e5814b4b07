"""ε of a schedule of noisy minibatches, and the noise for a given ε; dp-accounting is slow and imported on use."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from scipy.optimize import brentq

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.methods.dpvi import moments
from dplda.privacy.accounting import gaussian
from dplda.privacy.adjacency import Adjacency

if TYPE_CHECKING:
    from dp_accounting import DpEvent

LEAST_NOISE, MOST_NOISE = 0.2, 1e6  # range of the search
PRECISION = 1e-4  # relative, of a calibrated noise multiplier
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
class Schedule:
    """Consecutive noisy sums over random minibatches: σ per unit of one document's bound, ν in (0, 1], and T ≥ 1."""

    noise_multiplier: float
    sampling_rate: float
    steps: int

    def __post_init__(self) -> None:
        checks.positive("noise_multiplier", self.noise_multiplier)
        checks.share("sampling_rate", self.sampling_rate)
        checks.integer_at_least("steps", self.steps, 1)


@lru_cache(maxsize=4096)
def epsilon_of(
    schedule: Schedule,
    *,
    delta: float,
    accountant: Accountant = Accountant.PLD,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
) -> float:
    """ε of a schedule, rounded up; infinite where the accountant gives none.

    The sums have one term per document, of norm at most the bound that σ refers to; where documents are replaced, terms
    are also entrywise non-negative.

    Guarantee:
        Adding or removing one document: the accountants' own theorems. Replacing one: removing and adding one, composed
            (``replaced_loss``); log moments and Rényi divergences of the two add up and neither exceeds that of the
            removal, so every other accountant counts each step twice.
    """
    checks.delta(delta)
    replaced = adjacency is not Adjacency.ADD_OR_REMOVE_ONE  # a person's documents are read as one
    sigma, rate = schedule.noise_multiplier, schedule.sampling_rate
    charged = schedule.steps * (2 if replaced else 1)
    match accountant:
        case Accountant.PLD:
            if (
                rate == 1.0
            ):  # nothing is sampled: Gaussian sums, of sensitivity √2 where documents are replaced
                return gaussian.epsilon_for(math.sqrt(charged) / sigma * (1 + 1e-15), delta)
            if replaced:
                from dplda.methods.dpvi.replaced_loss import replaced_document

                return _up(
                    replaced_document(sigma, rate, schedule.steps).get_epsilon_for_delta(delta)
                )
            from dp_accounting.pld import PLDAccountant

            return _up(PLDAccountant().compose(_event(schedule)).get_epsilon(delta))
        case Accountant.RDP:
            from dp_accounting.rdp import RdpAccountant

            return _up(
                RdpAccountant(ORDERS)
                .compose(_event(schedule), charged // schedule.steps)
                .get_epsilon(delta)
            )
        case Accountant.CLASSIC:
            return moments.classic_epsilon(sigma, rate, charged, delta)
        case Accountant.CAPPED:
            return moments.capped_epsilon(sigma, rate, charged, delta)


@lru_cache(maxsize=4096)
def noise_multiplier_for(
    *,
    epsilon: float,
    delta: float,
    sampling_rate: float,
    steps: int,
    accountant: Accountant = Accountant.PLD,
) -> float:
    """The least σ ≥ ``LEAST_NOISE``, moved to the private side: ``epsilon_of`` its schedule is at most ``epsilon``."""
    checks.epsilon(epsilon)
    checks.delta(delta)
    Schedule(LEAST_NOISE, sampling_rate, steps)  # or refused

    def excess(log_sigma: float) -> float:
        try:
            found = epsilon_of(
                Schedule(math.exp(log_sigma), sampling_rate, steps),
                delta=delta,
                accountant=accountant,
            )
        except InputError:  # no order allowed: too little noise, or so much that νσ nears 1
            found = math.inf
        return min(found, 1e6) - epsilon

    if accountant is Accountant.PLD:
        low, high = _down_from(_more_than_enough(epsilon, delta, sampling_rate, steps), excess)
    else:
        low, high = _bracket(excess)
    if low == high:
        return math.exp(low)
    root = float(brentq(excess, low, high, xtol=PRECISION / 4))
    step = PRECISION / 4
    while excess(root) > 0:
        root += step
        step *= 2
    return math.exp(root)  # this very number: the last digits of ε jitter from one σ to the next


def _more_than_enough(epsilon: float, delta: float, rate: float, steps: int) -> float:
    """Logarithm of a σ to search down from: by the classic conversion, or without sampling where its orders end."""
    try:
        asked = partial(
            noise_multiplier_for, epsilon=epsilon, delta=delta, sampling_rate=rate, steps=steps
        )
        return math.log(asked(accountant=Accountant.CLASSIC))
    except InputError:
        return math.log(math.sqrt(2 * steps) / gaussian.mu_for(epsilon, delta))


def _down_from(high: float, excess: Callable[[float], float]) -> tuple[float, float]:
    """``_bracket``, downward from a logarithm of σ that is (nearly) enough."""
    width = math.log(1.25)
    while excess(high) > 0:  # a grid of losses adds a little to a tiny ε
        high += width
        if high > math.log(MOST_NOISE):
            raise _out_of_reach()
    while high - width >= math.log(LEAST_NOISE):
        if excess(high - width) > 0:
            return high - width, high
        high -= width
    return high, high


def _bracket(excess: Callable[[float], float]) -> tuple[float, float]:
    """Two logarithms of σ between which ε passes its target; equal if the least noise is enough.

    Upward in factors of 1.25 at first: capped orders leave only a window of σ, which large steps would miss.
    """
    low, width = math.log(LEAST_NOISE), math.log(1.25)
    if excess(low) <= 0:
        return low, low
    while low < math.log(MOST_NOISE):
        if excess(low + width) <= 0:
            return low, low + width
        low += width
    raise _out_of_reach()


def _out_of_reach() -> InputError:
    return InputError(
        "epsilon",
        "within reach of this accountant at this δ, sampling rate and number of steps",
        "one for which it finds no noise large enough",
        "Choose another accountant, a larger ε, or fewer or smaller minibatches.",
    )


def _event(schedule: Schedule) -> "DpEvent":
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent

    step = PoissonSampledDpEvent(schedule.sampling_rate, GaussianDpEvent(schedule.noise_multiplier))
    return SelfComposedDpEvent(step, schedule.steps)


def _up(epsilon: float) -> float:
    return max(0.0, float(epsilon)) * (1 + 1e-12)
