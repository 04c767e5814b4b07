r"""Normal numbers rounded to whole ones, drawn exactly: no decision uses floating point.

Theorem:
    ``draw_rounded_normals`` draws independent numbers :math:`\lfloor σZ + 1/2 \rfloor`, with Z
    standard normal given :math:`|Z| < 15`, and σ exactly the given floating-point number.

Proof:
    *Rejection.* Let :math:`h = 1/64`. A strip k below 15/h is drawn with chance proportional to
    :math:`e^{-h^2k^2/2}`, and x uniform on [0, 1); both are kept with chance :math:`e^{-λ}`,
    :math:`λ = h^2 x (2k + x)/2`. Among those kept :math:`h(k + x)` has density proportional to
    :math:`e^{-y^2/2}` on [0, 15), and a fair coin gives it a sign.

    *Strips.* The first bits of a uniform number decide its strip's part of [0, 1] unless they are
    within 1 of a bound between two parts, known to as many bits but for an error below 2 (in units
    of the last one, rounded down). Then more bits of both are drawn.

    *Kept or not.* Let :math:`q = 2/h^2`, so that :math:`λ = x (2k + x)/q`. An event of chance
    :math:`λ/(n + 1)` is that a whole number uniform below q is below 2k, or is 2k and a uniform
    number is below x; that another uniform number is below x; and that a whole number uniform below
    n + 1 is 0. Such events are tried with n = 0, 1, … until one does not happen. Exactly n happen
    with chance :math:`λ^n/n! - λ^{n+1}/(n+1)!`, so an even number of them with chance
    :math:`\sum_n (-λ)^n/n! = e^{-λ}` (von Neumann).

    *Digits.* :math:`σ = G 2^e` with a whole number G of 53 bits, and :math:`x = (t + u)/G` with t
    uniform on the whole numbers below G and u uniform on [0, 1). Another uniform number is below x
    if its own t is; only where both are equal are bits of u drawn, and kept. Then
    :math:`σh(k + x) = 2^{e-6} (c + u)` with the whole number c = kG + t, and as e < 6, what it is
    rounded to does not depend on u; of the negative number neither, which lies between -c - 1 and
    -c unless u = 0, which has no chance.

Source:
    Karney 2016, sampling exactly from the normal distribution: a normal number's digits are drawn
    as they are needed. The narrow strips are ours: of a hundred numbers ninety-nine are kept at the
    first look at a whole number.
"""

import math
import os
import secrets
from bisect import bisect_right
from decimal import Decimal, localcontext
from functools import cache
from itertools import accumulate, count

import numpy as np
from numpy.typing import NDArray

from dplda.core import checks

STRIPS = 64  # in a standard deviation, 1/h
MAX_DEVIATIONS = 15  # standard deviations; the normal numbers are cut there
TAIL_PROBABILITY = 2.0**-166  # bound on the chance of a normal number beyond them
N_LOOKS = 2 * STRIPS**2  # q
MIN_STD = 1.0
NOISE_STD_LIMIT = 2.0**58  # standard deviations stay below it
BITS = 64  # drawn at a time

Numbers = NDArray[np.int64]


def draw_rounded_normals(size: int, scale: float) -> Numbers:
    """Draw normal numbers of mean 0, rounded to whole ones, exactly, by rejection.

    Normal numbers of 15 standard deviations or more are never drawn.

    Args:
        size: how many numbers.
        scale: standard deviation, from 1 to below 2⁵⁸.

    Returns:
        Whole numbers, int64, shape (size,).

    Raises:
        InputError: the standard deviation is out of this range.
    """
    largest_std = math.nextafter(NOISE_STD_LIMIT, 0)
    checks.between("scale", scale, MIN_STD, largest_std, open_ends=False)
    fraction, exponent = math.frexp(scale)
    n_cells = int(math.ldexp(fraction, 53))  # G
    n_bits_below_half_steps = 58 - exponent
    kept_numbers = np.empty(0, dtype=np.int64)
    while len(kept_numbers) < size:
        n_missing = size - len(kept_numbers)
        n_drawn = n_missing + n_missing // 50 + 8
        strips = _draw_strips(n_drawn)  # k
        cells = _draw_below(n_cells, n_drawn)  # t
        random_words = _draw_words(n_drawn, np.uint16)
        first_looks = random_words % np.uint16(N_LOOKS)
        is_kept = _are_kept(strips, cells, n_cells, first_looks)
        magnitudes = strips * n_cells + cells  # c
        is_positive = random_words >= 1 << 15
        signed_numbers = np.where(is_positive, magnitudes, ~magnitudes)
        half_steps = signed_numbers[is_kept] >> n_bits_below_half_steps
        rounded_numbers = (half_steps + 1) >> 1
        kept_numbers = np.concatenate([kept_numbers, rounded_numbers])
    return kept_numbers[:size]


def _are_kept(
    strips: Numbers, cells: Numbers, n_cells: int, first_looks: NDArray[np.uint16]
) -> NDArray[np.bool_]:
    """Whether each k (``strips``) with its t (``cells``) is kept, shape (n,).

    ``n_cells`` is G, and ``first_looks`` are whole numbers below q.
    """
    is_kept = first_looks > 2 * strips
    for i in np.flatnonzero(~is_kept):
        strip = int(strips[i])
        digits = [int(cells[i])]
        is_kept[i] = _is_kept(strip, digits, n_cells, int(first_looks[i]))
    return is_kept


