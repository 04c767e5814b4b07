"""A run anew with a number that released values suggest: free to know, and a second charge to follow."""

import streamlit as st

from dplda.ui.state import session
from dplda.ui.state.keys import Key


def offer(number: float, *, symbol: str, sets: Key, key: str, free: str = "") -> None:
    """A button that sets the number, and what pressing it would cost on a real release."""
    asked = f"{symbol} = {number:g}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Run again with {asked}", icon=":material/replay:", key=key, on_click=session.put, args=(sets, number)
        )
        st.caption(
            f"A new run with {asked} looks at the documents again: on a real release it is a second charge of the same"
            f" ε, on top of the first. {free}".rstrip(),
            width="stretch",
        )
