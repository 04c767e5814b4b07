r"""Errors of un-noised topics from having N documents only, to first order, and bias from weighting documents.

In coordinates where topics are orthonormal a document with topic proportions θ is ``y``, ``y_i = θ_i/√w_i``. A small
error ``E`` of the whitened ``M2`` and ``Φ`` of the tensor turn topic i by :math:`\sum_j c_{ij}(μ_j - μ_i)` with

.. math:: c_{ij} = \frac{λ_iλ_j}{λ_i^2+λ_j^2}E_{ij} + \frac{λ_i}{λ_j}\,\frac{λ_iΦ_{iij} - λ_jΦ_{jji}}{λ_i^2+λ_j^2}

(first order in the frame that decomposes the tensor, whitening and un-whitening with the same noisy ``M2``, rows scaled
to sum one).
"""

import numpy as np

from dplda.core.types import Matrix, Vector
from dplda.spectral.cumulants import Coefficients

Polynomial = Matrix  # entry [p, q] is the coefficient of θ_i^p θ_j^q


def out_of_plane(topics: Matrix, inverse: Matrix, alpha: Vector, inverse_length: float) -> Matrix:
    r"""Variance, times N, of the error of each word that is not a mixture of topics.

    It comes from the tokens: given θ, the frequency of word x varies by ``p_x/l`` around its mean, and is multiplied by
    the document's weight for topic i: :math:`θ_i/w_i`, itself uncertain by tokens, less ``a E1·h_i = α0`` for what
    ``M2`` subtracts.

    Args:
        topics: shape (k, d).
        inverse: ``M2† μ_i``, shape (k, d).
        alpha: shape (k,).
        inverse_length: mean of ``1/l`` over documents.
    """
    a0, k = float(np.sum(alpha)), len(alpha)
    w = alpha / (a0 * (a0 + 1))
    second = (np.multiply.outer(alpha, alpha) + np.diag(alpha)) / (a0 * (a0 + 1))
    third = np.multiply.outer(alpha * (alpha + 1), alpha) / (a0 * (a0 + 1) * (a0 + 2))  # E θ_i² θ_j
    third[np.diag_indices(k)] *= (alpha + 2) / alpha
    by_tokens = (inverse**2 @ topics.T) @ second  # Σ_m E[θ_m θ_j] Σ_y μ_m(y) h_i(y)²
    weight = third / w[:, None] ** 2 - 2 * a0 * second / w[:, None] + a0 * alpha[None, :]
    return inverse_length * (weight + inverse_length * by_tokens) @ topics


def in_plane(alpha: Vector) -> Matrix:
    """Variance of ``c_ij``, times N, from drawing the documents' topic proportions; shape (k, k), diagonal 0.

    Exact for long documents: ``c_ij`` is the mean over documents of a polynomial in ``θ_i`` and ``θ_j``, whose variance
    the Dirichlet's moments give.
    """
    k, coefficients = len(alpha), Coefficients(float(np.sum(alpha)))
    variances = np.zeros((k, k))
    for i in range(k):
        for j in range(k):
            if i != j:
                variances[i, j] = _variance(_influence(alpha, i, j, coefficients), alpha, i, j)
    return variances


def turns(E: Matrix, tensor: Matrix, eigenvalues: Vector) -> Matrix:
    """``c_ij`` of the module docstring; shape (k, k), diagonal 0.

    Args:
        E: error of the whitened ``M2``, shape (k, k).
        tensor: ``Φ_iij``, error of the tensor under the exact whitening, shape (k, k).
        eigenvalues: ``λ``, shape (k,).
    """
    lam = eigenvalues
    squares = lam[:, None] ** 2 + lam[None] ** 2
    c = np.multiply.outer(lam, lam) / squares * E
    c += lam[:, None] / lam[None] * (lam[:, None] * tensor - lam[None] * tensor.T) / squares
    np.fill_diagonal(c, 0.0)
    return c


