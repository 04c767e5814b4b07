"""The flow graph and its edges as pills: choose where noise goes, and hear at once what that amounts to."""

from collections.abc import Sequence
from functools import lru_cache

import plotly.graph_objects as go
import streamlit as st

from dplda import figures
from dplda.configurations import REGISTRY
from dplda.configurations.choice import Verdict, judge
from dplda.flow import ARROW, ARROWS, Edge
from dplda.ui.frame import is_dark
from dplda.ui.keys import Key

EDGES = [edge.value for edge in Edge]


def choose(configuration: str) -> None:
    """Draw the graph beside its pills; the configuration in force changes when the edges are those of another one.

    Args:
        configuration: the one in force; when it was changed elsewhere its edges become the chosen ones.
    """
    state = st.session_state
    if state.get(Key.EDGES_OF) != configuration:
        _take(configuration)
    verdict = judge(state.get(Key.EDGES, ()), REGISTRY)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.plotly_chart(
            _drawn(verdict.edges, verdict.leak, dark=is_dark()),
            key=Key.GRAPH,
            on_select=_clicked,
            selection_mode="points",
            alt=figures.flow_graph_alt(verdict.edges, verdict.leak),
            config={"displayModeBar": False},
        )
    with right:
        _say(verdict, configuration)
        st.pills(
            "Edges that carry noise",
            EDGES,
            selection_mode="multi",
            format_func=_label,
            key=Key.EDGES,
            persist_state="session",
            on_change=_picked,
            wrap=True,
            help="The same choice as the markers in the graph: click there, or here with arrow keys and Space.",
        )
        _meanings()


@lru_cache(maxsize=64)
def _drawn(edges: tuple[Edge, ...], leak: tuple[Edge, ...], *, dark: bool) -> go.Figure:
    """The graph, drawn once for every choice: it depends on nothing else, and a slider should not wait for it."""
    return figures.flow_graph(edges, leak, dark=dark)


def _say(verdict: Verdict, configuration: str) -> None:
    if verdict.configuration:
        st.success(verdict.words, icon=":material/content_cut:")
        st.caption(REGISTRY[configuration].summary)
        return
    if verdict.leak:
        st.error(verdict.words, icon=":material/water_drop:")
    else:
        st.warning(verdict.words, icon=":material/content_cut:")
    known = REGISTRY[configuration]
    st.markdown(
        f"The numbers below stay those of **{known.title}** ({', '.join(known.edges)}), the last choice that can run."
    )
    st.button(
        f"Back to {known.title}",
        icon=":material/undo:",
        key=Key.EDGES_BACK,
        on_click=_take,
        args=(configuration,),
        help="Chooses its edges again.",
    )


def _meanings() -> None:
    with st.expander("What each edge carries", icon=":material/menu_book:"):
        lines = [f"**{arrow.edge}** · {arrow.carries}. {arrow.meaning}\n\n$${arrow.latex}$$" for arrow in ARROWS]
        st.markdown("\n\n".join(lines))


def _label(name: str) -> str:
    return f"{name} · {ARROW[Edge(name)].carries.removeprefix('the ')}"


def _take(configuration: str) -> None:
    st.session_state[Key.EDGES_OF] = configuration
    st.session_state[Key.EDGES] = [edge.value for edge in REGISTRY[configuration].edges]


def _picked() -> None:
    """Make the configuration of the chosen edges the one in force, where there is one."""
    verdict = judge(st.session_state[Key.EDGES] or (), REGISTRY)
    if verdict.configuration:
        st.session_state[Key.CONFIGURATION] = verdict.configuration
        st.session_state[Key.EDGES_OF] = verdict.configuration


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
