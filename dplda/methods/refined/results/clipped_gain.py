r"""What clipping documents' gains takes from their mean, estimated from the released mean alone.

Most documents gain little and long ones much. If gains have an exponential distribution with mean
m, their mean clipped at u is

.. math:: c(m) = m\,(1 - e^{-u/m}) .

Its inverse gives m, and m − c is what clipping took. Gains of real documents vary at least as much
as an exponential distribution does, by 1 to 1.8 times their mean (``GAIN_SPREAD``), so clipping
takes more rather than less than this says.
"""

import math
from dataclasses import dataclass

from scipy.optimize import brentq

from dplda.methods.refined.plan.constants import CLIPPING_DOUBT, MAX_CLIPPED_RATIO


@dataclass(frozen=True, slots=True)
class ClippedGain:
    """The part of a mean gain that clipping removed.

    Attributes:
        nats: the part removed, in nats a document on average, at least 0.
        error: its standard deviation beside the noise of the released mean, by which the sum of
            both has more noise too.
    """

    nats: float
    error: float


def estimate_clipped_gain(mean_gain: float, gain_noise: float, largest_gain: float) -> ClippedGain:
    """Estimate the part of a mean gain that clipping removed, for exponentially distributed gains.

    Args:
        mean_gain: mean of clipped gains as released, in nats.
        gain_noise: standard deviation of its noise, in nats.
        largest_gain: gain at which a document's is clipped, in nats; infinite for no clipping.

    Returns:
        A part of at most ``MAX_CLIPPED_RATIO`` times the mean. Part and error are 0 for a mean of
        at most 0, and without clipping.

    Source:
        Ours, measured by ``python -m benchmarks held-out``.
    """
    if mean_gain <= 0 or math.isinf(largest_gain):
        return ClippedGain(0.0, 0.0)

    def mean_after_clipping(mean: float) -> float:
        return -mean * math.expm1(-largest_gain / mean)

    largest_mean = (1 + MAX_CLIPPED_RATIO) * mean_gain
    if mean_after_clipping(largest_mean) <= mean_gain:
        unclipped_mean, slope = largest_mean, 1 + MAX_CLIPPED_RATIO
    else:
        unclipped_mean = brentq(
            lambda mean: mean_after_clipping(mean) - mean_gain, mean_gain, largest_mean
        )
        ratio = largest_gain / unclipped_mean
        slope = 1 / (1 - math.exp(-ratio) * (1 + ratio))
    removed_nats = unclipped_mean - mean_gain
    added_noise = math.sqrt(slope**2 - 1) * gain_noise
    return ClippedGain(removed_nats, math.hypot(CLIPPING_DOUBT * removed_nats, added_noise))
