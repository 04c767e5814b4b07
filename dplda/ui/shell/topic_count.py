"""How many topics differ from the word frequencies at this ε, read off released values."""

import streamlit as st

from dplda.core.formatting import differing
from dplda.methods.full_batch_vi.uncertainty import Uncertainty
from dplda.ui.shell import glossary


def headline(uncertainty: Uncertainty, *, n_true: int | None = None) -> None:
    """How many topics differ from the word frequencies, and that this is no evidence of topics."""
    number, k = uncertainty.n_differing, len(uncertainty.topics)
    st.markdown(differing(number, k))
    said = "" if number == k else "Those that do not differ are not readable at this ε. "
    if n_true is not None and n_true < k:
        said += f"The documents were drawn from {n_true} topics only. "
    st.caption(said + "This is read off released values, so knowing it costs no privacy.")
    glossary.popover("unreadable unigram interval")
