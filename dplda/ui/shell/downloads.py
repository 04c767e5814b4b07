"""Downloads: a button per file, which is made when the button is pressed, and links to copy."""

from collections.abc import Callable, Mapping
from mimetypes import guess_type
from urllib.parse import urlencode, urlsplit

import streamlit as st

from dplda.ui.state.keys import Key


def draw_save_button(
    label: str, make: Callable[[], str | bytes], file: str, *, icon: str, help: str | None = None
) -> None:
    """A button that saves a file."""
    st.download_button(
        label,
        data=make,
        file_name=file,
        mime=guess_type(file)[0] or "text/plain",
        on_click="ignore",
        icon=f":material/{icon}:",
        key=f"{Key.SAVE}.{file}",
        help=help,
    )


def draw_report_button(make: Callable[[], str]) -> None:
    """A button that saves a report."""
    said = "One page for people who never open this app: topics, map, promise and limits, released values only."
    draw_save_button("Report (HTML)", make, "dplda-report.html", icon="description", help=said)


def draw_links(*queries: Mapping[str, object]) -> None:
    """Draw an address to copy for each query, and say who can open it."""
    for query in queries:
        st.code(
            "?".join(filter(None, (str(st.context.url), urlencode(query)))),
            language=None,
            wrap_lines=True,
        )
    st.caption(describe_reach(str(st.context.url)))


def describe_reach(url: str) -> str:
    """A sentence on who can open an address, judging by how this visitor reached the server."""
    host = urlsplit(url).hostname or ""
    if host in ("localhost", "::1") or host.startswith("127."):
        return (
            "Only this machine can open the link. For a class, stop dplda and start it with `dplda app --host ADDRESS`,"
            " where ADDRESS is this machine's name or address on your network."
        )
    return f"Everybody on your network who can reach `{host}` can open the link."
