"""A flow graph to look at, and what its markers say."""

from collections.abc import Callable

import streamlit as st

from dplda import figures
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.methods.configurations.choice import EdgeVerdict
from dplda.privacy.release import Status
from dplda.ui.shell import figure_view

LEAK = ":material/water_drop:"


def draw(
    verdict: EdgeVerdict,
    numbers: tuple[EdgeNumbers, ...] = (),
    *,
    key: str,
    watermark: str = "",
    on_select: Callable[[], None] | None = None,
) -> None:
    """Draw a graph whose markers say what flows, and what thickness and the lines beside a marker mean."""
    figure = figures.flow_graph(verdict, numbers, watermark=watermark if numbers else "")
    figure_view.draw(figure, key, tools=False, on_select=on_select)
    standings = {one.standing for one in numbers}
    if standings - {Standing.REFUSED}:
        said = "Thicker arrow: more of the budget. Label: share, ± noise scale"
        later = ". A run shows how much of the signal is left."
        st.caption(
            said + (later if standings == {Standing.AFTER_RUN} else ", S/N signal to noise of the worst number.")
        )


def say(verdict: EdgeVerdict) -> None:
    """The cut check in a colored box."""
    if verdict.leak:
        st.error(verdict.words, icon=LEAK)
    else:
        box = st.success if verdict.status is Status.PROVEN else st.warning
        box(verdict.words, icon=":material/content_cut:")
