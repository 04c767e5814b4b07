"""A session's corpus, whether its address is new, and notices for the next page drawn."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from dplda.corpus import Corpus, Simulation, disk_cache
from dplda.experiments.settings import CorpusKind, Settings
from dplda.privacy.noise.keys import Secret
from dplda.ui.literal import literal
from dplda.ui.shell import method_choice
from dplda.ui.state import link
from dplda.ui.state.keys import Key

MOST_OWN = 99_999  # noise seeds of a class: short enough to be said
LATE = 0.5  # seconds in which a browser may still send the address before the last
_CONTROLS = (Key.CONFIGURATION, Key.EPSILON, Key.DELTA, Key.N_TOPICS, Key.ALPHA0, Key.SEED)


class DocumentSource(StrEnum):
    """Where documents come from."""

    NEWSPAPER = "Newspaper"
    DOCSTRINGS = "Python docstrings"
    SIMULATED = "Simulated"
    FILE = "A file of mine"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which corpus the session looks at."""

    kind: CorpusKind
    simulation: Simulation | None = None

    @property
    def place(self) -> DocumentSource:
        """Where these documents come from."""
        if self.kind is CorpusKind.SIMULATED:
            return (
                DocumentSource.NEWSPAPER
                if self.simulation == link.TEACHING
                else DocumentSource.SIMULATED
            )
        return (
            DocumentSource.FILE if self.kind is CorpusKind.UPLOADED else DocumentSource.DOCSTRINGS
        )


@dataclass(frozen=True, slots=True)
class Written:
    """The address at the end of a run; ``passed``: the one at its start, if the run changed it."""

    place: str
    query: dict[str, str]
    passed: dict[str, str] | None
    controls: tuple[object, ...]
    at: float


def choice() -> Choice:
    """The corpus chosen in this session; at first the newspaper, or what the link asks for."""
    chosen: Choice | None = st.session_state.get(Key.CHOICE)
    return chosen or Choice(CorpusKind.SIMULATED, link.TEACHING)


def choose(chosen: Choice, uploaded: Corpus | None = None) -> None:
    """Switch to another corpus. This session alone holds an uploaded one, until the next upload."""
    st.session_state[Key.CHOICE] = chosen
    if uploaded is not None:
        st.session_state[Key.UPLOADED] = uploaded
    st.session_state[Key.TOPIC_ORDER] = None


def simulate(simulation: Simulation) -> None:
    """Switch to simulated documents, with k and α0 set to their true values."""
    choose(Choice(CorpusKind.SIMULATED, simulation))
    k, alpha0 = st.session_state[Key.LOOKED_FOR] = (simulation.n_topics, simulation.alpha0)
    said = f"k = {k} and α₀ = {alpha0:g} are set to the true values. You can change them in the sidebar."
    notice(f"{simulation.n_documents:,} documents are simulated. {said}")


def uploaded() -> Corpus | None:
    """The corpus that this session uploaded last, while it is the chosen one."""
    return held() if choice().kind is CorpusKind.UPLOADED else None


def held() -> Corpus | None:
    """The corpus that this session uploaded last."""
    corpus: Corpus | None = st.session_state.get(Key.UPLOADED)
    return corpus


def secret() -> Secret:
    """The secret key of the noise on sensitive documents: drawn once per session, kept only in its memory."""
    if Key.SECRET not in st.session_state:
        st.session_state[Key.SECRET] = Secret()
    drawn: Secret = st.session_state[Key.SECRET]
    return drawn


def read_link(place: str) -> None:
    """Take the experiment from a new address: the first one, a link, or one that Back returns to."""
    query, first = st.query_params.to_dict(), Key.LINK_READ not in st.session_state
    st.session_state[Key.LINK_READ] = True
    news = st.session_state[Key.NEWS] = _says_news(place, query)
    if first or (news and (link.VERSION_KEY in query or not query)):
        for complaint in link.complaints(query):
            notice(complaint)
        take(link.read(query))
        if query.get(link.DRAW_KEY) == link.OWN and Key.SEED not in query:
            st.session_state[Key.SEED] = 1 + secrets.randbelow(MOST_OWN)
        _read_corpus(query.get(link.CORPUS_KEY, ""))


