"""Privacy: where noise enters the flow, what that costs, and what may be expected of it."""

import streamlit as st

from dplda.ui.privacy import page
from dplda.ui.shell import frame

experiment = frame.open_page(
    "Privacy", "Where noise enters between the documents and the topics, and what it costs.", page.header
)
page.show(experiment)
st.page_link("pages/proofs.py", label="What the paper proves, and what it does not", icon=":material/gavel:")
