"""Marks of a logarithmic axis: 1, 2 and 5 times powers of ten, or the powers alone, so that labels stay apart."""

import math

from dplda.figures.drawing import Part

MOST = 9  # labels on an axis


def log_ticks(low: float, high: float) -> Part:
    """Where to mark a logarithmic axis and with what.

    Args:
        low: least value shown, above 0.
        high: largest value shown; one mark where it is no larger than ``low``.

    Returns:
        ``tickvals`` and ``ticktext``, as an axis takes them; at most ``MOST`` marks where powers of ten allow it.
    """
    if high <= low * 1.0001:
        return {"tickvals": [low], "ticktext": [f"{low:.5g}"]}
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1, 1.5, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
        marks = [step * 10.0**power for power in powers for step in steps]
        shown = [mark for mark in marks if low * 0.999 <= mark <= high * 1.001]
        if len(shown) <= MOST:
            break
    if len(shown) < 2:  # less than a factor of two: round numbers at even distances
        step = 10.0 ** math.floor(math.log10(high - low))
        step *= next(by for by in (1, 2, 5) if (high - low) / (by * step) <= 5)
        shown = [step * number for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return {"tickvals": shown, "ticktext": [f"{mark:,.0f}" if mark >= 1e5 else f"{mark:.5g}" for mark in shown]}
