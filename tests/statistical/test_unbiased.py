"""The U-statistics are unbiased, by adding up every corpus that can occur."""

from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.special import roots_jacobi

from dplda.spectral.cumulants import Coefficients
from dplda.spectral.population import Population
from dplda.spectral.statistics import ExactMoments
from tests.tiny_corpora import counts_of

TOPICS = np.array([[0.8, 0.2], [0.3, 0.7]])


def document_law(alpha: np.ndarray, length: int) -> dict[tuple[int, int], float]:
    """Probability of every document of a given length over two words, two topics: exact, by quadrature.

    The share of topic 1 is Beta(α1, α2); the probability of a document is a polynomial in it, which Gauss–Jacobi
    quadrature integrates without error.
    """
    nodes, weights = roots_jacobi(10, alpha[1] - 1, alpha[0] - 1)
    shares, weights = (nodes + 1) / 2, weights / weights.sum()
    first = shares * TOPICS[0, 0] + (1 - shares) * TOPICS[1, 0]
    return {
        (u, length - u): float(comb(length, u) * np.sum(weights * first**u * (1 - first) ** (length - u)))
        for u in range(length + 1)
    }


@pytest.mark.parametrize("alpha", [(0.3, 0.9), (2.0, 1.0)], ids=str)
@pytest.mark.parametrize("lengths", [(3, 3, 3), (3, 4, 5), (3, 3, 4, 3)], ids=str)
def test_the_expected_moments_are_those_of_the_population(alpha: tuple[float, float], lengths: tuple[int, ...]) -> None:
    truth = Population(TOPICS, np.array(alpha))
    c = Coefficients(truth.alpha0)
    laws = [document_law(truth.alpha, length) for length in lengths]
    M2, M3, mean, total = np.zeros((2, 2)), np.zeros((2, 2, 2)), np.zeros(2), 0.0
    for documents in product(*laws):
        chance = float(np.prod([law[document] for law, document in zip(laws, documents, strict=True)]))
        moments = ExactMoments(counts_of(np.array(documents)), c)
        M2 += chance * (moments.pair_moment() @ np.eye(2))
        M3 += chance * moments.third_moment(np.eye(2))
        mean += chance * moments.mean_words()
        total += chance
    assert total == pytest.approx(1, abs=1e-13)
    np.testing.assert_allclose(mean, truth.mean_words(), atol=1e-13)
    np.testing.assert_allclose(M2, truth.pair_moment(), atol=1e-13)
    np.testing.assert_allclose(M3, truth.third_moment(np.eye(2)), atol=1e-13)
