"""What may be taken away: a button for each file, which is made when it is pressed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import pandas as pd
import streamlit as st

from dplda.core.formatting import harmless
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


def table(rows: Sequence[Mapping[str, str]], *, index: str, key: str, saved: bool) -> None:
    """A plain table, since ``st.dataframe`` offers its contents as a file; where it may be ``saved``, that file."""
    frame = pd.DataFrame(rows).set_index(index)
    st.table(frame)
    if saved:
        save(
            "Table (CSV)",
            lambda: frame.reset_index().map(harmless).to_csv(index=False),
            f"dplda-{key.rpartition('.')[2]}.csv",
            icon="table",
            type="tertiary",
            key=f"{key}.save",
        )


def report(make: Callable[[], str]) -> None:
    """A button that saves a report."""
    said = "One page for people who never open this app: topics, map, promise and limits, released values only."
    save("Report (HTML)", make, "dplda-report.html", icon="description", key=Key.SAVE_REPORT, help=said)
