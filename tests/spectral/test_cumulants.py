"""The coefficients, by their definition and at their ends."""

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.spectral.cumulants import Coefficients


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
    found = Coefficients(alpha0)
    np.testing.assert_allclose([found.a, found.b, found.c, found.after_shift], [a, b, c, after_shift], atol=6e-5)


@pytest.mark.parametrize("bad", [0, -1.0, float("nan"), float("inf")])
def test_a_concentration_that_is_none_is_refused(bad: float) -> None:
    with pytest.raises(InputError, match="alpha0 must be a finite number greater than 0"):
        Coefficients(bad)


def test_eigenvalues_and_alpha_are_inverse_to_each_other() -> None:
    alpha = np.array([0.2, 0.5, 1.3])
    c = Coefficients(2.0)
    np.testing.assert_allclose(c.alpha(c.eigenvalues(alpha)), alpha, rtol=1e-14)
    # α0 = 2, α = 2 (one topic): λ = (2/4)·√(2·3/2) = √3/2
    np.testing.assert_allclose(c.eigenvalues(np.array([2.0])), [np.sqrt(3) / 2])
