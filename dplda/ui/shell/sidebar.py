"""The controls of the experiment: the sidebar, and ε, drawn above the figure that it affects."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda.core.formatting import keep_values_whole
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.experiments.sources import Embedded
from dplda.methods.base.calibration import Calibration, NoiseLaw
from dplda.methods.base.method_names import PAPER_IS
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations.verdict import EdgeVerdict
from dplda.methods.registry import calibrations, private_methods
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Guarantee, Status
from dplda.ui.shell import glossary
from dplda.ui.shell.method_list import choose_method
from dplda.ui.state import link, method_choice, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS, DELTAS, EPSILONS, SEEDS, TOPICS, delta_text, epsilon_text
from dplda.ui.state.session import DocumentSource

SCALINGS: dict[str, str] = {
    Calibration.CORRECTED: "Corrected",
    Calibration.PUBLISHED: "As published",
    NoiseLaw.LAPLACE: "Laplace",
}
METHOD_HELP = f"How topics are found, and where noise is added. {PAPER_IS}"
SCALING_HELP = (
    "*Corrected* noise is proven. *As published* is the noise that the paper prints: its proof has"
    " a gap. *Laplace* noise is proven, with δ = 0."
)
ONLY_AS_PUBLISHED = (
    "As published, *not proven*. There is no corrected form: one document can change a factor of"
    " the tensor completely, so only large noise hides it."
)


def draw_controls(*, has_method: bool = True) -> None:
    """Draw the sidebar: documents, method, δ, k, α0, noise seed, and a button for new noise.

    ε stands on the page (``draw_epsilon``). Documents that were just simulated set k and α0 first,
    once. The choice of documents is set back to those in use, until others are ready.

    Args:
        has_method: whether the page shows one method, so that it can be chosen.
    """
    session_state = st.session_state
    true_n_topics_and_alpha0 = session_state.pop(Key.LOOKED_FOR, None)
    if true_n_topics_and_alpha0 is not None:
        session_state[Key.N_TOPICS], session_state[Key.ALPHA0] = true_n_topics_and_alpha0
    session_state[Key.DOCUMENTS] = session.document_source()  # those in use, until others are ready
    with st.sidebar:
        st.selectbox(
            "Documents",
            list(DocumentSource),
            key=Key.DOCUMENTS,
            on_change=_use_chosen_source,
            help="Where the documents come from.",
        )
        draw_method_controls(has_method=has_method)
        st.number_input(
            "Noise seed",
            *SEEDS,
            step=1,
            key=Key.SEED,
            persist_state="session",
            help=glossary.describe_terms("seed"),
        )
        st.button(
            "New noise",
            icon=":material/casino:",
            key=Key.REROLL,
            on_click=_use_next_seed,
            width="stretch",
            help="Draws simulated noise again, with the next seed. This is not a release.",
        )


def _use_next_seed() -> None:
    seed = int(st.session_state[Key.SEED])
    session.put(Key.SEED, (seed + 1) % SEEDS[1])


def draw_method_controls(*, has_method: bool = True) -> None:
    """Draw method, δ, k and α0, in the sidebar or elsewhere.

    A method of several calibrations gets a switch between them. δ is left out if a method is chosen
    here that has Laplace noise, since that is ε-differentially private.

    Args:
        has_method: whether a method is chosen here.
    """
    method_name = method_choice.selected_name()
    if has_method:
        choose_method(
            "Method",
            private_methods(),
            key=Key.CONFIGURATION,
            option_of=lambda method: method.name,
            text_of=lambda method: method.family.label,
            help_text=METHOD_HELP,
        )
        method_name = method_choice.selected_name()
        _draw_calibration(method_name)
    is_laplace = method_choice.selected_method(method_name).scaling is NoiseLaw.LAPLACE
    if not (has_method and is_laplace):
        st.select_slider(
            "Failure probability δ",
            DELTAS,
            format_func=delta_text,
            key=Key.DELTA,
            persist_state="session",
            help=glossary.describe_terms("delta"),
        )
    st.number_input(
        "Topics k",
        *TOPICS,
        step=1,
        key=Key.N_TOPICS,
        persist_state="session",
        help=glossary.with_terms("Choose it before you look at sensitive documents.", "topic"),
    )
    st.number_input(
        "Mixing α₀",
        *ALPHAS,
        step=0.1,
        format="%.2f",
        key=Key.ALPHA0,
        persist_state="session",
        help=glossary.describe_terms("alpha0"),
    )


def _draw_calibration(method_name: str) -> None:
    """Draw the switch between calibrations of a method, at first the recommended one.

    For a method that exists only as published a caption says so; for any other with one
    calibration nothing is drawn.
    """
    methods_by_calibration = calibrations(method_name)
    if len(methods_by_calibration) > 1:
        calibration_key = method_choice.calibration_key(method_name)
        st.session_state.setdefault(calibration_key, next(iter(methods_by_calibration)))
        st.segmented_control(
            "Noise",
            list(methods_by_calibration),
            required=True,
            format_func=lambda scaling: SCALINGS[scaling],
            key=calibration_key,
            persist_state="session",
            help=SCALING_HELP,
        )
    elif Calibration.PUBLISHED in methods_by_calibration:
        st.caption(ONLY_AS_PUBLISHED)


def read_experiment() -> Experiment:
    """Make the experiment that the controls ask for, on the documents in use.

    α₀ is rounded to six decimals. No table of topic shares by group is asked for; the view of
    groups adds it.
    """
    session_state = st.session_state
    return Experiment(
        corpus=session.chosen_source(),
        method=method_choice.selected_method(method_choice.selected_name()).spec,
        problem=Problem(
            int(session_state[Key.N_TOPICS]), round(float(session_state[Key.ALPHA0]), 6)
        ),
        budget=Budget(
            float(session_state[Key.EPSILON]),
            float(session_state[Key.DELTA]),
            method_choice.custom_split(),
        ),
        seed=int(session_state[Key.SEED]),
    )


def draw_epsilon(unit: str = "") -> DeltaGenerator:
    """Draw the control of ε, with help on what it means.

    Args:
        unit: what is protected; empty for what an upload protects, or else a document.

    Returns:
        An empty place below it, for the sentence on what ε promises.
    """
    adjacency = _adjacency(unit)
    epsilon_meaning = (
        "Smaller ε hides each document better and blurs the topics more. No result becomes more"
        rf" than $e^\varepsilon$ times as likely, plus $\delta$, when {adjacency.change}."
    )
    st.select_slider(
        "Privacy budget ε",
        EPSILONS,
        format_func=epsilon_text,
        key=Key.EPSILON,
        persist_state="session",
        help=glossary.with_terms(epsilon_meaning, "epsilon budget"),
    )
    return st.container(key=Key.ODDS)


def _adjacency(unit: str) -> Adjacency:
    """The adjacency that protects a unit, or what the upload holds if that is not said."""
    corpus = session.uploaded()
    holds_persons = corpus is not None and corpus.of_persons
    if unit == Adjacency.REPLACE_PERSON.unit or (not unit and holds_persons):
        return Adjacency.REPLACE_PERSON
    return Adjacency.REPLACE_ONE


def write_promise(
    place: DeltaGenerator, claim: Guarantee | EdgeVerdict | None = None, unit: str = ""
) -> None:
    """Write in one small sentence what ε promises, or that it promises nothing.

    Args:
        place: where it is written.
        claim: what is claimed; nothing is written unless it is a guarantee.
        unit: what is protected; empty for the unit of the claim.
    """
    promise = _promise(claim, unit)
    if promise:
        place.markdown(f":small[{promise}]")


def _promise(claim: Guarantee | EdgeVerdict | None, unit: str) -> str:
    """Write the sentence on what ε promises: how often a guess is right, if that is proven.

    It says that nothing is promised if a caveat breaks privacy, and names the first that does, or
    if the proof has a gap. Empty if there is no guarantee of a method, as for an ``EdgeVerdict``.

    Args:
        claim: what holds for the chosen method or edges, if anything.
        unit: what is protected; empty for the unit of the claim.
    """
    chosen_epsilon = float(st.session_state[Key.EPSILON])
    if not isinstance(claim, Guarantee):
        return ""
    breaking_caveats = [caveat for caveat in claim.caveats if caveat.breaks_privacy]
    if breaking_caveats:
        first_breaking_caveat = breaking_caveats[0].split(":")[0]
        return f"ε = {chosen_epsilon:g} promises nothing here: {first_breaking_caveat}."
    if claim.status is Status.PROVEN:
        right_guess_sentence = claim.claimed_risk.describe_right_guess(unit or claim.adjacency.unit)
        parameters = keep_values_whole(claim.describe_parameters())
        return f"{right_guess_sentence} ({parameters})"
    return (
        f"ε = {chosen_epsilon:g} is the paper's claim. Its proof has a known gap, so nothing is"
        " promised."
    )


def _use_chosen_source() -> None:
    """Use the documents chosen in the sidebar; the newspaper comes with its true k and α0.

    An upload that the session still holds is used again. For other sources a form must be filled in
    first: the next run opens it on Explore.
    """
    chosen_source = DocumentSource(st.session_state[Key.DOCUMENTS])
    if chosen_source is DocumentSource.NEWSPAPER:
        session.simulate(link.TEACHING)
    elif chosen_source is DocumentSource.DOCSTRINGS:
        session.choose(Embedded())
    elif chosen_source is DocumentSource.FILE and session.uploaded_corpus() is not None:
        session.choose(HeldDocuments())
    else:
        st.session_state[Key.SOURCE] = chosen_source
        session.go("explore", "Documents")
