"""A session's corpus, whether its address is new, and notices for the next page drawn."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from dplda.corpus import Corpus, Simulation, disk_cache
from dplda.experiments.experiment import (
    CorpusKind,
    CorpusSource,
    Experiment,
    HeldDocuments,
    kind_of_source,
)
from dplda.privacy.noise.keys import Secret
from dplda.ui.literal import literal
from dplda.ui.state import link, method_choice
from dplda.ui.state.keys import Key

MOST_OWN = 99_999  # noise seeds of a class: short enough to be said
LATE = 0.5  # seconds in which a browser may still send the address before the last
_CONTROLS = (
    Key.CONFIGURATION,
    Key.EPSILON,
    Key.DELTA,
    Key.N_TOPICS,
    Key.ALPHA0,
    Key.SEED,
    Key.GROUPS_BY,
    Key.GROUPS_EPSILON,
)


class DocumentSource(StrEnum):
    """Where documents come from."""

    NEWSPAPER = "Newspaper"
    DOCSTRINGS = "Python docstrings"
    SIMULATED = "Simulated"
    FILE = "A file of mine"


_DOCUMENT_SOURCES = {
    CorpusKind.SIMULATED: DocumentSource.SIMULATED,
    CorpusKind.EMBEDDED: DocumentSource.DOCSTRINGS,
    CorpusKind.UPLOADED: DocumentSource.FILE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """The address of a page at the end of a run.

    Attributes:
        place: the page.
        query: its parameters.
        query_on_arrival: those at the start of the run, if it changed them.
        controls: values of the controls that write into it.
        written_at: when it got these parameters, in seconds of the monotonic clock.
    """

    place: str
    query: dict[str, str]
    query_on_arrival: dict[str, str] | None
    controls: tuple[object, ...]
    written_at: float


def chosen_source() -> CorpusSource:
    """The source of the documents chosen in this session; at first the newspaper."""
    source: CorpusSource | None = st.session_state.get(Key.CHOICE)
    if source is None:
        return link.TEACHING
    return source


def document_source() -> DocumentSource:
    """The chosen documents as the sidebar lists them."""
    source = chosen_source()
    if source == link.TEACHING:
        return DocumentSource.NEWSPAPER
    return _DOCUMENT_SOURCES[kind_of_source(source)]


def choose(source: CorpusSource, uploaded: Corpus | None = None) -> None:
    """Switch to other documents, and forget the order in which topics were shown.

    Args:
        source: where they come from.
        uploaded: documents that were just read; this session alone holds them, until the next
            upload.
    """
    st.session_state[Key.CHOICE] = source
    if uploaded is not None:
        st.session_state[Key.UPLOADED] = uploaded
    st.session_state[Key.TOPIC_ORDER] = None


def simulate(simulation: Simulation) -> None:
    """Use simulated documents, and have k and α0 set to their true values; a notice says so."""
    choose(simulation)
    n_topics = simulation.n_topics
    alpha0 = simulation.alpha0
    st.session_state[Key.LOOKED_FOR] = (n_topics, alpha0)
    notice(
        f"{simulation.n_documents:,} documents are simulated. k = {n_topics} and α₀ = {alpha0:g}"
        " are set to the true values. You can change them in the sidebar."
    )


def uploaded() -> Corpus | None:
    """The corpus that this session uploaded last, while it is the chosen one."""
    if not isinstance(chosen_source(), HeldDocuments):
        return None
    return uploaded_corpus()


def uploaded_corpus() -> Corpus | None:
    """The corpus that this session uploaded last, chosen or not."""
    corpus: Corpus | None = st.session_state.get(Key.UPLOADED)
    return corpus


def secret() -> Secret:
    """The key of the noise on sensitive documents: drawn once per session, kept in its memory."""
    if Key.SECRET not in st.session_state:
        st.session_state[Key.SECRET] = Secret()
    session_secret: Secret = st.session_state[Key.SECRET]
    return session_secret


def read_link(place: str) -> None:
    """Set the controls to the address, if it is new: the first, a link, or one after Back.

    An empty address counts as holding an experiment. A later one that holds none changes no
    control. ``Key.NEWS`` is set to whether the address came from outside.

    Args:
        place: page of the address.
    """
    query = st.query_params.to_dict()
    is_first = Key.LINK_READ not in st.session_state
    is_new = _is_foreign_address(place, query)
    st.session_state[Key.LINK_READ] = True
    st.session_state[Key.NEWS] = is_new
    sets_experiment = link.VERSION_KEY in query or not query
    if is_first or (is_new and sets_experiment):
        _open_link(query)


def _open_link(query: Mapping[str, str]) -> None:
    """Set controls and documents to those of an address.

    Notices say what in it cannot be used, and that uploaded documents are gone; then the documents
    stay, and also if the address names none that exist. A link for a class without a seed gets a
    random one.
    """
    for complaint in link.complaints(query):
        notice(complaint)
    apply(link.read(query))
    if query.get(link.DRAW_KEY) == link.OWN and Key.SEED not in query:
        st.session_state[Key.SEED] = 1 + secrets.randbelow(MOST_OWN)
    linked_source = link.corpus_in(query)
    if isinstance(linked_source, HeldDocuments) and uploaded_corpus() is None:
        notice(
            "The documents of this address are gone. A reload drops them, and so do two minutes"
            " without a connection. Read the file again. Settings and released topics are kept."
            " Other names and public knowledge are not."
        )
    elif linked_source is not None:
        choose(linked_source)


def apply(experiment: Experiment) -> None:
    """Set all controls to an experiment, except its documents.

    The split is set only for a method with quantities to divide the budget among; the table of
    shares by group, only if the experiment has one.

    Raises:
        StopIteration: its ε is no step of the slider; no control is set then.
    """
    session_state = st.session_state
    problem = experiment.problem
    budget = experiment.budget
    session_state[Key.EPSILON] = next(step for step in link.EPSILONS if step == budget.epsilon)
    session_state[Key.DELTA] = budget.delta
    session_state[Key.SEED] = experiment.seed
    session_state[Key.N_TOPICS] = problem.n_topics
    session_state[Key.ALPHA0] = problem.alpha0
    if experiment.shares is not None:
        session_state[Key.GROUPS_BY] = experiment.shares.column
        session_state[Key.GROUPS_EPSILON] = experiment.shares.epsilon
    method = experiment.registered_method
    method_choice.select(method)
    if method.quantities:
        method_choice.set_split(method.name, budget.split)


def address_changed() -> bool:
    """Whether this run began with an address that the session did not write."""
    return bool(st.session_state.get(Key.NEWS))


def go(place: str, view: str) -> None:
    """Open a view of a page on the next run; for buttons.

    Args:
        place: the page.
        view: title of the view.
    """
    st.session_state[f"{Key.VIEW}.{place}"] = view
    st.session_state[Key.GO] = place


def write_link(experiment: Experiment, names: str | None = None) -> None:
    """Keep the experiment in the address, and the names of its topics."""
    write(link.query(experiment) | {Key.NAMES: names})


def write(parameters: Mapping[str, str | None]) -> None:
    """Set parameters of the address in one step, after removing those that are None.

    Parameters that are not named stay. The version of links is added if any other parameter stays.
    Nothing is set if the address has all of them already.
    """
    address = st.query_params
    for parameter, parameter_text in parameters.items():
        if parameter_text is None and parameter in address:
            del address[parameter]
    kept_texts = {
        parameter: parameter_text
        for parameter, parameter_text in parameters.items()
        if parameter_text is not None
    }
    if kept_texts or address.keys() - {link.VERSION_KEY}:
        kept_texts[link.VERSION_KEY] = link.VERSION
    new_texts = {
        parameter: parameter_text
        for parameter, parameter_text in kept_texts.items()
        if address.get(parameter) != parameter_text
    }
    if new_texts:
        address.update(new_texts)


def put(key: str, value: object) -> None:
    """Set a value in the session, for buttons that do nothing else.

    Args:
        key: of the value.
        value: whatever is kept.
    """
    st.session_state[key] = value


def say_trouble() -> None:
    """Warn on every page while results cannot be saved."""
    trouble = disk_cache.describe_trouble()
    if trouble:
        st.warning(literal(trouble), icon=":material/folder_off:")


def notice(text: str) -> None:
    """Show a sentence, literally, at the top of the next page drawn."""
    st.session_state[Key.NOTICES] = (*st.session_state.get(Key.NOTICES, ()), text)


def say_notices() -> None:
    """Show the notices and forget them."""
    st.session_state[Key.SAID] = st.session_state.pop(Key.NOTICES, ())
    container = st.container()  # what is below stays in its place
    for text in st.session_state[Key.SAID]:
        container.info(literal(text), icon=":material/info:")


def _is_foreign_address(place: str, query: dict[str, str]) -> bool:
    """Whether an address comes from outside: a link, or the browser's Back.

    On another page than before, any parameters do. On the same page, the session's own addresses
    come back for a moment after it wrote another one, and after a control was moved: neither is a
    change.
    """
    address: Address | None = st.session_state.get(Key.ADDRESS)
    if address is None or address.place != place:
        return bool(query)
    is_own = query in (address.query, address.query_on_arrival)
    if is_own or address.controls != _controls(place):
        return False
    return time.monotonic() - address.written_at > LATE


def note_address(place: str, query_on_arrival: dict[str, str]) -> None:
    """Store the address at the end of this run in the session, with one that the run replaced.

    The controls that write into it are stored, too. On the same page, the replaced address and the
    time of an unchanged one stay as they were.

    Args:
        place: the page.
        query_on_arrival: parameters of the address at the start of the run.
    """
    query = st.query_params.to_dict()
    previous_address: Address | None = st.session_state.get(Key.ADDRESS)
    written_at = time.monotonic()
    if previous_address is None or previous_address.place != place:
        replaced_query = None
        if query_on_arrival != query:
            replaced_query = query_on_arrival
    else:
        replaced_query = previous_address.query_on_arrival
        if previous_address.query == query:
            written_at = previous_address.written_at
    st.session_state[Key.ADDRESS] = Address(
        place=place,
        query=query,
        query_on_arrival=replaced_query,
        controls=_controls(place),
        written_at=written_at,
    )


def _controls(place: str) -> tuple[object, ...]:
    """Values of all controls that write into the address of a page."""
    keys = (*_CONTROLS, f"{Key.VIEW}.{place}")
    return tuple(st.session_state.get(key) for key in keys)
