"""The sidebar's experiment as a sweep: which methods, which ε, how many draws; never on sensitive documents."""

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus import Simulation
from dplda.corpus.simulation.recipe import MOST_TOKENS
from dplda.experiments.settings import CorpusKind
from dplda.experiments.specs.sources import Source
from dplda.experiments.sweeps import Embedded, Setting, Sweep
from dplda.methods.registry import METHODS, parse_method
from dplda.ui.compare.error_curves import swept_file
from dplda.ui.literal import literal
from dplda.ui.shell import foreseen
from dplda.ui.shell.frame import Experiment, Header, of_documents, of_model
from dplda.ui.state import session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import EPSILONS, delta_text, epsilon_text

FIRST_METHODS = ("unnoised", "unigram", "refined", "adaptive/corrected", "config-1/corrected", "dp-vi/corrected")
FIRST_EPSILONS = tuple(step for step in EPSILONS if step in (0.3, 1, 3, 10))
REFERENCE_LENGTH = 100  # words a document: the true mean would give something away


def choose(experiment: Experiment) -> Sweep | None:
    """Draw the controls and make the sweep; says why and gives None where there is nothing to run."""
    source = _source(experiment)
    if source is None:
        return None
    methods = st.multiselect(
        "Methods",
        list(METHODS),
        default=list(FIRST_METHODS),
        format_func=lambda text: parse_method(text).label,
        key=Key.CURVES_METHODS,
        persist_state="session",
        help=f"All private ones run at the same ε and δ, and protect one replaced {experiment.corpus.unit}.",
    )
    left, right = st.columns([3, 1])
    epsilons = left.multiselect(
        "Values of ε",
        EPSILONS,
        default=list(FIRST_EPSILONS),
        format_func=epsilon_text,
        key=Key.CURVES_GRID,
        persist_state="session",
        help="Each is a budget for a whole run; δ is the sidebar's.",
    )
    repeats = right.number_input(
        "Draws of noise",
        1,
        20,
        3,
        step=1,
        key=Key.CURVES_REPEATS,
        persist_state="session",
        help="More draws show how far luck moves a curve.",
    )
    settings = experiment.settings
    try:
        return Sweep(
            settings=(
                Setting(
                    name=_name(experiment),
                    source=source,
                    n_topics=settings.problem.n_topics,
                    alpha0=settings.problem.alpha0,
                ),
            ),
            methods=tuple(map(parse_method, methods)),
            epsilons=tuple(sorted(map(float, epsilons))),
            delta=settings.budget.delta,
            repeats=int(repeats),
            seed=settings.seed,
        )
    except DpldaError as error:
        st.info(literal(str(error)), icon=":material/tune:")
        return None


def header(experiment: Experiment) -> Header:
    """The chosen documents and the sidebar's numbers; its configuration is one method among others."""
    settings = experiment.settings
    numbers = (f"δ {delta_text(settings.budget.delta)}", f"noise seed {settings.seed}")
    return Header((*of_documents(experiment), *of_model(experiment), *numbers))


def predictions(experiment: Experiment) -> None:
    """What to expect of every method, until the first number is there."""
    st.caption("Nothing has run yet: this is what is predicted.")
    foreseen.curves(experiment, "curves.predicted")
    foreseen.foreseen(experiment)


def _source(experiment: Experiment) -> Source | None:
    corpus, settings, chosen = experiment.corpus, experiment.settings, session.choice()
    if experiment.sensitive:
        st.info(
            "A sweep keeps exact errors beside noisy ones, which no budget covers: it never sees these documents. Below"
            " runs a **simulated reference**: the same N, d, k and α₀, which are public, and documents of"
            f" {REFERENCE_LENGTH} words drawn from the model.",
            icon=":material/visibility_lock:",
        )
        length = max(1, min(REFERENCE_LENGTH, MOST_TOKENS // corpus.n_documents))
        try:
            return Simulation(
                n_documents=corpus.n_documents,
                n_words=corpus.n_words,
                n_topics=settings.problem.n_topics,
                alpha0=settings.problem.alpha0,
                mean_length=length,
            )
        except DpldaError as error:
            st.info(literal(str(error)), icon=":material/tune:")
            return None
    if chosen.kind is CorpusKind.SIMULATED and chosen.simulation is not None:
        if chosen.simulation.n_topics != settings.problem.n_topics:
            st.info(
                f"The truth has {chosen.simulation.n_topics} topics and {settings.problem.n_topics} are asked for:"
                " set k in the sidebar to compare them one to one.",
                icon=":material/tune:",
            )
            return None
        return chosen.simulation
    if chosen.kind is CorpusKind.UPLOADED and session.uploaded() is not None:
        st.caption("Counts of these public documents are kept in the cache folder, so that a run can read them.")
        return swept_file.kept(corpus)
    return Embedded()


def _name(experiment: Experiment) -> str:
    if experiment.sensitive:
        return "simulated reference"
    kind = session.choice().kind
    return {CorpusKind.SIMULATED: "simulated", CorpusKind.UPLOADED: "uploaded", CorpusKind.EMBEDDED: "docstrings"}[kind]
