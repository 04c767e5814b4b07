"""Scores of two faults of noise: last bits that reveal the exact value, and noise used twice."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dplda.attacks.replay import ReplayedRelease
from dplda.core.types import Vector

CERTAINTY_SCORE = 1e6  # log-likelihood ratio added for a certainty
SAME_NOISE = 1e-7  # largest difference of two noises, in units of the noise, that are one


def low_bit_leak(release: ReplayedRelease, side: int) -> Vector:
    """Score of runs with numbers that floating-point noise cannot make from one of the two values.

    A value plus noise is a multiple of any number that divides both. If the required noise exceeds
    the released number, it has fewer bits after the point. Extra bits in the release prove that the
    value was another one.
    """
    draws = release.requests[side].noisy_draws
    n_impossible_if_first, n_impossible_if_second = (
        np.count_nonzero(_last_bit(draws) < _last_bit_of_sum(draws, request.mean), axis=1)
        for request in release.requests
    )
    return np.asarray(CERTAINTY_SCORE * (n_impossible_if_second - n_impossible_if_first))


def reused_noise(releases: Sequence[ReplayedRelease], side: int) -> Vector:
    """Score each run by whether two releases of one quantity have the same noise.

    The noise is a draw minus one of the two values. Where it repeats, that value is the right one:
    a large score, positive for D and negative for D′. Else 0.

    Args:
        releases: releases of a run and of the one that it continues.
        side: 0 for draws on D, 1 for draws on D′.
    """
    scores = np.zeros(len(releases[0].requests[side].noisy_draws))
    for release_pair in combinations(releases, 2):
        if release_pair[0].stream == release_pair[1].stream and len(
            release_pair[0].requests[0].mean
        ) == len(release_pair[1].requests[0].mean):
            for assumed_side in range(2):
                first_noise, second_noise = (
                    release.whitened(
                        release.requests[side].noisy_draws - release.requests[assumed_side].mean
                    )
                    for release in release_pair
                )
                scores += (
                    CERTAINTY_SCORE
                    * (1 - 2 * assumed_side)
                    * np.all(np.abs(first_noise - second_noise) < SAME_NOISE, axis=1)
                )
    return scores


def _last_bit(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Exponent of the last set bit of each number; infinite for 0."""
    mantissa, exponent = np.frexp(numbers)
    whole_mantissa = np.ldexp(mantissa, 53).astype(np.int64)
    last_bit_of_mantissa = np.log2(
        (whole_mantissa & -whole_mantissa).astype(float),
        out=np.full(whole_mantissa.shape, np.inf),
        where=whole_mantissa != 0,
    )
    return np.asarray(last_bit_of_mantissa + exponent - 53)


def _last_bit_of_sum(values: NDArray[np.float64], exact: Vector) -> NDArray[np.float64]:
    """Exponent of the last bit that a value and its noise can share."""
    _, exponent = np.frexp((values - exact) * (1 - 1e-9))
    return np.minimum(exponent - 53.0, _last_bit(exact))
