"""A click on a cell of a map makes that cell's experiment the one at hand."""

import math
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus import Simulation
from dplda.experiments.settings import CorpusKind
from dplda.methods.method import Method
from dplda.methods.registry import parse_method
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.regimes import RegimeMap
from dplda.ui.shell import method_choice
from dplda.ui.state import session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS, DELTAS, EPSILONS, TOPICS, delta_text


def clicked(found: RegimeMap, here: Point, key: str) -> None:
    """Adopt the cell of a chart that was clicked."""
    points = st.session_state[key].selection.points
    if not points:
        return
    grid, column, row = found.grid, round(points[0]["x"]), round(points[0]["y"])
    if 0 <= column < len(grid.xs) and 0 <= row < len(grid.ys):
        winner = int(found.winners[row, column])
        method = parse_method(found.methods[winner]) if winner >= 0 else None
        adopt(here, here.moved(grid.x, grid.xs[column]).moved(grid.y, grid.ys[row]), method)


def adopt(here: Point, there: Point, method: Method | None = None) -> None:
    """Set the sidebar, and where documents of other numbers are needed, simulate them; said in a notice."""
    k, alpha0 = round(there.n_topics), float(there.alpha0)
    if not (TOPICS[0] <= k <= TOPICS[1] and ALPHAS[0] <= alpha0 <= ALPHAS[1]):
        session.notice(f"This cell has k = {k} and α₀ = {alpha0:g}, outside the sidebar's range. Choose another cell.")
        return
    others = any(there.at(axis) != here.at(axis) for axis in _DOCUMENTS)
    kind, said = session.choice().kind, f"k = {k}, α₀ = {alpha0:g}"
    if others and kind is CorpusKind.UPLOADED:
        session.notice("This cell needs other documents than yours. Choose Simulated in the sidebar first.")
        return
    if others or (kind is CorpusKind.SIMULATED and there.population != here.population):
        try:
            simulation = replace(
                session.choice().simulation or Simulation(),
                n_documents=round(there.n_documents),
                n_words=round(there.n_words),
                n_topics=k,
                alpha0=alpha0,
                mean_length=round(there.mean_length),
            )
        except DpldaError as error:
            session.notice(f"This cell is predicted, and cannot be simulated here. {error}")
            return
        session.choose(session.Choice(CorpusKind.SIMULATED, simulation))
        said = f"{simulation.n_documents:,} simulated documents of {simulation.n_words:,} words; {said}"
    st.session_state[Key.N_TOPICS], st.session_state[Key.ALPHA0] = k, alpha0
    st.session_state[Key.EPSILON] = _nearest(there.epsilon, EPSILONS)
    st.session_state[Key.DELTA] = _nearest(there.delta, DELTAS)
    budget = f"ε = {st.session_state[Key.EPSILON]:g}, δ = {delta_text(st.session_state[Key.DELTA])}"
    if method is not None and method.needs_epsilon:
        method_choice.choose(method)
        budget += f"; method {method.title}"
    session.notice(f"Your experiment is now that cell's: {said}; {budget}.")


_DOCUMENTS = (Axis.DOCUMENTS, Axis.WORDS, Axis.LENGTH)


def _nearest(value: float, steps: Sequence[float]) -> float:
    """The slider's step that is nearest by ratio."""
    return min(steps, key=lambda step: abs(math.log(step / value)))
