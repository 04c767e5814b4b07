"""Regimes: which configuration is best where, and where nothing is worth its noise."""

import streamlit as st

from dplda.ui import frame, regimes, regimes_inverse, regimes_map, regimes_simulated

experiment = frame.open_page(
    "Regimes", "Which configuration has the least error where, and where none is worth having.", regimes.header
)
chosen = regimes.choose(experiment)
if chosen is None:
    st.stop()
grid, methods = chosen
regimes_map.predicted(grid, methods)
regimes_inverse.ask(experiment)
regimes_simulated.simulated(experiment, grid, methods)
