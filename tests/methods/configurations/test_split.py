import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda.core.errors import InputError
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations import split as splits
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.split import MIN_SHARE, Split

NAMES = ("mass", "words", "pairs", "triples", "back")
VARIANTS = [
    (name, calibration) for name, entry in REGISTRY.items() for calibration in entry.variants
]


@st.composite
def drawn_splits(draw):
    raw = np.array(draw(st.lists(st.floats(0.03, 1), min_size=2, max_size=len(NAMES))))
    split = splits.split_from_shares(zip(NAMES, raw / np.sum(raw), strict=False))
    for name in draw(st.sets(st.sampled_from(split.quantities), max_size=len(raw) - 2)):
        split = splits.lock_share(split, name)
    return split


@given(drawn_splits(), st.data())
@settings(max_examples=300)
def test_share_that_is_moved_leaves_the_others_in_proportion(split, data):
    free = [name for name in split.quantities if name not in split.locked]
    moved_name = data.draw(st.sampled_from(free))
    low, high = splits.allowed_range(split, moved_name)
    share = data.draw(st.floats(low, high))
    changed_split = splits.set_share(split, moved_name, share)

    assert changed_split.quantities == split.quantities
    assert changed_split.locked == split.locked
    assert changed_split[moved_name] == pytest.approx(share, abs=1e-12)
    assert abs(math.fsum(value for _, value in changed_split.shares) - 1) < 1e-12
    assert all(changed_split[name] == split[name] for name in split.locked)
    assert all(value >= MIN_SHARE * (1 - 1e-12) for _, value in changed_split.shares)
    free_names = [
        name for name in free if name != moved_name and changed_split[name] > MIN_SHARE * (1 + 1e-9)
    ]
    ratios = [changed_split[name] / split[name] for name in free_names]
    assert ratios == pytest.approx([ratios[0]] * len(ratios)) if ratios else True
    ratios_of_held = [
        changed_split[name] / split[name]
        for name in free
        if name != moved_name and name not in free_names
    ]
    assert all(ratio >= (ratios[0] if ratios else 0) * (1 - 1e-9) for ratio in ratios_of_held)


def test_set_share_equals_hand_computed_shares():
    split = splits.lock_share(splits.split_from_shares((("a", 0.5), ("b", 0.3), ("c", 0.2))), "c")
    assert dict(splits.set_share(split, "a", 0.2).shares) == pytest.approx(
        {"a": 0.2, "b": 0.6, "c": 0.2}
    )
    free = splits.lock_share(split, "c", is_locked=False)
    assert dict(splits.set_share(free, "a", 0.75).shares) == pytest.approx(
        {"a": 0.75, "b": 0.15, "c": 0.1}
    )
    assert splits.allowed_range(split, "a") == pytest.approx((MIN_SHARE, 0.8 - MIN_SHARE))
    assert splits.allowed_range(split, "c") == (0.2, 0.2)
    assert splits.allowed_range(splits.lock_share(split, "b"), "a") == pytest.approx((0.5, 0.5))


def test_share_at_the_minimum_gives_no_more_to_a_moved_one():
    split = splits.split_from_shares((("a", 0.2), ("b", 0.01), ("c", 0.79)))
    changed_split = splits.set_share(split, "a", 0.9)
    assert dict(changed_split.shares) == pytest.approx({"a": 0.9, "b": 0.005, "c": 0.095})


@pytest.mark.parametrize(("name", "calibration"), VARIANTS)
def test_default_split_of_a_variant_makes_a_plan(name, calibration):
    variant = REGISTRY[name].variants[calibration]
    assert variant.rests_on
    for split in (splits.default_split(variant), splits.equal_split(variant.names)):
        assert split.quantities == variant.names
        assert Plan(name, 1.0, split=split.shares, calibration=calibration).split == split.shares
    assert dict(splits.default_split(variant).shares) == pytest.approx(dict(variant.default_split))


@pytest.mark.parametrize(
    "call",
    [
        lambda: splits.split_from_shares((("a", 0.5), ("b", 0.6))),
        lambda: splits.split_from_shares((("a", 0.999), ("b", 0.001))),
        lambda: splits.split_from_shares((("a", 0.5), ("a", 0.5))),
        lambda: splits.split_from_shares((("a", math.nan), ("b", 0.5))),
        lambda: splits.equal_split(()),
        lambda: Split((("a", 0.5), ("b", 0.5)), frozenset({"c"})),
        lambda: Split((("a", 0.5), ("b", 0.5 + 1e-9))),
        lambda: splits.lock_share(splits.equal_split(NAMES), "elsewhere"),
        lambda: splits.set_share(splits.lock_share(splits.equal_split(NAMES), "mass"), "mass", 0.1),
        lambda: splits.set_share(splits.equal_split(NAMES), "mass", 0.99),
        lambda: splits.set_share(splits.equal_split(NAMES), "mass", 0.0),
        *(
            partial(splits.from_thousandths, ("a", "b"), steps)
            for steps in ((500,), (500, 501), (998, 2), (1000, 0), (1005, -5))
        ),
    ],
)
def test_split_with_invalid_shares_is_refused(call):
    with pytest.raises(InputError):
        call()


@given(weights=st.lists(st.floats(0.01, 1), min_size=1, max_size=8))
def test_split_rounded_to_thousandths_moves_less_than_a_step(weights: list[float]) -> None:
    smallest_share, room = splits.MIN_SHARE, 1 - len(weights) * splits.MIN_SHARE
    split = splits.split_from_shares(
        (str(i), smallest_share + room * weight / sum(weights)) for i, weight in enumerate(weights)
    )
    steps = splits.to_thousandths(split)
    assert sum(steps) == splits.N_STEPS
    for (_, share), step in zip(split.shares, steps, strict=True):
        assert abs(share * splits.N_STEPS - step) < 1 + 1e-6
    assert splits.to_thousandths(splits.from_thousandths(split.quantities, steps)) == steps
