"""Choose what a map of regimes spans: two numbers and their ranges."""

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import MEAN_LENGTH, UNIGRAM, predicted_methods
from dplda.theory.prediction.regime_axes import Axis, Grid, Point, usual_range
from dplda.ui.literal import literal
from dplda.ui.shell.foreseen import own_point
from dplda.ui.shell.frame import Experiment
from dplda.ui.state.keys import Key

FIRST = (Axis.DOCUMENTS, Axis.EPSILON)


def choose(experiment: Experiment) -> tuple[Grid, tuple[str, ...]] | None:
    """Draw the controls; give the two axes with their whole ranges, and the methods compared."""
    here = own_point(experiment)
    left, right = st.columns(2, gap="medium")
    with left:
        x = _axis(Key.REGIME_X, "Across", tuple(Axis), FIRST[0])
        x_range = _range(x, here)
    with right:
        y = _axis(Key.REGIME_Y, "Up", tuple(axis for axis in Axis if axis != x), FIRST[1])
        y_range = _range(y, here)
    offered = [text for text in predicted_methods() if text != UNIGRAM]
    methods = st.pills(
        "Methods compared",
        offered,
        selection_mode="multi",
        default=offered,
        format_func=lambda text: parse_method(text).label,
        key=Key.REGIME_METHODS,
        persist_state="session",
        help=(
            "With them always the private unigram, one list of words for every topic. Take one out to compare the"
            " others."
        ),
    )
    _fixed(here, x, y, experiment)
    if not methods:
        st.info("Choose at least one method to compare.", icon=":material/info:")
        return None
    try:
        grid = Grid(here, x, y, x_range, y_range)
    except DpldaError as error:
        st.info(literal(str(error)), icon=":material/info:")
        return None
    return grid, (*(text for text in offered if text in methods), UNIGRAM)


def filled(grid: Grid, count: int) -> Grid:
    """The same ends with at most so many values along each axis."""
    xs = grid.x.values(grid.xs[0], grid.xs[-1], count)
    return Grid(grid.base, grid.x, grid.y, xs, grid.y.values(grid.ys[0], grid.ys[-1], count))


def _axis(key: Key, label: str, offered: tuple[Axis, ...], first: Axis) -> Axis:
    if st.session_state.get(key, first) not in offered:
        st.session_state[key] = offered[0]
    chosen = st.selectbox(
        label,
        offered,
        index=offered.index(first) if first in offered else 0,
        format_func=lambda axis: f"{axis.symbol} · {axis.words}",
        key=key,
        persist_state="session",
        help="One of the seven public numbers that predictions depend on.",
    )
    return Axis(chosen)


def _range(axis: Axis, here: Point) -> tuple[float, float]:
    low, high = st.select_slider(
        f"Range of {axis.symbol}",
        axis.steps(),
        value=usual_range(axis, here.at(axis)),
        format_func=axis.text,
        key=f"{Key.REGIME_RANGE}.{axis}",
        persist_state="session",
        help=f"Smallest and largest {axis.symbol} of the map.",
    )
    return float(low), float(high)


def _fixed(here: Point, x: Axis, y: Axis, experiment: Experiment) -> None:
    """What the map does not vary, in words."""
    rest = ", ".join(f"{axis.words} {axis.symbol} = {axis.text(here.at(axis))}" for axis in Axis if axis not in (x, y))
    said = f"Held at your experiment's values: {rest}. No document is looked at: topics are drawn from public numbers."
    if experiment.sensitive:
        said += (
            f" How long the documents of a sensitive corpus are is not public: L is taken as {MEAN_LENGTH:g}, a guess,"
            " wherever it is not an axis."
        )
    st.caption(said)
