"""Error curves: what every method costs at every ε, the papers' figures among them."""

import streamlit as st

from dplda.ui import error_curves, error_curves_accounting, error_curves_own, frame

experiment = frame.open_page(
    "Error curves", "Error or perplexity against ε, for every method at the same guarantee.", error_curves.header
)
shown = error_curves.choose()
with st.container():  # however much stands in it, what is below stays in its place, and open if it was
    if shown is not None:
        error_curves.preset(shown, experiment)
    else:
        sweep = error_curves_own.choose(experiment)
        if sweep is not None:
            error_curves.own(sweep, experiment)

error_curves_accounting.conversion(experiment.settings.plan.delta)
error_curves_accounting.lab()
