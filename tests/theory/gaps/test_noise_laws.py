import itertools

import numpy as np
import pytest

from dplda.theory.gaps.noise_laws import entry_deviations


def averaged_over_orders(arrays: np.ndarray) -> np.ndarray:
    """Mean over the orders of all indices but the first, which counts draws."""
    orders = list(itertools.permutations(range(1, arrays.ndim)))
    return sum(arrays.transpose(0, *order) for order in orders) / len(orders)


@pytest.mark.parametrize(("order", "name"), [(2, "pairs"), (3, "triples")])
def test_entry_deviations_averaged_are_those_of_independent_noise_averaged(order, name) -> None:
    draws = np.random.default_rng(0).standard_normal((200_000, *(3,) * order))
    entry = averaged_over_orders(draws)[(slice(None), *range(order))]
    deviations = entry_deviations()
    assert np.std(entry) == pytest.approx(deviations[f"{name}, averaged"], rel=0.01)
    assert deviations[f"{name}, printed"] == 1


def test_entry_deviations_fall_with_the_root_of_the_number_of_orders() -> None:
    deviations = entry_deviations()
    assert deviations["pairs, averaged"] == pytest.approx(2**-0.5)
    assert deviations["triples, averaged"] == pytest.approx(6**-0.5)
