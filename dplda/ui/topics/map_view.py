"""The map of topics."""

from collections.abc import Mapping

import streamlit as st

from dplda import figures
from dplda.ui.shell import figure_view
from dplda.ui.shell.frame import Experiment
from dplda.ui.topics.comparison import Comparison


def draw(experiment: Experiment, found: Comparison, names: Mapping[int, str]) -> None:
    """Private topics in the plane of the noiseless ones, and what to see there."""
    lanes = found.lanes[:2]
    if not lanes[0].filled:
        st.info("No topic rises above the noise, so there is nothing to draw.", icon=":material/waves:")
        return
    figure = figures.topic_map(lanes, names, experiment.corpus.vocabulary, watermark=experiment.watermark)
    figure_view.with_file(figure, "topics.map")
    shown = figures.topic_map_shown(lanes)
    st.caption(
        "Near means alike (Jensen–Shannon distance of the words), the area of a circle is the topic's share of all"
        " words. Rings are the topics without noise: they span the plane and stay where they are when ε moves. A dotted"
        " line shows where noise took a topic, a number in a ring that it took the topic away. Topics that drown gather"
        f" in the middle, near the words of all documents. The plane holds {shown:.0%} of the squared distances."
    )
