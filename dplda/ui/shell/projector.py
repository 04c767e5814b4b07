"""Projector mode: large type without a sidebar, for a room."""

import streamlit as st

from dplda.ui.state import session
from dplda.ui.state.keys import Key

PROJECTOR = "projector"  # in the address: 1 where it is on
LARGER = 1.5  # letters in figures, in that mode

_PROJECTED = """<style>
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stExpandSidebarButton"] { display: none; }
[data-testid="stMainBlockContainer"] { padding: 1rem 4rem 0; }
html { font-size: min(1.7vw, 2.4vh); }
[data-testid="stMain"] h1 { display: none; }
[data-testid="stMain"] [data-testid="stVerticalBlock"] { gap: 0.5rem; }
@media (max-width: 640px) { html { font-size: 19px; } }
</style>"""


def apply() -> None:
    """Draw its style where it is on; to be called on every run, after ``look.apply``."""
    if is_projected():
        st.html(_PROJECTED)


def way_out() -> None:
    """Draw the button that leads out of projector mode, where that is on; it stands below all that a page shows."""
    if is_projected():
        st.button(
            "Leave projector mode",
            type="tertiary",
            key=Key.LEARN_LEAVE,
            on_click=session.write,
            args=({PROJECTOR: None},),
        )


def project() -> None:
    """Turn projector mode on."""
    session.write({PROJECTOR: "1"})


def is_projected() -> bool:
    """Whether the page is shown to a room."""
    return st.query_params.get(PROJECTOR) == "1"
