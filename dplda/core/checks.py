"""Argument checks that name the parameter, its limits and what came; NaN and infinity never pass."""

import math
from collections.abc import Iterable
from enum import StrEnum
from numbers import Integral, Real
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dplda.core.errors import InputError

SMALLEST, LARGEST = (
    1e-12,
    1e12,
)  # of ε and α0: beyond, squares and cubes of derived numbers leave floating point
TOO_LARGE = 0.5  # of δ

M = TypeVar("M", bound=StrEnum)


def plain(one: object) -> None:
    """Turn other numbers in a frozen dataclass into Python's: float32 rounds where float does not."""
    for name in vars(type(one)).get("__dataclass_fields__", ()):
        value: object = getattr(one, name)
        if type(value).__hash__ is None:  # arrays, lists, tables
            raise InputError(
                name,
                "a single value, or a tuple of them",
                f"a value of type {type(value).__name__}",
            )
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, Real) and not isinstance(value, Integral):
            value = float(value)  # a fraction, or a longer float
        object.__setattr__(one, name, value)


def positive(name: str, value: float) -> None:
    """Refuse anything but a finite number above zero."""
    if not _number(value) > 0:
        raise InputError(name, "a finite number greater than 0", _shown(value))


def moderate(name: str, value: float) -> None:
    """Refuse a number outside ``SMALLEST`` to ``LARGEST``."""
    positive(name, value)
    between(name, value, SMALLEST, LARGEST, open_ends=False)


def epsilon(value: float) -> None:
    """Refuse an ε outside ``SMALLEST`` to ``LARGEST``."""
    moderate("epsilon", value)


def alpha0(value: float) -> None:
    """Refuse an ``α0`` outside ``SMALLEST`` to ``LARGEST``."""
    moderate("alpha0", value)


def delta(value: float, name: str = "delta", *, may_be_none: bool = False) -> None:
    """Refuse a δ of one half or more, where a mechanism could show everything half of the time; 0 if it may be none."""
    number = _number(value)
    if not (0 <= number < TOO_LARGE if may_be_none else 0 < number < TOO_LARGE):
        least = "of at least 0 and" if may_be_none else "above 0 and"
        raise InputError(
            name, f"a number {least} below {TOO_LARGE}", _shown(value), "Choose δ far below 1/N."
        )


def one_of(name: str, value: str, kind: type[M]) -> M:
    """The member of an enumeration of strings that a value names, or is."""
    if not isinstance(value, str) or value not in list(kind):
        raise InputError(name, "one of " + ", ".join(kind), "something else")
    return kind(value)


def at_least(name: str, value: float, low: float) -> None:
    """Refuse anything but a finite number of at least ``low``."""
    if not _number(value) >= low:
        raise InputError(name, f"a finite number of at least {_shown(low)}", _shown(value))


def between(name: str, value: float, low: float, high: float, *, open_ends: bool) -> None:
    """Refuse anything but a finite number from ``low`` to ``high``."""
    number = _number(value)
    if not (low < number < high if open_ends else low <= number <= high):
        ends = "excluded" if open_ends else "included"
        raise InputError(
            name, f"a number between {_shown(low)} and {_shown(high)}, ends {ends}", _shown(value)
        )


def share(name: str, value: float) -> None:
    """Refuse anything but a number above 0 and at most 1."""
    positive(name, value)
    between(name, value, 0, 1, open_ends=False)


def integer_at_least(name: str, value: int, low: int) -> None:
    """Refuse anything but a whole number of at least ``low``; booleans and floats such as 3.0 are refused."""
    number: object = value
    if isinstance(number, bool | np.bool_) or not isinstance(number, Integral) or value < low:
        got = _shown(number)
        if isinstance(number, Real) and not isinstance(number, Integral) and got.isdecimal():
            got += ".0"  # else it would read as the whole number that it is not
        raise InputError(name, f"a whole number of at least {low}", got)


def integer_between(name: str, value: int, low: int, high: int) -> None:
    """Refuse anything but a whole number from ``low`` to ``high``; booleans and floats are refused."""
    integer_at_least(name, value, low)
    between(name, value, low, high, open_ends=False)


def flag(name: str, value: bool) -> None:
    """Refuse anything but True and False."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(name, "True or False", _shown(value))


def text(name: str, value: str | None, *, may_be_none: bool = False) -> None:
    """Refuse anything but text, which is not quoted."""
    if not isinstance(value, str) and not (may_be_none and value is None):
        none = ", or None" if may_be_none else ""
        raise InputError(name, f"text{none}", f"a value of type {type(value).__name__}")


def instance(name: str, value: object, kind: type, *, may_be_none: bool = False) -> None:
    """Refuse anything but an instance of a class."""
    if not isinstance(value, kind) and not (may_be_none and value is None):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        none = ", or None" if may_be_none else ""
        got = f"a value of type {type(value).__name__}"
        raise InputError(name, f"{article} {kind.__name__}{none}", got)


def texts(name: str, values: Iterable[str | None], *, may_hold_none: bool = False) -> None:
    """Refuse anything but several texts, one after the other; one text alone is refused too.

    Args:
        may_hold_none: whether None may stand in the place of a text.
    """
    given: object = values
    is_list = isinstance(given, Iterable) and not isinstance(given, str)
    if not is_list or getattr(given, "ndim", 1) != 1 or not hasattr(given, "__len__"):
        raise InputError(name, "a list of texts", f"a value of type {type(given).__name__}")
    for place, value in enumerate(values, start=1):
        text(f"{name}, entry {place:,},", value, may_be_none=may_hold_none)


def function(name: str, value: object, *, may_be_none: bool = False) -> None:
    """Refuse anything that cannot be called; a class is refused too."""
    is_function = callable(value) and not isinstance(value, type)
    if not is_function and not (may_be_none and value is None):
        none = ", or None" if may_be_none else ""
        raise InputError(name, f"a function{none}", f"a value of type {type(value).__name__}")


def finite(name: str, array: NDArray[np.generic]) -> None:
    """Refuse an array that holds NaN or infinity, or that is not numeric."""
    limit = "an array of finite numbers"
    if array.dtype.kind not in "buif":
        raise InputError(name, limit, f"an array of {array.dtype}")
    n_bad = int(array.size - np.count_nonzero(np.isfinite(array)))
    if n_bad:
        raise InputError(name, limit, f"shape {array.shape} with {n_bad} entries NaN or infinite")


def _number(value: object) -> float:
    """A finite number as it is; NaN, which passes no limit, for anything else."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return math.nan
    try:
        return float(value) if math.isfinite(value) else math.nan
    except OverflowError:
        return math.nan


def _shown(value: object) -> str:
    """A number in digits; anything else by its type only, because it might be text from a document."""
    if isinstance(value, bool | np.bool_):
        return f"the boolean {value}"
    if isinstance(value, Real):
        try:
            return f"{float(value):.12g}"
        except OverflowError:
            return "a number of more than 308 digits"
    return f"a value of type {type(value).__name__}"
