"""Topics: what the noise leaves, beside what the documents say where that may be seen."""

import streamlit as st

from dplda.ui.shell import frame, glossary
from dplda.ui.shell.keys import Key
from dplda.ui.topics import comparison, downloads, releases

experiment = frame.open_page("Topics", "What survives the noise, and what does not.")
found = comparison.compare(experiment)
comparison.headline(found)
comparison.errors(experiment, found)

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
comparison.words(experiment, comparison.choice(found), n_shown=n_shown, key="topics.words")
downloads.topics(experiment, found)

glossary.heading(
    "Where the noise went",
    "release sensitivity noise_scale signal_to_noise budget above_noise spectrum twin l1 seed curator",
)
releases.spectrum(experiment, found)
releases.table(found)
releases.convergence(found)
