r"""Two readings of the same topics, each weighed by what it is known to be off.

Moments are off by noise of known size where documents follow the model, and by more where they do not, or where many
documents are clipped. A variational fixed point is off by noise of known size and by a bias that is small on documents
of the model. Both errors beyond noise show in one number, the squared distance ``D`` of the two readings:

.. math:: b^2 = \max(0, D - V_A - V_W),\quad b_A^2 = b^2 \frac{t}{1 + (b/β)^4},\quad
    ω = \frac{V_A + b_A^2}{V_A + V_W + b^2},

where disagreement well below ``β`` is laid to the fixed point, as far as moments are to be trusted, and disagreement
well above it, as on real text, to moments. :math:`A + ω(W - A)` has least squared error where errors are independent.
"""

import numpy as np

from dplda.core.types import Matrix, Vector

TINY = float(np.finfo(np.float64).tiny)


def moments_weight(
    refined: Matrix, moments: Matrix, *, refined_variance: Vector, moments_variance: Vector, misfit: float, trust: float
) -> Vector:
    """``ω``, the weight of moments in each topic, in [0, 1].

    Args:
        refined: ``A``, shape (k, d), rows on the simplex.
        moments: ``W``, shape (k, d), rows in the same order.
        refined_variance: ``V_A``, shape (k,), squared error of a row that known noise makes.
        moments_variance: ``V_W``, likewise.
        misfit: ``β`` relative to the norm of a topic, at least 0.
        trust: ``t``, in [0, 1]: how far moments are free of the bias of clipping.
    """
    apart = np.sum((refined - moments) ** 2, axis=1)
    beyond = np.maximum(apart - refined_variance - moments_variance, 0.0)
    most = misfit**2 * np.sum(refined**2, axis=1)
    own = beyond * trust * most**2 / np.maximum(most**2 + beyond**2, TINY)
    result: Vector = (refined_variance + own) / np.maximum(refined_variance + moments_variance + beyond, TINY)
    return result
