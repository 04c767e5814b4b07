"""The meaning of (ε, δ) for somebody who guesses, in words; always rounded against us."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

DIGITS = 3  # digits of ε and δ of a cost or a promise, the same wherever they are said
BUDGET_DIGITS = 6  # of the budget that an owner set
LADDER = (0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)  # reference values of ε


def best_guess(epsilon: float, delta: float) -> float:
    """The best chance of guessing which of two equally likely documents was there, rounded up.

    It is ``(e^ε + δ)/(e^ε + 1)``.

    Source:
        Kairouz, Oh and Viswanath (2015), "The composition theorem for differential privacy": an
        (ε, δ)-private result distinguishes neighbors no better than one of total variation
        :math:`(e^ε - 1 + 2δ)/(e^ε + 1)`; a guess is right half the time plus half of that.
    """
    odds_against = math.exp(-epsilon)
    chance = (1 + delta * odds_against) / (1 + odds_against)
    return min(1.0, math.nextafter(chance, 2))


def format_chance(chance: float) -> str:
    """A chance as times in a hundred, rounded up, such as ``59 times in 100``.

    Above 0.99 it is times in a hundred thousand, up to all of them.
    """
    if chance <= 0.99:
        return f"{_count_parts(chance, 100)} times in 100"
    return f"{_count_parts(chance, 100_000):,} times in 100,000"


def round_chance_up(chance: float) -> float:
    """A chance rounded up to hundredths, or to hundred thousandths where a hundred is too few."""
    n_parts = 100 if chance <= 0.99 else 100_000
    return _count_parts(chance, n_parts) / n_parts


def allows_whole_documents(delta: float, n_documents: int) -> bool:
    """Whether δ is so large that publishing one whole document now and then would satisfy it."""
    return delta * n_documents >= 1


def format_odds(delta: float) -> str:
    """A small chance as one in so many, rounded against us.

    The number is never more than 1/δ of the decimal δ. Below 1e-15 it is less than one in so many,
    and for 0 ``none at all``.
    """
    if 0 < delta < 1e-15:
        return "less than 1 in 1,000,000,000,000,000"
    if delta > 0:
        inverse_of_delta = math.floor(1 / _exact_decimal(delta))
        return f"1 in {inverse_of_delta:,}"
    return "none at all"


def format_rounded_up(number: float, digits: int = DIGITS) -> str:
    """ε or δ of a cost or a promise as text, rounded up.

    Args:
        number: ε or δ.
        digits: most digits; shorter numbers are unchanged.
    """
    return _format_rounded(number, digits, ROUND_CEILING)


def format_rounded_down(number: float, digits: int = BUDGET_DIGITS) -> str:
    """The rest of a budget as text, rounded down once.

    The float step of ``Balance.left`` is undone.

    Args:
        number: ε or δ, at least 0.
        digits: most digits; shorter numbers are unchanged.
    """
    stepped_up = math.nextafter(number, math.inf) if number else 0.0
    return _format_rounded(stepped_up, digits, ROUND_FLOOR)


def _format_rounded(number: float, digits: int, rounding: str) -> str:
    """Write a number to so many significant digits, without zeros at the end.

    An exponent has no zero in front, as in ``1e-6``.
    Numbers with fewer digits are not rounded. ``rounding`` is a mode of ``decimal``.
    """
    decimal = Decimal(repr(float(number)))
    n_digits = len(decimal.as_tuple().digits)
    if number and decimal.is_finite() and n_digits > digits:
        last_exponent = decimal.adjusted() - digits + 1
        last_digit = Decimal((0, (1,), last_exponent))
        decimal = decimal.quantize(last_digit, rounding)
    text = f"{float(decimal):.{digits}g}"
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return text
    return f"{mantissa}e{int(exponent)}"


def _count_parts(chance: float, n_parts: int) -> int:
    """The least whole number of parts of 1 that is not less than a chance's decimal."""
    return math.ceil(_exact_decimal(chance) * n_parts)


def _exact_decimal(number: float) -> Fraction:
    """The shortest decimal of a float, exactly: 0.1 is a tenth."""
    return Fraction(repr(float(number)))
