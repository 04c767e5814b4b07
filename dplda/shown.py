"""Numbers with their nouns, and in few digits, wherever they are shown to people."""

import math

SMALL_EPSILON, LARGE_EPSILON = 0.2, 8.0  # up to 1.23 : 1, and from 2,990 : 1 on


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: one of it, or several.

    Example:
        >>> counted(1, "document"), counted(2_000, "document"), counted(0, "is", "are")
        ('1 document', '2,000 documents', '0 are')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def digits(value: float, n: int = 3) -> str:
    """A number in so many significant digits, without an exponent where none is needed.

    Args:
        value: any number.
        n: significant digits, at least 1.

    Example:
        >>> digits(1432.0, 2), digits(0.05449), digits(1.234e-7), digits(2.5e9), digits(float("inf")), digits(3.0)
        ('1,400', '0.0545', '1.23e-7', '2.5e9', '∞', '3')
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
        unit: what is protected.

    Example:
        >>> odds(1.0)
        'odds on any document change at most 2.72 : 1'
        >>> odds(0.1)
        'odds on any document change at most 1.11 : 1, next to nothing'
        >>> odds(10)
        'odds on any document change at most 22,100 : 1, in the worst case next to no promise'
    """
    said = f"odds on any {unit} change at most {odds_at_most(epsilon)}"
    if epsilon <= SMALL_EPSILON:
        return f"{said}, next to nothing"
    return f"{said}, in the worst case next to no promise" if epsilon >= LARGE_EPSILON else said


def odds_at_most(epsilon: float) -> str:
    """The factor e^ε by which odds may change, rounded up to three digits.

    Example:
        >>> odds_at_most(1.0), odds_at_most(10)
        ('2.72 : 1', '22,100 : 1')
    """
    factor = math.exp(epsilon)
    unit = 10.0 ** (math.floor(math.log10(factor)) - 2)
    return f"{digits(math.ceil(factor / unit) * unit)} : 1"