def _is_kept(strip: int, digits: list[int], n_cells: int, look: int) -> bool:
    """Whether a k and an x are kept: the number of events that happen in a row is even.

    Args:
        strip: k.
        digits: of x, its t first; more are added in place as they are drawn.
        n_cells: numbers that a t may be.
        look: first random number below ``N_LOOKS``; later ones are drawn here.
    """
    for n_events in count():
        is_first_condition_met = look < 2 * strip or (
            look == 2 * strip and _draws_below(digits, n_cells)
        )
        event_happens = (
            is_first_condition_met
            and _draws_below(digits, n_cells)
            and secrets.randbelow(n_events + 1) == 0
        )
        if not event_happens:
            return n_events % 2 == 0
        look = secrets.randbelow(N_LOOKS)
    raise AssertionError("never")


def _draws_below(digits: list[int], n_cells: int) -> bool:
    """Draw another uniform number, and return whether it is below x.

    Both are drawn digit by digit, as far as the comparison needs.

    Args:
        digits: of x: its cell t, below ``n_cells``, then digits of ``BITS`` bits each. More are
            added in place as they are drawn.
        n_cells: numbers that a t may be.
    """
    for place in count():
        if place == len(digits):
            digits.append(secrets.randbits(BITS))
        digit = secrets.randbits(BITS) if place else secrets.randbelow(n_cells)
        if digit != digits[place]:
            return digit < digits[place]
    raise AssertionError("never")


def _draw_strips(size: int) -> Numbers:
    """Draw strip numbers k, with chances in proportion to ``exp(-h²k²/2)``, shape (size,).

    Uniform words of 64 bits decide them. Where a word is within one of a strip's bound, more bits
    decide it.
    """
    strip_bounds = np.array(_strip_bounds(BITS), dtype=np.uint64)
    uniform_words = _draw_words(size, np.uint64)
    strips = np.searchsorted(strip_bounds, uniform_words, side="right")
    lower_bounds = strip_bounds[np.maximum(strips - 1, 0)]
    upper_bounds = strip_bounds[np.minimum(strips, len(strip_bounds) - 1)]
    # a difference below 0 is a large number
    is_near_lower = uniform_words - lower_bounds <= 1
    is_near_upper = upper_bounds - uniform_words <= 1
    for undecided_place in np.flatnonzero(is_near_lower | is_near_upper):
        undecided_word = int(uniform_words[undecided_place])
        strips[undecided_place] = _decide_strip(undecided_word, BITS)
    return strips


def _decide_strip(uniform: int, n_bits: int) -> int:
    """The strip that a uniform number of so many bits falls in.

    While it is within one unit of a bound, ``BITS`` more bits are drawn.
    """
    while True:
        strip_bounds = _strip_bounds(n_bits)
        strip = bisect_right(strip_bounds, uniform)
        nearest_bounds = strip_bounds[max(strip - 1, 0) : strip + 1]
        if all(abs(uniform - strip_bound) > 1 for strip_bound in nearest_bounds):
            return strip
        uniform = (uniform << BITS) + secrets.randbits(BITS)
        n_bits += BITS


@cache
def _strip_bounds(n_bits: int) -> tuple[int, ...]:
    """Bounds between the strips' parts of [0, 1], ascending, without 0 and 1.

    In units of ``2^-n_bits``, rounded down to whole numbers; worked out with 20 spare decimals.
    """
    with localcontext() as context:
        context.prec = n_bits // 3 + 20
        exponents = (Decimal(-k * k) / N_LOOKS for k in range(MAX_DEVIATIONS * STRIPS))
        strip_weights = (exponent.exp() for exponent in exponents)
        *partial_sums, sum_of_weights = accumulate(strip_weights)
        n_units = 2**n_bits
        bounds = (int(partial_sum / sum_of_weights * n_units) for partial_sum in partial_sums)
        return tuple(min(bound, n_units - 1) for bound in bounds)


def _draw_below(limit: int, size: int) -> Numbers:
    """Uniform whole numbers from 0 to below a limit of at most 53 bits, shape (size,).

    Numbers of 53 bits are drawn and kept below the limit, so a limit far below 2⁵³ takes very long.
    """
    numbers = np.empty(0, dtype=np.int64)
    while len(numbers) < size:
        n_missing = size - len(numbers)
        random_words = _draw_words(2 * n_missing, np.uint64)
        uniform_numbers = (random_words >> np.uint64(11)).astype(np.int64)  # of 53 bits
        accepted_numbers = uniform_numbers[uniform_numbers < limit]
        numbers = np.concatenate([numbers, accepted_numbers])
    return numbers[:size]


def _draw_words(size: int, kind: type[np.unsignedinteger]) -> NDArray[np.unsignedinteger]:
    """Uniform whole numbers of a type from the operating system, shape (size,)."""
    n_bytes = size * np.dtype(kind).itemsize
    return np.frombuffer(os.urandom(n_bytes), dtype=kind)
