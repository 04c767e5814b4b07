"""A table with a file of it; nothing of a sensitive corpus is saved."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from dplda.core.spreadsheet import harmless
from dplda.ui.shell import downloads
from dplda.ui.shell.frame import Experiment


def show(experiment: Experiment, rows: Sequence[Mapping[str, str]], *, index: str, key: str) -> None:
    """Draw a plain table, since ``st.dataframe`` offers its contents as a file whatever the corpus."""
    table = pd.DataFrame(rows).set_index(index)
    st.table(table)
    if experiment.sensitive:
        return
    downloads.save(
        "Table (CSV)",
        lambda: table.reset_index().map(harmless).to_csv(index=False),
        f"dplda-{key.rpartition('.')[2]}.csv",
        icon="table",
        type="tertiary",
        key=f"{key}.save",
    )
