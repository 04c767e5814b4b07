"""Populations and spectra whose numbers are known."""

import numpy as np
from scipy.optimize import brentq

from dplda.spectral.cumulants import Coefficients
from dplda.spectral.population import Population
from dplda.theory.theorems.spectrum import Spectrum


def apart(alpha: np.ndarray, n_words: int, norms: np.ndarray) -> Population:
    """Topics without a word in common, topic i with one heavy word so that its squared length is ``norms[i]``."""
    k = len(alpha)
    block = n_words // k
    topics = np.zeros((k, n_words))
    for i, square in enumerate(norms):
        # p² + (1 − p)²/(m − 1) = square, the larger root
        m = block
        p = (1 + np.sqrt(1 - m * (1 - square * (m - 1)))) / m
        topics[i, i * block : (i + 1) * block] = (1 - p) / (m - 1)
        topics[i, i * block] = p
    return Population(topics, alpha)


def paper_setting() -> Population:
    """d = 99, k = 3, α0 = 0.1 with σ1 = 0.0354, σk = 0.0243 and γs near 0.0318: quoted for N = 100,000."""
    alpha0 = 0.1
    spread, coefficients = 0.1272 * np.array([1.0, 0.0, -1.0]), Coefficients(alpha0)
    middle = brentq(lambda x: np.sum(coefficients.alpha(x + spread)) - alpha0, 1.0, 3.0)
    alpha = coefficients.alpha(middle + spread)
    w = alpha / (alpha0 * (alpha0 + 1))
    return apart(alpha, 99, np.array([0.035428, 0.029, 0.024278]) / w)


def spectrum(
    *, d: int = 100, alpha0: float = 0.1, sigma: tuple[float, ...] = (0.035, 0.03, 0.024, 0.001), gap: float = 0.127
) -> Spectrum:
    k = len(sigma) - 1
    return Spectrum(
        n_words=d,
        alpha0=alpha0,
        pair_eigenvalues=np.array(sigma),
        tensor_eigenvalues=1.7 + gap * np.arange(k, 0, -1),
        largest_word=0.05,
        largest_pair=0.01,
    )
