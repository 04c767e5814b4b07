"""Spectra whose numbers are known."""

import numpy as np

from dplda.theory.theorems.spectrum import Spectrum

PAPER = Spectrum(  # γs = 0.0318; quoted for N = 100,000
    n_words=99,
    alpha0=0.1,
    pair_eigenvalues=np.array([0.035428, 0.029, 0.024278, 0.0]),
    tensor_eigenvalues=np.array([1.86659615, 1.73939615, 1.61219615]),
    largest_word=0.1004,
    largest_pair=0.0329,
)


def spectrum(
    *,
    d: int = 100,
    alpha0: float = 0.1,
    sigma: tuple[float, ...] = (0.035, 0.03, 0.024, 0.001),
    gap: float = 0.127,
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
