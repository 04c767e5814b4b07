"""Regimes: which method has the smallest error where."""

import streamlit as st

from dplda.ui.regimes import check_view, inverse_view, map_view, page
from dplda.ui.shell import frame, glossary

experiment = frame.open_page("Regimes", "Which method has the smallest error where.", page.header)
picture = st.container()
chosen = page.choose(experiment)
if chosen is None:
    st.stop()
grid, methods = chosen
with picture:
    map_view.draw(experiment, grid, methods)
glossary.popover("regime prediction documents topic vocabulary alpha0 length epsilon delta l1")
inverse_view.ask(experiment)
check_view.check(experiment, methods)
