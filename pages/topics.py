"""Topics: what the noise leaves, beside what the documents say where that may be seen."""

import streamlit as st

from dplda.ui.regimes import map_view
from dplda.ui.shell import frame, glossary
from dplda.ui.topics import comparison, downloads, explore, releases

experiment = frame.open_page("Topics", "What survives the noise, and what does not.")
map_view.foreseen(experiment)
found = comparison.compare(experiment)
explore.draw(experiment, found)
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
