"""A click on a cell of a map makes that cell's experiment the one at hand."""

import math
from collections.abc import Sequence
from functools import partial

import streamlit as st

from dplda.corpus import Simulation
from dplda.errors import DpldaError
from dplda.prediction.regime_axes import Axis, Grid, Point
from dplda.settings import CorpusKind
from dplda.ui.shell import session
from dplda.ui.shell.keys import Key
from dplda.ui.shell.link import DELTAS, EPSILONS


def on_select(grid: Grid, key: str) -> partial[None]:
    """What a chart does when one of its cells is clicked.

    Args:
        grid: of the map drawn.
        key: of the chart.
    """
    return partial(_clicked, grid, key)


def _clicked(grid: Grid, key: str) -> None:
    points = st.session_state[key].selection.points
    if not points:
        return
    column, row = round(points[0]["x"]), round(points[0]["y"])
    if 0 <= column < len(grid.xs) and 0 <= row < len(grid.ys):
        adopt(grid.base, grid.base.moved(grid.x, grid.xs[column]).moved(grid.y, grid.ys[row]))


def adopt(here: Point, there: Point) -> None:
    """Set the sidebar, and where documents of other numbers are needed, simulate them; said in a notice.

    Args:
        here: the experiment's numbers.
        there: those of the cell.
    """
    said = []
    if {axis: there.at(axis) for axis in _DOCUMENTS} != {axis: here.at(axis) for axis in _DOCUMENTS} or (
        session.choice().kind is CorpusKind.SIMULATED and there.population != here.population
    ):
        try:
            simulation = Simulation(
                n_documents=round(there.n_documents),
                n_words=round(there.n_words),
                n_topics=round(there.n_topics),
                alpha0=there.alpha0,
                mean_length=round(there.mean_length),
            )
        except DpldaError as error:
            session.notice(f"This cell is predicted, and cannot be simulated here. {error}")
            return
        session.choose(session.Choice(CorpusKind.SIMULATED, simulation))
        said.append(f"{simulation.n_documents:,} simulated documents of {simulation.n_words:,} words")
    st.session_state[Key.N_TOPICS] = round(there.n_topics)
    st.session_state[Key.ALPHA0] = float(there.alpha0)
    st.session_state[Key.EPSILON] = _nearest(there.epsilon, EPSILONS)
    st.session_state[Key.DELTA] = _nearest(there.delta, DELTAS)
    said.append(f"k = {round(there.n_topics)}, α₀ = {there.alpha0:g}")
    said.append(f"ε = {st.session_state[Key.EPSILON]:g}, δ = {st.session_state[Key.DELTA]:g}")
    session.notice(f"Your experiment is now that cell's: {'; '.join(said)}.")


_DOCUMENTS = (Axis.DOCUMENTS, Axis.WORDS, Axis.LENGTH)


def _nearest(value: float, steps: Sequence[float]) -> float:
    """The slider's step that is nearest by ratio."""
    return min(steps, key=lambda step: abs(math.log(step / value)))
