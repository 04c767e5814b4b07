"""Corpus: where the documents come from, what came in, and what they look like."""

import streamlit as st

from dplda.ui.corpus import corpus_choice, corpus_view
from dplda.ui.shell import frame

experiment = frame.open_page(
    "Corpus", "Where the documents come from, what came in, and what they look like.", corpus_view.header
)
corpus_view.overview(experiment)
corpus_view.intake(experiment.corpus)
corpus_view.pictures(experiment)

st.subheader("Use other documents", anchor=False)
corpus_choice.choose()
