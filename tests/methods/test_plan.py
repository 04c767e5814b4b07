"""A plan holds what changes a guarantee: frozen, hashable, written and read, and refused where it cannot be."""

import dataclasses
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplda import Plan
from dplda.core.errors import InputError
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.configurations.variant import Calibration, NoiseLaw, Scaling
from dplda.methods.plan import budget_warnings

VARIANT = ADAPTIVE.variants[Calibration.CORRECTED]
SIX = len(VARIANT.names)


def even_split(total: float = 1.0) -> tuple[tuple[str, float], ...]:
    return tuple((name, total / SIX) for name in VARIANT.names)


@given(
    st.floats(1e-6, 1e6),
    st.floats(1e-300, 0.5, exclude_max=True),
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


@pytest.mark.parametrize("delta", [0, 0.5, 1, -1e-9, 1.0001, math.nan, "small"])
def test_a_delta_outside_its_range_is_refused(delta: object) -> None:
    with pytest.raises(InputError, match=r"delta must be a number above 0 and below 0\.5"):
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
    split = ((VARIANT.names[0], bad), *even_split()[1:])
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
    assert budget_warnings(1.0, 1e-7, n_documents=10_000) == ()
    assert budget_warnings(10.0, 1e-7, n_documents=10_000) == ()
    (about_delta,) = budget_warnings(1.0, 1e-4, n_documents=10_000)
    assert "not below 1/N" in about_delta
    (about_epsilon,) = budget_warnings(11.0, 1e-7, n_documents=10_000)
    assert "above 10" in about_epsilon
    assert len(budget_warnings(11.0, 0.1, n_documents=10_000)) == 2


CALIBRATED = [(name, calibration) for name, known in REGISTRY.items() for calibration in known.variants]
every_calibration = pytest.mark.parametrize(("name", "calibration"), CALIBRATED, ids=lambda x: str(x))


@pytest.mark.parametrize("name", REGISTRY)
def test_the_calibration_is_the_recommended_one_unless_chosen(name: str) -> None:
    """As corrected where there is a correction, as published where there is none."""
    corrected = name not in ("config-3", "config-4")
    plan = Plan(name, 1.0)
    assert plan.calibration is (Calibration.CORRECTED if corrected else Calibration.PUBLISHED)
    assert plan == Plan(name, 1.0, calibration=plan.calibration)
    assert plan.variant is REGISTRY[name].variants[plan.calibration]


@every_calibration
def test_calibration_and_law_survive_writing_and_reading(name: str, calibration: Scaling) -> None:
    """A scaling stands for its variant wherever a calibration may; a plan is written with both."""
    plan = Plan(name, 2.0, 1e-6, calibration=calibration)
    assert plan == Plan(name, 2.0, 1e-6, calibration=plan.calibration, law=plan.law)
    assert plan.variant is REGISTRY[name].variants[calibration]
    again = Plan.from_json(plan.to_json())
    assert again == plan
    assert hash(again) == hash(plan)
    assert (type(again.calibration), type(again.law)) == (Calibration, NoiseLaw)
    written = json.loads(plan.to_json())
    assert (written["calibration"], written["law"]) == (plan.variant.calibration, plan.variant.law)


@every_calibration
def test_a_split_belongs_to_its_calibration(name: str, calibration: Calibration) -> None:
    variant = REGISTRY[name].variants[calibration]
    assert Plan(name, 1.0, split=variant.default_split, calibration=calibration).split == variant.default_split
    assert math.fsum(fraction for _, fraction in variant.default_split) == pytest.approx(1, abs=1e-12)
    for other, of_another in CALIBRATED:
        split = REGISTRY[other].variants[of_another].default_split
        if {quantity for quantity, _ in split} != set(variant.names):
            with pytest.raises(InputError, match="split must be one fraction for each of " + variant.names[0]):
                Plan(name, 1.0, split=split, calibration=calibration)


@pytest.mark.parametrize("unknown", ["improved", "", "Corrected", 3])
@pytest.mark.parametrize("name", REGISTRY)
def test_an_unknown_calibration_is_refused_with_the_known_ones(name: str, unknown: object) -> None:
    with pytest.raises(InputError, match="calibration must be one of ") as refusal:
        Plan(name, 1.0, calibration=unknown)
    for calibration in REGISTRY[name].variants:
        assert calibration.value in str(refusal.value)
    assert name in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "calibration"),
    [("adaptive", "as published"), ("config-2", "Laplace"), ("config-3", "corrected"), ("config-4", "corrected")],
)
def test_a_calibration_of_another_configuration_is_refused(name: str, calibration: str) -> None:
    with pytest.raises(InputError, match=f"calibration must be one of .* for {name}"):
        Plan(name, 1.0, calibration=calibration)
    with pytest.raises(InputError):
        Plan.from_json(json.dumps({"configuration": name, "epsilon": 1.0, "calibration": calibration}))


@pytest.mark.parametrize("calibration", [["corrected"], {"corrected": 1}])
def test_a_calibration_that_is_no_name_is_no_plan(calibration: object) -> None:
    with pytest.raises(InputError):
        Plan.from_json(json.dumps({"configuration": "adaptive", "epsilon": 1.0, "calibration": calibration}))


def test_a_plan_written_before_there_were_calibrations_is_still_read() -> None:
    assert Plan.from_json('{"configuration": "adaptive", "epsilon": 1}') == Plan("adaptive", 1)


def test_a_plan_written_before_laplace_was_a_law_is_still_read() -> None:
    written = '{"configuration": "config-1", "epsilon": 1, "calibration": "Laplace"}'
    assert Plan.from_json(written) == Plan("config-1", 1, law=NoiseLaw.LAPLACE)
    assert Plan("config-1", 1).law is NoiseLaw.GAUSSIAN


@pytest.mark.parametrize("other", [{"calibration": "as published"}, {"configuration": "adaptive"}])
def test_a_law_that_no_variant_has_is_refused(other: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"calibration must be one of .*, got Laplace"):
        Plan(**{"configuration": "config-1", "epsilon": 1.0, "law": NoiseLaw.LAPLACE} | other)


@pytest.mark.parametrize("split", [3, (3,), (("pairs",),), ("pairs", "words"), (("pairs", 0.5),) * SIX])
def test_a_split_that_is_none_is_refused(split) -> None:
    with pytest.raises(InputError, match="split must be one fraction for each of"):
        Plan("adaptive", 1.0, split=split)


@pytest.mark.parametrize("name", [None, 3, [], "bogus"])
def test_a_configuration_of_another_kind_is_refused(name) -> None:
    with pytest.raises(InputError, match="configuration must be one of"):
        Plan(name, 1.0)
