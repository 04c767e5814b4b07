"""Draws figures in the page's theme and size, flow graphs, and plain tables."""

from collections.abc import Callable, Iterable, Mapping

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.figures import Figure
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.methods.configurations.verdict import EdgeVerdict
from dplda.privacy.release import Status
from dplda.ui.shell import look
from dplda.ui.state.keys import Key

PICTURES = ("PNG", "SVG")  # as which the camera button saves a figure


def draw(
    figure: Figure,
    key: str,
    *,
    tools: bool = True,
    on_select: Callable[[], None] | None = None,
    room: int = 0,
) -> None:
    """Draw a figure, at most ``room`` pixels high; one with a watermark has no button that saves it."""
    larger = look.PROJECTOR_SCALE if look.is_projected() else 1
    larger = min(larger, room / figure.height) if room else larger
    picture = str(st.session_state.get(Key.PICTURE) or PICTURES[0]).lower()
    image = {"format": picture, "scale": 1 if picture == "svg" else 2}
    camera = {"displaylogo": False, "modeBarButtons": [["toImage"]], "toImageButtonOptions": image}
    st.plotly_chart(
        figure.unchecked(dark=st.context.theme.type == "dark", larger=larger),
        key=key,
        alt=figure.alt,
        config=camera if tools and not figure.watermark else {"displayModeBar": False},
        on_select=on_select or "ignore",
        selection_mode="points",
    )


def draw_still(figure: Figure) -> None:
    """Draw a figure as plain HTML, which appears at once; pointing at a mark shows its numbers."""
    st.html(figures.still(figure, dark=st.context.theme.type == "dark"))


def draw_table(rows: Iterable[Mapping[str, str]], index: str) -> None:
    """Draw a plain table, since ``st.dataframe`` offers its contents as a file."""
    st.table(pd.DataFrame(list(rows)).set_index(index))


LEAK = ":material/water_drop:"


def draw_flow_graph(
    verdict: EdgeVerdict,
    numbers: tuple[EdgeNumbers, ...] = (),
    *,
    key: str,
    watermark: str = "",
    on_select: Callable[[], None] | None = None,
) -> None:
    """Draw a flow graph, with a caption on its arrows and labels."""
    figure = figures.flow_graph(verdict, numbers, watermark=watermark if numbers else "")
    draw(figure, key, tools=False, on_select=on_select)
    standings = {one.standing for one in numbers}
    if standings - {Standing.REFUSED}:
        worst = (
            ""
            if standings == {Standing.AFTER_RUN}
            else " S/N: signal to noise, of the noisiest value."
        )
        st.caption(
            f"A thicker arrow uses more of the budget. Its label: the share, and ± the noise scale.{worst}"
        )


def draw_verdict(verdict: EdgeVerdict) -> None:
    """Draw the cut check in a colored box."""
    if verdict.leak:
        st.error(verdict.words, icon=LEAK)
    else:
        box = st.success if verdict.status is Status.PROVEN else st.warning
        box(verdict.words, icon=":material/content_cut:")
