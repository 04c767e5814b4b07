"""The predicted map, and what is predicted of the experiment itself: which method to use, and what would help."""

from collections.abc import Sequence
from functools import lru_cache, partial

import streamlit as st

from dplda import figures
from dplda.figures import Figure
from dplda.theory.prediction.advice import advice
from dplda.theory.prediction.regime_axes import Grid, Point
from dplda.theory.prediction.regimes import RegimeMap, predicted
from dplda.ui.compare.regimes.axes_choice import filled
from dplda.ui.shell import figure_view
from dplda.ui.shell.foreseen import fails
from dplda.ui.shell.frame import Experiment
from dplda.ui.state.adopt import clicked

FINEST = 11  # values along an axis


def draw(experiment: Experiment, grid: Grid, methods: Sequence[str]) -> None:
    """Draw the predicted map, and say what is predicted here."""
    fine = filled(grid, FINEST)
    found, figure = _drawn(fine, tuple(methods), grid.base)
    key = "regimes.winners"
    figure_view.draw(figure, key, on_select=partial(clicked, found, grid.base, key))
    st.caption(
        "A cell stands for a whole experiment. Its colour and letter name the method with the smallest predicted error."
        " A question mark: too close to call. P: no method is better than one private list of words. Hover for all"
        " errors; click to make the cell your experiment, which the cross marks."
    )
    _at_home(grid.base)


@lru_cache(maxsize=64)
def _drawn(fine: Grid, methods: tuple[str, ...], here: Point) -> tuple[RegimeMap, Figure]:
    found = predicted(fine, methods)
    return found, figures.regimes(found, here=here)


def _at_home(here: Point) -> None:
    """Which method to use in the experiment itself, in one sentence; and what would help where all fail."""
    numbers = f"N = {here.n_documents:,}, ε = {here.epsilon:g}, d = {here.n_words:,}, k = {here.n_topics}"
    st.markdown(f"**At your numbers** ({numbers}): {advice(here)}")
    fails(here)
