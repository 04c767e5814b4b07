"""What the last bits of floating-point noise betray of the value that it was added to."""

import numpy as np
from numpy.typing import NDArray

from dplda.attacks.replay import ReplayedRelease
from dplda.core.types import Vector

CERTAIN = 1e6  # what a certainty adds to a logarithm of likelihoods


def betrayed(release: ReplayedRelease, side: int) -> Vector:
    """How many of a run's numbers floating-point noise cannot have made of the second value, less those of the first.

    A value plus noise is a multiple of whatever both of them are multiples of. Where the noise that it would take is
    larger than what is released, it has fewer bits after the point than the released number may have: who finds those
    knows that the value was another one, and counts for certain.
    """
    values = release.asked[side].noisy
    one, two = (np.count_nonzero(_finest(values) < _finest_of_sum(values, each.mean), axis=1) for each in release.asked)
    return np.asarray(CERTAIN * (two - one))


def _finest(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Exponent of the last bit that is set; infinite for 0."""
    mantissa, exponent = np.frexp(numbers)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    last = np.log2((whole & -whole).astype(float), out=np.full(whole.shape, np.inf), where=whole != 0)
    return np.asarray(last + exponent - 53)


def _finest_of_sum(values: NDArray[np.float64], exact: Vector) -> NDArray[np.float64]:
    """Of what a value and the noise that leads from it to what is released can both be multiples of."""
    _, exponent = np.frexp((values - exact) * (1 - 1e-9))
    return np.minimum(exponent - 53.0, _finest(exact))
