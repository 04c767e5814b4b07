"""Argument checks whose errors name the parameter and its limits; NaN and infinity never pass."""

import math
from collections.abc import Iterable
from enum import StrEnum
from numbers import Integral, Real
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dplda.core.errors import InputError

SMALLEST = 1e-12  # ε and α0: below, squares and cubes of derived numbers leave floating point
LARGEST = 1e12  # ε and α0, likewise
TOO_LARGE = 0.5  # δ from which a mechanism could show everything half of the time

M = TypeVar("M", bound=StrEnum)


def plain(instance: object) -> None:
    """Turn other numbers in a frozen dataclass into Python's: float32 rounds where float does not.

    Its fields are set in place. Whole numbers and booleans stay whole; other real numbers become
    floats, and other values stay as they are.

    Raises:
        InputError: a field holds a value that has no hash, such as an array, a list, a dict or a
            table. Fields before it are set by then.
    """
    for field_name in vars(type(instance)).get("__dataclass_fields__", ()):
        field_value: object = getattr(instance, field_name)
        if type(field_value).__hash__ is None:  # arrays, lists, tables
            raise InputError(
                field_name,
                "a single value, or a tuple of them",
                f"a value of type {type(field_value).__name__}",
            )
        if isinstance(field_value, np.generic):
            field_value = field_value.item()
        if isinstance(field_value, Real) and not isinstance(field_value, Integral):
            field_value = float(field_value)  # a fraction, or a longer float
        object.__setattr__(instance, field_name, field_value)


def positive(name: str, value: float) -> None:
    """Refuse anything but a finite number above zero.

    Args:
        name: how the error calls the parameter.
        value: what it was set to.
    """
    if not _number(value) > 0:
        raise InputError(name, "a finite number greater than 0", _shown(value))


def moderate(name: str, value: float) -> None:
    """Refuse a number outside ``SMALLEST`` to ``LARGEST``.

    Arguments as in ``positive``.
    """
    positive(name, value)
    between(name, value, SMALLEST, LARGEST, open_ends=False)


def epsilon(value: float) -> None:
    """Refuse an ε outside ``SMALLEST`` to ``LARGEST``."""
    moderate("epsilon", value)


def alpha0(value: float) -> None:
    """Refuse an ``α0`` outside ``SMALLEST`` to ``LARGEST``."""
    moderate("alpha0", value)


def delta(value: float, name: str = "delta", *, may_be_none: bool = False) -> None:
    """Refuse anything but a number above 0 and below ``TOO_LARGE``; a boolean is no number.

    Args:
        value: δ.
        name: how the error calls it.
        may_be_none: whether 0 is allowed, for no δ at all. None itself is refused either way.
    """
    number = _number(value)
    lower_limit = "above 0"
    is_allowed = 0 < number < TOO_LARGE
    if may_be_none:
        lower_limit = "of at least 0"
        is_allowed = 0 <= number < TOO_LARGE
    if not is_allowed:
        requirement = f"a number {lower_limit} and below {TOO_LARGE}"
        raise InputError(name, requirement, _shown(value), "Choose δ far below 1/N.")


def one_of(name: str, value: str, kind: type[M]) -> M:
    """The member of an enumeration of strings that a value names, or is.

    Args:
        name: how the error calls the parameter.
        value: the member or its string.
        kind: the enumeration.

    Raises:
        InputError: it is no member and no member's string.
    """
    if not isinstance(value, str) or value not in list(kind):
        raise InputError(name, "one of " + ", ".join(kind), "something else")
    return kind(value)


def at_least(name: str, value: float, low: float) -> None:
    """Refuse anything but a finite number of at least ``low``.

    Args:
        name: how the error calls the parameter.
        value: what it was set to.
        low: the smallest number allowed.
    """
    if not _number(value) >= low:
        raise InputError(name, f"a finite number of at least {_shown(low)}", _shown(value))


def at_most(name: str, value: float, high: float) -> None:
    """Refuse anything but a finite number of at most ``high``.

    Arguments as in ``at_least``.
    """
    if not _number(value) <= high:
        raise InputError(name, f"a finite number of at most {_shown(high)}", _shown(value))


def between(name: str, value: float, low: float, high: float, *, open_ends: bool) -> None:
    """Refuse anything but a finite number from ``low`` to ``high``.

    Args:
        name: how the error calls the parameter.
        value: what it was set to.
        low: lower end of the range.
        high: upper end of the range.
        open_ends: whether both ends are outside of the range.
    """
    number = _number(value)
    endpoints = "ends included"
    is_between = low <= number <= high
    if open_ends:
        endpoints = "ends excluded"
        is_between = low < number < high
    if not is_between:
        requirement = f"a number between {_shown(low)} and {_shown(high)}, {endpoints}"
        raise InputError(name, requirement, _shown(value))


def share(name: str, value: float) -> None:
    """Refuse anything but a number above 0 and at most 1.

    Arguments as in ``positive``.
    """
    positive(name, value)
    between(name, value, 0, 1, open_ends=False)


