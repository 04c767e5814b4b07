"""The edges that carry noise, chosen by buttons or in the graph, and the verdict on them."""

import streamlit as st

from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.verdict import EdgeVerdict, judge_edges
from dplda.ui.shell import figure_view
from dplda.ui.state import session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import EDGES, EDGES_KEY, read_edges

EDGES_HELP = "Click an edge here or in the graph to add or remove its noise."


def read_address(plan: Plan) -> None:
    """Choose the edges that a new address names for the configuration.

    Nothing changes if one of them does not exist.
    """
    if not session.address_changed() or EDGES_KEY not in st.query_params:
        return
    edges = read_edges(st.query_params[EDGES_KEY])
    if edges is not None:
        session.put(Key.EDGES_OF, plan.configuration)
        session.put(Key.EDGES, edges)


def judge(plan: Plan) -> EdgeVerdict:
    """The verdict on the chosen edges; another configuration resets them."""
    if st.session_state.get(Key.EDGES_OF) != plan.configuration:
        reset_edges(plan.configuration)
    return judge_edges(st.session_state.get(Key.EDGES) or (), REGISTRY, plan.variant.scaling)


def reset_edges(configuration: str) -> None:
    """Choose the edges of a configuration."""
    st.session_state[Key.EDGES_OF] = configuration
    st.session_state[Key.EDGES] = [edge.value for edge in REGISTRY[configuration].edges]


def draw(verdict: EdgeVerdict, configuration: str) -> None:
    """Draw the edges to choose and the verdict on them.

    To choose the edges of a configuration selects it. While they match none, a sentence says whose
    numbers are shown, and a button leads back to it.

    Args:
        verdict: on the edges that are chosen.
        configuration: whose numbers are shown while they match no configuration.
    """
    st.pills(
        "Edges that carry noise",
        EDGES,
        selection_mode="multi",
        key=Key.EDGES,
        persist_state="session",
        on_change=_select_configuration_of_edges,
        wrap=True,
        help=EDGES_HELP,
    )
    figure_view.draw_verdict(verdict)
    if verdict.configuration:
        return
    shown_configuration = REGISTRY[configuration]
    configuration_title = shown_configuration.title
    own_edges_text = ", ".join(shown_configuration.edges)
    st.caption(
        f"The numbers are still those of **{configuration_title}** ({own_edges_text}), "
        "which can run."
    )
    st.button(
        f"Back to {configuration_title}",
        icon=":material/undo:",
        key=Key.EDGES_BACK,
        on_click=reset_edges,
        args=(configuration,),
    )


def toggle_clicked_edges() -> None:
    """Add or remove the noise of edges that were clicked in the graph."""
    points = st.session_state[Key.GRAPH]["selection"]["points"]
    clicked = {str(point["customdata"][0]) for point in points if point.get("customdata")}
    edges = set(st.session_state.get(Key.EDGES) or ()) ^ (clicked & set(EDGES))
    st.session_state[Key.EDGES] = [edge for edge in EDGES if edge in edges]
    _select_configuration_of_edges()


def _select_configuration_of_edges() -> None:
    """Select the configuration that has exactly the chosen edges, if there is one."""
    verdict = judge_edges(st.session_state[Key.EDGES] or (), REGISTRY)
    if verdict.configuration:
        st.session_state[Key.CONFIGURATION] = verdict.configuration
        st.session_state[Key.EDGES_OF] = verdict.configuration
