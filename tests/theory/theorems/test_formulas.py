"""Formulas as shown: evaluated from their text they give the numbers that stand below them."""

import math
import re

import pytest

from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.plan import Plan
from dplda.theory.theorems import bounds, explicit
from dplda.theory.theorems.at_budget import BOUNDED, at_budget, numbers_of
from dplda.theory.theorems.explicit_formulas import explicit_formula_of
from dplda.theory.theorems.formula_text import (
    bound_with_numbers,
    bound_with_symbols,
    latex_number,
    with_numbers,
)
from dplda.theory.theorems.formulas import BoundFormula, formula_of, numbers_in
from dplda.theory.theorems.readings import PaperReading
from dplda.theory.theorems.spectrum import Spectrum
from tests.latex_value import latex_value, underbraced
from tests.theory.theorems.spectra import PAPER, spectrum

READINGS = (*PaperReading, None)
SPECTRA = (PAPER, spectrum(d=5000, alpha0=10.0, gap=1e-3), spectrum(sigma=(0.3, 2e-4, 1e-5)))
N_DOCUMENTS = 10_000_000
ROUNDING = 1e-3
"""Relative error of a formula of five-digit numbers whose powers sum up to 20 at most."""


def the_formula(configuration: str, reading: PaperReading | None) -> BoundFormula:
    if reading is None:
        return explicit_formula_of(configuration)
    return formula_of(configuration, reading)


def shown(configuration: str, reading: PaperReading | None, of: Spectrum) -> tuple[str, float]:
    """The formula with numbers as the page shows it, and the bound in full."""
    plan = Plan(configuration, 3.0, 1e-7, calibration=Calibration.PUBLISHED)
    formula = the_formula(configuration, reading)
    bound = at_budget(plan, of, n_documents=N_DOCUMENTS, reading=reading)
    numbers = numbers_in(formula, numbers_of(plan, of, n_documents=N_DOCUMENTS))
    return bound_with_numbers(formula, numbers, [term.value for term in bound.terms]), bound.total


@pytest.mark.parametrize("of", SPECTRA, ids=["paper", "many words", "weak"])
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("configuration", BOUNDED)
def test_formula_with_numbers_evaluated_from_its_text_gives_every_number_shown(
    configuration, reading, of
) -> None:
    latex, total = shown(configuration, reading, of)
    terms = underbraced(latex)
    assert len(terms) == (1 if configuration == "config-4" else 3)
    for expression, value in terms:
        assert latex_value(expression) == pytest.approx(latex_value(value), rel=6e-3)
    from_text = math.fsum(latex_value(expression) for expression, _ in terms)
    assert from_text == pytest.approx(total, rel=ROUNDING)
    last_line = latex.rpartition("&")[2].removesuffix(r"\end{aligned}")
    assert last_line.strip() == latex_number(total, 3)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("configuration", BOUNDED)
def test_named_expressions_evaluated_from_their_text_give_their_numbers(
    configuration, reading
) -> None:
    plan = Plan(configuration, 3.0, 1e-7, calibration=Calibration.PUBLISHED)
    formula = the_formula(configuration, reading)
    numbers = numbers_in(formula, numbers_of(plan, PAPER, n_documents=N_DOCUMENTS))
    for definition in formula.definitions:
        if definition.template:
            from_text = latex_value(with_numbers(definition.template, numbers))
            assert from_text == pytest.approx(numbers[definition.name], rel=ROUNDING)


@pytest.mark.parametrize("configuration", BOUNDED)
def test_readings_that_differ_in_value_differ_in_the_formula(configuration) -> None:
    recommended_formula = formula_of(configuration, PaperReading.RECOMMENDED)
    assert "underline" not in bound_with_symbols(recommended_formula)
    assert recommended_formula.departures == ()
    for reading in (PaperReading.PRINTED, PaperReading.TABLE_1):
        formula = formula_of(configuration, reading)
        differs = shown(configuration, reading, PAPER)[1] != pytest.approx(
            shown(configuration, PaperReading.RECOMMENDED, PAPER)[1], rel=1e-9
        )
        assert ("underline" in bound_with_symbols(formula)) is differs, reading
        assert bool(formula.departures) is differs, reading


@pytest.mark.parametrize("reading", READINGS)
def test_formula_of_every_configuration_names_every_number_that_its_bound_reads(reading) -> None:
    for configuration in BOUNDED:
        formula = the_formula(configuration, reading)
        templates = [*formula.terms, *(definition.template for definition in formula.definitions)]
        names = {name for text in templates for name in re.findall(r"@(\w+)", text)}
        plan = Plan(configuration, 3.0, 1e-7, calibration=Calibration.PUBLISHED)
        assert {f"t{name[1:]}" for name in plan.variant.names if name[0] == "e"} <= names


def test_theorems_with_numbers_are_those_with_values() -> None:
    assert set(bounds.BY_CONFIGURATION) == set(explicit.BY_CONFIGURATION) == set(BOUNDED)


@pytest.mark.parametrize(
    ("value", "latex"),
    [
        (100_000, "100{,}000"),
        (12_345_678, "12{,}345{,}678"),
        (0.0012345678, "0.0012346"),
        (1.2345678e-7, r"(1.2346\cdot 10^{-7})"),
        (3.0, "3"),
        (0.0, "0"),
    ],
)
def test_latex_number_may_stand_below_a_power(value, latex) -> None:
    assert latex_number(value) == latex
    assert latex_value(f"{latex}^{{2}}") == pytest.approx(value**2, rel=1e-4)
