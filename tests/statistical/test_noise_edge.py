"""Noise alone hardly ever passes its own edge, and passes it often enough that the edge is not idle."""

import numpy as np
import pytest
import scipy.linalg
from scipy import stats

from dplda.privacy import noise
from dplda.spectral.whitening import noise_edge


@pytest.mark.parametrize(("d", "draws"), [(50, 4000), (100, 2000), (200, 600)])
def test_about_one_in_a_hundred_noise_matrices_passes_the_edge(d: int, draws: int) -> None:
    """The true rate is 1 % or less. Alarm where more than 1.5 % is evident, or less than 0.2 %, each at level 1e-3.

    Power: without the term for the diagonal the rate is 2.4 % (d = 50), found out with probability 0.85.
    """
    source = noise.SimulatedNoise(d)
    largest = [
        scipy.linalg.eigh(noise.unordered_pairs(source, d, 2.0), eigvals_only=True, subset_by_index=[d - 1, d - 1])[0]
        for _ in range(draws)
    ]
    passed = int(np.sum(np.array(largest) > noise_edge(d, 1.0)))
    assert stats.binomtest(passed, draws, 0.015, alternative="greater").pvalue > 1e-3
    assert stats.binomtest(passed, draws, 0.002, alternative="less").pvalue > 1e-3
