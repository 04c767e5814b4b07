"""Errors against ε: the theorems' bounds and the prediction beside them."""

import math

import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError, NoFiniteNoise, NoTopics
from dplda.core.formatting import digits
from dplda.methods.configurations import REGISTRY, Calibration
from dplda.methods.plan import Plan
from dplda.privacy.composition import classic_multiplier
from dplda.theory.prediction.curves import ErrorCurve
from dplda.theory.theorems import conditions
from dplda.theory.theorems.at_budget import BOUNDED, documents_needed
from dplda.theory.theorems.conditions import Condition
from dplda.theory.theorems.readings import TRIVIAL, PaperReading
from dplda.ui.explore.preview import Preview, bounded, preview, published_plan
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, foreseen, glossary
from dplda.ui.shell.frame import Experiment
from dplda.ui.state.keys import Key

EXPLICIT = "explicit constants"
READINGS: dict[str, PaperReading | None] = {
    "recommended": PaperReading.RECOMMENDED,
    "as printed": PaperReading.PRINTED,
    "Table 1": PaperReading.TABLE_1,
    EXPLICIT: None,
}
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def draw(experiment: Experiment) -> None:
    """The bounds beside the prediction; for a method without a theorem, those of the paper's configurations."""
    settings = experiment.settings
    spent = settings.budget
    plan = settings.plan or Plan("config-1", spent.epsilon, spent.delta, calibration=Calibration.PUBLISHED)
    try:
        found = preview(experiment, plan)
    except NoTopics as error:
        st.info(literal(f"Bounds need the topics that the documents have without noise. {error}"))
        foreseen.curves(experiment, "bounds.predictions")
        return
    except DpldaError as error:
        st.error(literal(str(error)))
        return
    if found is None:
        return
    if settings.method.name not in BOUNDED:
        st.caption(
            f"No theorem of the paper bounds the error of {settings.method.title}. These are the bounds of its four"
            " configurations at the same numbers."
        )
    _errors(experiment, found)


def _errors(experiment: Experiment, found: Preview) -> None:
    """Both pictures side by side, then what the theorems ask for."""
    glossary.heading("How large the error may be", "bound prediction l1 regime dry_run")
    chosen = st.segmented_control(
        "Reading of the paper's theorems",
        list(READINGS),
        default="recommended",
        required=True,
        key=Key.READING,
        persist_state="session",
        help="The print contradicts itself; constants are left out of it. Explicit constants put them back.",
    )
    reading = READINGS[str(chosen)]
    bounds = [bounded(experiment, found.noiseless, found.plan, name, reading) for name in BOUNDED]
    left, right = st.columns(2, gap="medium")
    with left:
        _bounds(experiment, found, bounds, explicit=reading is None)
        _enough(found, bounds, reading)
    with right:
        foreseen.curves(experiment, "bounds.predictions")
    with st.expander("What the theorems ask for", icon=":material/fact_check:"):
        _conditions(found)


def _bounds(experiment: Experiment, found: Preview, bounds: list[ErrorCurve], *, explicit: bool) -> None:
    epsilon, chosen = float(found.epsilon), found.plan.configuration
    figure_view.draw(
        figures.bounds(bounds, epsilon=epsilon, chosen=chosen, watermark=experiment.watermark), "bounds.theorems"
    )
    label = "the paper's expression, explicit constants" if explicit else "the paper's expression, constant 1"
    st.caption(
        f"Theorems 10 to 13, for noise as published: **{label}**. Two word distributions are never further apart than"
        f" √2 = {TRIVIAL:.2f}, so above the dashed line a bound says nothing.{_refused(bounds, epsilon)}"
    )


def _refused(bounds: list[ErrorCurve], epsilon: float) -> str:
    missing = [curve for curve in bounds if not math.isfinite(curve.at(epsilon))]
    if not missing:
        return ""
    titles = ", ".join(REGISTRY[curve.configuration].title for curve in missing)
    symbols = " and ".join(dict.fromkeys(symbol for curve in missing for symbol in curve.refused))
    return f" Without a finite bound here: {titles} (what is left of {symbols} is 0)."


def _enough(found: Preview, bounds: list[ErrorCurve], reading: PaperReading | None) -> None:
    """For every bound that says nothing here: what would make it say something."""
    vacuous = [curve.configuration for curve in bounds if not curve.at(float(found.epsilon)) < TRIVIAL]
    if vacuous:
        st.markdown(
            "**What would bring a bound below √2**, with this spectrum, ε, δ and division of the budget:\n\n"
            + "\n".join(f"- {_what_would(found, name, reading)}" for name in vacuous)
        )


def _what_would(found: Preview, configuration: str, reading: PaperReading | None) -> str:
    plan, title, n = found.plan, REGISTRY[configuration].title, found.shape.n_documents
    try:
        published = published_plan(plan, configuration)
        enough = documents_needed(published, found.noiseless.spectrum, reading=reading)
    except NoFiniteNoise:
        return f"{title}: no number of documents, since two topics are equally large (γs = 0)."
    return f"{title}: N = {whole(enough)} documents; here there are {n:,}."


def whole(number: int) -> str:
    """Two digits, rounded up so that it is enough; above a billion as a power of ten."""
    power = max(0, len(str(number)) - 2)
    leading = -(-number // 10**power)
    if number < 10**9:
        return f"{leading * 10**power:,}"
    power = len(str(leading * 10**power)) - 1
    return f"{leading / 10 ** (len(str(leading)) - 1):g} × 10{str(power).translate(RAISED)}"


def _conditions(found: Preview) -> None:
    lines = [
        f"- {'✓ holds' if one.holds else '✗ fails'}, margin {digits(one.margin)}: {one.words} {one.formula}"
        for one in _checks(found)
    ]
    st.markdown("\n".join(lines))
    st.caption("*Margin*: 1 where a condition just holds. For noise split evenly over three quantities.")


def _checks(found: Preview) -> tuple[Condition, ...]:
    plan, spectrum, n = found.plan, found.noiseless.spectrum, found.shape.n_documents
    tau = classic_multiplier(plan.epsilon / 3, plan.delta / 3)
    return (
        conditions.spectral_gap(spectrum, n_documents=n),
        conditions.decomposition(spectrum, n_documents=n),
        conditions.pair_noise(spectrum, n_documents=n, tau=tau),
        conditions.tensor_noise(spectrum, n_documents=n, tau_6=tau, sigma_lower=spectrum.sigma_k),
        conditions.enough_documents(spectrum, n_documents=n, tau=tau),
        conditions.enough_documents_printed(spectrum, n_documents=n),
        conditions.classic_epsilon((plan.epsilon / 3,)),
    )
