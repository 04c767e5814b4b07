r"""Expected L1 error of a noisy topic after projection onto the simplex.

Projection subtracts a threshold and cuts at zero, so where a topic has no mass most noise disappears: on sparse topics
the error is a half to two thirds of :math:`\sqrt{2/π}\,Σ_x ν_x`. With many words the threshold is the same in every
draw up to a small error; it is the root of :math:`Σ_x E\max(μ_x + m_x + ν_xZ - t, 0) = 1`, and given it every word's
error has a closed form.
"""

import math

import numpy as np
from scipy.special import ndtr

from dplda.core.types import Matrix, Vector

STEPS = 60
FAR = 38.0  # the normal density is 0 in floating point beyond
TOLERANCE = 1e-10


def threshold(mass: Matrix, size: Matrix, shift: Matrix, deviation: Matrix) -> Vector:
    """What projection subtracts from each topic.

    Args:
        mass: ``μ``, shape (k, B), probability of one word in each group of words.
        size: shape (k, B), number of words in each group; ``Σ size·mass = 1``.
        shift: ``m``, shape (k, B), systematic error of a word, ``Σ size·m = 0``.
        deviation: ``ν``, shape (k, B), standard deviation of a word's error.

    Returns:
        ``t``, shape (k,), at least 0; by Newton's method from the left, which approaches the root of a decreasing
        convex function without passing it.
    """
    nu = np.maximum(deviation, np.finfo(float).tiny)
    center = mass + shift
    t = np.zeros(len(mass))
    moving = np.arange(len(mass))
    for _ in range(STEPS):
        spread, words = nu[moving], size[moving]
        z = (center[moving] - t[moving, None]) / spread
        kept = ndtr(z)
        excess = np.sum(words * spread * (z * kept + _density(z)), axis=1) - 1
        step = excess / np.maximum(np.sum(words * kept, axis=1), np.finfo(float).tiny)
        t[moving] += np.maximum(step, 0)
        moving = moving[step > TOLERANCE * (1 + t[moving])]
        if len(moving) == 0:
            break
    return t


def expected_l1(mass: Matrix, size: Matrix, shift: Matrix, deviation: Matrix) -> Vector:
    r"""Expected :math:`\sum_x |\mathrm{proj}(μ + m + νZ)_x - μ_x|` of each topic, shape (k,), in [0, 2].

    A word is cut with probability ``1 − Φ(a)``, ``a = (μ + m − t)/ν``, and then wrong by ``μ``; otherwise wrong by
    ``|m + νz − t|``. Arguments as of ``threshold``.
    """
    nu = np.maximum(deviation, np.finfo(float).tiny)
    t = threshold(mass, size, shift, nu)[:, None]
    a, s = (mass + shift - t) / nu, (t - shift) / nu
    low = s * (ndtr(s) - ndtr(-a)) - _density(a) + _density(s)
    high = _density(s) - s * ndtr(-s)
    errors = np.sum(size * (mass * ndtr(-a) + nu * (low + high)), axis=1)
    result: Vector = np.minimum(errors, 2.0)
    return result


def _density(z: Matrix) -> Matrix:
    near = np.minimum(np.abs(z), FAR)
    return np.exp(near * near * -0.5) / math.sqrt(2 * math.pi)
