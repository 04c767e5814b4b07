"""Every word and symbol, and a search among them."""

import streamlit as st

from dplda.ui.literal import literal
from dplda.ui.shell import glossary
from dplda.ui.state.keys import Key


def show() -> None:
    """Draw the entries that hold what is searched for, or all."""
    wanted = st.text_input(
        "Find a word or a symbol", key=Key.DOCS_SEARCH, placeholder="σk, noise scale …", persist_state="session"
    )
    names = found(wanted)
    if not names:
        st.info(f"No entry holds “{literal(wanted)}”. Clear the field to see all.", icon=":material/search_off:")
        return
    st.markdown(glossary.markdown(*names))


def found(wanted: str) -> tuple[str, ...]:
    """Names of the entries that hold a text, whatever its case."""
    text = wanted.strip().casefold()
    return tuple(name for name, entry in glossary.entries().items() if text in entry.text.casefold())
