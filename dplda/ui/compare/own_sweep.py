"""A sweep of the experiment's settings, with chosen methods, ε and draws.

It never runs on sensitive documents.
"""

import streamlit as st

from dplda.core.errors import InputError
from dplda.corpus import Simulation
from dplda.corpus.simulation.simulate import MOST_TOKENS
from dplda.experiments.experiment import HeldDocuments
from dplda.experiments.sources import Source, keep_as_file
from dplda.experiments.sweeps import Embedded, FileSource, Sweep
from dplda.methods.look_then_add import LOOK_THEN_ADD
from dplda.methods.registry import METHODS, parse_method
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.shell.method_list import sort_by_group
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
MAX_DRAWS = 20
SOURCE_NAMES: dict[type, str] = {
    Simulation: "simulated",
    FileSource: "uploaded",
    Embedded: "docstrings",
}
SENSITIVE_CAPTION = (
    "A run keeps exact errors, which no budget covers, so it never sees these sensitive documents."
    " It draws simulated ones with the same public numbers."
)
UPLOADED_CAPTION = (
    "The word counts of these public documents are saved in the cache folder, for runs to read."
)


def sweep(loaded: LoadedExperiment) -> Sweep:
    """The sweep that the page's choices describe, over the documents of the experiment.

    Uploaded documents are written to a file; sensitive ones are replaced by simulated ones.

    Raises:
        InputError: it cannot run; says what to change.
    """
    document_source = _source(loaded)
    session_state = st.session_state
    return Sweep.of_experiment(
        loaded.experiment,
        name=SOURCE_NAMES[type(document_source)],
        source=document_source,
        methods=[
            parse_method(method_text)
            for method_text in session_state.get(Key.CURVES_METHODS, FIRST_METHODS)
        ],
        epsilons=sorted(map(float, session_state.get(Key.CURVES_GRID, FIRST_EPSILONS))),
        repeats=int(session_state.get(Key.CURVES_REPEATS, FIRST_DRAWS)),
    )


def draw_choices(loaded: LoadedExperiment) -> None:
    """Draw the choices of methods, values of ε and draws of noise, in an expander.

    A caption says which documents are used if they are sensitive or uploaded.
    """
    protected_unit = loaded.corpus.unit
    with st.expander("Choose methods, values of ε and draws", icon=":material/tune:"):
        st.multiselect(
            "Methods",
            [*(method.key for method in sort_by_group(METHODS.values())), LOOK_THEN_ADD],
            default=list(FIRST_METHODS),
            format_func=lambda text: parse_method(text).label,
            key=Key.CURVES_METHODS,
            persist_state="session",
            help=f"All private methods run at the same ε and δ, for one replaced {protected_unit}.",
        )
        left_column, right_column = st.columns([3, 1])
        left_column.multiselect(
            "Values of ε",
            EPSILONS,
            default=list(FIRST_EPSILONS),
            format_func=epsilon_text,
            key=Key.CURVES_GRID,
            persist_state="session",
            help="Each value is the budget of a whole run.",
        )
        right_column.number_input(
            "Draws of noise",
            1,
            MAX_DRAWS,
            FIRST_DRAWS,
            step=1,
            key=Key.CURVES_REPEATS,
            persist_state="session",
            help="More draws show how much luck moves a curve.",
        )
        if loaded.is_sensitive:
            st.caption(SENSITIVE_CAPTION)
        elif session.uploaded() is not None:
            st.caption(UPLOADED_CAPTION)


def _source(loaded: LoadedExperiment) -> Source:
    """Choose the documents of the sweep: the experiment's own, or simulated ones if sensitive.

    Documents that replace sensitive ones have the experiment's public numbers, with k topics; they
    are shorter if there would be too many words.
    Uploaded documents are written to a file that the sweep's processes read.
    Simulated documents and the docstrings are made again in those processes.

    Raises:
        InputError: the experiment's own documents are simulated with another number of topics
            than k.
    """
    source = loaded.experiment.corpus
    if loaded.is_sensitive:
        return _simulated_twin(loaded)
    if isinstance(source, HeldDocuments):
        return keep_as_file(loaded.corpus)
    if not isinstance(source, Simulation):
        return Embedded()
    n_topics = loaded.experiment.problem.n_topics
    if source.n_topics != n_topics:
        requirement = f"{source.n_topics}, the number of topics in these documents"
        fix = f"Set k = {source.n_topics} in the sidebar."
        raise InputError("k", requirement, str(n_topics), fix)
    return source


def _simulated_twin(loaded: LoadedExperiment) -> Simulation:
    """Documents drawn from the model with the experiment's public numbers."""
    point = own_point(loaded)
    mean_length = max(1, min(point.mean_length, MOST_TOKENS // point.n_documents))
    return Simulation(point.n_documents, point.n_words, point.n_topics, point.alpha0, mean_length)
