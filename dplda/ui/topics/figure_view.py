"""A figure with what may be done with it: the camera button, and a file of its own."""

import streamlit as st

from dplda import figures
from dplda.figures.plain import Figure
from dplda.ui.shell import downloads
from dplda.ui.shell.frame import Experiment, is_dark
from dplda.ui.topics.comparison import chart_config


def show(experiment: Experiment, figure: Figure, *, alt: str, key: str) -> None:
    """Draw a figure; nothing of a sensitive corpus is saved."""
    st.plotly_chart(figure, key=key, alt=alt, config=chart_config(experiment))
    if experiment.sensitive:
        return
    dark = is_dark()
    downloads.save(
        "Figure (HTML)",
        lambda: figures.figure_html(figure, alt=alt, dark=dark),
        f"dplda-{key.rpartition('.')[2]}.html",
        icon="code_blocks",
        type="tertiary",
        key=f"{key}.save",
        help="A page of its own to look at without network, some 5 MB. The camera button above saves SVG or PNG.",
    )
