"""A plan holds what changes a guarantee: frozen, hashable, written and read, and refused where it cannot be."""

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplda import Plan
from dplda.configurations.adaptive import ADAPTIVE
from dplda.errors import InputError

SIX = len(ADAPTIVE.quantities)


def even_split(total: float = 1.0) -> tuple[tuple[str, float], ...]:
    return tuple((name, total / SIX) for name in ADAPTIVE.quantities)


@given(
    st.floats(1e-6, 1e6),
    st.floats(1e-300, 1, exclude_max=True),
    st.sampled_from([(), even_split(), even_split(0.5)]),
    st.one_of(st.none(), st.floats(0.01, 1)),
)
def test_a_plan_survives_writing_and_reading(
    epsilon: float, delta: float, split: tuple, quantile: float | None
) -> None:
    plan = Plan("adaptive", epsilon, delta, split, quantile)
    again = Plan.from_json(plan.to_json())
    assert again == plan
    assert hash(again) == hash(plan)


def test_a_plan_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Plan("adaptive", 1.0).epsilon = 2.0


@pytest.mark.parametrize("epsilon", [0, -1.0, math.nan, math.inf, "1", True, None])
def test_an_epsilon_that_is_none_is_refused(epsilon: object) -> None:
    with pytest.raises(InputError, match="epsilon must be a finite number greater than 0"):
        Plan("adaptive", epsilon)


@pytest.mark.parametrize("delta", [0, 1, -1e-9, 1.0001, math.nan, "small"])
def test_a_delta_outside_its_range_is_refused(delta: object) -> None:
    with pytest.raises(InputError, match="delta must be a number between 0 and 1, ends excluded"):
        Plan("adaptive", 1.0, delta)


@pytest.mark.parametrize("quantile", [0, -0.5, 1.01, math.nan])
def test_a_quantile_outside_its_range_is_refused(quantile: float) -> None:
    with pytest.raises(InputError, match="clip_quantile"):
        Plan("adaptive", 1.0, clip_quantile=quantile)


def test_an_unknown_configuration_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="configuration must be one of adaptive"):
        Plan("adaptve", 1.0)


@pytest.mark.parametrize("total", [1 + 1e-10, 1.1, 2])
def test_a_split_of_more_than_the_whole_is_refused(total: float) -> None:
    """However little more: a fit that overspends would end with nothing to claim."""
    with pytest.raises(InputError, match="sum to at most 1"):
        Plan("adaptive", 1.0, split=even_split(total))


def test_a_split_of_less_than_the_whole_is_allowed() -> None:
    assert Plan("adaptive", 1.0, split=even_split(0.5)).split == even_split(0.5)


@pytest.mark.parametrize(
    "split",
    [
        (("pairs", 1.0),),
        even_split()[:-1],
        (*even_split()[:-1], ("another", 0.1)),
        (*even_split(0.5), even_split(0.5)[0]),
    ],
    ids=["one", "one missing", "one unknown", "one twice"],
)
def test_a_split_must_name_every_quantity_once(split: tuple[tuple[str, float], ...]) -> None:
    with pytest.raises(InputError, match="split must be one fraction for each of pair clip"):
        Plan("adaptive", 1.0, split=split)


@pytest.mark.parametrize("bad", [0.0, -0.1, math.nan, math.inf])
def test_a_share_of_nothing_or_less_is_refused(bad: float) -> None:
    split = ((ADAPTIVE.quantities[0], bad), *even_split()[1:])
    with pytest.raises(InputError, match="split of pair clip must be a finite number greater than 0"):
        Plan("adaptive", 1.0, split=split)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        "null",
        "{}",
        '{"configuration": "adaptive"}',
        '{"configuration": ["adaptive"], "epsilon": 1}',
        '{"configuration": "adaptive", "epsilon": 1, "noise": false}',
        '{"configuration": "adaptive", "epsilon": 1, "split": [["pairs"]]}',
        '{"configuration": "adaptive", "epsilon": 1, "split": 3}',
        '{"configuration": "adaptive", "epsilon": NaN}',
        '{"configuration": "adaptive", "epsilon": "1"}',
        '{"configuration": "adaptive", "epsilon": 1, "delta": 2}',
        '{"configuration": "none", "epsilon": 1}',
    ],
)
def test_text_that_is_no_plan_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Plan.from_json(text)


def test_unwise_choices_are_warned_of() -> None:
    assert Plan("adaptive", 1.0, 1e-7).warnings(n_documents=10_000) == ()
    assert Plan("adaptive", 10.0, 1e-7).warnings(n_documents=10_000) == ()
    (about_delta,) = Plan("adaptive", 1.0, 1e-4).warnings(n_documents=10_000)
    assert "not below 1/N" in about_delta
    (about_epsilon,) = Plan("adaptive", 11.0).warnings(n_documents=10_000)
    assert "above 10" in about_epsilon
    assert len(Plan("adaptive", 11.0, 0.1).warnings(n_documents=10_000)) == 2
