"""Exact moments in, the true model out; the coefficients, by their definition and at their ends."""

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.population import Population
from tests.spectral.populations import draw_population, recover_from_moments


def test_hundred_random_populations_are_recovered_exactly() -> None:
    """k from 2 to 50. The largest error is about 1e-10; nothing is left to the choice of seeds."""
    for number in range(100):
        k = 2 + number % 49
        truth = draw_population(
            k, seed=1000 + number, alpha0=float(np.geomspace(0.1, 10, 7)[number % 7])
        )
        recovered = recover_from_moments(truth, seed=number)
        assert recovered.components.converged, (number, k)
        assert recovered.components.residual < 1e-8, (number, k)
        assert recovered.topic_error(truth) < 1e-6, (number, k)
        assert recovered.alpha_error(truth) < 1e-6, (number, k)


def test_population_with_equal_alpha_is_recovered() -> None:
    """All eigenvalues of T and of M2's weights are equal: nothing may depend on telling them apart."""
    topics = np.random.default_rng(3).dirichlet(np.full(40, 0.2), size=6)
    truth = Population(topics=topics, alpha=np.full(6, 0.5))
    recovered = recover_from_moments(truth)
    assert recovered.topic_error(truth) < 1e-8
    assert recovered.alpha_error(truth) < 1e-8


def test_population_of_two_words_is_that_worked_by_hand() -> None:
    """Topics e1 and e2, α = (1, 1): M2 = diag(1/6), M3 = (1/12)(e1³ + e2³), λ = (2/4)√6, E1 = (1/2, 1/2)."""
    truth = Population(topics=np.eye(2), alpha=np.ones(2))
    np.testing.assert_allclose(truth.pair_moment(), np.eye(2) / 6, atol=1e-16)
    np.testing.assert_allclose(truth.mean_words(), [0.5, 0.5])
    third = truth.third_moment(np.eye(2))
    np.testing.assert_allclose(third[0, 0, 0], 1 / 12)
    np.testing.assert_allclose(np.sum(third), 2 / 12)
    recovered = recover_from_moments(truth)
    np.testing.assert_allclose(recovered.components.eigenvalues, [np.sqrt(6) / 2] * 2)
    assert recovered.topic_error(truth) < 1e-12


@pytest.mark.parametrize(
    ("alpha0", "a", "b", "c", "after_shift"),
    [
        (0.1, 0.0909, -0.0476, 0.0087, 0.00196),
        (1, 0.5, -0.3333, 0.3333, 0.03704),
        (10, 0.9091, -0.8333, 1.5152, 0.01052),
        (1000, 0.9990, -0.9980, 1.9940, 0.0),
    ],
)
def test_coefficients_are_those_of_the_independent_table(
    alpha0: float, a: float, b: float, c: float, after_shift: float
) -> None:
    coefficients = Coefficients(alpha0)
    np.testing.assert_allclose(
        [coefficients.a, coefficients.b, coefficients.c, coefficients.after_shift],
        [a, b, c, after_shift],
        atol=6e-5,
    )


@pytest.mark.parametrize("bad", [0, -1.0, float("nan"), float("inf")])
def test_concentration_out_of_range_is_refused(bad: float) -> None:
    with pytest.raises(InputError, match="alpha0 must be a finite number greater than 0"):
        Coefficients(bad)


def test_alpha_of_eigenvalues_inverts_eigenvalues_of_alpha() -> None:
    alpha = np.array([0.2, 0.5, 1.3])
    c = Coefficients(2.0)
    np.testing.assert_allclose(c.alpha(c.eigenvalues(alpha)), alpha, rtol=1e-14)


def test_eigenvalue_of_one_topic_equals_the_one_by_hand() -> None:
    c = Coefficients(2.0)
    # α0 = 2, α = 2 (one topic): λ = (2/4)·√(2·3/2) = √3/2
    np.testing.assert_allclose(c.eigenvalues(np.array([2.0])), [np.sqrt(3) / 2])
