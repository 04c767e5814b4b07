"""The weight of a topic in a document: SciPy's digamma to the places of its precision, at both ends too."""

import numpy as np
import pytest
from scipy.special import psi

from dplda.methods.variational.digamma import exp_digamma


@pytest.mark.parametrize(("precision", "off"), [(np.float32, 4e-6), (np.float64, 1e-9)])
def test_it_is_the_exponential_of_the_digamma_function(precision, off: float) -> None:
    x = np.geomspace(0.02, 1e9, 20_001).astype(precision)
    found = exp_digamma(x)
    assert found.dtype == precision
    np.testing.assert_allclose(found, np.exp(psi(x.astype(float))), rtol=off)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_next_to_nothing_weighs_nothing_and_a_number_has_the_same_bits_in_any_company(precision) -> None:
    assert not np.any(exp_digamma(np.array([1e-4, 1e-12, 1e-30], dtype=precision)))
    x = np.random.default_rng(0).gamma(2.0, 3.0, (37, 5)).astype(precision)
    alone = [exp_digamma(np.array([[entry]]))[0, 0] for entry in x.ravel()]
    np.testing.assert_array_equal(exp_digamma(x).ravel(), alone)
