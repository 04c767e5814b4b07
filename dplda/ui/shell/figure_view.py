"""A figure on a page: in its theme, in the size of its letters, with what may be done with it; and a plain table."""

from collections.abc import Callable, Iterable, Mapping

import pandas as pd
import streamlit as st

from dplda.figures import Figure
from dplda.ui.shell import downloads, look
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
    """Draw a figure, with a camera button unless it has a watermark: that would save it as a picture.

    Args:
        tools: whether there may be such a button.
        on_select: called where points are clicked.
        room: pixels that it may be high, so that it fits a projector without a scroll; 0 for no limit.
    """
    larger = look.LARGER if look.is_projected() else 1
    larger = min(larger, room / figure.height) if room else larger
    picture = str(st.session_state.get(Key.PICTURE) or PICTURES[0]).lower()
    image = {"format": picture, "scale": 1 if picture == "svg" else 2}
    camera = {"displaylogo": False, "modeBarButtons": [["toImage"]], "toImageButtonOptions": image}
    st.plotly_chart(
        figure.unchecked(dark=_is_dark(), larger=larger),
        key=key,
        alt=figure.alt,
        config=camera if tools and not figure.watermark else {"displayModeBar": False},
        on_select=on_select or "ignore",
        selection_mode="points",
    )


def with_file(figure: Figure, key: str) -> None:
    """Draw a figure with a file of it; nothing with a watermark is saved."""
    draw(figure, key)
    dark = _is_dark()
    if not figure.watermark:
        downloads.save(
            "Figure (HTML)",
            lambda: figure.html(dark=dark),
            f"dplda-{key.rpartition('.')[2]}.html",
            icon="code_blocks",
            type="tertiary",
            key=f"{key}.save",
            help="A page of its own to look at without network, some 5 MB. The camera button above saves SVG or PNG.",
        )


def table(rows: Iterable[Mapping[str, str]], index: str) -> None:
    """A plain table, since ``st.dataframe`` offers its contents as a file."""
    st.table(pd.DataFrame(list(rows)).set_index(index))


def _is_dark() -> bool:
    """Whether the page's ground is dark."""
    return st.context.theme.type == "dark"
