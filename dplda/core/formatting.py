"""Numbers as people read them, and texts as spreadsheets show them."""

import math

COVERAGE = "should hold the true value 90 times in 100; in simulations 84 to 94 (a topic's first words: 60 to 99)"
"""How often intervals at level 0.9 contain the truth; `Uncertainty.interval` has the runs."""
WITHOUT_TOPICS = "Documents without topics can give that result too."


def harmless(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would compute it."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun, in the singular or the plural."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def digits(value: float, n: int = 3) -> str:
    """A number in ``n`` significant digits, with an exponent only if it is very small or large."""
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
    """A share in ``n`` significant digits of percent; only all is 100%: what is missing has two digits."""
    if share < 1 and float(f"{100 * share:.{n}g}") >= 100:
        n = 3 - math.floor(math.log10(100 * (1 - share)))
    return f"{100 * share:.{n}g}%"


def odds(epsilon: float, unit: str = "document", but_for: str = "δ") -> str:
    """A sentence on what ε promises: the largest factor by which anyone's odds change, rounded up."""
    worst = ": almost no protection in the worst case" if epsilon >= 8 else ""
    worth = ": hardly at all" if epsilon <= 0.2 else worst
    return f"Seeing the result changes {_odds(epsilon, unit)}{but_for and f' ({but_for} aside)'}{worth}."


def odds_if_proven(epsilon: float) -> str:
    """The same of ε alone, where no method is asked for, or not one."""
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
