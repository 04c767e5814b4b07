"""Which view of a place is open: the address names it, and a place that is left keeps it."""

import re
from collections.abc import Sequence

import streamlit as st

from dplda.ui.state import session
from dplda.ui.state.keys import Key


def choose(place: str, titles: Sequence[str]) -> str:
    """Draw the choice and return the title of the open view."""
    key = f"{Key.VIEW}.{place}"
    if session.is_news():
        asked = st.query_params.get(Key.VIEW)
        st.session_state[key] = next((title for title in titles if address(title) == asked), titles[0])
    if st.session_state.get(key) not in titles:
        st.session_state[key] = titles[0]
    chosen = st.segmented_control(
        "View", titles, required=True, key=key, persist_state="session", label_visibility="collapsed"
    )
    title = titles[0] if chosen is None else str(chosen)
    session.write({Key.VIEW: None if title == titles[0] else address(title)})
    return title


def address(title: str) -> str:
    """A view's name in the address."""
    return "-".join(re.findall(r"\w+", title.lower()))
