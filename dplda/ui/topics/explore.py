"""One look at the topics at a time: only what is chosen is worked out."""

from collections.abc import Callable
from enum import StrEnum

import streamlit as st

from dplda.evaluation.relevance import default_names
from dplda.ui.shell import topic_names
from dplda.ui.shell.frame import Experiment
from dplda.ui.state.keys import Key
from dplda.ui.topics import cards_view, comparison, documents_view, likeness_view, map_view, word_view
from dplda.ui.topics.comparison import Comparison


class TopicView(StrEnum):
    """What to look at."""

    WORDS = "Words"
    MAP = "Map"
    CARDS = "Cards and names"
    SEARCH = "Find a word"
    DOCUMENTS = "Documents"
    DISTANCES = "Distances"


def draw(experiment: Experiment, found: Comparison) -> None:
    """The choice, and what was chosen."""
    topic_names.settle(experiment.corpus, experiment.settings, found.lanes[0])
    view = st.segmented_control(
        "Look at",
        list(TopicView),
        default=TopicView.WORDS,
        required=True,
        key=Key.TOPIC_VIEW,
        persist_state="session",
        label_visibility="collapsed",
    )
    if view in (None, TopicView.WORDS):
        _words(experiment, found)
    else:
        _NAMED[TopicView(view)](experiment, found, names(experiment, found))


def names(experiment: Experiment, found: Comparison) -> dict[int, str]:
    """What each private topic is called, by number: its name, or its three most relevant words."""
    slots = [slot for slot in found.lanes[0].slots if slot.row is not None]
    topics = found.private.topics
    default = default_names(topics.words, topics.mean_words, experiment.corpus.vocabulary)
    given = topic_names.given(experiment.corpus, experiment.settings)
    return {slot.number: given.get(slot.number) or default[slot.row or 0] for slot in slots}


def _words(experiment: Experiment, found: Comparison) -> None:
    picture = st.container()
    comparison.choice(found)
    n_shown = st.slider(
        "Words shown of each topic",
        min_value=3,
        max_value=15,
        value=8,
        key=Key.WORDS_SHOWN,
        persist_state="session",
        help="A display control: it draws no noise.",
        width=320,
    )
    with picture:
        comparison.words(experiment, found, n_shown=n_shown, key="topics.words")


_NAMED: dict[TopicView, Callable[[Experiment, Comparison, dict[int, str]], None]] = {
    TopicView.MAP: map_view.draw,
    TopicView.CARDS: cards_view.draw,
    TopicView.SEARCH: word_view.draw,
    TopicView.DOCUMENTS: documents_view.draw,
    TopicView.DISTANCES: likeness_view.distances,
}
"""Views of topics by their names."""
