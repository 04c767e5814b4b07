"""Numbers as people read them, and texts as spreadsheets show them."""

import math

COVERAGE = (
    "should hold the true value 90 times in 100; in simulations 84 to 94 (a topic's first words:"
    " 60 to 99)"
)
"""How often intervals at level 0.9 contain the truth; `Uncertainty.interval` has the runs."""
WITHOUT_TOPICS = "Documents without topics can give that result too."


def harmless(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would compute it."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


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
    """A number in digits, with an exponent only if it is very small or large.

    Args:
        value: the number; infinite and missing ones have signs.
        n: significant digits.
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    rounded = float(f"{value:.{n}g}")
    if rounded == 0 or 1e-4 <= abs(rounded) < 1e6:
        return f"{rounded:,.15g}"
    mantissa, exponent = f"{rounded:.{n - 1}e}".split("e")
    return f"{float(mantissa):g}e{int(exponent)}"


def percent(share: float, n: int = 3) -> str:
    """A share in percent; only all is 100%, since what is missing has two digits of its own.

    Args:
        share: from 0 to 1.
        n: significant digits.
    """
    if share < 1 and float(f"{100 * share:.{n}g}") >= 100:
        n = 3 - math.floor(math.log10(100 * (1 - share)))
    return f"{100 * share:.{n}g}%"


def odds(epsilon: float, unit: str = "document", but_for: str = "δ") -> str:
    """A sentence on ε: the largest factor by which anyone's odds change, rounded up.

    Args:
        epsilon: ε of the result.
        unit: what is protected, a document or a person.
        but_for: what the sentence leaves aside; empty for nothing.
    """
    verdict = ""
    if epsilon <= 0.2:
        verdict = ": hardly at all"
    elif epsilon >= 8:
        verdict = ": almost no protection in the worst case"
    exception = f" ({but_for} aside)" if but_for else ""
    return f"Seeing the result changes {_odds(epsilon, unit)}{exception}{verdict}."


def odds_if_proven(epsilon: float) -> str:
    """The sentence for an ε alone, where no single method is chosen."""
    return f"If ε = {epsilon:g} is proven, seeing the result changes {_odds(epsilon, 'document')}."


def _odds(epsilon: float, unit: str) -> str:
    return f"anyone's odds about one {unit} by at most {odds_at_most(epsilon).split()[0]}×"


def odds_at_most(epsilon: float) -> str:
    """The factor e^ε by which odds may change, rounded up to three digits, as odds."""
    if epsilon > 700:  # more than a float holds
        return "∞ : 1"
    factor = math.exp(epsilon)
    unit = 10.0 ** (math.floor(math.log10(factor)) - 2)
    return f"{digits(math.ceil(factor / unit) * unit)} : 1"
