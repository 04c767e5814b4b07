"""Adopting a cell of the map: the sidebar takes its numbers and its method."""

import math
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus import Simulation
from dplda.experiments.experiment import CorpusKind, kind_of_source
from dplda.methods.base.method import Method
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.ui.state import method_choice, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS, DELTAS, EPSILONS, TOPICS, delta_text

AXES_OF_DOCUMENTS = (Axis.DOCUMENTS, Axis.WORDS, Axis.LENGTH)  # other values need other documents
OTHER_THAN_YOURS = (
    "This cell needs other documents than yours. Choose Simulated in the sidebar first."
)


def adopt(own_point: Point, cell: Point, method: Method | None = None) -> None:
    """Set the sidebar, and if needed the documents, to a cell's numbers; a notice says so.

    Where k or α₀ is out of the sidebar's range, or the documents cannot be had, a notice says that
    and nothing changes.

    Args:
        own_point: the experiment's present numbers.
        cell: the numbers to adopt; documents are simulated if it needs others.
        method: the cell's method; None where none has a prediction.
    """
    n_topics, alpha0 = round(cell.n_topics), float(cell.alpha0)
    has_topics_in_range = TOPICS[0] <= n_topics <= TOPICS[1]
    has_alpha0_in_range = ALPHAS[0] <= alpha0 <= ALPHAS[1]
    if not (has_topics_in_range and has_alpha0_in_range):
        session.notice(
            f"This cell has k = {n_topics} and α₀ = {alpha0:g}, outside the sidebar's range."
            " Choose another cell."
        )
        return
    numbers_text = f"k = {n_topics}, α₀ = {alpha0:g}"
    if _needs_other_documents(own_point, cell):
        simulation = _simulate_for(cell)
        if simulation is None:
            return
        numbers_text = (
            f"{simulation.n_documents:,} simulated documents of {simulation.mean_length:g} words"
            f" each, over a vocabulary of {simulation.n_words:,}; {numbers_text}"
        )
    budget_text = _set_controls(cell, method)
    session.notice(f"Your experiment now has that cell's numbers: {numbers_text}; {budget_text}.")


def _needs_other_documents(own_point: Point, cell: Point) -> bool:
    """Whether a cell needs other documents, or simulated ones of another population."""
    if any(cell.at(axis) != own_point.at(axis) for axis in AXES_OF_DOCUMENTS):
        return True
    is_simulated = kind_of_source(session.chosen_source()) is CorpusKind.SIMULATED
    return is_simulated and cell.population != own_point.population


def _simulate_for(cell: Point) -> Simulation | None:
    """Choose a simulation with a cell's numbers as the documents in use, and return it.

    It keeps the rest of a simulation in use, such as its seed. Returns None, with a notice, if the
    user's own documents are in use, or such documents cannot be simulated.
    """
    chosen_source = session.chosen_source()
    if kind_of_source(chosen_source) is CorpusKind.UPLOADED:
        session.notice(OTHER_THAN_YOURS)
        return None
    try:
        simulation = replace(
            chosen_source if isinstance(chosen_source, Simulation) else Simulation(),
            n_documents=round(cell.n_documents),
            n_words=round(cell.n_words),
            n_topics=round(cell.n_topics),
            alpha0=float(cell.alpha0),
            mean_length=round(cell.mean_length),
        )
    except DpldaError as error:
        session.notice(
            f"This cell is only a prediction: its documents cannot be simulated here. {error}"
        )
        return None
    session.choose(simulation)
    return simulation


def _set_controls(cell: Point, method: Method | None) -> str:
    """Set the sidebar's k, α₀ and method to a cell's, and ε and δ to the nearest steps.

    The method is set only if there is one that needs ε.

    Returns:
        ε and δ in words, with the method if it was set.
    """
    session_state = st.session_state
    session_state[Key.N_TOPICS] = round(cell.n_topics)
    session_state[Key.ALPHA0] = float(cell.alpha0)
    session_state[Key.EPSILON] = _nearest(cell.epsilon, EPSILONS)
    session_state[Key.DELTA] = _nearest(cell.delta, DELTAS)
    budget_text = f"ε = {session_state[Key.EPSILON]:g}, δ = {delta_text(session_state[Key.DELTA])}"
    if method is None or not method.needs_epsilon:
        return budget_text
    method_choice.select(method)
    return f"{budget_text}; method {method.title}"


def _nearest(value: float, steps: Sequence[float]) -> float:
    return min(steps, key=lambda step: abs(math.log(step / value)))
