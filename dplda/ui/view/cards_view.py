"""A card for every released topic that can be told apart: its share, and its words with intervals."""

import numpy as np
import pandas as pd
import streamlit as st

from dplda.explore.colours import topic_colour
from dplda.explore.relevance import default_names, leading, relevance
from dplda.release.artefact import Artefact
from dplda.ui.literal import literal


def title(release: Artefact, topic: int) -> str:
    """A topic's number and its three most relevant words."""
    names = default_names(release.words, release.mean_words, release.vocabulary)
    return f"{topic + 1} · {names[topic]}"


def interval(release: Artefact, topic: int, index: int) -> str:
    """The ends of a word's interval in a topic, in percent; empty where the method knows none."""
    if release.lower is None or release.upper is None:
        return ""
    return f"{100 * release.lower[topic, index]:.2f} to {100 * release.upper[topic, index]:.2f}"


def draw(release: Artefact) -> None:
    """Two controls, and the cards in two columns that stack on a narrow screen."""
    st.header("Topics", anchor=False)
    shown = release.readable
    hidden = release.n_topics - len(shown)
    said = f"{release.n_topics} topics were asked for; {len(shown)} can be told apart."
    st.markdown(said if hidden else f"{len(shown)} topics.")
    with st.container(horizontal=True, gap="large"):
        many = st.slider("Words of a topic", 3, 30, 10, key="view.many", width=300)
        weight = st.slider(
            "Relevance λ",
            0.0,
            1.0,
            1.0,
            step=0.1,
            key="view.relevance",
            width=300,
            help="1 ranks words by probability in the topic, 0 by how much more frequent they are there.",
        )
    scores = relevance(release.words, release.mean_words, float(weight)) if shown else release.words
    longest = max((float(np.max(release.words[i])) for i in shown), default=1.0)
    columns = st.columns(2, gap="medium")
    for place, i in enumerate(shown):
        with columns[place * 2 // len(shown)].container(border=True):
            _card(release, i, leading(scores[i], many), longest)


def _card(release: Artefact, topic: int, chosen: list[int], longest: float) -> None:
    number, _, words = title(release, topic).partition(" · ")
    badge = f':color[ **{number}** ]{{background="{topic_colour(topic + 1)}6b"}}'
    st.markdown(f"{badge} **{literal(words)}** · {release.shares[topic]:.0%} of all words")
    rows = {
        "Word": [release.vocabulary[index] for index in chosen],
        "Chance (%)": [100 * float(release.words[topic, index]) for index in chosen],
    }
    if release.lower is not None:
        rows["90 % interval"] = [interval(release, topic, index) for index in chosen]
    bars = st.column_config.ProgressColumn(
        format="%.2f", min_value=0.0, max_value=100 * longest, color=topic_colour(topic + 1)
    )
    st.dataframe(pd.DataFrame(rows), hide_index=True, column_config={"Chance (%)": bars}, height="content")
