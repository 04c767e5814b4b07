"""The weight of a topic in a document: SciPy's digamma to ten places, at both ends too."""

import numpy as np
from scipy.special import psi

from dplda.methods.full_batch_vi.digamma import exp_digamma


def test_it_is_the_exponential_of_the_digamma_function() -> None:
    x = np.geomspace(0.01, 1e9, 20_001)
    np.testing.assert_allclose(exp_digamma(x), np.exp(psi(x)), rtol=1e-9)


def test_it_is_a_product_of_one_step_and_the_next() -> None:
    """``ψ(x + 1) = ψ(x) + 1/x``, which SciPy has no part in."""
    x = np.geomspace(0.02, 100, 2001)
    np.testing.assert_allclose(exp_digamma(x + 1), exp_digamma(x) * np.exp(1 / x), rtol=1e-9)


def test_next_to_nothing_weighs_nothing_and_a_number_has_the_same_bits_in_any_company() -> None:
    assert not np.any(exp_digamma(np.array([1e-4, 1e-12, 1e-300])))
    x = np.random.default_rng(0).gamma(2.0, 3.0, (37, 5))
    alone = [exp_digamma(np.array([[entry]]))[0, 0] for entry in x.ravel()]
    np.testing.assert_array_equal(exp_digamma(x).ravel(), alone)
