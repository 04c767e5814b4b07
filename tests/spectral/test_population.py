"""Exact moments in, the true model out."""

import numpy as np
import pytest

from dplda.spectral.cumulants import Coefficients
from dplda.spectral.population import Population
from tests.spectral.populations import draw_population, recover_from_moments


@pytest.mark.parametrize("k", range(2, 21))
def test_population_moments_give_topics_and_unequal_alpha_back(k: int) -> None:
    truth = draw_population(k, seed=k, alpha0=(0.1, 1.0, 10.0)[k % 3])
    assert np.max(truth.alpha) == pytest.approx(3 * np.min(truth.alpha))
    found = recover_from_moments(truth)
    assert found.topic_error(truth) < 1e-8
    assert found.alpha_error(truth) < 1e-8


def test_a_hundred_random_problems_are_all_solved_and_say_so() -> None:
    """k from 2 to 50. The largest error is about 1e-10; nothing is left to the choice of seeds."""
    for number in range(100):
        k = 2 + number % 49
        truth = draw_population(k, seed=1000 + number, alpha0=float(np.geomspace(0.1, 10, 7)[number % 7]))
        found = recover_from_moments(truth, seed=number)
        assert found.components.converged, (number, k)
        assert found.components.residual < 1e-8, (number, k)
        assert found.topic_error(truth) < 1e-6, (number, k)
        assert found.alpha_error(truth) < 1e-6, (number, k)


def test_equal_alpha_is_no_obstacle() -> None:
    """All eigenvalues of T and of M2's weights are equal: nothing may depend on telling them apart."""
    topics = np.random.default_rng(3).dirichlet(np.full(40, 0.2), size=6)
    truth = Population(topics=topics, alpha=np.full(6, 0.5))
    found = recover_from_moments(truth)
    assert found.topic_error(truth) < 1e-8
    assert found.alpha_error(truth) < 1e-8


def test_topics_come_in_order_of_falling_alpha() -> None:
    found = recover_from_moments(draw_population(8, seed=5))
    assert np.all(np.diff(found.topics.alpha) < 0)
    assert found.topics.resolved == 8


def test_eigenvalues_are_those_of_the_formula_and_lead_back_to_alpha() -> None:
    truth = draw_population(5, seed=2, alpha0=2.0)
    coefficients = Coefficients(2.0)
    found = recover_from_moments(truth)
    expected = np.sort(coefficients.eigenvalues(truth.alpha))[::-1]
    np.testing.assert_allclose(found.components.eigenvalues, expected, rtol=1e-9)
    np.testing.assert_allclose(coefficients.alpha(expected), np.sort(truth.alpha), rtol=1e-12)


def test_two_words_two_topics_by_hand() -> None:
    """Topics e1 and e2, α = (1, 1): M2 = diag(1/6), M3 = (1/12)(e1³ + e2³), λ = (2/4)√6, E1 = (1/2, 1/2)."""
    truth = Population(topics=np.eye(2), alpha=np.ones(2))
    np.testing.assert_allclose(truth.pair_moment(), np.eye(2) / 6, atol=1e-16)
    np.testing.assert_allclose(truth.mean_words(), [0.5, 0.5])
    third = truth.third_moment(np.eye(2))
    np.testing.assert_allclose(third[0, 0, 0], 1 / 12)
    np.testing.assert_allclose(np.sum(third), 2 / 12)
    found = recover_from_moments(truth)
    np.testing.assert_allclose(found.components.eigenvalues, [np.sqrt(6) / 2] * 2)
    assert found.topic_error(truth) < 1e-12


def test_the_coefficients_make_moments_of_a_dirichlet_diagonal() -> None:
    """Dirichlet moments in closed form, E[h_i h_j] and E[h_i h_j h_m], put together: off-diagonal entries vanish."""
    alpha = np.array([0.3, 1.1, 0.6])
    a0 = alpha.sum()
    coefficients = Coefficients(a0)
    E1 = alpha / a0
    E2 = (np.outer(alpha, alpha) + np.diag(alpha)) / (a0 * (a0 + 1))
    E3 = np.empty((3, 3, 3))
    for i, j, m in np.ndindex(3, 3, 3):
        E3[i, j, m] = alpha[i] * (alpha[j] + (i == j)) * (alpha[m] + (i == m) + (j == m)) / (a0 * (a0 + 1) * (a0 + 2))
    M2 = E2 - coefficients.a * np.outer(E1, E1)
    s3 = sum(np.einsum(order, E2, E1) for order in ("ij,m->ijm", "im,j->ijm", "jm,i->ijm"))
    M3 = E3 + coefficients.b * s3 + coefficients.c * np.einsum("i,j,m->ijm", E1, E1, E1)
    np.testing.assert_allclose(M2, np.diag(alpha / (a0 * (a0 + 1))), atol=1e-16)
    expected = np.zeros((3, 3, 3))
    expected[np.diag_indices(3, ndim=3)] = 2 * alpha / (a0 * (a0 + 1) * (a0 + 2))
    np.testing.assert_allclose(M3, expected, atol=1e-16)
