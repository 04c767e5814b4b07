"""Scores of two faults of noise: last bits that reveal the exact value, and noise used twice."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dplda.attacks.replay import ReplayedRelease
from dplda.core.types import Matrix, Vector

CERTAINTY_SCORE = 1e6  # log-likelihood ratio added for a certainty
SAME_NOISE = 1e-7  # largest difference of two noises, in units of the noise, that are one


def low_bit_leak(release: ReplayedRelease, side: int) -> Vector:
    """Score of runs with numbers that floating-point noise cannot make from one of the two values.

    A value plus noise is a multiple of any number that divides both. If the required noise exceeds
    the released number, it has fewer bits after the point. Extra bits in the release prove that the
    value was another one: ``CERTAINTY_SCORE`` for each number that rules out D′, less the same for
    D, shape (draws,).
    """
    draws = release.requests[side].noisy_draws
    first_request, second_request = release.requests
    n_impossible_if_first = _count_impossible(draws, first_request.mean)
    n_impossible_if_second = _count_impossible(draws, second_request.mean)
    excess = n_impossible_if_second - n_impossible_if_first
    return np.asarray(CERTAINTY_SCORE * excess)


def _count_impossible(draws: Matrix, value: Vector) -> NDArray[np.intp]:
    """Numbers of each draw that floating-point noise on a value cannot make, shape (draws,)."""
    last_bits = _last_bit(draws)
    is_impossible = last_bits < _last_bit_of_sum(draws, value)
    return np.asarray(np.count_nonzero(is_impossible, axis=1))


def reused_noise(releases: Sequence[ReplayedRelease], side: int) -> Vector:
    """Score each run by whether two releases of one quantity have the same noise.

    The noise is a draw minus one of the two values. Where it repeats, that value is the right one:
    a large score, positive for D and negative for D′. Else 0. Scores of several pairs of releases
    add up.

    Args:
        releases: releases of a run and of the one that it continues.
        side: 0 for draws on D, 1 for draws on D′.
    """
    first_draws = releases[0].requests[side].noisy_draws
    scores = np.zeros(len(first_draws))
    for one_release, other_release in combinations(releases, 2):
        if not _are_of_one_quantity(one_release, other_release):
            continue
        is_same_if_first = _has_same_noise(one_release, other_release, side, assumed_side=0)
        is_same_if_second = _has_same_noise(one_release, other_release, side, assumed_side=1)
        scores += CERTAINTY_SCORE * is_same_if_first
        scores -= CERTAINTY_SCORE * is_same_if_second
    return scores


def _has_same_noise(
    first: ReplayedRelease, second: ReplayedRelease, side: int, *, assumed_side: int
) -> NDArray[np.bool_]:
    """Whether two releases of a run have one noise if values are the assumed side's, (runs,)."""
    first_noise = _noise_if(first, side, assumed_side)
    second_noise = _noise_if(second, side, assumed_side)
    difference = np.abs(first_noise - second_noise)
    is_same = np.all(difference < SAME_NOISE, axis=1)
    return np.asarray(is_same)


def _are_of_one_quantity(first: ReplayedRelease, second: ReplayedRelease) -> bool:
    """Whether two releases have the same stream and the same number of coordinates."""
    n_first = len(first.requests[0].mean)
    n_second = len(second.requests[0].mean)
    return first.stream == second.stream and n_first == n_second


def _noise_if(release: ReplayedRelease, side: int, assumed_side: int) -> Matrix:
    """Noise of draws on one side if the value is that of the assumed side, in its own unit."""
    value = release.requests[assumed_side].mean
    draws = release.requests[side].noisy_draws
    return release.whitened(draws - value)


def _last_bit(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Exponent of the last set bit of each number; infinite for 0."""
    mantissa, exponent = np.frexp(numbers)
    scaled_mantissa = np.ldexp(mantissa, 53)
    whole_mantissa = scaled_mantissa.astype(np.int64)
    last_set_bit = whole_mantissa & -whole_mantissa
    last_bit_of_mantissa = np.log2(
        last_set_bit.astype(float),
        out=np.full(whole_mantissa.shape, np.inf),
        where=whole_mantissa != 0,
    )
    last_bit = last_bit_of_mantissa + exponent - 53
    return np.asarray(last_bit)


def _last_bit_of_sum(values: NDArray[np.float64], exact: Vector) -> NDArray[np.float64]:
    """Exponent of the last bit that a value and its noise can share.

    Args:
        values: released numbers, shape (draws, p).
        exact: the value before noise, shape (p,).
    """
    noise = (values - exact) * (1 - 1e-9)
    _, exponent = np.frexp(noise)
    last_bit_of_noise = exponent - 53.0
    return np.minimum(last_bit_of_noise, _last_bit(exact))
