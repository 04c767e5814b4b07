"""Numbers as people read them, and texts as spreadsheets show them."""

import math

SMALL_EPSILON, LARGE_EPSILON = 0.2, 8.0  # up to 1.23 : 1, and from 2,990 : 1 on
COVERAGE = "about 90 %, from simulations (74–98 % for first words)"
"""How often intervals at level 0.9 hold the truth; `Uncertainty.interval` has the runs."""
WITHOUT_TOPICS = "Documents without topics can do that too."


def differing(number: int, n_topics: int) -> str:
    """What may be said of topics by their distance from the word frequencies: never that documents have topics.

    Args:
        number: how many differ by more than the noise.
        n_topics: ``k``, of how many.
    """
    if not number:
        return f"None of the {n_topics} topics differs from the overall word frequencies by more than the noise."
    who = f"All {n_topics} topics differ" if number == n_topics else f"{number} of {n_topics} topics differ"
    return f"{who} from the overall word frequencies by more than the noise. {WITHOUT_TOPICS}"


def harmless(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would compute it."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: one of it, or several."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def digits(value: float, n: int = 3) -> str:
    """A number in so many significant digits, without an exponent where none is needed.

    Args:
        n: significant digits, at least 1.
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


def odds(epsilon: float, unit: str = "document") -> str:
    """What ε promises, as odds: those on any one document change by at most this factor, either way; rounded up.

    Args:
        epsilon: of the whole output, above 0; what δ lets slip past is left out.
    """
    said = f"odds on any {unit} change at most {odds_at_most(epsilon)}"
    if epsilon <= SMALL_EPSILON:
        return f"{said}, next to nothing"
    return f"{said}, in the worst case next to no promise" if epsilon >= LARGE_EPSILON else said


LARGEST_EXPONENT = 700.0  # of a number that a computer holds


def odds_at_most(epsilon: float) -> str:
    """The factor e^ε by which odds may change, rounded up to three digits."""
    if epsilon > LARGEST_EXPONENT:
        return "∞ : 1"
    factor = math.exp(epsilon)
    unit = 10.0 ** (math.floor(math.log10(factor)) - 2)
    return f"{digits(math.ceil(factor / unit) * unit)} : 1"
