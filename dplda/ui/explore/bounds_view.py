"""The theorems' bounds, term by term, next to the predicted error."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError, NoFiniteNoise, NoTopics
from dplda.core.formatting import digits
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.plan import Plan
from dplda.methods.registry import parse_method
from dplda.privacy.accounting.composition import classic_multiplier
from dplda.theory.theorems.at_budget import BOUNDED, at_budget, documents_needed
from dplda.theory.theorems.conditions import conditions_at
from dplda.theory.theorems.readings import Bound, PaperReading
from dplda.theory.theorems.spectrum import Spectrum
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary, predictions
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.shell.views import choose_one
from dplda.ui.state import cache
from dplda.ui.state.keys import Key

READINGS: dict[str, PaperReading | None] = {
    "recommended": PaperReading.RECOMMENDED,
    "printed": PaperReading.PRINTED,
    "Table 1": PaperReading.TABLE_1,
    "constants": None,
}
TERMS = "bound prediction l1 sigma_k gamma_s regime dry_run edge configuration as_published tensor"
READING_HELP = (
    "The paper contradicts itself in places and leaves out constants. *Constants* puts them back."
)
THEOREMS_CAPTION = "Theorems 10 to 13, for noise as published."
MARGIN_CAPTION = (
    "*Margin*: a condition holds if it is 1 or more. Noise is split evenly over three numbers here."
)
N_QUANTITIES = 3  # over which the conditions split the budget


def draw(loaded: LoadedExperiment) -> None:
    """Draw the bounds beside predictions, or the paper's own if no theorem covers the method."""
    left_column, right_column = st.columns(2, gap="medium")
    with right_column:
        predictions.draw_predicted_curves(loaded, "bounds.predictions", as_published=True)
    with left_column:
        spectrum = _read_spectrum(loaded)
        if spectrum is None:
            return
        figure_place = st.container()
        reading_name = choose_one(
            "How to read the paper's theorems", list(READINGS), key=Key.READING, help=READING_HELP
        )
    reading = READINGS[reading_name]
    plans = _published_plans(loaded)
    n_documents = loaded.corpus.n_documents
    bounds = {name: _bound(plan, spectrum, n_documents, reading) for name, plan in plans.items()}
    with figure_place:
        _draw_figure(loaded, bounds)
    with st.expander("Numbers", icon=":material/tag:"):
        glossary.draw_heading("Terms of the bounds", TERMS)
        rows = [_row(plans[name], bound, spectrum, reading) for name, bound in bounds.items()]
        figure_view.draw_table(rows, "configuration")
        st.caption(f"Here N = {n_documents:,}. The distance of two topics is never larger than √2.")
    with st.expander("What the theorems assume", icon=":material/fact_check:"):
        _draw_conditions(loaded, spectrum)


def _read_spectrum(loaded: LoadedExperiment) -> Spectrum | None:
    """The spectrum without noise; None where there is none, for a reason that is drawn."""
    try:
        return cache.spectrum(loaded.corpus, loaded.experiment)
    except NoTopics as error:
        reason = f"Bounds need the topics that the documents have without noise. {error}"
        st.info(literal(reason))
    except DpldaError as error:
        st.error(literal(str(error)))
    return None


def _draw_figure(loaded: LoadedExperiment, bounds: Mapping[str, Bound | None]) -> None:
    """Draw the terms of each theorem's bound; the caption says so if none bounds the method."""
    method = loaded.experiment.registered_method
    figure = figures.bound_terms(
        bounds,
        epsilon=float(loaded.experiment.budget.epsilon),
        chosen=method.name,
        watermark=loaded.watermark,
    )
    figure_view.draw(figure, "bounds.theorems")
    caption = THEOREMS_CAPTION
    if method.name not in BOUNDED:
        alternatives = "these are its four configurations at the same numbers"
        caption = f"No theorem of the paper bounds {method.title}: {alternatives}."
    st.caption(caption)


def _published_plans(loaded: LoadedExperiment) -> dict[str, Plan]:
    """The paper's configurations as published; the experiment's own one keeps its split."""
    budget = loaded.experiment.budget
    own_plan = loaded.experiment.plan
    plans = {}
    for name in BOUNDED:
        plan = Plan(name, budget.epsilon, budget.delta, calibration=Calibration.PUBLISHED)
        if own_plan is not None and own_plan.variant is plan.variant:
            plan = replace(plan, split=own_plan.split)
        plans[name] = plan
    return plans


def _bound(
    plan: Plan, spectrum: Spectrum, n_documents: int, reading: PaperReading | None
) -> Bound | None:
    """A theorem's bound on the error; None where no finite noise is enough."""
    try:
        return at_budget(plan, spectrum, n_documents=n_documents, reading=reading)
    except NoFiniteNoise:
        return None


def _row(
    plan: Plan, bound: Bound | None, spectrum: Spectrum, reading: PaperReading | None
) -> dict[str, str]:
    """A table row: every term, their sum, and the documents needed for a bound below √2."""
    terms = "no finite bound"
    total = "∞"
    if bound is not None:
        terms = "; ".join(f"{term.name} {digits(term.value)}" for term in bound.terms)
        total = digits(bound.total)
    n_needed = "enough"
    if bound is None or bound.vacuous:
        n_needed = _describe_documents_needed(plan, spectrum, reading)
    return {
        "configuration": parse_method(f"{plan.configuration}/{plan.variant.scaling}").title,
        "terms": terms,
        "sum": total,
        "documents for a bound below √2": n_needed,
    }


def _describe_documents_needed(plan: Plan, spectrum: Spectrum, reading: PaperReading | None) -> str:
    """The number of documents, rounded up to two digits, from which a bound is below √2."""
    try:
        number = documents_needed(plan, spectrum, reading=reading)
    except NoFiniteNoise:
        return "none: two topics are equally large (γs = 0)"
    unit = 10 ** max(0, len(str(number)) - 2)
    return f"{-(-number // unit) * unit:,}"


def _draw_conditions(loaded: LoadedExperiment, spectrum: Spectrum) -> None:
    """Draw whether each condition of the theorems holds, and by what margin.

    ε and δ are one quantity's even share of the experiment's.
    """
    budget = loaded.experiment.budget
    share_epsilon = budget.epsilon / N_QUANTITIES
    share_delta = budget.delta / N_QUANTITIES
    conditions = conditions_at(
        spectrum,
        n_documents=loaded.corpus.n_documents,
        tau=classic_multiplier(share_epsilon, share_delta),
        epsilon=share_epsilon,
    )
    lines = []
    for condition in conditions:
        outcome = "✓ holds" if condition.holds else "✗ fails"
        margin = digits(condition.margin)
        lines.append(f"- {outcome}, margin {margin}: {condition.words} {condition.formula}")
    st.markdown("\n".join(lines))
    st.caption(MARGIN_CAPTION)
