"""The sidebar: everything that defines the experiment, the link to it, its card."""

import streamlit as st

from dplda.core.errors import DpldaError, InputError
from dplda.core.formatting import odds
from dplda.experiments.run_card import read_card
from dplda.experiments.settings import Card, CorpusKind, Settings
from dplda.methods import budget
from dplda.methods.configurations import Calibration
from dplda.methods.configurations.variant import NoiseLaw
from dplda.methods.plan import budget_warnings
from dplda.methods.problem import Budget, Problem
from dplda.methods.registry import calibrations, parse_method, private_methods
from dplda.privacy.adjacency import Adjacency
from dplda.ui.shell import downloads, method_choice, topic_names
from dplda.ui.shell.repeated import Repeated
from dplda.ui.state import link, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS, DELTAS, EPSILONS, SEEDS, TOPICS, delta_text, epsilon_text
from dplda.ui.state.session import DocumentSource

SCALINGS: dict[str, str] = {
    Calibration.CORRECTED: "Corrected: proven",
    Calibration.PUBLISHED: "As published: not proven",
    NoiseLaw.LAPLACE: "Laplace: proven, δ = 0",
}


def controls() -> None:
    """Draw the controls of the experiment."""
    session.take_looked_for()
    with st.sidebar:
        _documents()
        st.selectbox(
            "Method",
            [method.name for method in private_methods()],
            format_func=lambda name: parse_method(name).label,
            key=Key.CONFIGURATION,
            persist_state="session",
            help="How topics are found, and where noise enters on the way from the documents to them.",
        )
        _calibration()
        st.select_slider(
            "Failure chance δ",
            DELTAS,
            format_func=delta_text,
            key=Key.DELTA,
            persist_state="session",
            help=r"How much probability may slip past the promise of ε: $\delta$ should be far below $1/N$.",
        )
        st.number_input(
            "Topics k",
            *TOPICS,
            step=1,
            key=Key.N_TOPICS,
            persist_state="session",
            help="How many topics to look for; chosen beforehand, not after looking at sensitive documents.",
        )
        st.number_input(
            "Mixing α₀",
            *ALPHAS,
            step=0.1,
            format="%.2f",
            key=Key.ALPHA0,
            persist_state="session",
            help=r"Small where a document keeps to one topic, large where it mixes many: $\alpha_0=\sum_i\alpha_i$.",
        )
        st.number_input(
            "Noise seed",
            *SEEDS,
            step=1,
            key=Key.SEED,
            persist_state="session",
            help="The same seed draws the same simulated noise, so that moving a control never does it anew.",
        )
        st.button(
            "Re-roll the noise",
            icon=":material/casino:",
            key=Key.REROLL,
            on_click=_reroll,
            width="stretch",
            help="Draws the noise anew, with the next seed; it is simulated noise, not a release.",
        )


def settings() -> Settings:
    """What the controls say."""
    state = st.session_state
    split, chosen = method_choice.division()
    return Settings(
        method_choice.method(method_choice.name()),
        Problem(int(state[Key.N_TOPICS]), round(float(state[Key.ALPHA0]), 6)),
        Budget(float(state[Key.EPSILON]), float(state[Key.DELTA]), split, chosen=chosen),
        int(state[Key.SEED]),
    )


def method_title(settings: Settings) -> str:
    """Method, calibration where there are several, and whether the split is another than its own."""
    method = settings.method
    calibrated = f", {method.scaling}" if len(calibrations(method.name)) > 1 else ""
    return parse_method(method.name).title + calibrated + (", own split" if settings.budget.split else "")


def warnings(settings: Settings, n_documents: int) -> None:
    """Say what is allowed and hardly ever wise."""
    with st.sidebar.container():  # however many there are, what is below stays in its place
        for warning in budget_warnings(settings.budget.epsilon, settings.budget.delta, n_documents=n_documents):
            st.warning(warning, icon=":material/warning:")


def share(settings: Settings, files: Repeated | None) -> None:
    """The link to copy, the run as Python, and the run card to save and to load."""
    chosen = session.choice()
    with st.sidebar.popover("Share and repeat", icon=":material/share:", width="stretch"):
        st.markdown("**Link to this experiment**")
        shown = st.query_params.get(link.SHOWN_KEY)
        address = link.link(str(st.context.url), settings, chosen.kind, chosen.simulation, shown)
        st.code(address, language=None, wrap_lines=True)
        if chosen.kind is CorpusKind.UPLOADED:
            st.caption("The link restores the settings but not the documents: they stay on this machine.")
        st.markdown("**Run card**")
        st.caption("A JSON file with corpus choice, method, seed, versions, and every release with its noise.")
        if files is None:
            st.info("No run card or script is saved from a sensitive corpus.", icon=":material/block:")
        else:
            downloads.save("Save run card", files.card, "dplda-run-card.json", icon="download", key=Key.CARD_SAVE)
        st.file_uploader(
            "Load a run card",
            type=["json"],
            max_upload_size=1,
            key=Key.CARD_LOAD,
            on_change=_load_card,
            help="Sets all controls, and the corpus where it can be made again.",
        )
        if files is not None:
            st.markdown("**As Python**")
            st.caption("The sidebar's method on these documents, to the last bit; a sweep has its own below it.")
            downloads.save("Script", files.script, "dplda-run.py", icon="download", key=Key.SCRIPT_SAVE)


