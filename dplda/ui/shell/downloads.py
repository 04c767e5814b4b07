"""What may be taken away: a button for each file, which is made when it is pressed."""

from collections.abc import Callable
from typing import Literal

import streamlit as st

from dplda.ui.state.keys import Key

KINDS = {
    "csv": "text/csv",
    "html": "text/html",
    "ipynb": "application/x-ipynb+json",
    "json": "application/json",
    "py": "text/x-python",
    "toml": "application/toml",
}
"""What a browser calls files, by their ending."""


def save(
    label: str,
    make: Callable[[], str | bytes],
    file: str,
    *,
    icon: str,
    key: str,
    help: str | None = None,
    type: Literal["secondary", "tertiary"] = "secondary",
) -> None:
    """A button that saves a file."""
    st.download_button(
        label,
        data=make,
        file_name=file,
        mime=KINDS[file.rpartition(".")[2]],
        on_click="ignore",
        icon=f":material/{icon}:",
        type=type,
        key=key,
        help=help,
    )


def report(make: Callable[[], str]) -> None:
    """A button that saves a report."""
    said = "One page for people who never open this app: topics, map, promise and limits, released values only."
    save("Report (HTML)", make, "dplda-report.html", icon="description", key=Key.SAVE_REPORT, help=said)
