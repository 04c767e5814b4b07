"""The risk of a schedule of noisy minibatches, by its privacy loss distribution."""

import math
from functools import lru_cache

from dplda.methods.dpvi.accounting import SamplingSchedule
from dplda.privacy.accounting.risk import RARE_GUESS, Risk, raised_guess, right_guess, risk_of_curve

MAX_EPSILON = 20.0
"""ε up to which a raised guess is bounded."""


@lru_cache(maxsize=256)
def risk_of_schedule(schedule: SamplingSchedule) -> Risk:
    """Work out what a schedule lets somebody guess about a document that is replaced.

    Args:
        schedule: sums of one non-negative term for each document, and their noise.

    Guarantee:
        The distribution is that of the worst replacement, rounded up (``replaced_loss``). Where
        every document is in every sum, noise is Gaussian, of sensitivity √2.
    """
    if schedule.sampling_rate == 1.0:
        mu = math.sqrt(2 * schedule.steps) / schedule.noise_multiplier * (1 + 1e-15)
        return Risk(right_guess=right_guess(mu), raised_guess=raised_guess(RARE_GUESS, mu))
    from dplda.methods.dpvi.replaced_loss import replacement_loss

    loss_distribution = replacement_loss(
        schedule.noise_multiplier, schedule.sampling_rate, schedule.steps
    )
    return risk_of_curve(
        lambda epsilon: float(loss_distribution.get_delta_for_epsilon(epsilon)), MAX_EPSILON
    )