def integer_at_least(name: str, value: int, low: int) -> int:
    """Refuse anything but a whole number of at least ``low``; booleans and floats too.

    A number of more than 308 digits is refused, as no float holds it. Arguments as in ``at_least``.

    Returns:
        The number as Python's own: those of NumPy overflow.
    """
    number: object = value
    is_integer = isinstance(number, Integral) and not isinstance(number, bool | np.bool_)
    if is_integer and value >= low and not math.isnan(_number(number)):
        return int(value)
    shown_number = _shown(number)
    is_other_real = isinstance(number, Real) and not isinstance(number, Integral)
    if is_other_real and shown_number.isdecimal():
        shown_number += ".0"  # else it would read as the whole number that it is not
    raise InputError(name, f"a whole number of at least {low}", shown_number)


def integer_between(name: str, value: int, low: int, high: int) -> int:
    """Refuse anything but a whole number from ``low`` to ``high``; booleans and floats too.

    Arguments as in ``between``; both ends are allowed.

    Returns:
        The number as Python's own: those of NumPy overflow.
    """
    number = integer_at_least(name, value, low)
    between(name, number, low, high, open_ends=False)
    return number


def flag(name: str, value: bool) -> None:
    """Refuse anything but True and False.

    Arguments as in ``positive``.
    """
    if not isinstance(value, bool | np.bool_):
        raise InputError(name, "True or False", _shown(value))


def text(name: str, value: str | None, *, may_be_none: bool = False) -> None:
    """Refuse anything but text, which is not quoted.

    Args:
        name: how the error calls the parameter.
        value: what it was set to.
        may_be_none: whether None is allowed.
    """
    is_allowed_none = may_be_none and value is None
    if not isinstance(value, str) and not is_allowed_none:
        requirement = _or_none("text", may_be_none)
        raise InputError(name, requirement, _type_of(value))


def instance(name: str, value: object, kind: type, *, may_be_none: bool = False) -> None:
    """Refuse anything but an instance of a class.

    Args:
        name: how the error calls the parameter.
        value: what it was set to.
        kind: the class.
        may_be_none: whether None is allowed.
    """
    is_allowed_none = may_be_none and value is None
    if not isinstance(value, kind) and not is_allowed_none:
        class_name = kind.__name__
        article = "an" if class_name[0] in "AEIOU" else "a"
        requirement = _or_none(f"{article} {class_name}", may_be_none)
        raise InputError(name, requirement, _type_of(value))


def texts(name: str, values: Iterable[str | None], *, may_hold_none: bool = False) -> None:
    """Refuse anything but a flat collection of texts, such as a list, a tuple or an array.

    One text alone and an iterator are refused too. A set or a dict of texts is accepted.
    The error names the first entry that is no text by its number, from 1.

    Args:
        name: how the error calls the parameter.
        values: what it was set to.
        may_hold_none: whether None may stand in the place of a text.
    """
    members: object = values
    is_iterable = isinstance(members, Iterable) and not isinstance(members, str)
    is_flat = getattr(members, "ndim", 1) == 1
    has_length = hasattr(members, "__len__")
    if not (is_iterable and is_flat and has_length):
        raise InputError(name, "a list of texts", _type_of(members))
    for entry_number, value in enumerate(values, start=1):
        text(f"{name}, entry {entry_number:,},", value, may_be_none=may_hold_none)


def function(name: str, value: object, *, may_be_none: bool = False) -> None:
    """Refuse anything that cannot be called; a class is refused too.

    Arguments as in ``text``.
    """
    is_function = callable(value) and not isinstance(value, type)
    is_allowed_none = may_be_none and value is None
    if not is_function and not is_allowed_none:
        requirement = _or_none("a function", may_be_none)
        raise InputError(name, requirement, _type_of(value))


def finite(name: str, array: NDArray[np.generic]) -> None:
    """Refuse an array that holds NaN or infinity, or that is not numeric.

    Booleans count as numbers, complex numbers and objects do not.

    Raises:
        InputError: it does; says how many entries, without their values.
    """
    requirement = "an array of finite numbers"
    if array.dtype.kind not in "buif":
        raise InputError(name, requirement, f"an array of {array.dtype}")
    n_finite = np.count_nonzero(np.isfinite(array))
    n_bad = int(array.size - n_finite)
    if n_bad:
        raise InputError(
            name, requirement, f"shape {array.shape} with {n_bad} entries NaN or infinite"
        )


def _or_none(limit: str, may_be_none: bool) -> str:
    """A limit in words, with None where that is allowed too."""
    if may_be_none:
        return f"{limit}, or None"
    return limit


def _number(value: object) -> float:
    """A finite real number as a float; NaN, which passes no limit, for anything else.

    A boolean, and a number that is too large for a float, are NaN too.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return math.nan
    try:
        return float(value) if math.isfinite(value) else math.nan
    except OverflowError:
        return math.nan


def _shown(value: object) -> str:
    """Show a number in at most 12 significant digits, and anything else by its type.

    The value itself might quote a document.
    A boolean is shown with its value.
    A number that is too large for a float is shown by its size.
    """
    if isinstance(value, bool | np.bool_):
        return f"the boolean {value}"
    if isinstance(value, Real):
        try:
            return f"{float(value):.12g}"
        except OverflowError:
            return "a number of more than 308 digits"
    return _type_of(value)


def _type_of(value: object) -> str:
    """A value in words, by its type alone."""
    return f"a value of type {type(value).__name__}"