def take(settings: Settings) -> None:
    """Set all controls of the experiment except its documents."""
    state, spent = st.session_state, settings.budget
    state[Key.EPSILON] = next(step for step in link.EPSILONS if step == spent.epsilon)
    state[Key.DELTA], state[Key.SEED] = spent.delta, settings.seed
    state[Key.N_TOPICS], state[Key.ALPHA0] = settings.problem.n_topics, settings.problem.alpha0
    method_choice.choose(settings.method)
    if settings.method.quantities:
        method_choice.set_split(settings.method.name, spent.split)


def is_news() -> bool:
    """Whether this run began with an address that the session did not write."""
    return bool(st.session_state.get(Key.NEWS))


def go(place: str, view: str) -> None:
    """Open a view of a page on the next run; for buttons."""
    st.session_state[f"{Key.VIEW}.{place}"] = view
    st.session_state[Key.GO] = place


def write_link(settings: Settings, names: str | None = None) -> None:
    """Keep the experiment in the address, and the names of its topics."""
    write(link.query(settings, choice().kind, choice().simulation) | {Key.NAMES: names})


def write(parameters: Mapping[str, str | None]) -> None:
    """Set parameters of the address in one step, and remove those that are None; a version goes with any parameter."""
    there = st.query_params
    for name in [name for name, value in parameters.items() if value is None and name in there]:
        del there[name]
    wanted = {name: value for name, value in parameters.items() if value is not None}
    if wanted or there.keys() - {link.VERSION_KEY}:
        wanted[link.VERSION_KEY] = link.VERSION
    changed = {name: value for name, value in wanted.items() if there.get(name) != value}
    if changed:
        there.update(changed)


def put(key: str, value: object) -> None:
    """Set a value in the session, for buttons that do nothing else."""
    st.session_state[key] = value


def say_trouble() -> None:
    """Warn on every page while results cannot be saved."""
    if trouble := disk_cache.trouble():
        st.warning(literal(trouble), icon=":material/folder_off:")


def notice(text: str) -> None:
    """Show a sentence, literally, at the top of the next page drawn."""
    st.session_state[Key.NOTICES] = (*st.session_state.get(Key.NOTICES, ()), text)


def say_notices() -> None:
    """Show the notices and forget them."""
    st.session_state[Key.SAID] = st.session_state.pop(Key.NOTICES, ())
    place = st.container()  # what is below stays in its place
    for said in st.session_state[Key.SAID]:
        place.info(literal(said), icon=":material/info:")


def _read_corpus(text: str) -> None:
    if text == CorpusKind.UPLOADED and held() is not None:
        choose(Choice(CorpusKind.UPLOADED))
    elif text == CorpusKind.UPLOADED:
        notice(
            "The documents of this address are gone. A reload drops them, and so do two minutes without a connection."
            " Read the file again. Settings and released topics are kept. Other names and public knowledge are not."
        )
    elif text == link.DOCSTRINGS or (
        not text and st.query_params.get(link.VERSION_KEY) in link.UNNAMED
    ):
        choose(Choice(CorpusKind.EMBEDDED))
    elif not text:
        choose(Choice(CorpusKind.SIMULATED, link.TEACHING))
    elif (simulation := link.read_corpus(text)) is not None:
        choose(Choice(CorpusKind.SIMULATED, simulation))


def _says_news(place: str, query: dict[str, str]) -> bool:
    """Whether the session did not write this address; never true just after a control was moved."""
    last: Written | None = st.session_state.get(Key.ADDRESS)
    if last is None or last.place != place:
        return bool(query)
    if query in (last.query, last.passed) or last.controls != _controls(place):
        return False
    return time.monotonic() - last.at > LATE


def note_address(place: str, came: dict[str, str]) -> None:
    """Remember the address at the end of this run, and the one at its start."""
    last: Written | None = st.session_state.get(Key.ADDRESS)
    now = st.query_params.to_dict()
    if last is not None and last.place == place:
        passed, at = last.passed, last.at if last.query == now else time.monotonic()
    else:
        passed, at = came if came != now else None, time.monotonic()
    st.session_state[Key.ADDRESS] = Written(place, now, passed, _controls(place), at)


def _controls(place: str) -> tuple[object, ...]:
    return tuple(st.session_state.get(key) for key in (*_CONTROLS, f"{Key.VIEW}.{place}"))
