"""What may be taken away from a sweep: the frame, the spec and the script that compute it again."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from dplda.experiments.storage.identity import code_version
from dplda.experiments.sweeps import Sweep, script_for, to_csv
from dplda.ui.shell import downloads
from dplda.ui.state import runs
from dplda.ui.state.keys import Key


def draw(sweep: Sweep, name: str, frame: pd.DataFrame | None) -> None:
    """Buttons that save what is shown."""
    with st.container(horizontal=True):
        table(lambda: runs.store(sweep).frame() if frame is None else frame, name)
        downloads.save("Spec (TOML)", sweep.to_toml, f"dplda-{name}.toml", icon="tune", key=f"{Key.CURVES_SPEC}.{name}")
        downloads.save(
            "Script (Python)",
            lambda: script_for(sweep, version=code_version()),
            f"dplda-{name}.py",
            icon="code",
            key=f"{Key.CURVES_SCRIPT}.{name}",
        )
    st.caption(
        f"`dplda sweep dplda-{name}.toml` or the script computes the same on any machine. Take methods or values of ε"
        " out of the spec for fewer numbers: those that stay are the same."
    )


def table(make: Callable[[], pd.DataFrame], name: str) -> None:
    """A button that saves the numbers of a figure."""
    key = f"{Key.CURVES_CSV}.{name}"
    downloads.save("Numbers (CSV)", lambda: to_csv(make()), f"dplda-{name}.csv", icon="table", key=key)
