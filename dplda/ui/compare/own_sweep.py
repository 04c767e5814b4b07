"""A sweep of the experiment's own settings, with chosen methods, ε and draws; never on sensitive documents."""

import streamlit as st

from dplda.core.errors import InputError
from dplda.corpus import Simulation
from dplda.corpus.simulation.simulate import MOST_TOKENS
from dplda.experiments.experiment import HeldDocuments
from dplda.experiments.specs.sources import Source, keep_as_file
from dplda.experiments.sweeps import Embedded, FileSource, Setting, Sweep
from dplda.methods.look_then_add import LOOK_THEN_ADD
from dplda.methods.registry import METHODS, parse_method
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.shell.predictions import own_point
from dplda.ui.state import session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import EPSILONS, epsilon_text

FIRST_METHODS = (
    "unnoised",
    "unigram",
    "refined",
    "adaptive/corrected",
    "config-1/corrected",
    "dp-vi/corrected",
)
FIRST_EPSILONS = (0.3, 0.5, 1, 3, 10)
FIRST_DRAWS = 3
NAMES: dict[type, str] = {Simulation: "simulated", FileSource: "uploaded", Embedded: "docstrings"}


def sweep(experiment: LoadedExperiment) -> Sweep:
    """The chosen sweep; if it cannot run, an error says what to change."""
    settings, chosen, source = experiment.settings, st.session_state, _source(experiment)
    asked = settings.problem
    return Sweep(
        settings=(
            Setting(NAMES[type(source)], source, n_topics=asked.n_topics, alpha0=asked.alpha0),
        ),
        methods=tuple(map(parse_method, chosen.get(Key.CURVES_METHODS, FIRST_METHODS))),
        epsilons=tuple(sorted(map(float, chosen.get(Key.CURVES_GRID, FIRST_EPSILONS)))),
        delta=settings.budget.delta,
        repeats=int(chosen.get(Key.CURVES_REPEATS, FIRST_DRAWS)),
        seed=settings.seed,
    )


def choices(experiment: LoadedExperiment) -> None:
    """Draw the choices in an expander."""
    with st.expander("Choose methods, values of ε and draws", icon=":material/tune:"):
        st.multiselect(
            "Methods",
            [*METHODS, LOOK_THEN_ADD],
            default=list(FIRST_METHODS),
            format_func=lambda text: parse_method(text).label,
            key=Key.CURVES_METHODS,
            persist_state="session",
            help=f"All private methods run at the same ε and δ, for one replaced {experiment.corpus.unit}.",
        )
        left, right = st.columns([3, 1])
        left.multiselect(
            "Values of ε",
            EPSILONS,
            default=list(FIRST_EPSILONS),
            format_func=epsilon_text,
            key=Key.CURVES_GRID,
            persist_state="session",
            help="Each value is the budget of a whole run.",
        )
        right.number_input(
            "Draws of noise",
            1,
            20,
            FIRST_DRAWS,
            step=1,
            key=Key.CURVES_REPEATS,
            persist_state="session",
            help="More draws show how much luck moves a curve.",
        )
        if experiment.is_sensitive:
            st.caption(
                "A run keeps exact errors, which no budget covers, so it never sees these sensitive documents. It draws"
                " simulated ones with the same public numbers."
            )
        elif session.uploaded() is not None:
            st.caption(
                "The word counts of these public documents are saved in the cache folder, for runs to read."
            )


def _source(experiment: LoadedExperiment) -> Source:
    source, n_topics = experiment.settings.corpus, experiment.settings.problem.n_topics
    if experiment.is_sensitive:  # drawn from the model, at public numbers
        here = own_point(experiment)
        length = max(1, min(here.mean_length, MOST_TOKENS // here.n_documents))
        return Simulation(here.n_documents, here.n_words, here.n_topics, here.alpha0, length)
    if isinstance(source, HeldDocuments):
        return keep_as_file(experiment.corpus)
    if not isinstance(source, Simulation):
        return Embedded()
    drawn = source.n_topics
    if drawn != n_topics:
        fix = f"Set k = {drawn} in the sidebar."
        raise InputError(
            "k", f"{drawn}, the number of topics in these documents", str(n_topics), fix
        )
    return source
