"""Links for others, and whether others can open them."""

from collections.abc import Mapping
from urllib.parse import urlsplit

import streamlit as st

from dplda.ui.state import link


def show(*queries: Mapping[str, object]) -> None:
    """Draw an address to copy for each query, and say who can open it."""
    url = str(st.context.url)
    for query in queries:
        st.code(link.with_query(url, query), language=None, wrap_lines=True)
    st.caption(reach(url))


def reach(url: str) -> str:
    """Who can open an address: it names the machine that serves it as this visitor reached it."""
    host = urlsplit(url).hostname or ""
    if host in ("localhost", "::1") or host.startswith("127."):
        return (
            "Only this machine can open the link. For a class, stop dplda and start it with `dplda app --host ADDRESS`:"
            " this machine's name or address in your network."
        )
    return f"Everybody in your network who can reach `{host}` can open the link."
