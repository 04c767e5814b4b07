"""Styles that Streamlit's themes cannot express, and projector mode: large type, no sidebar."""

import streamlit as st

from dplda.core import assets
from dplda.ui.state import session
from dplda.ui.state.keys import Key

PROJECTOR = "projector"  # in the address: 1 where it is on
STYLES = assets.folder() / "styles"
PROJECTOR_SCALE = 1.5  # letters in figures, in that mode


def apply_styles() -> None:
    """Apply the styles; call this on every run before anything is drawn."""
    st.html(STYLES / "page.css")
    if st.context.theme.type == "dark":
        st.html(STYLES / "dark.css")
    if is_projected():
        st.html(STYLES / "projector.css")


def apply_class_style() -> None:
    """Apply the style of the ten-minute class: its clock and its tally."""
    st.html(STYLES / "class.css")


def draw_way_out() -> None:
    """Draw a button that leaves projector mode; nothing if that is off."""
    if is_projected():
        st.button(
            "Leave projector mode",
            type="tertiary",
            key=Key.LEARN_LEAVE,
            on_click=session.write,
            args=({PROJECTOR: None},),
        )


def is_projected() -> bool:
    """Whether projector mode is on."""
    return st.query_params.get(PROJECTOR) == "1"
