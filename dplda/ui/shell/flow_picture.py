"""A flow graph to look at, drawn once for every choice."""

from functools import lru_cache

import streamlit as st

from dplda import figures
from dplda.configurations.choice import EdgeVerdict, without
from dplda.figures.plain import Figure
from dplda.methods import Method
from dplda.privacy.release import Status
from dplda.ui.shell.frame import is_dark


@lru_cache(maxsize=64)
def drawn(verdict: EdgeVerdict, *, dark: bool) -> Figure:
    """The graph: it depends on nothing else, and a slider should not wait for it."""
    return figures.flow_graph(verdict, dark=dark)


def draw(verdict: EdgeVerdict, *, key: str) -> None:
    """Draw a graph whose markers say what flows, and cannot be clicked."""
    st.plotly_chart(
        drawn(verdict, dark=is_dark()),
        key=key,
        alt=figures.flow_graph_alt(verdict),
        config={"displayModeBar": False},
    )


def own(method: Method) -> EdgeVerdict | None:
    """What the edges that a method noises amount to; None where there is no picture of it."""
    return None if method.flow is None else without(method.flow, None, method.status)


def say(verdict: EdgeVerdict) -> None:
    """The cut check in a coloured box."""
    (st.success if verdict.status is Status.PROVEN else st.warning)(verdict.words, icon=":material/content_cut:")
