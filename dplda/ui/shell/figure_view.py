"""Draws figures in the page's theme and size, flow graphs, and plain tables."""

from collections.abc import Callable, Iterable, Mapping

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda import figures
from dplda.figures import Figure, theme
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.methods.configurations.verdict import EdgeVerdict
from dplda.privacy.release import Status
from dplda.ui.shell import look
from dplda.ui.state.keys import Key

PICTURES = ("PNG", "SVG")  # as which the camera button saves a figure
LEAK = ":material/water_drop:"
FLOW_CAPTION = (
    "A thicker arrow uses more of the budget. Its label: the share, and ± the noise scale."
)
SIGNAL_TO_NOISE_CAPTION = "S/N: signal to noise, of the noisiest value."
DOTTED_CAPTION = "Dotted steps may be skipped."


def draw(
    figure: Figure,
    key: str,
    *,
    has_save_button: bool = True,
    on_select: Callable[[], None] | None = None,
    max_height: int = 0,
    fills: bool = False,
    smallest_letters: int = theme.SMALL_LETTERS,
) -> None:
    """Draw a figure in the page's theme and size; larger on a projector, smaller without room.

    Args:
        figure: one with a watermark has no button that saves it.
        key: of the chart.
        has_save_button: whether a button saves it as a picture.
        on_select: called when a mark is clicked; None to ignore clicks.
        max_height: pixels that the figure may be high; 0 for any height.
        fills: whether it grows to the height of its column, except on a projector.
        smallest_letters: pixels that letters have at least, however small the figure is.
    """
    size_factor = look.PROJECTOR_SCALE if look.is_projected() else 1.0
    if max_height:
        size_factor = min(size_factor, max_height / figure.height)
    toolbar_settings: dict[str, object] = {"displayModeBar": False}
    if has_save_button and not figure.watermark:
        toolbar_settings = _camera_button()
    st.plotly_chart(
        figure.unchecked(
            dark=st.context.theme.type == "dark",
            larger=size_factor,
            smallest_letters=smallest_letters,
        ),
        key=key,
        height="stretch" if fills and not look.is_projected() else "content",
        alt=figure.alt,
        config=toolbar_settings,
        on_select=on_select or "ignore",
        selection_mode="points",
    )


def _camera_button() -> dict[str, object]:
    """Plotly's settings of a single button, which saves the figure in the chosen format.

    Without a choice the format is the first. A picture of pixels has two for each of the page's;
    Plotly's logo is left out.
    """
    picture = str(st.session_state.get(Key.PICTURE) or PICTURES[0]).lower()
    pixels_per_unit = 1 if picture == "svg" else 2
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": picture, "scale": pixels_per_unit},
    }


def draw_still(figure: Figure) -> None:
    """Draw a figure as plain HTML, which appears at once; pointing at a mark shows its numbers."""
    st.html(figures.static_html(figure, dark=st.context.theme.type == "dark"))


def draw_table(table_rows: Iterable[Mapping[str, str]], index_column: str) -> None:
    """Draw a plain table, since ``st.dataframe`` offers its contents as a file.

    Args:
        table_rows: texts by column.
        index_column: the column that names the rows.
    """
    st.table(pd.DataFrame(list(table_rows)).set_index(index_column))


def draw_flow_graph(
    verdict: EdgeVerdict,
    numbers: tuple[EdgeNumbers, ...] = (),
    *,
    key: str,
    watermark: str = "",
    on_select: Callable[[], None] | None = None,
    max_height: int = 0,
    caption_place: DeltaGenerator | None = None,
) -> None:
    """Draw a flow graph, and a caption on its numbers and dotted steps, if it has any.

    No button saves it. Numbers that are refused are not explained, and signal to noise only if
    there is a signal before a run.

    Args:
        verdict: on the edges that carry noise.
        numbers: of every edge; empty where they are unknown.
        key: of the chart.
        watermark: written across a figure with numbers; empty for none.
        on_select: called when an edge is clicked; None to ignore clicks.
        max_height: pixels that the graph may be high; 0 for any height.
        caption_place: of the caption; None for below the graph.
    """
    figure = figures.flow_graph(verdict, numbers, watermark=watermark if numbers else "")
    draw(figure, key, has_save_button=False, on_select=on_select, max_height=max_height)
    standings_of_edges = {edge.standing for edge in numbers}
    sentences = []
    if standings_of_edges - {Standing.REFUSED}:
        sentences.append(FLOW_CAPTION)
        if standings_of_edges != {
            Standing.AFTER_RUN
        }:  # else there is no signal to compare noise with
            sentences.append(SIGNAL_TO_NOISE_CAPTION)
    if any(arrow.optional for arrow in verdict.flow.arrows):
        sentences.append(DOTTED_CAPTION)
    if sentences:
        (caption_place or st).caption(" ".join(sentences))


def draw_verdict(verdict: EdgeVerdict) -> None:
    """Draw the verdict on edges in a box: red if they leak, green if proven, else yellow."""
    if verdict.leak:
        st.error(verdict.words, icon=LEAK)
    elif verdict.status is Status.PROVEN:
        st.success(verdict.words, icon=":material/content_cut:")
    else:
        st.warning(verdict.words, icon=":material/content_cut:")
