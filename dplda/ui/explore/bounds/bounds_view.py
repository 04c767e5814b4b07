"""Bounds: a theorem as a formula with this experiment's numbers, and from which N it helps."""

from dataclasses import replace

import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError, NoTopics
from dplda.core.formatting import digits
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method_names import PAPER_IS
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.plan import Plan
from dplda.theory.theorems.at_budget import BOUNDED
from dplda.theory.theorems.bounds import THEOREMS
from dplda.theory.theorems.by_documents import bounds_by_documents
from dplda.theory.theorems.conditions import Condition, conditions_of
from dplda.theory.theorems.readings import PaperReading
from dplda.theory.theorems.spectrum import Spectrum
from dplda.ui.explore.bounds import paper_table, symbol_numbers, theorem_card
from dplda.ui.explore.bounds.theorem_card import TheoremAtHand
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
TERMS = (
    "bound prediction l1 spectrum sigma_k gamma_s factors regime dry_run edge configuration"
    " as_published tensor"
)
FOLDED = "folded-bounds"
FORMULA = "Its formula, in symbols and numbers"
READING_HELP = (
    "How to read the paper's theorems. The paper contradicts itself in places and leaves out"
    " constants. *Constants* puts them back."
)
THEOREM_HELP = "The paper has a theorem for each of its four configurations, and for no other."
CORRECTED_CAPTION = (
    "The theorem is about the noise as published. No theorem bounds the error with corrected noise."
)
DOCUMENTS_CAPTION = "Each line is one theorem, for noise as published."
PREDICTIONS_CAPTION = (
    "This axis is the *L1* error, the mean over topics: at most 2. The bounds above are on the *L2*"
    " error of one topic: at most √2. For one topic, L1 lies between L2 and √d times L2."
)
MARGIN_CAPTION = (
    "Each edge has its own share of ε and δ. *Margin*: the right side over the left side; 1 or more"
    " holds."
)


def draw(loaded: LoadedExperiment) -> None:
    """Draw the view Bounds: what the chosen theorem says here, and all four over the documents.

    Expanders below the picture hold its formula, its assumptions, Table 1, and predicted errors.
    The theorem is read in one of several ways, which is asked beside its formula. If the documents
    have no spectrum, only the reason is drawn.
    """
    spectrum = _read_spectrum(loaded)
    if spectrum is None:
        return
    published_plans = _published_plans(loaded)
    verdict_place = st.container()
    configuration = _choose_theorem(loaded)
    picture_place = st.container()
    folded_place = st.container(key=FOLDED, gap="small")
    with folded_place.expander(FORMULA, icon=":material/function:"):
        reading_name = choose_one("Reading", list(READINGS), key=Key.READING, help=READING_HELP)
        theorem = TheoremAtHand(
            plan=published_plans[configuration],
            spectrum=spectrum,
            n_documents=loaded.corpus.n_documents,
            reading=READINGS[reading_name],
        )
        theorem_card.draw_formula(theorem)
        symbol_numbers.draw(
            spectrum,
            theorem.plan,
            n_documents=theorem.n_documents,
            are_sensitivities_printed=theorem.reading is not None,
        )
    with verdict_place:
        st.markdown(
            theorem_card.describe_verdict(theorem), help=glossary.describe_terms(*TERMS.split())
        )
    with picture_place:
        _draw_documents_needed(loaded, published_plans, theorem)
    with folded_place:
        _draw_expanders(loaded, published_plans, theorem)


def _draw_expanders(
    loaded: LoadedExperiment, plan_by_configuration: dict[str, Plan], theorem: TheoremAtHand
) -> None:
    """Draw expanders of the theorem's assumptions, of Table 1, and of predicted errors."""
    with st.expander("Its assumptions", icon=":material/fact_check:"):
        _draw_conditions(theorem)
    with st.expander("The paper's Table 1, beside ours", icon=":material/table:"):
        paper_table.draw(loaded, plan_by_configuration, theorem.spectrum)
    with st.expander("Predicted L1 errors", icon=":material/show_chart:"):
        st.caption(PREDICTIONS_CAPTION)
        predictions.draw_predicted_curves(loaded, "bounds.predictions", as_published=True)


