"""One look at the topics at a time: only what is chosen is worked out."""

from collections.abc import Callable, Mapping
from enum import StrEnum

import streamlit as st

from dplda import figures
from dplda.evaluation.relevance import default_names
from dplda.ui.explore.topics import cards_view, comparison, documents_view, downloads, releases, word_view
from dplda.ui.explore.topics.comparison import Comparison
from dplda.ui.shell import figure_view, findings, foreseen, glossary, topic_names
from dplda.ui.shell.frame import Experiment
from dplda.ui.state.keys import Key


class TopicView(StrEnum):
    """What to look at."""

    WORDS = "Words"
    MAP = "Map"
    CARDS = "Cards and names"
    SEARCH = "Find a word"
    DOCUMENTS = "Documents"


def draw(experiment: Experiment) -> None:
    """Topics, what is said of them, and where the noise went."""
    foreseen.foreseen(experiment)
    found = comparison.compare(experiment)
    _looks(experiment, found)
    comparison.headline(found)
    comparison.errors(experiment, found)
    st.header("Download", anchor=False)
    downloads.topics(experiment, found)
    glossary.heading(
        "Where the noise went",
        "release sensitivity noise_scale signal_to_noise budget above_noise spectrum twin l1 seed curator",
    )
    releases.spectrum(experiment, found)
    releases.table(experiment, found)
    releases.convergence(found)


def _looks(experiment: Experiment, found: Comparison) -> None:
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
    comparison.words(experiment, found)
    with st.container():  # whatever stands in it, what is below stays in its place
        if found.private.uncertainty is not None:  # another α0 is a second charge
            findings.offer_mixing(found.private.uncertainty, place="topics")


def _map(experiment: Experiment, found: Comparison, names: Mapping[int, str]) -> None:
    """Private topics in the plane of the noiseless ones."""
    lanes = found.lanes[:2]
    if not lanes[0].filled:
        st.info("No topic rises above the noise. Choose a larger ε.", icon=":material/waves:")
        return
    figure = figures.topic_map(lanes, names, experiment.corpus.vocabulary, watermark=experiment.watermark)
    figure_view.with_file(figure, "topics.map")
    st.caption(
        "Near means alike; a circle's area is the topic's share of all words. Rings are the topics without noise; a"
        " dotted line shows where noise moved a topic, a number in a ring that noise took it away. The plane holds"
        f" {figures.topic_map_shown(lanes):.0%} of the squared distances (Jensen–Shannon)."
    )


_NAMED: dict[TopicView, Callable[[Experiment, Comparison, dict[int, str]], None]] = {
    TopicView.MAP: _map,
    TopicView.CARDS: cards_view.draw,
    TopicView.SEARCH: word_view.draw,
    TopicView.DOCUMENTS: documents_view.draw,
}
"""Views of topics by their names."""
