"""Conditions of the theorems: which apply to whom, and at which split."""

import math

import pytest

from dplda.core.errors import InputError
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.plan import Plan
from dplda.theory.theorems.at_budget import BOUNDED
from dplda.theory.theorems.conditions import Condition, conditions_of
from tests.theory.theorems.spectra import spectrum


def published(name: str, epsilon: float = 3.0, split: tuple[tuple[str, float], ...] = ()) -> Plan:
    return Plan(name, epsilon, 1e-7, split=split, calibration=Calibration.PUBLISHED)


def at(plan: Plan, *, n_documents: int = 100_000, **of: object) -> dict[str, Condition]:
    conditions = conditions_of(plan, spectrum(**of), n_documents=n_documents)
    return {condition.formula: condition for condition in conditions}


GAP = "Δ₂ ≤ σk − σk₊₁"
STABLE = "Δ_T ≤ γs λk(T)/(2√k)"
PAIRS_4 = "√d τ₄/N ≤ (σk − σk₊₁)/2"
PAIRS_8 = "√d τ₈/N ≤ (σk − σk₊₁)/2"
TENSOR = "k² τ₆/(N σ̃k^1.5) ≤ γs λk(T)/(2√k)"
TRIPLES = "√(dk) τ₃/(σk^1.5 γs) ≤ N"
PRINTED = "√d ≤ N"
CLASSIC = "max εᵢ ≤ 1"


@pytest.mark.parametrize(
    ("name", "formulas"),
    [
        ("config-1", [PAIRS_4, PAIRS_8, TRIPLES, PRINTED, CLASSIC]),
        ("config-2", [GAP, PAIRS_8, TENSOR, PRINTED, CLASSIC]),
        ("config-3", [GAP, STABLE, PAIRS_8, PRINTED, CLASSIC]),
        ("config-4", [GAP, STABLE, PRINTED, CLASSIC]),
    ],
)
def test_conditions_of_a_configuration_are_those_of_its_own_edges(name, formulas) -> None:
    assert list(at(published(name))) == formulas


def test_conditions_follow_the_split_of_the_plan() -> None:
    conditions_of_even = at(published("config-1"))
    conditions_of_own = at(published("config-1", split=(("e3", 0.2), ("e4", 0.2), ("e8", 0.6))))
    assert (
        conditions_of_own[PAIRS_8].value
        < conditions_of_even[PAIRS_8].value
        < conditions_of_own[PAIRS_4].value
    )
    assert conditions_of_own[TRIPLES].value > conditions_of_even[TRIPLES].value
    assert conditions_of_even[CLASSIC].value == pytest.approx(1.0)
    assert conditions_of_own[CLASSIC].value == pytest.approx(1.8)
    assert not conditions_of_own[CLASSIC].holds


def test_values_of_conditions_equal_their_formulas_worked_out_by_hand() -> None:
    tau = 3 * math.sqrt(2 * math.log(1.25 * 3 / 1e-7)) / 3  # a third of ε = 3 and of δ
    conditions = at(published("config-1"))
    assert conditions[PAIRS_8].value == pytest.approx(10 * tau / 100_000)
    assert conditions[PAIRS_8].limit == pytest.approx(0.023 / 2)
    gamma = 0.127 / 4
    assert conditions[TRIPLES].value == pytest.approx(math.sqrt(300) * tau / (0.024**1.5 * gamma))
    four = at(published("config-4"))
    assert four[GAP].margin == pytest.approx(0.023 / 2.363636e-5, rel=1e-4)
    assert four[STABLE].value == pytest.approx((3 / 0.024) ** 1.5 / 100_000)
    assert four[STABLE].limit == pytest.approx(gamma * 1.827 / (2 * math.sqrt(3)))


def test_condition_on_documents_just_holds_at_the_number_it_asks_for() -> None:
    n_needed = math.ceil(at(published("config-1"))[TRIPLES].value)
    assert at(published("config-1"), n_documents=n_needed)[TRIPLES].holds
    assert not at(published("config-1"), n_documents=n_needed - 1)[TRIPLES].holds


@pytest.mark.parametrize("name", BOUNDED)
def test_conditions_with_enough_documents_hold_but_that_on_epsilon(name) -> None:
    for condition in at(published(name), n_documents=10**9).values():
        assert condition.holds


def test_conditions_fail_where_two_topics_are_equally_large() -> None:
    for name, formula in (("config-1", TRIPLES), ("config-2", TENSOR), ("config-3", STABLE)):
        condition = at(published(name), n_documents=10**9, gap=0.0)[formula]
        assert not condition.holds
        assert condition.margin == 0


def test_condition_on_the_tensor_fails_where_the_private_lower_bound_is_zero() -> None:
    condition = at(published("config-2", epsilon=0.1), n_documents=500)[TENSOR]
    assert condition.value == math.inf
    assert not condition.holds


def test_conditions_of_a_corrected_configuration_are_refused() -> None:
    with pytest.raises(InputError, match="as published"):
        conditions_of(Plan("config-1", 1.0, 1e-7), spectrum(), n_documents=1000)
