"""Error curves: what every method costs at every ε, the papers' figures among them."""

import streamlit as st

from dplda.ui.error_curves import own_view, page
from dplda.ui.shell import frame, glossary

experiment = frame.open_page(
    "Error curves", "Error or perplexity against ε, for every method at the same guarantee.", page.header
)
shown = page.choose()
with st.container():  # however much stands in it, what is below stays in its place, and open if it was
    if shown is not None:
        page.preset(shown, experiment)
    else:
        sweep = own_view.choose(experiment)
        if sweep is not None:
            page.own(sweep, experiment)

glossary.popover("l1 perplexity npmi unigram truth calibration post_processing")
