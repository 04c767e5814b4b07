"""Who was in? Two corpora, one document apart, and what the output of a method says about which it was."""

import streamlit as st

from dplda.ui.shell import frame, glossary
from dplda.ui.who import game, page

experiment = frame.open_page(
    "Who was in?",
    "Two collections, one letter apart. Can the output tell which one it came from?",
    page.header,
)
pictures = st.container()
pair = page.choose_pair()
with pictures:
    shown = page.side_by_side(experiment, pair)
glossary.popover("epsilon delta adjacency release as_published proven")
game.play(experiment, pair, shown)
