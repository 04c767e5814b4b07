"""Amounts of ε and δ in whole units, as the ledger has them."""

import math
from fractions import Fraction

from dplda.core import checks

EPSILON_UNITS = 10**9  # whole units of an ε of 1
DELTA_UNITS = 10**18  # whole units of a δ of 1
SMALLEST_EPSILON = 1 / EPSILON_UNITS  # of a charge
LARGEST_EPSILON = 1e6  # of a charge


def to_units(epsilon: float, delta: float, *, up: bool) -> tuple[int, int]:
    """Whole units of ε and δ as written in decimals.

    A decimal differs from its float by 2⁻⁵³ of itself; a run's noise has a thousand times more to
    spare (``gaussian.mu_for``).

    Args:
        epsilon: ε, above 0 and at most ``LARGEST_EPSILON``.
        delta: δ, in [0, 0.5).
        up: whether to round up, as for a charge; a cap is rounded down.

    Raises:
        InputError: a number is out of its range.
    """
    checks.positive("epsilon", epsilon)
    checks.between("epsilon", epsilon, 0, LARGEST_EPSILON, open_ends=False)
    checks.delta(delta, may_be_none=True)
    round_to_whole = math.ceil if up else math.floor
    epsilon_units = round_to_whole(Fraction(repr(float(epsilon))) * EPSILON_UNITS)
    delta_units = round_to_whole(Fraction(repr(float(delta))) * DELTA_UNITS)
    return epsilon_units, delta_units


def sum_pairs(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    """The sum of two pairs of ε and δ.

    Args:
        first: a pair.
        second: another pair.
    """
    return first[0] + second[0], first[1] + second[1]


def is_within(amounts: tuple[int, int], caps: tuple[int, int]) -> bool:
    """Whether neither ε nor δ exceeds its cap.

    Args:
        amounts: ε and δ.
        caps: ε and δ at most.
    """
    return amounts[0] <= caps[0] and amounts[1] <= caps[1]
