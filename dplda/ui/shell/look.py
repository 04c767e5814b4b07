"""What Streamlit's themes cannot say, and projector mode: large type without a sidebar, for a room."""

import streamlit as st

from dplda.core import assets
from dplda.ui.state import session
from dplda.ui.state.keys import Key

PROJECTOR = "projector"  # in the address: 1 where it is on
STYLES = assets.folder() / "styles"
LARGER = 1.5  # letters in figures, in that mode


def apply() -> None:
    """Draw the style, which takes no room; to be called on every run, before anything is shown."""
    st.html(STYLES / "page.css")
    if st.context.theme.type == "dark":
        st.html(STYLES / "dark.css")
    if is_projected():
        st.html(STYLES / "projector.css")


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


def is_projected() -> bool:
    """Whether the page is shown to a room."""
    return st.query_params.get(PROJECTOR) == "1"
