"""Downloads: a button per file, which is made when the button is pressed, and links to copy."""

from collections.abc import Callable, Mapping
from mimetypes import guess_type
from urllib.parse import urlencode, urlsplit

import streamlit as st

from dplda.ui.state.keys import Key

REPORT_HELP = (
    "One page for people who never open this app: topics, map, promise and limits, released values"
    " only."
)
ONLY_THIS_MACHINE = (
    "Only this machine can open the link. For a class, stop dplda and start it with"
    " `dplda app --host ADDRESS`, where ADDRESS is this machine's name or address on your network."
)


def draw_save_button(
    label: str,
    make_content: Callable[[], str | bytes],
    file_name: str,
    *,
    icon_name: str,
    help: str | None = None,
) -> None:
    """Draw a button that saves a file, which is made when the button is pressed.

    A press does not run the page again.

    Args:
        label: of the button.
        make_content: makes the file.
        file_name: name of the file, whose ending tells its type.
        icon_name: name of a Material icon.
        help: the text behind its question mark.
    """
    st.download_button(
        label,
        data=make_content,
        file_name=file_name,
        mime=guess_type(file_name)[0] or "text/plain",
        on_click="ignore",
        icon=f":material/{icon_name}:",
        key=f"{Key.SAVE}.{file_name}",
        help=help,
    )


def draw_report_button(make_report: Callable[[], str]) -> None:
    """Draw a button that saves a report."""
    draw_save_button(
        "Report (HTML)", make_report, "dplda-report.html", icon_name="description", help=REPORT_HELP
    )


def draw_links(*queries: Mapping[str, object]) -> None:
    """Draw an address to copy for each query, and say who can open it."""
    page = str(st.context.url)
    for query in queries:
        address = "?".join(filter(None, (page, urlencode(query))))
        st.code(address, language=None, wrap_lines=True)
    st.caption(describe_reach(page))


def describe_reach(url: str) -> str:
    """Say who can open an address, judging by how this visitor reached the server."""
    host = urlsplit(url).hostname or ""
    if host in ("localhost", "::1") or host.startswith("127."):
        return ONLY_THIS_MACHINE
    return f"Everybody on your network who can reach `{host}` can open the link."
