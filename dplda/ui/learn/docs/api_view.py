"""The Python interface, one name at a time."""

import inspect
from functools import cache
from importlib import import_module

import streamlit as st

from dplda.ui.state.keys import Key

PACKAGE = "dplda"


def show() -> None:
    """Draw the choice of a name, and its documentation."""
    chosen = st.selectbox(
        "Name",
        list(names()),
        key=Key.DOCS_NAME,
        persist_state="session",
        help="Everything you can use from Python. Other names may change without notice.",
    )
    st.help(names()[str(chosen)])


@cache
def names() -> dict[str, object]:
    """All that is exported, and what exported modules export, by full name."""
    found: dict[str, object] = {}
    package = import_module(PACKAGE)
    for name in package.__all__:
        it = getattr(package, name)
        found[f"{PACKAGE}.{name}"] = it
        if inspect.ismodule(it):
            found |= {f"{PACKAGE}.{name}.{part}": getattr(it, part) for part in it.__all__}
    return found
