"""The flow of a method whose edges are not to choose: its picture, the cut check, and what one edge keeps back."""

import streamlit as st

from dplda.figures.flows.edge_numbers import EdgeNumbers
from dplda.flow import Flow, leak_sentences
from dplda.methods.configurations.choice import EdgeVerdict, without
from dplda.privacy.release import Status
from dplda.ui.privacy import flow_view
from dplda.ui.shell import flow_picture
from dplda.ui.state.keys import Key


def show(flow: Flow, status: Status, numbers: tuple[EdgeNumbers, ...], summary: str) -> None:
    """Draw the graph beside what it amounts to, and beside what it would be with one edge's noise taken off."""
    left, right = st.columns([3, 2], gap="medium")
    with right:
        whole = without(flow, None, status)
        flow_picture.say(whole)
        taken = st.pills(
            "What if one edge had no noise?",
            [str(edge) for edge in flow.noised],
            format_func=lambda edge: flow_picture.label(flow, edge),
            key=Key.WITHOUT,
            wrap=True,
            help="Draws the path on which data would leak. A thought alone: every run keeps its noise.",
        )
        verdict = whole if taken is None else without(flow, taken, status)
        if taken is not None:
            _say(verdict, taken)
        if any(arrow.optional for arrow in flow.arrows):
            st.caption("Dotted: what a run may go without. Whether it does is decided by released values alone.")
        st.caption(summary)
        flow_view.meanings(flow)
    with left:
        flow_picture.draw(verdict, numbers, key="privacy.flow")


def _say(verdict: EdgeVerdict, taken: str) -> None:
    leaking, label = leak_sentences(verdict.edges, verdict.flow), verdict.flow.arrow(taken).label
    lines = "\n".join(f"- {sentence}" for sentence in leaking)
    many = "one path" if len(leaking) == 1 else f"{len(leaking)} paths"
    st.error(
        f"**Without noise on {label}** {many} would leak. No run does this.\n\n{lines}",
        icon=":material/water_drop:",
    )