def _read_spectrum(loaded: LoadedExperiment) -> Spectrum | None:
    """Read or compute the spectrum without noise.

    Returns None, and draws the reason, if there is none; None also if the work was canceled.
    """
    try:
        return cache.spectrum(loaded.corpus, loaded.experiment)
    except NoTopics as error:
        reason = str(error)
        reason_without_spectrum = (
            "Bounds need the topics that the documents have without noise."
            f" {reason[:1].upper()}{reason[1:]}"
        )
        st.info(literal(reason_without_spectrum))
    except DpldaError as error:
        st.error(literal(str(error)))
    return None


def _choose_theorem(loaded: LoadedExperiment) -> str:
    """Choose the configuration whose theorem is shown: the experiment's own, or one picked here.

    A caption says if the experiment's noise is not the published one. If no theorem bounds its
    method, it says that, and the choice of another one is drawn.
    """
    method = loaded.experiment.registered_method
    if method.name in BOUNDED:
        if method.scaling is not Calibration.PUBLISHED:
            st.caption(CORRECTED_CAPTION)
        return method.name
    with st.container(horizontal=True, vertical_alignment="bottom"):
        configuration = choose_one(
            "Theorem",
            list(BOUNDED),
            key=Key.THEOREM,
            help=THEOREM_HELP,
            format_func=_describe_theorem,
        )
        st.caption(f"No theorem of the paper bounds {method.title}.", width="content")
    return configuration


def _describe_theorem(configuration: str) -> str:
    number = THEOREMS[configuration].removeprefix("Theorem ")
    return f"{number} · {REGISTRY[configuration].family.short_title}"


def _published_plans(loaded: LoadedExperiment) -> dict[str, Plan]:
    """Make the published plans of the paper's configurations at the experiment's ε and δ, by name.

    The experiment's own plan, if it is one of them, keeps its split.
    """
    budget = loaded.experiment.budget
    own_plan = loaded.experiment.plan
    plan_by_name = {}
    for configuration in BOUNDED:
        plan = Plan(configuration, budget.epsilon, budget.delta, calibration=Calibration.PUBLISHED)
        if own_plan is not None and own_plan.variant is plan.variant:
            plan = replace(plan, split=own_plan.split)
        plan_by_name[configuration] = plan
    return plan_by_name


def _draw_documents_needed(
    loaded: LoadedExperiment, plan_by_configuration: dict[str, Plan], theorem: TheoremAtHand
) -> None:
    """Draw each configuration's bound over the number of documents, and a caption.

    The chosen configuration and the present number of documents are marked.
    """
    bound_curves = bounds_by_documents(
        list(plan_by_configuration.values()),
        theorem.spectrum,
        n_documents=theorem.n_documents,
        reading=theorem.reading,
    )
    figure = figures.bounds_against_documents(
        bound_curves,
        n_documents=theorem.n_documents,
        chosen=theorem.plan.configuration,
        watermark=loaded.watermark,
    )
    figure_view.draw(figure, "bounds.documents")
    st.caption(f"{DOCUMENTS_CAPTION} {PAPER_IS}")


def _draw_conditions(theorem: TheoremAtHand) -> None:
    """Draw whether each condition of the theorem holds at its own split, and by what margin."""
    conditions = conditions_of(theorem.plan, theorem.spectrum, n_documents=theorem.n_documents)
    st.markdown("\n".join(map(_describe_condition, conditions)))
    st.caption(MARGIN_CAPTION)


def _describe_condition(condition: Condition) -> str:
    """A condition as a list item: outcome, margin, words, formula, and both sides as numbers."""
    outcome = "✓ holds" if condition.holds else "✗ fails"
    both_sides = f"{digits(condition.value)} against {digits(condition.limit)}"
    return (
        f"- {outcome}, margin {digits(condition.margin)}: {condition.words}"
        f" {condition.formula}: {both_sides}."
    )