def epsilon() -> None:
    """Draw the control of ε, above the picture that it moves."""
    own = session.uploaded()
    replaced = Adjacency.REPLACE_PERSON if own and own.of_persons else Adjacency.REPLACE_ONE
    st.select_slider(
        "Privacy loss ε",
        EPSILONS,
        format_func=epsilon_text,
        key=Key.EPSILON,
        persist_state="session",
        help=(
            r"No set of outputs becomes more than $e^\varepsilon$ times as likely, plus $\delta$, when"
            f" {replaced.happens}. Small hides more and blurs topics; arrow keys go step by step."
        ),
    )
    but_for = "δ and the words' own ε" if own and own.selection else "δ"
    with st.container(key=Key.ODDS):
        st.markdown(f":small[{odds(float(st.session_state[Key.EPSILON]), replaced.unit, but_for)}]")


def _documents() -> None:
    """Which documents; those in use stay until others are ready."""
    st.session_state[Key.DOCUMENTS] = session.choice().place
    st.selectbox(
        "Documents",
        list(DocumentSource),
        key=Key.DOCUMENTS,
        on_change=_take,
        help="What topics are looked for in. The view Documents shows them.",
    )


def _take() -> None:
    place = DocumentSource(st.session_state[Key.DOCUMENTS])
    if place is DocumentSource.NEWSPAPER:
        session.simulate(link.TEACHING)
    elif place is DocumentSource.DOCSTRINGS:
        session.choose(session.Choice(CorpusKind.EMBEDDED))
    elif place is DocumentSource.FILE and session.held() is not None:
        session.choose(session.Choice(CorpusKind.UPLOADED))
    else:
        st.session_state[Key.SOURCE] = place
        session.go("explore", "Documents")


def _calibration() -> None:
    """How the noise is scaled, where there is a choice."""
    name = method_choice.name()
    offered = list(calibrations(name))
    if len(offered) == 1:
        return
    st.selectbox(
        "Calibration",
        offered,
        format_func=lambda name: SCALINGS[name],
        key=method_choice.calibration_key(name),
        persist_state="session",
        help="How the noise is scaled: with proofs, or as the paper prints it, to compare.",
    )


def _reroll() -> None:
    st.session_state[Key.SEED] = (int(st.session_state[Key.SEED]) + 1) % SEEDS[1]


def _load_card() -> None:
    file = st.session_state[Key.CARD_LOAD]
    if file is None:
        return
    try:
        card = read_card(file.getvalue().decode("utf-8"))
        _adopt(card)
    except UnicodeDecodeError:
        session.notice("The run card was not loaded: it is not UTF-8 text.")
    except DpldaError as error:
        session.notice(f"The run card was not loaded: {error}")


def _adopt(card: Card) -> None:
    """Set all controls to what the card says, or refuse it before any is changed."""
    settings, asked, spent = card.settings, card.settings.problem, card.settings.budget
    _one_of("epsilon of the run card", spent.epsilon, EPSILONS)
    _one_of("delta of the run card", spent.delta, DELTAS)
    _in_range("number of topics of the run card", asked.n_topics, *TOPICS)
    _in_range("alpha0 of the run card", asked.alpha0, *ALPHAS)
    _in_range("seed of the run card", settings.seed, *SEEDS)
    if spent.clip_quantile is not None:
        raise InputError("clip quantile", "the configuration's own", "another", "Repeat that run from Python.")
    if spent.first_words is not None:
        raise InputError("first words", "the configuration's own", "others", "Repeat that run from Python.")
    method, split = settings.method, _whole_steps(settings)
    method_choice.choose(method)
    topic_names.load(card)
    if split is not None:
        method_choice.set_split(method.name, split, spent.chosen)
    st.session_state[Key.EPSILON] = next(step for step in EPSILONS if step == spent.epsilon)
    st.session_state[Key.DELTA] = spent.delta
    st.session_state[Key.N_TOPICS] = asked.n_topics
    st.session_state[Key.ALPHA0] = asked.alpha0
    st.session_state[Key.SEED] = settings.seed
    if card.kind is CorpusKind.UPLOADED:
        session.notice(
            "The run card's settings are loaded. Its documents came from a file: read it on the Corpus page."
        )
    else:
        session.choose(session.Choice(card.kind, card.simulation))
        session.notice("The run card is loaded: all controls and the corpus are set as it says.")


def _whole_steps(settings: Settings) -> budget.Split | None:
    """The card's split as the sliders can hold it; None where nothing is split."""
    plan = settings.plan
    if plan is None:
        return None
    if not plan.split:
        return budget.default(plan.variant)
    given = dict(plan.split)
    split = budget.of((name, given[name]) for name in plan.variant.names)
    rounded = dict(method_choice.rounded(split).shares)
    if any(abs(share - rounded[name]) > 1e-9 for name, share in split.shares):
        raise InputError("split of the run card", "in thousandths", "finer", "Repeat that run from Python.")
    return split


def _one_of(what: str, value: float, steps: tuple[float, ...]) -> None:
    if value not in steps:
        raise InputError(what, "one of the slider's steps", f"{value:g}", "Repeat that run from Python.")


def _in_range(what: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise InputError(what, f"between {low:g} and {high:g}", f"{value:g}", "Repeat that run from Python.")
