"""What may be taken away from a sweep: the frame, the spec, the script and the notebook that compute it again."""

import pandas as pd
import streamlit as st

from dplda.figures import Measure
from dplda.sweeps import Sweep, notebook_for, script_for, to_csv
from dplda.sweeps.identity import code_version
from dplda.ui.shell import runs
from dplda.ui.shell.keys import Key


def downloads(sweep: Sweep, measure: Measure, name: str, frame: pd.DataFrame | None) -> None:
    """Buttons that save what is shown.

    Args:
        sweep: that was run, or would be.
        measure: that the script prints unless told otherwise.
        name: of the figure, for keys and files.
        frame: what to save; None takes the sweep's own results so far, when the button is pressed.
    """
    with st.container(horizontal=True):
        st.download_button(
            "Numbers (CSV)",
            data=lambda: to_csv(runs.store(sweep).frame() if frame is None else frame),
            file_name=f"dplda-{name}.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/table:",
            key=f"{Key.CURVES_CSV}.{name}",
        )
        st.download_button(
            "Spec (TOML)",
            data=sweep.to_toml,
            file_name=f"dplda-{name}.toml",
            mime="application/toml",
            on_click="ignore",
            icon=":material/tune:",
            key=f"{Key.CURVES_SPEC}.{name}",
        )
        st.download_button(
            "Script (Python)",
            data=lambda: script_for(sweep, version=code_version(), value=str(measure)),
            file_name=f"dplda-{name}.py",
            mime="text/x-python",
            on_click="ignore",
            icon=":material/code:",
            key=f"{Key.CURVES_SCRIPT}.{name}",
        )
        st.download_button(
            "Notebook",
            data=lambda: notebook_for(sweep, version=code_version()),
            file_name=f"dplda-{name}.ipynb",
            mime="application/x-ipynb+json",
            on_click="ignore",
            icon=":material/note_stack:",
            key=f"{Key.CURVES_NOTEBOOK}.{name}",
        )
    st.caption(
        f"`dplda sweep dplda-{name}.toml` or the script computes the same on any machine; with `--method` and"
        " `--epsilon` the script prints one number of the table."
    )


def table(frame: pd.DataFrame, name: str) -> None:
    """A button that saves the numbers of a figure that is no sweep."""
    st.download_button(
        "Numbers (CSV)",
        data=lambda: to_csv(frame),
        file_name=f"dplda-{name}.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/table:",
        key=f"{Key.CURVES_CSV}.{name}",
    )
