"""What the last bits of floating-point noise reveal about the exact value."""

import numpy as np
from numpy.typing import NDArray

from dplda.attacks.replay import ReplayedRelease
from dplda.core.types import Vector

CERTAIN = 1e6  # log-likelihood ratio added for a certainty


def betrayed(release: ReplayedRelease, side: int) -> Vector:
    """Score of a run's numbers that floating-point noise cannot have produced from one of the two values.

    A value plus noise is a multiple of any number that divides both. If the required noise exceeds the released number,
    it has fewer bits after the point. Extra bits in the release prove that the value was another one.
    """
    values = release.asked[side].noisy
    one, two = (np.count_nonzero(_finest(values) < _finest_of_sum(values, each.mean), axis=1) for each in release.asked)
    return np.asarray(CERTAIN * (two - one))


def _finest(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Exponent of the last set bit; infinite for 0."""
    mantissa, exponent = np.frexp(numbers)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    last = np.log2((whole & -whole).astype(float), out=np.full(whole.shape, np.inf), where=whole != 0)
    return np.asarray(last + exponent - 53)


def _finest_of_sum(values: NDArray[np.float64], exact: Vector) -> NDArray[np.float64]:
    """Exponent of the last bit that a value and its noise can share."""
    _, exponent = np.frexp((values - exact) * (1 - 1e-9))
    return np.minimum(exponent - 53.0, _finest(exact))
