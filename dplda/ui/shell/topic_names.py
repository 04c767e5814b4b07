"""Names given to topics: kept by number for the same documents, k and α0, and saved in the run card."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import streamlit as st

from dplda.core.errors import InputError
from dplda.corpus import Corpus
from dplda.evaluation.relevance import named
from dplda.experiments.settings import Card, CorpusKind, Settings
from dplda.figures import Lane
from dplda.privacy.noise.sources import NoNoise
from dplda.spectral.topics import match
from dplda.ui.state import cache, link, session
from dplda.ui.state.keys import Key

_Place: TypeAlias = tuple[object, ...]


def given(corpus: Corpus, settings: Settings) -> Mapping[int, str]:
    """Names by topic number."""
    return _all().get(_place(corpus, settings), {})


def give(corpus: Corpus, settings: Settings, number: int, text: object) -> None:
    """Name a topic; an empty text removes the name."""
    name = named(text)
    names = {**given(corpus, settings), number: name or ""}
    kept = {number: name for number, name in names.items() if name}
    st.session_state[Key.TOPIC_NAMES] = {**_all(), _place(corpus, settings): kept}


def text(corpus: Corpus, settings: Settings) -> str | None:
    """Names as a link holds them; None for an uploaded file, which a link does not restore either."""
    uploaded = session.choice().kind is CorpusKind.UPLOADED
    return None if uploaded else link.names_text(given(corpus, settings))


def take(corpus: Corpus, settings: Settings) -> None:
    """Take names from a new address: a link, or the one that Back returns to."""
    asked = link.read_names(st.query_params.get(Key.NAMES, ""))
    if session.is_news() and (asked or text(corpus, settings)):
        st.session_state[Key.TOPIC_NAMES] = {**_all(), _place(corpus, settings): asked}


def settle(corpus: Corpus, settings: Settings, lane: Lane) -> None:
    """Name the topics of the run shown as the loaded run card does."""
    names = _loaded(settings)
    if not names:
        return
    st.session_state[Key.NAMES_LOADED] = None
    for slot in lane.slots:
        if slot.row is not None and names[slot.row]:
            give(corpus, settings, slot.number, names[slot.row])


def by_row(corpus: Corpus, settings: Settings) -> Callable[[], tuple[str | None, ...]]:
    """A function that gives names in the order of the run's own topics, for files made on request."""
    names, loaded = given(corpus, settings), _loaded(settings)

    def found() -> tuple[str | None, ...]:
        if loaded or not names:
            return loaded
        topics, exact = (
            cache.found_now(corpus, settings, noise=noise).topics for noise in (None, NoNoise())
        )
        places = match(topics.words[: topics.resolved], exact.words).tolist()
        ordered = (
            *(names.get(place + 1) for place in places),
            *[None] * (len(topics.words) - topics.resolved),
        )
        return ordered if any(ordered) else ()

    return found


def rename(corpus: Corpus, settings: Settings, number: int, key: str) -> None:
    """Take a topic's name from the widget of this key; a name that is too long is refused with a notice."""
    try:
        give(corpus, settings, number, st.session_state[key])
    except InputError as error:
        session.notice(str(error))


def _loaded(settings: Settings) -> tuple[str | None, ...]:
    """Names in the loaded run card, if these are its settings and its run has not been shown yet."""
    card: Card | None = st.session_state.get(Key.NAMES_LOADED)
    if card is None or card.settings != settings or card.kind is not session.choice().kind:
        return ()
    return card.names


def _place(corpus: Corpus, settings: Settings) -> _Place:
    """All that topic numbers depend on: what defines the topics without noise."""
    return (
        corpus.digest,
        corpus.label,
        settings.problem.n_topics,
        settings.problem.alpha0,
        settings.method.noiseless_twin,
    )


def _all() -> dict[_Place, dict[int, str]]:
    names: dict[_Place, dict[int, str]] = st.session_state.get(Key.TOPIC_NAMES, {})
    return names
