"""What a promise about one document means for several."""

import math

import pytest

from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.groups import group_epsilon, group_guarantee


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("size", [1, 2, 10])
def test_group_epsilon_is_just_above_the_exact_gaussian_value(epsilon: float, size: int) -> None:
    """From below by the exact law; the bound that holds for discrete noise as it stands is a fifth above it at most."""
    exact = gaussian.epsilon_for(size * gaussian.mu_for(epsilon, 1e-7), 1e-7)
    assert exact <= group_epsilon(epsilon, 1e-7, size) <= 1.2 * exact


def test_groups_of_any_mechanism_chain_its_promise() -> None:
    """m replacements one after the other: δ, then e^ε δ + δ, and so on."""
    epsilon, delta = 0.7, 1e-6
    chained = sum(math.exp(j * epsilon) for j in range(10)) * delta
    group_promise = group_guarantee(epsilon, delta, 10)
    assert group_promise == pytest.approx((7.0, chained))
    assert group_promise[1] >= chained * (1 - 1e-12)
