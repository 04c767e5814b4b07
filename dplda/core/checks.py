"""Argument checks with one wording: the name, the limit and what came; NaN and infinity never pass."""

import math
import operator
from enum import StrEnum
from numbers import Real
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dplda.core.errors import InputError

SMALLEST, LARGEST = 1e-12, 1e12  # of an ε or α0: beyond, squares and cubes of what is made of them leave floating point
TOO_LARGE = 0.5  # of δ

M = TypeVar("M", bound=StrEnum)


def positive(name: str, value: float) -> None:
    """Refuse what is not a finite number above zero."""
    if not _number(value) > 0:
        raise InputError(name, "a finite number greater than 0", _shown(value))


def epsilon(value: float) -> None:
    """Refuse an ε of a run that is not a number from ``SMALLEST`` to ``LARGEST``."""
    positive("epsilon", value)
    between("epsilon", value, SMALLEST, LARGEST, open_ends=False)


def alpha0(value: float) -> None:
    """Refuse an ``α0`` that is not a number from ``SMALLEST`` to ``LARGEST``."""
    positive("alpha0", value)
    between("alpha0", value, SMALLEST, LARGEST, open_ends=False)


def delta(value: float, name: str = "delta", *, may_be_none: bool = False) -> None:
    """Refuse a δ that nobody should claim: from a half on, what is claimed may be shown whole every other time.

    Args:
        may_be_none: whether 0 passes, as of a cap and of pure ε.
    """
    number = _number(value)
    if not (0 <= number < TOO_LARGE if may_be_none else 0 < number < TOO_LARGE):
        least = "of at least 0 and" if may_be_none else "above 0 and"
        raise InputError(name, f"a number {least} below {TOO_LARGE}", _shown(value), "Choose δ far below 1/N.")


def one_of(name: str, value: str, kind: type[M]) -> M:
    """The member of an enumeration of strings that a value names, or is."""
    try:
        return kind(value)
    except ValueError:
        raise InputError(name, "one of " + ", ".join(kind), "something else") from None


def at_least(name: str, value: float, low: float) -> None:
    """Refuse what is not a finite number of at least ``low``."""
    if not _number(value) >= low:
        raise InputError(name, f"a finite number of at least {_shown(low)}", _shown(value))


def between(name: str, value: float, low: float, high: float, *, open_ends: bool) -> None:
    """Refuse what is not a finite number from ``low`` to ``high``."""
    number = _number(value)
    if not (low < number < high if open_ends else low <= number <= high):
        ends = "excluded" if open_ends else "included"
        limit = f"a number between {_shown(low)} and {_shown(high)}, ends {ends}"
        raise InputError(name, limit, _shown(value))


def share(name: str, value: float) -> None:
    """Refuse what is not a number above 0 and at most 1."""
    positive(name, value)
    between(name, value, 0, 1, open_ends=False)


def integer_at_least(name: str, value: int, low: int) -> None:
    """Refuse what is not a whole number, of an integer type, of at least ``low``.

    Args:
        value: its value; booleans and floats such as 3.0 are refused.
    """
    limit = f"a whole number of at least {low}"
    if isinstance(value, bool | np.bool_):
        raise InputError(name, limit, _shown(value))
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(name, limit, _shown(value)) from None
    if number < low:
        raise InputError(name, limit, _shown(number))


def integer_between(name: str, value: int, low: int, high: int) -> None:
    """Refuse what is not a whole number, of an integer type, from ``low`` to ``high``; arguments as for the above."""
    integer_at_least(name, value, low)
    between(name, value, low, high, open_ends=False)


def finite(name: str, array: NDArray[np.generic]) -> None:
    """Refuse an array that holds NaN or infinity, or that is not numeric at all.

    Args:
        array: an array of any shape.
    """
    limit = "an array of finite numbers"
    if array.dtype.kind not in "buif":
        raise InputError(name, limit, f"an array of {array.dtype}")
    n_bad = int(array.size - np.count_nonzero(np.isfinite(array)))
    if n_bad:
        raise InputError(name, limit, f"shape {array.shape} with {n_bad} entries NaN or infinite")


def _number(value: object) -> float:
    """A finite number as it is; NaN, which no limit holds, for all else."""
    if isinstance(value, float):
        return value if math.isfinite(value) else math.nan
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return math.nan
    return float(value) if math.isfinite(value) else math.nan


def _shown(value: object) -> str:
    """A number in digits; anything else by its type alone, since it might be text from a document."""
    if isinstance(value, bool | np.bool_):
        return f"the boolean {value}"
    if isinstance(value, Real):
        return f"{float(value):.12g}"
    return f"a value of type {type(value).__name__}"
