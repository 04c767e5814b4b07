"""Start: a live result, what it is, and three doors."""

import streamlit as st

from dplda.ui.shell import frame
from dplda.ui.start import doors, page
from dplda.ui.topics import comparison

experiment = frame.open_page("Private topics", "What differential privacy costs a topic model.", page.header)
doors.draw()
picture = st.container()
page.about(experiment)  # said, also where the fit is refused
with picture:
    found = comparison.compare(experiment)
    comparison.words(experiment, found, n_shown=5, key="start.words")
comparison.headline(found)
comparison.errors(experiment, found)
page.flow(experiment)
