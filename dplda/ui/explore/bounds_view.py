"""The theorems' bounds, term by term, next to the predicted error."""

from dataclasses import replace

import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError, NoFiniteNoise, NoTopics
from dplda.core.formatting import digits
from dplda.methods.configurations import REGISTRY, Calibration
from dplda.methods.configurations.plan import Plan
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


def draw(experiment: LoadedExperiment) -> None:
    """Draw the bounds, or those of the paper's configurations if no theorem covers the method, beside predictions."""
    left, right = st.columns(2, gap="medium")
    with right:
        predictions.draw_predicted_curves(experiment, "bounds.predictions")
    with left:
        try:
            spectrum = cache.spectrum(experiment.corpus, experiment.settings)
        except NoTopics as error:
            st.info(
                literal(f"Bounds need the topics that the documents have without noise. {error}")
            )
            return
        except DpldaError as error:
            st.error(literal(str(error)))
            return
        if spectrum is None:
            return
        picture = st.container()
        asked = choose_one(
            "How to read the paper's theorems",
            list(READINGS),
            key=Key.READING,
            help="The paper contradicts itself in places and leaves out constants. *Constants* puts them back.",
        )
        plans, n = _plans(experiment), experiment.corpus.n_documents
        bounds = {name: _bound(plan, spectrum, n, READINGS[asked]) for name, plan in plans.items()}
        settings = experiment.settings
        chosen, epsilon = settings.registered_method, float(settings.budget.epsilon)
        said = "Theorems 10 to 13, for noise as published."
        if chosen.name not in BOUNDED:
            these = "these are its four configurations at the same numbers"
            said = f"No theorem of the paper bounds {chosen.title}: {these}."
        with picture:
            figure = figures.bound_terms(
                bounds, epsilon=epsilon, chosen=chosen.name, watermark=experiment.watermark
            )
            figure_view.draw(figure, "bounds.theorems")
            st.caption(said)
    with st.expander("Numbers", icon=":material/tag:"):
        glossary.draw_heading(
            "Terms of the bounds",
            "bound prediction l1 sigma_k gamma_s regime dry_run edge configuration as_published tensor",
        )
        rows = [
            _row(plans[name], bound, spectrum, READINGS[asked]) for name, bound in bounds.items()
        ]
        figure_view.draw_table(rows, "configuration")
        st.caption(f"Here N = {n:,}. The distance of two topics is never larger than √2.")
    with st.expander("What the theorems assume", icon=":material/fact_check:"):
        _conditions(experiment, spectrum)


def _plans(experiment: LoadedExperiment) -> dict[str, Plan]:
    """The paper's configurations as published; the experiment's own one has the experiment's split."""
    budget, own = experiment.settings.budget, experiment.settings.plan
    plans = {}
    for name in BOUNDED:
        published = Plan(name, budget.epsilon, budget.delta, calibration=Calibration.PUBLISHED)
        same = own is not None and own.variant is published.variant
        plans[name] = replace(published, split=own.split) if own is not None and same else published
    return plans


def _bound(plan: Plan, spectrum: Spectrum, n: int, reading: PaperReading | None) -> Bound | None:
    try:
        return at_budget(plan, spectrum, n_documents=n, reading=reading)
    except NoFiniteNoise:
        return None


def _row(
    plan: Plan, bound: Bound | None, spectrum: Spectrum, reading: PaperReading | None
) -> dict[str, str]:
    """A table row: every term, and the documents needed for a bound below √2, rounded up to two digits."""
    needed = "enough"
    if bound is None or bound.vacuous:
        try:
            number = documents_needed(plan, spectrum, reading=reading)
            unit = 10 ** max(0, len(str(number)) - 2)
            needed = f"{-(-number // unit) * unit:,}"
        except NoFiniteNoise:
            needed = "none: two topics are equally large (γs = 0)"
    terms = (
        [f"{term.name} {digits(term.value)}" for term in bound.terms]
        if bound
        else ["no finite bound"]
    )
    return {
        "configuration": REGISTRY[plan.configuration].title,
        "terms": "; ".join(terms),
        "sum": digits(bound.total) if bound else "∞",
        "documents for a bound below √2": needed,
    }


def _conditions(experiment: LoadedExperiment, spectrum: Spectrum) -> None:
    budget, n = experiment.settings.budget, experiment.corpus.n_documents
    tau = classic_multiplier(budget.epsilon / 3, budget.delta / 3)
    checks = conditions_at(spectrum, n_documents=n, tau=tau, epsilon=budget.epsilon / 3)
    lines = [
        f"- {'✓ holds' if one.holds else '✗ fails'}, margin {digits(one.margin)}: {one.words} {one.formula}"
        for one in checks
    ]
    st.markdown("\n".join(lines))
    st.caption(
        "*Margin*: a condition holds if it is 1 or more. Noise is split evenly over three numbers here."
    )
