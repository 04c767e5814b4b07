import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda.core.errors import InputError
from dplda.methods.configurations import REGISTRY, budget
from dplda.methods.configurations.budget import MINIMUM, Split
from dplda.methods.configurations.plan import Plan

NAMES = ("mass", "words", "pairs", "triples", "back")
VARIANTS = [
    (name, calibration) for name, entry in REGISTRY.items() for calibration in entry.variants
]


@st.composite
def splits(draw):
    raw = np.array(draw(st.lists(st.floats(0.03, 1), min_size=2, max_size=len(NAMES))))
    split = budget.of(zip(NAMES, raw / np.sum(raw), strict=False))
    for name in draw(st.sets(st.sampled_from(split.quantities), max_size=len(raw) - 2)):
        split = budget.lock(split, name)
    return split


@given(splits(), st.data())
@settings(max_examples=300)
def test_moving_one_share_keeps_locks_sum_and_proportions(split, data):
    free = [name for name in split.quantities if name not in split.locked]
    moved = data.draw(st.sampled_from(free))
    low, high = budget.allowed(split, moved)
    share = data.draw(st.floats(low, high))
    after = budget.give(split, moved, share)

    assert after.quantities == split.quantities
    assert after.locked == split.locked
    assert after[moved] == pytest.approx(share, abs=1e-12)
    assert abs(math.fsum(value for _, value in after.shares) - 1) < 1e-12
    assert all(after[name] == split[name] for name in split.locked)
    assert all(value >= MINIMUM * (1 - 1e-12) for _, value in after.shares)
    others = [name for name in free if name != moved and after[name] > MINIMUM * (1 + 1e-9)]
    ratios = [after[name] / split[name] for name in others]
    assert ratios == pytest.approx([ratios[0]] * len(ratios)) if ratios else True
    held = [after[name] / split[name] for name in free if name != moved and name not in others]
    assert all(ratio >= (ratios[0] if ratios else 0) * (1 - 1e-9) for ratio in held)


def test_worked_by_hand():
    split = budget.lock(budget.of((("a", 0.5), ("b", 0.3), ("c", 0.2))), "c")
    assert dict(budget.give(split, "a", 0.2).shares) == pytest.approx(
        {"a": 0.2, "b": 0.6, "c": 0.2}
    )
    free = budget.lock(split, "c", held=False)
    assert dict(budget.give(free, "a", 0.75).shares) == pytest.approx(
        {"a": 0.75, "b": 0.15, "c": 0.1}
    )
    assert budget.allowed(split, "a") == pytest.approx((MINIMUM, 0.8 - MINIMUM))
    assert budget.allowed(split, "c") == (0.2, 0.2)
    assert budget.allowed(budget.lock(split, "b"), "a") == pytest.approx((0.5, 0.5))


def test_a_share_stops_at_the_minimum_and_the_others_give_the_rest():
    split = budget.of((("a", 0.2), ("b", 0.01), ("c", 0.79)))
    after = budget.give(split, "a", 0.9)
    assert dict(after.shares) == pytest.approx({"a": 0.9, "b": 0.005, "c": 0.095})


@pytest.mark.parametrize(("name", "calibration"), VARIANTS)
def test_presets_are_plans(name, calibration):
    variant = REGISTRY[name].variants[calibration]
    assert variant.rests_on
    for split in (budget.default(variant), budget.equal(variant.names)):
        assert split.quantities == variant.names
        assert Plan(name, 1.0, split=split.shares, calibration=calibration).split == split.shares
    assert dict(budget.default(variant).shares) == pytest.approx(dict(variant.default_split))


@pytest.mark.parametrize(
    "call",
    [
        lambda: budget.of((("a", 0.5), ("b", 0.6))),
        lambda: budget.of((("a", 0.999), ("b", 0.001))),
        lambda: budget.of((("a", 0.5), ("a", 0.5))),
        lambda: budget.of((("a", math.nan), ("b", 0.5))),
        lambda: budget.equal(()),
        lambda: Split((("a", 0.5), ("b", 0.5)), frozenset({"c"})),
        lambda: Split((("a", 0.5), ("b", 0.5 + 1e-9))),
        lambda: budget.lock(budget.equal(NAMES), "elsewhere"),
        lambda: budget.give(budget.lock(budget.equal(NAMES), "mass"), "mass", 0.1),
        lambda: budget.give(budget.equal(NAMES), "mass", 0.99),
        lambda: budget.give(budget.equal(NAMES), "mass", 0.0),
        *(
            partial(budget.from_steps, ("a", "b"), steps)
            for steps in ((500,), (500, 501), (998, 2), (1000, 0), (1005, -5))
        ),
    ],
)
def test_what_makes_no_sense_is_refused(call):
    with pytest.raises(InputError):
        call()


@given(weights=st.lists(st.floats(0.01, 1), min_size=1, max_size=8))
def test_rounding_keeps_the_sum_and_moves_no_share_by_a_whole_step(weights: list[float]) -> None:
    least, room = budget.MINIMUM, 1 - len(weights) * budget.MINIMUM
    split = budget.of(
        (str(i), least + room * weight / sum(weights)) for i, weight in enumerate(weights)
    )
    steps = budget.in_steps(split)
    assert sum(steps) == budget.STEPS
    for (_, share), step in zip(split.shares, steps, strict=True):
        assert abs(share * budget.STEPS - step) < 1 + 1e-6
    assert budget.in_steps(budget.from_steps(split.quantities, steps)) == steps
