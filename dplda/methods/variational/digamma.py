r"""``exp(ψ(x))``, the weight of a topic in a document, without a digamma function: half of inference's time otherwise.

:math:`e^{ψ(x)} = e^{-1/x} e^{ψ(x + 1)}`; the second factor is ``x + 1/2`` and a polynomial in ``t = 1/(x + c)`` that
vanishes at infinity, fitted to the least largest relative error: 2·10⁻⁶ in float32, 7·10⁻¹⁰ in float64.
"""

import numpy as np

from dplda.methods.variational.padded import B

SHORT = (1.4, (0.03905465, 0.033634953, 0.042093733, 0.5))  # c, and the terms of t³, t², t and 1
LONG = (
    1.2,
    (
        -0.0009272791067964154,
        0.0048810559762985746,
        -0.009870754058223173,
        0.002338298336249963,
        0.013696511406367795,
        0.029196467220538428,
        0.04166550178720546,
        0.5,
    ),
)


def exp_digamma(x: B) -> B:
    """``exp(ψ(x))`` of every entry, same shape and precision.

    Args:
        x: above 0.
    """
    shift, (first, *others) = SHORT if x.dtype == np.float32 else LONG
    t = np.reciprocal(x + shift)
    found = t * first
    for term in others[:-1]:
        found += term
        found *= t
    found += others[-1]
    found += x
    np.divide(-1, x, out=t)
    np.exp(t, out=t)
    result: B = found * t
    return result
