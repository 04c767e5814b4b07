"""Table 1 of the paper, with this experiment's numbers, beside ours."""

import math
from collections.abc import Iterator, Mapping

import streamlit as st

from dplda.core.errors import DpldaError, NoFiniteNoise
from dplda.core.formatting import digits
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.chain.noise_table import EdgeNoise, edge_noise
from dplda.methods.configurations.plan import Plan
from dplda.theory.theorems.at_budget import at_budget, numbers_of
from dplda.theory.theorems.conditions import conditions_of
from dplda.theory.theorems.formula_text import with_symbols
from dplda.theory.theorems.formulas import formula_of
from dplda.theory.theorems.readings import PaperReading
from dplda.theory.theorems.spectrum import Spectrum
from dplda.theory.theorems.table_1 import PRINTED_CONSTRAINTS, printed_sensitivities
from dplda.ui.shell import predictions
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state import cache

CAPTION = (
    "As printed, with hidden constants 1; *here* are this experiment's numbers. The constraint"
    " stands in the paper's Remark 15 and in its version of 2018. *Ours* is the corrected noise,"
    " whose sensitivities are proven. No theorem bounds its error, so a prediction"
    " of the L1 error stands there."
)
NO_CORRECTION = "none known"
"""In place of a proven sensitivity."""


def draw(
    loaded: LoadedExperiment, plan_by_configuration: Mapping[str, Plan], spectrum: Spectrum
) -> None:
    """Draw Table 1, a box for each configuration, with our proven and predicted numbers beside.

    A box has sensitivities, utility and constraint.

    Args:
        loaded: whose numbers are filled in.
        plan_by_configuration: plans of the four configurations as published.
        spectrum: of the documents.
    """
    predicted_errors = {
        curve.configuration: curve.at(float(loaded.experiment.budget.epsilon))
        for curve in predictions.predicted_curves(loaded)
    }
    for plan in plan_by_configuration.values():
        corrected_method_name = f"{plan.configuration}/{Calibration.CORRECTED}"
        predicted_error = predicted_errors.get(corrected_method_name, math.nan)
        _draw_box(loaded, plan, spectrum, predicted_error)
    st.caption(CAPTION)


def _draw_box(
    loaded: LoadedExperiment, plan: Plan, spectrum: Spectrum, predicted_error: float
) -> None:
    """Draw the box of a configuration: its name, and three columns of lines.

    They are on sensitivities, on utility, and on the constraint.

    Args:
        loaded: whose numbers are filled in.
        plan: of the configuration as published.
        spectrum: of the documents.
        predicted_error: L1, with corrected noise; NaN where unknown.
    """
    lines_of_columns = (
        _describe_sensitivities(loaded, plan, spectrum),
        _describe_utility(loaded, plan, spectrum, predicted_error),
        _describe_constraint(loaded, plan, spectrum),
    )
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{REGISTRY[plan.configuration].label}**")
        layout_columns = st.columns([3, 5, 3], gap="medium")
        for layout_column, column_lines in zip(layout_columns, lines_of_columns, strict=True):
            layout_column.markdown("  \n".join(column_lines))


def _describe_sensitivities(
    loaded: LoadedExperiment, plan: Plan, spectrum: Spectrum
) -> Iterator[str]:
    """Yield a heading, each printed sensitivity once with symbol and number, and proven ones."""
    yield ":small[Sensitivity]"
    numbers_at_hand = numbers_of(plan, spectrum, n_documents=loaded.corpus.n_documents)
    sensitivity_by_symbol = {
        printed.symbol: printed for printed in printed_sensitivities(numbers_at_hand).values()
    }
    for symbol, printed in sensitivity_by_symbol.items():
        yield f"${symbol}={with_symbols(printed.template)}$ = {digits(printed.value)}"
    yield f":small[Ours: {_describe_proven_sensitivities(loaded, plan, spectrum)}]"


def _describe_utility(
    loaded: LoadedExperiment, plan: Plan, spectrum: Spectrum, predicted_error: float
) -> Iterator[str]:
    """Yield a heading, Table 1's expression of utility, its value here, and our predicted error.

    Symbols that the expression defines get a line; the prediction has none if it is unknown (NaN).
    """
    yield ":small[Utility loss (L2)]"
    formula = formula_of(plan.configuration, PaperReading.TABLE_1)
    yield " $+$ ".join(f"${_plain(term)}$" for term in formula.terms)
    definition_texts = [
        f"${with_symbols('@' + definition.name)}={_plain(definition.template)}$"
        for definition in formula.definitions
    ]
    if definition_texts:
        yield ", ".join(definition_texts)
    yield f"Here: {_describe_bound(plan, spectrum, loaded.corpus.n_documents)} (at most √2)"
    if not math.isnan(predicted_error):
        yield f":small[Ours: predicted L1 error {digits(predicted_error)} (at most 2)]"


def _plain(template: str) -> str:
    """Symbols without the marks of what differs: the table shows one reading alone."""
    return with_symbols(template).replace(r"\underline{\textcolor{#D55E00}", "{")


def _describe_bound(plan: Plan, spectrum: Spectrum, n_documents: int) -> str:
    try:
        bound = at_budget(plan, spectrum, n_documents=n_documents, reading=PaperReading.TABLE_1)
    except NoFiniteNoise:
        return "∞"
    return digits(bound.total)


def _describe_constraint(loaded: LoadedExperiment, plan: Plan, spectrum: Spectrum) -> Iterator[str]:
    """Yield a heading and the printed constraints, each with whether it holds here, or ``none``."""
    yield ":small[Constraint]"
    printed_constraints = PRINTED_CONSTRAINTS[plan.configuration]
    if not printed_constraints:
        yield "none"
    checked_conditions = conditions_of(plan, spectrum, n_documents=loaded.corpus.n_documents)
    for constraint_latex, condition in zip(printed_constraints, checked_conditions, strict=False):
        outcome = "✓ holds" if condition.holds else "✗ fails"
        yield f"${constraint_latex}$: {outcome}"


def _describe_proven_sensitivities(loaded: LoadedExperiment, plan: Plan, spectrum: Spectrum) -> str:
    """List the sensitivities of the quantities among which corrected noise divides the budget.

    Each is listed once. Says so if there is no correction, or it is refused here.
    """
    if Calibration.CORRECTED not in REGISTRY[plan.configuration].variants:
        return NO_CORRECTION
    try:
        corrected_noise = _corrected_noise(loaded, plan, spectrum)
    except DpldaError:
        return "refused here"
    quantity_names = REGISTRY[plan.configuration].variants[Calibration.CORRECTED].names
    sensitivity_texts = [
        f"{row.symbol} {digits(row.sensitivity)}"
        for row in corrected_noise
        if row.name in quantity_names
    ]
    return ", ".join(dict.fromkeys(sensitivity_texts))


def _corrected_noise(
    loaded: LoadedExperiment, plan: Plan, spectrum: Spectrum
) -> tuple[EdgeNoise, ...]:
    """Corrected noise of a configuration's quantities, at the plan's ε and δ and the default split.

    Raises:
        DpldaError: the corrected noise is refused for these documents.
    """
    corpus = loaded.corpus
    problem = loaded.experiment.problem
    return edge_noise(
        Plan(plan.configuration, plan.epsilon, plan.delta, calibration=Calibration.CORRECTED),
        n_documents=corpus.n_documents,
        n_words=corpus.n_words,
        n_topics=problem.n_topics,
        alpha0=problem.alpha0,
        spectrum=spectrum,
        mean_length=cache.mean_length(corpus),
    )
