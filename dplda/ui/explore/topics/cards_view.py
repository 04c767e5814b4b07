"""A card for every topic: its name, its size, its leading words, and what noise left of it."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from dplda.evaluation.relevance import BALANCED, LONGEST_NAME, in_common, leading, most_probable, relevance
from dplda.figures import Slot, theme
from dplda.ui.explore.topics.comparison import Comparison
from dplda.ui.literal import literal
from dplda.ui.shell import topic_names
from dplda.ui.shell.frame import Experiment
from dplda.ui.state.keys import Key

LEADING = 10  # words on a card, and compared with the noiseless twin's


def draw(experiment: Experiment, found: Comparison, names: Mapping[int, str]) -> None:
    """The cards, in two columns that stack on a narrow screen."""
    topics = found.private.topics
    scores = relevance(topics.words[: len(topics.alpha)], topics.mean_words, BALANCED)
    slots = found.lanes[0].slots
    columns = st.columns(2, gap="medium")
    for i, slot in enumerate(slots):
        with columns[i * 2 // len(slots)].container(border=True):
            _card(experiment, found, slot, scores, names)
    st.caption(
        "Words: probable in the topic, and more frequent there than elsewhere. The report and the run card keep names."
    )


def badge(number: int, *, readable: bool = True) -> str:
    """A topic's number on its colour, in Markdown."""
    colour = theme.topic_colour(number) if readable else theme.UNREADABLE
    return f':color[ **{number}** ]{{background="{colour}6b"}}'


def _card(experiment: Experiment, found: Comparison, slot: Slot, scores: np.ndarray, names: Mapping[int, str]) -> None:
    if slot.words is None or slot.row is None:
        st.markdown(f"**Topic {slot.number}**")
        st.caption("Below the noise.")
        return
    corpus, settings = experiment.corpus, experiment.settings
    share = "" if slot.share is None else f" · {slot.share:.0%} of all words"
    doubt = "" if slot.readable else " · not readable at this ε"
    st.markdown(f"{badge(slot.number, readable=slot.readable)} **{literal(names[slot.number])}**{share}{doubt}")
    key = f"{Key.TOPIC_NAME}.{corpus.digest[:12]}.{settings.problem.n_topics}.{slot.number}"
    st.session_state[key] = topic_names.given(corpus, settings).get(slot.number, "")
    st.text_input(
        f"Name of topic {slot.number}",
        max_chars=LONGEST_NAME,
        placeholder="Give it a name",
        key=key,
        on_change=topic_names.rename,
        args=(corpus, settings, slot.number, key),
        label_visibility="collapsed",
    )
    st.markdown(", ".join(literal(corpus.vocabulary[index]) for index in leading(scores[slot.row], LEADING)))
    if found.exact is None:
        return
    twin = found.lanes[1].slots[slot.number - 1].words
    if twin is None:
        st.caption("Without noise there is no such topic.")
    else:
        same, of = in_common(slot.words, twin, LEADING), len(most_probable(slot.words, LEADING))
        st.caption(f"Without noise, {same} of its {of} most probable words are the same.")
