"""A plan holds what changes a guarantee: frozen, hashable, written and read, and refused where it cannot be."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplda import Plan
from dplda.core.errors import InputError
from dplda.methods.base.calibration import AuthorsNoise, Calibration, NoiseLaw, Scaling
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.configurations.plan import budget_warnings, plan_of_method

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
def test_plan_written_to_json_reads_back_equal(
    epsilon: float, delta: float, split: tuple, quantile: float | None
) -> None:
    plan = Plan("adaptive", epsilon, delta, split, quantile)
    reread_plan = Plan.from_json(plan.to_json())
    assert reread_plan == plan
    assert hash(reread_plan) == hash(plan)


EACH = "split must be one fraction for each of pair clip"
SPLITS = (
    (("pairs", 1.0),),
    even_split()[:-1],
    (*even_split()[:-1], ("another", 0.1)),
    (*even_split(0.5), even_split(0.5)[0]),
    *(3, (3,), (("pairs",),), ("pairs", "words"), (("pairs", 0.5),) * SIX),
)
REFUSED = [
    *(
        ({"epsilon": bad}, "epsilon must be a finite number")
        for bad in (0, -1.0, math.nan, "1", True)
    ),
    *(
        ({"delta": bad}, r"delta must be a number above 0 and below 0\.5")
        for bad in (0, 0.5, -1e-9, math.nan, "small")
    ),
    *(({"clip_quantile": bad}, "clip_quantile") for bad in (0, -0.5, 1.01, math.nan)),
    *(
        ({"configuration": bad}, "configuration must be one of adaptive")
        for bad in ("adaptve", None, 3, [])
    ),
    *(({"split": even_split(total)}, "sum to at most 1") for total in (1 + 1e-10, 2)),
    *(({"split": split}, EACH) for split in SPLITS),
    *(
        (
            {"split": ((VARIANT.names[0], bad), *even_split()[1:])},
            "split of pair clip must be a finite number",
        )
        for bad in (0.0, -0.1, math.nan, math.inf)
    ),
    *(
        ({"calibration": bad}, "calibration must be one of .* for adaptive")
        for bad in ("as published", "Laplace", "Corrected", "", 3)
    ),
]


@pytest.mark.parametrize(("arguments", "reason"), REFUSED)
def test_plan_with_an_invalid_argument_is_refused(
    arguments: dict[str, object], reason: str
) -> None:
    """However little more than the whole a split is: a fit that overspends would end with nothing to claim."""
    with pytest.raises(InputError, match=reason):
        Plan(**{"configuration": "adaptive", "epsilon": 1.0} | arguments)


BAD_TEXTS = [
    *(
        "",
        "{",
        "[]",
        "3",
        "null",
        "{}",
        '{"configuration": "adaptive"}',
        '{"configuration": "none", "epsilon": 1}',
    ),
    *(
        json.dumps({"configuration": "adaptive", "epsilon": 1} | bad)
        for bad in (
            *(
                {"calibration": ["corrected"]},
                {"calibration": "as published"},
                {"configuration": ["adaptive"]},
            ),
            *(
                {"noise": False},
                {"split": [["pairs"]]},
                {"split": 3},
                {"epsilon": math.nan},
                {"epsilon": "1"},
            ),
            {"delta": 2},
        )
    ),
]


@pytest.mark.parametrize("text", BAD_TEXTS)
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


CALIBRATED = [
    (name, calibration)
    for name, configuration in REGISTRY.items()
    for calibration in configuration.variants
]
every_calibration = pytest.mark.parametrize(
    ("name", "calibration"), CALIBRATED, ids=lambda x: str(x)
)


@pytest.mark.parametrize("name", REGISTRY)
def test_plan_without_a_calibration_has_the_recommended_one(name: str) -> None:
    """As corrected where there is a correction, as published where there is none."""
    calibrations = {variant.calibration for variant in REGISTRY[name].variants.values()}
    is_corrected = Calibration.CORRECTED in calibrations
    plan = Plan(name, 1.0)
    assert plan.calibration is (Calibration.CORRECTED if is_corrected else Calibration.PUBLISHED)
    assert plan == Plan(name, 1.0, calibration=plan.calibration)
    assert plan.variant is REGISTRY[name].variants[plan.calibration]


@every_calibration
def test_plan_of_each_calibration_reads_back_with_its_law(name: str, calibration: Scaling) -> None:
    """A scaling stands for its variant wherever a calibration may; a plan is written with both."""
    plan = Plan(name, 2.0, 1e-6, calibration=calibration)
    assert plan == Plan(name, 2.0, 1e-6, calibration=plan.calibration, law=plan.law)
    assert plan.variant is REGISTRY[name].variants[calibration]
    reread_plan = Plan.from_json(plan.to_json())
    assert reread_plan == plan
    assert hash(reread_plan) == hash(plan)
    assert (type(reread_plan.calibration), type(reread_plan.law)) == (Calibration, NoiseLaw)
    written_plan = json.loads(plan.to_json())
    assert (written_plan["calibration"], written_plan["law"]) == (
        plan.variant.calibration,
        plan.variant.law,
    )


def test_plan_of_an_older_version_is_read() -> None:
    written_plan = '{"configuration": "config-1", "epsilon": 1, "calibration": "Laplace"}'
    assert Plan.from_json(written_plan) == Plan("config-1", 1, law=NoiseLaw.LAPLACE)
    assert Plan("config-1", 1).law is NoiseLaw.GAUSSIAN
    assert Plan.from_json('{"configuration": "adaptive", "epsilon": 1}') == Plan("adaptive", 1)


@pytest.mark.parametrize(
    "arguments_of_law", [{"calibration": "as published"}, {"configuration": "adaptive"}]
)
def test_plan_with_a_law_that_no_variant_has_is_refused(arguments_of_law: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"calibration must be one of .*, got Laplace"):
        Plan(
            **{"configuration": "config-1", "epsilon": 1.0, "law": NoiseLaw.LAPLACE}
            | arguments_of_law
        )


def test_portions_of_a_plan_without_a_split_are_its_configurations_own() -> None:
    plan = Plan("adaptive", epsilon=1.0)
    assert plan.portions == Budget(split=plan.variant.default_split).portions


def test_portions_of_a_plan_with_a_split_are_those_of_its_budget() -> None:
    split = (("σk", 0.1), ("e6", 0.523), ("e8", 0.377))
    plan = Plan("config-2", 1.0, split=split, calibration="as published")
    assert plan.portions == plan.budget.portions == dict(split)


def test_plan_of_a_method_with_the_authors_noise_is_none() -> None:
    spec = MethodSpec(name="config-1", scaling=AuthorsNoise.AS_READ)
    assert plan_of_method(spec, Budget(1.0, 1e-7)) is None


def test_plan_of_a_method_without_a_calibration_is_the_recommended_one() -> None:
    plan = plan_of_method(MethodSpec(name="config-1"), Budget(1.0, 1e-7))
    assert plan == Plan("config-1", 1.0, 1e-7)


def test_divided_budget_of_a_plan_without_a_split_has_its_configurations_own() -> None:
    plan = Plan("adaptive", epsilon=1.0)
    assert plan.budget.split == ()
    assert plan.divided.split == plan.variant.default_split
    assert plan.divided.portions == plan.portions
