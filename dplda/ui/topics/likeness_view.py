"""How alike topics are: distances between two of the fits, and the tree of one."""

from collections.abc import Mapping

import streamlit as st

from dplda import figures
from dplda.figures import Lane
from dplda.ui.shell.frame import Experiment, is_dark
from dplda.ui.shell.keys import Key
from dplda.ui.topics import figure_view
from dplda.ui.topics.comparison import Comparison


def distances(experiment: Experiment, found: Comparison, names: Mapping[int, str]) -> None:
    """A heat map between any two of the fits shown."""
    left, right = st.columns(2)
    with left:
        rows = _lane("Rows", found, Key.COMPARE_ROWS, 0)
    with right:
        columns = _lane("Columns", found, Key.COMPARE_COLUMNS, 1)
    figure = figures.distances(rows, columns, watermark=experiment.watermark, dark=is_dark())
    alt = figures.distances_alt(rows, columns)
    figure_view.show(experiment, figure, alt=alt, key="topics.distances")
    st.caption(
        "Jensen–Shannon distance: 0 for the same words, 1 for none in common. A dark diagonal: each topic is its own"
        " twin. Two dark cells in a row: a topic that the other fit has split."
    )


def tree(experiment: Experiment, found: Comparison, names: Mapping[int, str]) -> None:
    """Which topics are most alike, then which groups of them."""
    lane = _lane("Tree of", found, Key.TREE_OF, 0)
    if lane.resolved < 2:
        st.info("A tree needs two topics above the noise.", icon=":material/waves:")
        return
    called = names if lane is found.lanes[0] else {}
    figure = figures.family(lane, called, watermark=experiment.watermark, dark=is_dark())
    figure_view.show(experiment, figure, alt=figures.family_alt(lane, called), key="topics.tree")
    st.caption("Topics join at their Jensen–Shannon distance, groups at the mean distance between their topics.")


def _lane(label: str, found: Comparison, key: Key, first: int) -> Lane:
    places = list(range(len(found.lanes)))
    place = st.selectbox(
        label,
        places,
        index=first,
        format_func=lambda place: "private" if place == 0 else found.lanes[place].title,
        key=key,
        persist_state="session",
        help="Private topics, those without noise, and, of simulated documents, the true ones.",
        width=320,
    )
    return found.lanes[min(int(place), len(places) - 1)]
