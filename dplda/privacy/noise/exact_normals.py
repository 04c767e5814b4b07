r"""Normal numbers rounded to whole ones, drawn exactly: no decision uses floating point.

Theorem:
    ``draw_rounded_normals`` draws independent numbers :math:`\lfloor σZ + 1/2 \rfloor`, with Z standard normal given
    :math:`|Z| < 15`, and σ exactly the given floating-point number.

Proof:
    *Rejection.* Let :math:`h = 1/64`. A strip k below 15/h is drawn with chance proportional to
    :math:`e^{-h^2k^2/2}`, and x uniform on [0, 1); both are kept with chance :math:`e^{-λ}`,
    :math:`λ = h^2 x (2k + x)/2`. Among those kept :math:`h(k + x)` has density proportional to :math:`e^{-y^2/2}` on
    [0, 15), and a fair coin gives it a sign.

    *Strips.* The first bits of a uniform number decide its strip's part of [0, 1] unless they are within 1 of a bound
    between two parts, known to as many bits but for an error below 2 (in units of the last one, rounded down). Then
    more bits of both are drawn.

    *Kept or not.* Let :math:`q = 2/h^2`, so that :math:`λ = x (2k + x)/q`. An event of chance :math:`λ/(n + 1)` is
    that a whole number uniform below q is below 2k, or is 2k and a uniform number is below x; that another uniform
    number is below x; and that a whole number uniform below n + 1 is 0. Such events are tried with n = 0, 1, … until
    one does not happen. Exactly n happen with chance :math:`λ^n/n! - λ^{n+1}/(n+1)!`, so an even number of them with
    chance :math:`\sum_n (-λ)^n/n! = e^{-λ}` (von Neumann).

    *Digits.* :math:`σ = G 2^e` with a whole number G of 53 bits, and :math:`x = (t + u)/G` with t uniform on the whole
    numbers below G and u uniform on [0, 1). Another uniform number is below x if its own t is; only where both are
    equal are bits of u drawn, and kept. Then :math:`σh(k + x) = 2^{e-6} (c + u)` with the whole number c = kG + t, and
    as e < 6, what it is rounded to does not depend on u; of the negative number neither, which lies between -c - 1
    and -c unless u = 0, which has no chance.

Source:
    Karney 2016, sampling exactly from the normal distribution: a normal number's digits are drawn as they are needed.
    The narrow strips are ours: of a hundred numbers ninety-nine are kept at the first look at a whole number.
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

STRIPS = 64  # to a standard deviation, 1/h
MAX_DEVIATIONS = 15  # standard deviations
TAIL_PROBABILITY = 2.0**-166  # a bound on the chance of a normal number beyond them
N_LOOKS = 2 * STRIPS**2  # q
MIN_STD, NOISE_STD_LIMIT = 1.0, 2.0**58  # standard deviations, the second one too large
BITS = 64  # drawn at a time

Numbers = NDArray[np.int64]


def draw_rounded_normals(size: int, scale: float) -> Numbers:
    """Normal numbers of mean 0 and standard deviation ``scale``, from 1 to below 2⁵⁸, rounded to whole ones."""
    checks.between("scale", scale, MIN_STD, math.nextafter(NOISE_STD_LIMIT, 0), open_ends=False)
    fraction, exponent = math.frexp(scale)
    cells, halves = (
        int(math.ldexp(fraction, 53)),
        58 - exponent,
    )  # G, and bits after the one of a half
    found = np.empty(0, dtype=np.int64)
    while (missing := size - len(found)) > 0:
        many = missing + missing // 50 + 8
        strips, offsets, coins = _strips(many), _below(cells, many), _words(many, np.uint16)
        kept = _kept(strips, offsets, cells, coins % np.uint16(N_LOOKS))
        magnitudes = strips * cells + offsets
        signed = np.where(coins >= 1 << 15, magnitudes, ~magnitudes)[kept]
        found = np.concatenate([found, ((signed >> halves) + 1) >> 1])
    return found[:size]


def _kept(
    strips: Numbers, offsets: Numbers, cells: int, looked: NDArray[np.uint16]
) -> NDArray[np.bool_]:
    """Whether each k and t is kept; ``looked`` is the first whole number below q."""
    kept = looked > 2 * strips
    for i in np.flatnonzero(~kept):
        kept[i] = _is_kept(int(strips[i]), [int(offsets[i])], cells, int(looked[i]))
    return kept


def _is_kept(strip: int, x: list[int], cells: int, looked: int) -> bool:
    for n in count():
        below = looked < 2 * strip or (looked == 2 * strip and _is_below(x, cells))
        if not (below and _is_below(x, cells) and secrets.randbelow(n + 1) == 0):
            return n % 2 == 0
        looked = secrets.randbelow(N_LOOKS)
    raise AssertionError("never")


def _is_below(x: list[int], cells: int) -> bool:
    """Whether another uniform number is below x: a t and the digits of u drawn so far, to which more are added."""
    for place in count():
        if place == len(x):
            x.append(secrets.randbits(BITS))
        other = secrets.randbits(BITS) if place else secrets.randbelow(cells)
        if other != x[place]:
            return other < x[place]
    raise AssertionError("never")


def _strips(many: int) -> Numbers:
    bounds = np.array(_bounds(BITS), dtype=np.uint64)
    shown = _words(many, np.uint64)
    found = np.searchsorted(bounds, shown, side="right")
    below, above = bounds[np.maximum(found - 1, 0)], bounds[np.minimum(found, len(bounds) - 1)]
    for i in np.flatnonzero(
        (shown - below <= 1) | (above - shown <= 1)
    ):  # a difference below 0 is a large number
        found[i] = _strip(int(shown[i]), BITS)
    return found


def _strip(shown: int, bits: int) -> int:
    while True:
        bounds = _bounds(bits)
        found = bisect_right(bounds, shown)
        if all(abs(shown - bound) > 1 for bound in bounds[max(found - 1, 0) : found + 1]):
            return found
        shown, bits = (shown << BITS) + secrets.randbits(BITS), bits + BITS


@cache
def _bounds(bits: int) -> tuple[int, ...]:
    """Bounds between strips' parts of [0, 1] to so many bits, with twenty spare decimals."""
    with localcontext() as context:
        context.prec = bits // 3 + 20
        *sums, total = accumulate(
            (Decimal(-k * k) / N_LOOKS).exp() for k in range(MAX_DEVIATIONS * STRIPS)
        )
        return tuple(min(int(part / total * 2**bits), 2**bits - 1) for part in sums)


def _below(most: int, many: int) -> Numbers:
    found = np.empty(0, dtype=np.int64)
    while (missing := many - len(found)) > 0:
        drawn = (_words(2 * missing, np.uint64) >> np.uint64(11)).astype(np.int64)
        found = np.concatenate([found, drawn[drawn < most]])
    return found[:many]


def _words(many: int, kind: type[np.unsignedinteger]) -> NDArray[np.unsignedinteger]:
    return np.frombuffer(os.urandom(many * np.dtype(kind).itemsize), dtype=kind)
