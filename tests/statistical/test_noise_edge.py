"""Noise alone hardly ever passes its own edge, and passes it often enough that the edge is not idle."""

import numpy as np
import pytest
import scipy.linalg
from scipy import stats

from dplda.privacy.noise.layouts import PairHistogram
from dplda.spectral.whitening import noise_edge
from tests.privacy.sources import drawn, seeded


@pytest.mark.parametrize(("d", "draws"), [(50, 4000), (200, 600)])
def test_about_one_in_a_hundred_noise_matrices_passes_the_edge(d: int, draws: int) -> None:
    """The true rate is 1 % or less. Alarm where more than 1.5 % is evident, or less than 0.2 %, each at level 1e-3.

    Power: without the term for the diagonal the rate is 2.4 % (d = 50), found out with probability 0.85.
    """
    source, zeros = seeded(d), np.zeros((d, d))
    matrices = (drawn(source, PairHistogram(d), zeros, 2.0) for _ in range(draws))
    top = [d - 1, d - 1]
    largest = [scipy.linalg.eigh(matrix, eigvals_only=True, subset_by_index=top)[0] for matrix in matrices]
    passed = int(np.sum(np.array(largest) > noise_edge(d, 1.0)))
    assert stats.binomtest(passed, draws, 0.015, alternative="greater").pvalue > 1e-3
    assert stats.binomtest(passed, draws, 0.002, alternative="less").pvalue > 1e-3
