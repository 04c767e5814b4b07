"""Names given to topics, kept by number for the same documents, k and α0, and in the run card."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import streamlit as st

from dplda.core.errors import InputError
from dplda.corpus import Corpus
from dplda.evaluation.relevance import clean_topic_name
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.experiments.run_card import RunCard
from dplda.figures import Lane
from dplda.privacy.noise.sources import NoNoise
from dplda.spectral.topics import match
from dplda.ui.state import cache, link, session
from dplda.ui.state.keys import Key

_Key: TypeAlias = tuple[object, ...]  # of the names of one set of topics


def names_by_number(corpus: Corpus, experiment: Experiment) -> Mapping[int, str]:
    """Own names of topics by their numbers; topics without one are left out."""
    return _all_names().get(_key_of_topics(corpus, experiment), {})


def set_name(corpus: Corpus, experiment: Experiment, number: int, new_name: str) -> None:
    """Name a topic; an empty text removes the name.

    Args:
        corpus: the documents.
        experiment: of the run.
        number: of the topic, from 1.
        new_name: the new name.

    Raises:
        InputError: the name is too long.
    """
    cleaned_name = clean_topic_name(new_name)
    names = dict(names_by_number(corpus, experiment))
    names.pop(number, None)
    if cleaned_name:
        names[number] = cleaned_name
    _set_names(corpus, experiment, names)


def link_text(corpus: Corpus, experiment: Experiment) -> str | None:
    """Names as a link holds them; None for an uploaded file, which a link does not restore."""
    if isinstance(session.chosen_source(), HeldDocuments):
        return None
    return link.names_text(names_by_number(corpus, experiment))


def read_from_address(corpus: Corpus, experiment: Experiment) -> None:
    """Set names from a new address: a link, or the one that Back returns to."""
    if not session.address_changed():
        return
    names = link.read_names(st.query_params.get(Key.NAMES, ""))
    if names or link_text(corpus, experiment):
        _set_names(corpus, experiment, names)


def apply_card_names(corpus: Corpus, experiment: Experiment, lane: Lane) -> None:
    """Give the run's topics the names of the loaded run card, once.

    The card is forgotten then; topics without a name in it keep theirs. A card of other settings
    changes nothing, and is kept.

    Args:
        corpus: the documents.
        experiment: of the run.
        lane: its topics, whose numbers the names are kept by.
    """
    card_names = _names_in_card(experiment)
    if not card_names:
        return
    st.session_state[Key.NAMES_LOADED] = None
    for slot in lane.slots:
        if slot.row is None:
            continue
        name = card_names[slot.row]
        if name:
            set_name(corpus, experiment, slot.number, name)


def names_by_row(corpus: Corpus, experiment: Experiment) -> Callable[[], tuple[str | None, ...]]:
    """Make a function that gives names in the order of the run's own topics.

    That function fits anew if topics were named here, to match them with the numbers of topics
    without noise, so it is for files that are made on request. Names of a loaded run card are in
    order.

    Returns:
        A function without arguments. Its result has a name or None for each topic; it is empty
        without any name.
    """
    names_of_numbers = names_by_number(corpus, experiment)
    card_names = _names_in_card(experiment)

    def order_names() -> tuple[str | None, ...]:
        """Names in the order of the run's own topics; empty without any name.

        Names of the loaded run card come first; else names by number are moved to the topics of the
        fit that match, and topics without a match have None.
        """
        if card_names or not names_of_numbers:
            return card_names
        private_topics = cache.fit_quietly(corpus, experiment, noise=None).topics
        noiseless_topics = cache.fit_quietly(corpus, experiment, noise=NoNoise()).topics
        noiseless_rows = match(
            private_topics.words[: private_topics.resolved], noiseless_topics.words
        ).tolist()
        ordered_names: list[str | None] = [names_of_numbers.get(row + 1) for row in noiseless_rows]
        n_unmatched = len(private_topics.words) - private_topics.resolved
        ordered_names += [None] * n_unmatched
        if not any(ordered_names):
            return ()
        return tuple(ordered_names)

    return order_names


def rename_from_widget(corpus: Corpus, experiment: Experiment, number: int, key: str) -> None:
    """Name a topic as its widget says; for a name that is too long, give a notice instead.

    Args:
        corpus: the documents.
        experiment: of the run.
        number: of the topic, from 1.
        key: of the widget.
    """
    try:
        set_name(corpus, experiment, number, st.session_state[key])
    except InputError as error:
        session.notice(str(error))


def _names_in_card(experiment: Experiment) -> tuple[str | None, ...]:
    """Names in the loaded run card; empty for other settings, or once its run has been shown."""
    card: RunCard | None = st.session_state.get(Key.NAMES_LOADED)
    if card is None or card.experiment != experiment:
        return ()
    return card.topic_names


def _key_of_topics(corpus: Corpus, experiment: Experiment) -> _Key:
    """All that topic numbers depend on: what defines the topics without noise."""
    return (
        corpus.digest,
        corpus.label,
        experiment.problem.n_topics,
        experiment.problem.alpha0,
        experiment.registered_method.noiseless_twin,
    )


def _all_names() -> dict[_Key, Mapping[int, str]]:
    names: dict[_Key, Mapping[int, str]] = st.session_state.get(Key.TOPIC_NAMES, {})
    return names


def _set_names(corpus: Corpus, experiment: Experiment, name_by_number: Mapping[int, str]) -> None:
    key = _key_of_topics(corpus, experiment)
    st.session_state[Key.TOPIC_NAMES] = {**_all_names(), key: name_by_number}
