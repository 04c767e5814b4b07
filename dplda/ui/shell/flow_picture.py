"""A flow graph to look at, drawn once for every choice and all numbers on it."""

from collections.abc import Callable
from functools import lru_cache

import streamlit as st

from dplda import figures
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.flow import Flow
from dplda.methods.configurations.choice import EdgeVerdict, without
from dplda.methods.method import Method
from dplda.privacy.release import Status
from dplda.ui.shell import figure_view

CUT, LEAK = ":material/content_cut:", ":material/water_drop:"
_remembered = lru_cache(maxsize=256)(figures.flow_graph)  # a slider should not wait for what it has shown before


def draw(
    verdict: EdgeVerdict,
    numbers: tuple[EdgeNumbers, ...] = (),
    *,
    key: str,
    watermark: str = "",
    on_select: Callable[[], None] | None = None,
) -> None:
    """Draw a graph whose markers say what flows."""
    if numbers and watermark:
        figure = figures.flow_graph(verdict, numbers, watermark=watermark)
    else:
        figure = _remembered(verdict, numbers)
    figure_view.draw(figure, key, tools=False, on_select=on_select)
    how_to_read(numbers)


def how_to_read(numbers: tuple[EdgeNumbers, ...]) -> None:
    """What thickness, color and the lines beside a marker mean; nothing where there are no numbers."""
    standings = {one.standing for one in numbers}
    if standings - {Standing.REFUSED}:
        said = "Thicker arrow: more of the budget. Label: share, ± noise scale"
        later = ". A run shows how much of the signal is left."
        st.caption(
            said + (later if standings == {Standing.AFTER_RUN} else ", S/N signal to noise of the worst number.")
        )


def own(method: Method) -> EdgeVerdict | None:
    """What the edges that a method noises amount to; None where there is no picture of it."""
    return None if method.flow is None else without(method.flow, None, method.status)


def label(flow: Flow, edge: str) -> str:
    """An edge, and what it carries."""
    arrow = flow.arrow(edge)
    return f"{arrow.label} · {arrow.carries.removeprefix('the ')}"


def say(verdict: EdgeVerdict) -> None:
    """The cut check in a colored box."""
    box, icon = (st.success, CUT) if verdict.status is Status.PROVEN else (st.warning, CUT)
    if verdict.leak:
        box, icon = st.error, LEAK
    box(verdict.words, icon=icon)
