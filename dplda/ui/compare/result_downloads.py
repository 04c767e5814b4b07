"""Downloads of a chart's numbers, and of what repeats them elsewhere."""

from functools import partial

import pandas as pd
import streamlit as st

from dplda.experiments.papers.study import script_for_study
from dplda.experiments.storage.identity import code_version
from dplda.experiments.sweeps import Sweep, script_for, to_csv
from dplda.ui.shell import downloads


def draw_for_study(name: str, frame: pd.DataFrame) -> None:
    """Draw downloads of a figure that is no sweep: its numbers, and the script that makes them."""
    make_script = partial(script_for_study, name, version=code_version())
    with (
        st.expander("Download, or repeat elsewhere", icon=":material/download:"),
        st.container(horizontal=True),
    ):
        _draw_numbers_button(name, frame)
        downloads.draw_save_button(
            "Script (Python)", make_script, f"dplda-{name}.py", icon_name="code"
        )


def _draw_numbers_button(name: str, frame: pd.DataFrame) -> None:
    downloads.draw_save_button(
        "Numbers (CSV)", lambda: to_csv(frame), f"dplda-{name}.csv", icon_name="table"
    )


def draw_for_sweep(sweep: Sweep, name: str, frame: pd.DataFrame) -> None:
    """Draw an expander with downloads of a sweep's numbers, spec and script, and a caption."""
    spec_file = f"dplda-{name}.toml"
    with st.expander("Download, or repeat elsewhere", icon=":material/download:"):
        with st.container(horizontal=True):
            _draw_numbers_button(name, frame)
            make_script = partial(script_for, sweep, version=code_version())
            downloads.draw_save_button("Spec (TOML)", sweep.to_toml, spec_file, icon_name="tune")
            downloads.draw_save_button(
                "Script (Python)", make_script, f"dplda-{name}.py", icon_name="code"
            )
        st.caption(
            f"`dplda sweep {spec_file}` or the script gives the same numbers on any machine."
            " Remove methods or values of ε from the spec to run less: the rest stays the same."
        )
