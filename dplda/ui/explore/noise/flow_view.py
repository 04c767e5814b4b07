"""The flow graph and its edges as pills: choose where noise goes, or think one edge's noise away."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dplda.figures.flows.edge_numbers import EdgeNumbers
from dplda.flow import SPECTRAL, Flow, leak_sentences
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.choice import EdgeVerdict, judge, without
from dplda.methods.plan import Plan
from dplda.privacy.release import Status
from dplda.ui.shell import flow_picture
from dplda.ui.shell.frame import Experiment, Header, of_method
from dplda.ui.state.keys import Key

EDGES = [str(edge) for edge in SPECTRAL.edges]


def header(experiment: Experiment, plan: Plan) -> Header:
    """The plan in force and its guarantee, or what the chosen edges amount to where they are those of no plan."""
    known, found = of_method(experiment), verdict(plan)
    return known if found.configuration else replace(known, claim=found)


def verdict(plan: Plan) -> EdgeVerdict:
    """What the chosen edges amount to, whoever asks; where the configuration was changed elsewhere, its own edges."""
    if st.session_state.get(Key.EDGES_OF) != plan.configuration:
        _take(plan.configuration)
    return judge(st.session_state.get(Key.EDGES) or (), REGISTRY, plan.variant.scaling)


def draw(plan: Plan, numbers: tuple[EdgeNumbers, ...], *, watermark: str) -> None:
    """Draw the graph, whose markers can be clicked; without numbers where the chosen edges are those of no plan."""
    found = verdict(plan)
    known = numbers if found.configuration else ()
    flow_picture.draw(found, known, key=Key.GRAPH, watermark=watermark, on_select=_clicked)


def choose(plan: Plan) -> None:
    """Pills of the edges, and what they amount to; edges of another configuration put that one in force."""
    st.pills(
        "Edges that carry noise",
        EDGES,
        selection_mode="multi",
        key=Key.EDGES,
        persist_state="session",
        on_change=_picked,
        wrap=True,
        help="Click an edge here or in the graph to add or remove its noise.",
    )
    found, known = verdict(plan), REGISTRY[plan.configuration]
    flow_picture.say(found)
    if not found.configuration:
        st.caption(f"The numbers stay those of **{known.title}** ({', '.join(known.edges)}), which can run.")
        back = f"Back to {known.title}"
        st.button(back, icon=":material/undo:", key=Key.EDGES_BACK, on_click=_take, args=(plan.configuration,))


def own(flow: Flow, status: Status, numbers: tuple[EdgeNumbers, ...], summary: str) -> None:
    """Draw the graph of a method whose edges are not to choose, and what it would be without one edge's noise."""
    left, right = st.columns([3, 2], gap="medium")
    with right:
        taken = st.pills(
            "What if one edge had no noise?",
            [str(edge) for edge in flow.noised],
            format_func=lambda edge: flow_picture.label(flow, edge),
            key=Key.WITHOUT,
            wrap=True,
            help="Shows how data would leak. Every run keeps its noise.",
        )
        verdict = without(flow, taken, status)
        if taken is None:
            flow_picture.say(verdict)
        else:
            leaking = leak_sentences(verdict.edges, flow)
            many = "one path" if len(leaking) == 1 else f"{len(leaking)} paths"
            lines = "\n".join(f"- {sentence}" for sentence in leaking)
            edge = flow.arrow(taken).label
            st.error(
                f"**Without noise on {edge}**, {many} would leak. No run does this.\n\n{lines}", icon=flow_picture.LEAK
            )
        st.caption(summary + (" Dotted steps may be skipped." if any(arrow.optional for arrow in flow.arrows) else ""))
    with left:
        flow_picture.draw(verdict, numbers, key="privacy.flow")


def _take(configuration: str) -> None:
    st.session_state[Key.EDGES_OF] = configuration
    st.session_state[Key.EDGES] = [edge.value for edge in REGISTRY[configuration].edges]


def _picked() -> None:
    """Make the configuration of the chosen edges the one in force, where there is one."""
    chosen = judge(st.session_state[Key.EDGES] or (), REGISTRY)
    if chosen.configuration:
        st.session_state[Key.CONFIGURATION] = chosen.configuration
        st.session_state[Key.EDGES_OF] = chosen.configuration


def _clicked() -> None:
    """Turn the noise on a clicked edge on or off."""
    points: Sequence[dict[str, object]] = st.session_state[Key.GRAPH]["selection"]["points"]
    clicked = {str(_name(point)) for point in points}
    chosen = set(st.session_state.get(Key.EDGES) or ()) ^ (clicked & set(EDGES))
    st.session_state[Key.EDGES] = [edge for edge in EDGES if edge in chosen]
    _picked()


def _name(point: dict[str, object]) -> object:
    data = point.get("customdata")
    return data[0] if isinstance(data, list | tuple) and data else data
