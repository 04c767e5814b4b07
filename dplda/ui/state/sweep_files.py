"""Files of a sweep: its numbers, and the spec and the script that compute them again."""

import pandas as pd
import streamlit as st

from dplda.experiments.storage.identity import code_version
from dplda.experiments.sweeps import Sweep, script_for, to_csv
from dplda.ui.shell import downloads
from dplda.ui.state.keys import Key


def draw(sweep: Sweep | None, name: str, frame: pd.DataFrame) -> None:
    """Buttons that save them; without a sweep the numbers alone."""
    with st.expander("Download, or repeat elsewhere", icon=":material/download:"):
        with st.container(horizontal=True):
            key = f"{Key.CURVES_CSV}.{name}"
            downloads.save("Numbers (CSV)", lambda: to_csv(frame), f"dplda-{name}.csv", icon="table", key=key)
            if sweep is None:
                return
            spec, key = f"dplda-{name}.toml", f"{Key.CURVES_SPEC}.{name}"
            downloads.save("Spec (TOML)", sweep.to_toml, spec, icon="tune", key=key)
            script, key = f"dplda-{name}.py", f"{Key.CURVES_SCRIPT}.{name}"
            downloads.save(
                "Script (Python)", lambda: script_for(sweep, version=code_version()), script, icon="code", key=key
            )
        st.caption(
            f"`dplda sweep {spec}` or the script gives the same numbers on any machine. Remove methods or values of ε"
            " from the spec to run less: the rest stays the same."
        )
