import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplda.core.errors import InputError
from dplda.methods import budget
from dplda.methods.configurations import REGISTRY

DEFAULTS = [variant for known in REGISTRY.values() for variant in known.variants.values()]


@given(weights=st.lists(st.floats(0.01, 1), min_size=1, max_size=8))
def test_rounding_keeps_the_sum_and_moves_no_share_by_a_whole_step(weights: list[float]) -> None:
    least, room = budget.MINIMUM, 1 - len(weights) * budget.MINIMUM
    split = budget.of((str(i), least + room * weight / sum(weights)) for i, weight in enumerate(weights))
    steps = budget.in_steps(split)
    assert sum(steps) == budget.STEPS
    for (_, share), step in zip(split.shares, steps, strict=True):
        assert abs(share * budget.STEPS - step) < 1 + 1e-6


@pytest.mark.parametrize("variant", DEFAULTS)
def test_there_and_back_is_the_same(variant) -> None:
    steps = budget.in_steps(budget.default(variant))
    split = budget.from_steps(variant.quantities, steps)
    assert budget.in_steps(split) == steps


def test_a_whole_share_is_left_alone() -> None:
    split = budget.of([("a", 0.25), ("b", 0.25), ("c", 0.5 / 3), ("d", 0.5 / 3), ("e", 0.5 / 3)])
    assert budget.in_steps(split) == (250, 250, 167, 167, 166)


@pytest.mark.parametrize("steps", [(500,), (500, 501), (998, 2), (1000, 0), (1005, -5)])
def test_what_is_no_division_is_refused(steps) -> None:
    with pytest.raises(InputError):
        budget.from_steps(("a", "b"), steps)
