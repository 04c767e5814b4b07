"""Regimes: which method has the smallest predicted error where, over any two public numbers."""

from functools import lru_cache, partial

import streamlit as st

from dplda import figures
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import UNIGRAM, predicted_methods
from dplda.theory.prediction.regime_axes import Axis, Grid, usual_range
from dplda.theory.prediction.regimes import RegimeMap, predicted
from dplda.ui.compare import answer, check, inverse
from dplda.ui.shell import figure_view, foreseen, glossary
from dplda.ui.shell.foreseen import own_point
from dplda.ui.shell.frame import Experiment
from dplda.ui.state.adopt import clicked
from dplda.ui.state.keys import Key

FINEST = 11  # values along an axis
CHART = "regimes.winners"


def draw(experiment: Experiment) -> None:
    """The answer, the map, its axes, and folded below them the questions that follow."""
    here = own_point(experiment)
    with st.container(key=answer.PLACE):
        answer.draw(experiment)
    picture = st.container()
    left, right = st.columns(2, gap="medium")
    with left:
        x = _axis(Key.REGIME_X, "Across", tuple(Axis), Axis.DOCUMENTS)
    with right:
        y = _axis(Key.REGIME_Y, "Up", tuple(axis for axis in Axis if axis != x), Axis.EPSILON)
    foreseen.fails(here)
    methods = _methods()
    with picture:
        xs, ys = (axis.values(*usual_range(axis, here.at(axis)), FINEST) for axis in (x, y))
        found = _found(
            Grid(here.moved(x, xs[0]).moved(y, ys[0]), x, y, xs, ys), methods
        )  # the same wherever one is on it
        figure_view.draw(figures.regimes(found, here=here), CHART, on_select=partial(clicked, found, here, CHART))
        st.caption("Each cell is an experiment; its letter names the best method. Click one to make it yours.")
    inverse.fold(experiment)
    check.fold(experiment, methods)


@lru_cache(maxsize=64)
def _found(grid: Grid, methods: tuple[str, ...]) -> RegimeMap:
    return predicted(grid, methods)


def _methods() -> tuple[str, ...]:
    """Draw the choice of methods; with them always the private unigram, one list of words for every topic."""
    offered = [text for text in predicted_methods() if text != UNIGRAM]
    with st.expander("Choose methods", icon=":material/tune:"):
        chosen = st.pills(
            "Methods compared",
            offered,
            selection_mode="multi",
            default=offered,
            format_func=lambda text: parse_method(text).label,
            key=Key.REGIME_METHODS,
            persist_state="session",
            help="Take the best one out to see how the others compare.",
        )
    return (*(text for text in offered if text in chosen), UNIGRAM)


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
        help=glossary.markdown("regime", "prediction"),
    )
    return Axis(chosen)
