"""What a session looks at: which corpus, and what should be said on the next page drawn."""

from dataclasses import dataclass

import streamlit as st

from dplda.corpus import Corpus, Label, Simulation
from dplda.privacy.keys import Secret
from dplda.settings import CorpusKind, Settings
from dplda.ui.shell import link, method_choice
from dplda.ui.shell.keys import Key


@dataclass(frozen=True, slots=True)
class Choice:
    """Which corpus the session looks at.

    Attributes:
        kind: embedded, simulated or uploaded.
        simulation: how it is drawn; None unless simulated.
    """

    kind: CorpusKind = CorpusKind.EMBEDDED
    simulation: Simulation | None = None


def choice() -> Choice:
    """The corpus chosen in this session; at first the embedded one, or what the link asks for."""
    chosen: Choice | None = st.session_state.get(Key.CHOICE)
    return chosen or Choice()


def choose(chosen: Choice, uploaded: Corpus | None = None) -> None:
    """Look at another corpus from now on. An uploaded one is held by this session alone."""
    st.session_state[Key.CHOICE] = chosen
    st.session_state[Key.UPLOADED] = uploaded
    st.session_state[Key.TOPIC_ORDER] = None


def uploaded() -> Corpus | None:
    """The corpus that this session uploaded last, while it is the chosen one."""
    corpus: Corpus | None = st.session_state.get(Key.UPLOADED)
    return corpus


def is_sensitive() -> bool:
    """Whether the chosen corpus was declared sensitive."""
    corpus = uploaded()
    return corpus is not None and corpus.label is Label.SENSITIVE


def secret() -> Secret:
    """What keys the noise on sensitive documents: drawn once a session, kept in its memory alone."""
    if Key.SECRET not in st.session_state:
        st.session_state[Key.SECRET] = Secret()
    drawn: Secret = st.session_state[Key.SECRET]
    return drawn


def read_link() -> None:
    """On the first run of a session: take corpus, method and split from the link; note what cannot be used."""
    if Key.LINK_READ not in st.session_state:
        st.session_state[Key.LINK_READ] = True
        query = st.query_params.to_dict()
        for complaint in link.complaints(query):
            notice(complaint)
        simulation = link.read_corpus(query.get(link.CORPUS_KEY, ""))
        if simulation is not None:
            choose(Choice(CorpusKind.SIMULATED, simulation))
        method = link.method_in(query)
        method_choice.choose(method)
        split = link.read_split(method, query.get(Key.SPLIT, ""))
        if split is not None:
            method_choice.set_split(method.name, split, link.read_origin(query.get(Key.SPLIT, "")))


def write_link(settings: Settings) -> None:
    """Keep what no widget keeps in the address: version, method and split, how a simulated corpus is drawn."""
    _write(link.VERSION_KEY, link.VERSION)
    _write(Key.CONFIGURATION, link.name_text(settings.method))
    _write(Key.CALIBRATION, link.calibration_text(settings.method))
    _write(Key.SPLIT, link.split_text(settings))
    _write(link.CORPUS_KEY, link.corpus_text(choice().kind, choice().simulation))


def notice(text: str) -> None:
    """Have a sentence shown on top of the next page drawn; it is shown literally."""
    st.session_state[Key.NOTICES] = (*st.session_state.get(Key.NOTICES, ()), text)


def take_notices() -> tuple[str, ...]:
    """The sentences to show, which are then forgotten."""
    notices: tuple[str, ...] = st.session_state.get(Key.NOTICES, ())
    st.session_state[Key.NOTICES] = ()
    return notices


def _write(name: str, value: str | None) -> None:
    if value is None:
        if name in st.query_params:
            del st.query_params[name]
    elif st.query_params.get(name) != value:
        st.query_params[name] = value
