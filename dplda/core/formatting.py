"""Numbers as people read them, and texts as spreadsheets show them."""

import math

COVERAGE = (
    "should hold the true value 90 times in 100; in simulations 84 to 94 (a topic's first words:"
    " 60 to 99)"
)
"""How often intervals at level 0.9 contain the truth; `Uncertainty.interval` has the runs."""
STAYS_MEASURED = (
    "In simulations, words of 19 or 20 were truly among the first ten 99 times in 100. Words of 10"
    " to 14 were 80 times."
)
"""Calibration of ``methods.denoising.possible_topics``, of words shown, on simulated documents."""
WITHOUT_TOPICS = "Documents without topics can give that result too."


def harmless(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would compute it."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def keep_values_whole(text: str) -> str:
    """The text with spaces around each equals sign that no line may break at."""
    return text.replace(" = ", "\u00a0=\u00a0")


def counted(number: int, singular: str, plural: str = "") -> str:
    """A number with its noun.

    Args:
        number: how many there are.
        singular: the noun for one.
        plural: the noun for others; empty for the singular with an s.
    """
    if number == 1:
        return f"{number:,} {singular}"
    return f"{number:,} {plural or f'{singular}s'}"


def digits(value: float, n: int = 3) -> str:
    """Write a number in digits, grouped by commas; with an exponent if very small or large.

    Very small is below 0.0001, large from a million on, once the number is rounded.
    Zeros at the end of decimals are left out, and an exponent is written as in ``1.5e6``.

    Args:
        value: the number; NaN becomes a dash, and infinity ``∞`` with its sign.
        n: significant digits.
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    rounded_value = float(f"{value:.{n}g}")
    if rounded_value == 0 or 1e-4 <= abs(rounded_value) < 1e6:
        return f"{rounded_value:,.15g}"
    mantissa_text, exponent_text = f"{rounded_value:.{n - 1}e}".split("e")
    return f"{float(mantissa_text):g}e{int(exponent_text)}"


def percent(share: float, n: int = 3) -> str:
    """A share in percent. Only all is 100%: a share that would round to it gets more digits.

    Args:
        share: from 0 to 1.
        n: significant digits; close to 1, two digits of what is missing.
    """
    n_digits = n
    if share < 1 and float(f"{100 * share:.{n}g}") >= 100:
        n_digits = 3 - math.floor(math.log10(100 * (1 - share)))
    return f"{100 * share:.{n_digits}g}%"
