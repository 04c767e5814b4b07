r"""``exp(ψ(x))``, the weight of a topic in a document, without a digamma function: half of inference's time otherwise.

Six steps of :math:`ψ(x) = ψ(x + 6) - \sum_{i<6} 1/(x + i)`, taken in pairs, lead to where the series of
:math:`e^{ψ(y + 1/2)}` in :math:`1/y` ends soon: four terms are right to 3·10⁻¹⁰ of the result.
"""

import numpy as np
from numpy.typing import NDArray

SERIES = (-5509121 / 1393459200, 10313 / 2903040, -37 / 5760, 1 / 24, 1.0)  # of y⁻⁸, …, y⁻², 1, times y


def exp_digamma(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """``exp(ψ(x))`` of every entry, same shape.

    Args:
        x: above 0.
    """
    z = x + 5
    z *= x
    steps = 1 / z  # 1/x + 1/(x + 5) = (2x + 5)/z, and likewise the pairs between
    z += 4
    steps += 1 / z
    z += 2
    steps += 1 / z
    y = x + 5.5
    steps *= 6 - 2 * y  # -(2x + 5)
    np.exp(steps, out=steps)
    power = 1 / (y * y)
    found = power * SERIES[0]
    for term in SERIES[1:-1]:
        found += term
        found *= power
    found += SERIES[-1]
    found *= y
    found *= steps
    return found