def weighting(proportions: Matrix, weights: Vector, alpha: Vector) -> Matrix:
    """``c_ij`` caused by giving documents unequal weights, shape (k, k): what clipping does to the topics.

    Weights that depend on θ make the proportions no longer Dirichlet. The same documents with equal weights are
    subtracted, so that the error of having drawn few of them cancels.

    Args:
        proportions: θ, shape (n, k), drawn from the Dirichlet.
        weights: shape (n,), non-negative.
        alpha: shape (k,).
    """
    a0 = float(np.sum(alpha))
    coefficients = Coefficients(a0)
    y = proportions / np.sqrt(alpha / (a0 * (a0 + 1)))

    def moments(w: Vector) -> tuple[Matrix, Matrix]:
        """``M2`` and the entries (i, i, j) of the tensor."""
        w = w / np.sum(w)
        first, second = w @ y, (y * w[:, None]).T @ y
        third = (y**2 * w[:, None]).T @ y
        M2 = second - coefficients.a * np.multiply.outer(first, first)
        mixed = np.multiply.outer(np.diag(second), first) + 2 * second * first[:, None]
        return M2, third + coefficients.b * mixed + coefficients.c * np.multiply.outer(first**2, first)

    weighted, equal = moments(weights), moments(np.ones(len(weights)))
    return turns(weighted[0] - equal[0], weighted[1] - equal[1], coefficients.eigenvalues(alpha))


def _influence(alpha: Vector, i: int, j: int, c: Coefficients) -> Polynomial:
    """What one document adds to ``c_ij``, as a polynomial in ``θ_i`` and ``θ_j``, up to a constant."""
    w = alpha / (c.alpha0 * (c.alpha0 + 1))
    t = alpha / c.alpha0 / np.sqrt(w)
    lam = c.eigenvalues(alpha)

    def power(p: int, q: int) -> Polynomial:
        """``y_i^p y_j^q``."""
        result = np.zeros((4, 4))
        result[p, q] = w[i] ** (-p / 2) * w[j] ** (-q / 2)
        return result

    def third(m: int, n: int) -> Polynomial:
        """Influence on entry (m, m, n) of the tensor, for (m, n) = (i, j) or (j, i)."""

        def of(p: int, q: int) -> Polynomial:
            return power(p, q) if m == i else power(q, p)

        own, mixed = 1 + c.a * t[m] ** 2, c.a * t[m] * t[n]  # entries of the whitened E2
        pairs = t[n] * of(2, 0) + 2 * t[m] * of(1, 1) + own * of(0, 1) + 2 * mixed * of(1, 0)
        result: Polynomial = of(2, 1) + c.b * pairs + c.c * (t[m] ** 2 * of(0, 1) + 2 * t[m] * t[n] * of(1, 0))
        return result

    squares = lam[i] ** 2 + lam[j] ** 2
    whitened = power(1, 1) - c.a * (t[i] * power(0, 1) + t[j] * power(1, 0))
    turn: Polynomial = lam[i] * lam[j] * whitened + lam[i] / lam[j] * (lam[i] * third(i, j) - lam[j] * third(j, i))
    result: Polynomial = turn / squares
    return result


def _variance(polynomial: Polynomial, alpha: Vector, i: int, j: int) -> float:
    n = len(polynomial)
    square = np.zeros((2 * n - 1, 2 * n - 1))
    for (p, q), value in np.ndenumerate(polynomial):
        square[p : p + n, q : q + n] += value * polynomial
    degrees = np.arange(2 * n - 1)
    moments = np.multiply.outer(_rising(alpha[i], 2 * n - 1), _rising(alpha[j], 2 * n - 1))
    moments = moments / _rising(float(np.sum(alpha)), 4 * n)[np.add.outer(degrees, degrees)]
    mean = float(np.sum(polynomial * moments[:n, :n]))
    return max(0.0, float(np.sum(square * moments)) - mean**2)


def _rising(start: float, count: int) -> Vector:
    """``start (start+1) … (start+p−1)`` for p from 0 to count − 1."""
    return np.cumprod(np.append(1.0, start + np.arange(count - 1)))
