"""Names given to topics: kept by number for the same documents, k and α0, and saved in the run card."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import streamlit as st

from dplda.core.errors import InputError
from dplda.corpus import Corpus
from dplda.evaluation.relevance import named
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.experiments.run_card import RunCard
from dplda.figures import Lane
from dplda.privacy.noise.sources import NoNoise
from dplda.spectral.topics import match
from dplda.ui.state import cache, link, session
from dplda.ui.state.keys import Key

_Place: TypeAlias = tuple[object, ...]


def names_by_number(corpus: Corpus, settings: Experiment) -> Mapping[int, str]:
    """Names by topic number."""
    return _all().get(_place(corpus, settings), {})


def set_name(corpus: Corpus, settings: Experiment, number: int, text: object) -> None:
    """Name a topic; an empty text removes the name."""
    name = named(text)
    names = {**names_by_number(corpus, settings), number: name or ""}
    kept = {number: name for number, name in names.items() if name}
    st.session_state[Key.TOPIC_NAMES] = {**_all(), _place(corpus, settings): kept}


def link_text(corpus: Corpus, settings: Experiment) -> str | None:
    """Names as a link holds them; None for an uploaded file, which a link does not restore either."""
    uploaded = isinstance(session.chosen_source(), HeldDocuments)
    return None if uploaded else link.names_text(names_by_number(corpus, settings))


def read_from_address(corpus: Corpus, settings: Experiment) -> None:
    """Take names from a new address: a link, or the one that Back returns to."""
    asked = link.read_names(st.query_params.get(Key.NAMES, ""))
    if session.address_changed() and (asked or link_text(corpus, settings)):
        st.session_state[Key.TOPIC_NAMES] = {**_all(), _place(corpus, settings): asked}


def apply_card_names(corpus: Corpus, settings: Experiment, lane: Lane) -> None:
    """Name the topics of the run shown as the loaded run card does."""
    names = _loaded(settings)
    if not names:
        return
    st.session_state[Key.NAMES_LOADED] = None
    for slot in lane.slots:
        if slot.row is not None and names[slot.row]:
            set_name(corpus, settings, slot.number, names[slot.row])


def names_by_row(corpus: Corpus, settings: Experiment) -> Callable[[], tuple[str | None, ...]]:
    """A function that gives names in the order of the run's own topics, for files made on request."""
    names, loaded = names_by_number(corpus, settings), _loaded(settings)

    def found() -> tuple[str | None, ...]:
        if loaded or not names:
            return loaded
        topics, exact = (
            cache.fit_quietly(corpus, settings, noise=noise).topics for noise in (None, NoNoise())
        )
        places = match(topics.words[: topics.resolved], exact.words).tolist()
        ordered = (
            *(names.get(place + 1) for place in places),
            *[None] * (len(topics.words) - topics.resolved),
        )
        return ordered if any(ordered) else ()

    return found


def rename_from_widget(corpus: Corpus, settings: Experiment, number: int, key: str) -> None:
    """Take a topic's name from the widget of this key; a name that is too long is refused with a notice."""
    try:
        set_name(corpus, settings, number, st.session_state[key])
    except InputError as error:
        session.notice(str(error))


def _loaded(settings: Experiment) -> tuple[str | None, ...]:
    """Names in the loaded run card, if these are its settings and its run has not been shown yet."""
    card: RunCard | None = st.session_state.get(Key.NAMES_LOADED)
    if card is None or card.experiment != settings:
        return ()
    return card.topic_names


def _place(corpus: Corpus, settings: Experiment) -> _Place:
    """All that topic numbers depend on: what defines the topics without noise."""
    return (
        corpus.digest,
        corpus.label,
        settings.problem.n_topics,
        settings.problem.alpha0,
        settings.registered_method.noiseless_twin,
    )


def _all() -> dict[_Place, dict[int, str]]:
    names: dict[_Place, dict[int, str]] = st.session_state.get(Key.TOPIC_NAMES, {})
    return names
