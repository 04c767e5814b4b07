"""The controls of the experiment: the sidebar, and ε, which is drawn above the figure it affects."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda.core.formatting import odds, odds_if_proven
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.experiments.specs.sources import Embedded
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations import Calibration
from dplda.methods.configurations.variant import NoiseLaw
from dplda.methods.configurations.verdict import EdgeVerdict
from dplda.methods.registry import calibrations, parse_method, private_methods
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Guarantee, Status
from dplda.ui.shell import glossary, method_choice
from dplda.ui.state import link, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS, DELTAS, EPSILONS, SEEDS, TOPICS, delta_text, epsilon_text
from dplda.ui.state.session import DocumentSource

SCALINGS: dict[str, str] = {
    Calibration.CORRECTED: "Corrected: proven",
    Calibration.PUBLISHED: "As published: not proven",
    NoiseLaw.LAPLACE: "Laplace: proven, δ = 0",
}


def draw_controls() -> None:
    """Draw the controls of the experiment."""
    state = st.session_state
    if (looked_for := state.pop(Key.LOOKED_FOR, None)) is not None:  # as a simulation asked
        state[Key.N_TOPICS], state[Key.ALPHA0] = looked_for
    state[Key.DOCUMENTS] = session.document_source()  # those in use, until others are ready
    with st.sidebar:
        st.selectbox(
            "Documents",
            list(DocumentSource),
            key=Key.DOCUMENTS,
            on_change=_take,
            help="Where the documents come from.",
        )
        draw_method_controls()
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
            on_click=lambda: session.put(
                Key.SEED, (int(st.session_state[Key.SEED]) + 1) % SEEDS[1]
            ),
            width="stretch",
            help="Draws simulated noise again, with the next seed. This is not a release.",
        )


def draw_method_controls() -> None:
    """Draw method, δ, k and α0, in the sidebar or elsewhere."""
    st.selectbox(
        "Method",
        [method.name for method in private_methods()],
        format_func=lambda name: parse_method(name).label,
        key=Key.CONFIGURATION,
        persist_state="session",
        help="How topics are found, and where noise is added.",
    )
    name = method_choice.selected_name()
    if len(calibrations(name)) > 1:
        st.selectbox(
            "Calibration",
            list(calibrations(name)),
            format_func=lambda scaling: SCALINGS[scaling],
            key=method_choice.calibration_key(name),
            persist_state="session",
            help="How the noise is scaled: as a proof requires, or as the paper prints it.",
        )
    if method_choice.selected_method(name).scaling is not NoiseLaw.LAPLACE:
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


def read_experiment() -> Experiment:
    """The experiment that the controls ask for."""
    state = st.session_state
    return Experiment(
        corpus=session.chosen_source(),
        method=method_choice.selected_method(method_choice.selected_name()).spec,
        problem=Problem(int(state[Key.N_TOPICS]), round(float(state[Key.ALPHA0]), 6)),
        budget=Budget(
            float(state[Key.EPSILON]), float(state[Key.DELTA]), method_choice.custom_split()
        ),
        seed=int(state[Key.SEED]),
    )


def draw_epsilon(unit: str = "") -> DeltaGenerator:
    """Draw the control of ε; returns the place for the sentence on what it promises to a unit."""
    person = unit == Adjacency.REPLACE_PERSON.unit or (
        not unit and getattr(session.uploaded(), "of_persons", False)
    )
    replaced = Adjacency.REPLACE_PERSON if person else Adjacency.REPLACE_ONE
    st.select_slider(
        "Privacy budget ε",
        EPSILONS,
        format_func=epsilon_text,
        key=Key.EPSILON,
        persist_state="session",
        help=glossary.with_terms(
            "Smaller ε hides each document better and blurs the topics more."
            rf" No result becomes more than $e^\varepsilon$ times as likely, plus $\delta$, when {replaced.change}.",
            "epsilon budget",
        ),
    )
    return st.container(key=Key.ODDS)


def write_promise(
    place: DeltaGenerator, claim: Guarantee | EdgeVerdict | None = None, unit: str = ""
) -> None:
    """Write what ε promises a unit under this claim, or would promise without a claim, in one sentence."""
    own, epsilon = session.uploaded(), float(st.session_state[Key.EPSILON])
    if not isinstance(claim, Guarantee):
        said = odds_if_proven(epsilon)
    elif breaking := [caveat for caveat in claim.caveats if caveat.breaks_privacy]:
        said = f"ε = {epsilon:g} promises nothing here: {breaking[0].split(':')[0]}."
    elif claim.status is Status.PROVEN:
        aside = "δ and the words' own ε" if own and own.selection else "δ" if claim.delta else ""
        said = odds(epsilon, unit or claim.adjacency.unit, aside)
    else:
        said = f"ε = {epsilon:g} is the paper's claim. Its proof has a known gap, so nothing is promised."
    place.markdown(f":small[{said}]")


def _take() -> None:
    place = DocumentSource(st.session_state[Key.DOCUMENTS])
    if place is DocumentSource.NEWSPAPER:
        session.simulate(link.TEACHING)
    elif place is DocumentSource.DOCSTRINGS:
        session.choose(Embedded())
    elif place is DocumentSource.FILE and session.uploaded_corpus() is not None:
        session.choose(HeldDocuments())
    else:
        st.session_state[Key.SOURCE] = place
        session.go("explore", "Documents")
