"""Regimes: a map of the method with the smallest predicted error."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial

import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.corpus import Simulation
from dplda.experiments.experiment import CorpusKind, kind_of_source
from dplda.methods.base.method import Method
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import predicted_methods
from dplda.theory.prediction.regime_axes import Axis, Grid, Point, usual_range
from dplda.theory.prediction.regimes import RegimeMap, predicted
from dplda.ui.compare import answer, target_error
from dplda.ui.shell import figure_view, glossary, predictions, views
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state import method_choice, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS, DELTAS, EPSILONS, TOPICS, delta_text

_predict_map = lru_cache(maxsize=64)(predicted)
VALUES_PER_AXIS = 11
CHART = "regimes.winners"
MAP_CAPTION = (
    "Each cell is an experiment: click one to make it yours, and Error curves measures it. Its"
    f" letter is the method to choose: {predictions.RECOMMENDATION_RULE}."
)
AXES_OF_DOCUMENTS = (Axis.DOCUMENTS, Axis.WORDS, Axis.LENGTH)  # other values need other documents
OTHER_THAN_YOURS = (
    "This cell needs other documents than yours. Choose Simulated in the sidebar first."
)


def draw(loaded: LoadedExperiment) -> None:
    """Draw the answer, the map, its axes, and an expander for target errors."""
    own_point = predictions.own_point(loaded)
    with st.container(key=answer.PLACE):
        answer.draw(loaded)
    map_place = st.container()
    left_column, right_column = st.columns(2, gap="medium")
    with left_column:
        x = _choose_axis(Key.REGIME_X, "Across", tuple(Axis), Axis.DOCUMENTS)
    with right_column:
        other_axes = tuple(axis for axis in Axis if axis != x)
        y = _choose_axis(Key.REGIME_Y, "Up", other_axes, Axis.EPSILON)
    predictions.warn_if_unreadable(own_point)
    with map_place:
        _draw_map(own_point, x, y)
    target_place = st.expander(
        "How much data or ε do I need?",
        icon=":material/target:",
        key=Key.REGIME_INVERSE,
        on_change="rerun",
    )
    if target_place.open:  # it is worked out while it is open
        with target_place:
            target_error.draw(own_point)


def _draw_map(own_point: Point, x: Axis, y: Axis) -> None:
    """Draw the map over two axes; a click on a cell adopts its numbers."""
    xs, ys = (
        axis.values(*usual_range(axis, own_point.at(axis)), VALUES_PER_AXIS) for axis in (x, y)
    )
    corner = own_point.moved(x, xs[0]).moved(y, ys[0])  # it depends on no axis of the experiment
    regimes = _predict_map(Grid(corner, x, y, xs, ys), predicted_methods())
    figure = figures.regimes(regimes, here=own_point)
    figure_view.draw(figure, CHART, on_select=partial(_adopt_clicked_cell, regimes, own_point))
    st.caption(MAP_CAPTION)


def _choose_axis(key: Key, label: str, axes: tuple[Axis, ...], default: Axis) -> Axis:
    names = [axis.value for axis in sorted(axes, key=lambda axis: axis != default)]
    control = partial(
        st.selectbox,
        label,
        format_func=lambda name: f"{Axis(name).symbol} · {Axis(name).words}",
        help=glossary.describe_terms("regime", "prediction"),
    )
    return Axis(views.choose("compare", names, key, control))


def _adopt_clicked_cell(regimes: RegimeMap, own_point: Point) -> None:
    points = st.session_state[CHART].selection.points
    if not points:
        return
    grid = regimes.grid
    column, row = round(points[0]["x"]), round(points[0]["y"])
    is_on_map = 0 <= column < len(grid.xs) and 0 <= row < len(grid.ys)
    if is_on_map:
        winner = int(regimes.winners[row, column])
        method = parse_method(regimes.methods[winner]) if winner >= 0 else None
        cell = own_point.moved(grid.x, grid.xs[column]).moved(grid.y, grid.ys[row])
        adopt(own_point, cell, method)


def adopt(own_point: Point, cell: Point, method: Method | None = None) -> None:
    """Set the sidebar to a cell's numbers, and say so in a notice.

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
    numbers = f"k = {n_topics}, α₀ = {alpha0:g}"
    if _needs_other_documents(own_point, cell):
        simulation = _simulate_for(cell)
        if simulation is None:
            return
        numbers = (
            f"{simulation.n_documents:,} simulated documents of {simulation.mean_length:g} words"
            f" each, over a vocabulary of {simulation.n_words:,}; {numbers}"
        )
    budget = _set_controls(cell, method)
    session.notice(f"Your experiment now has that cell's numbers: {numbers}; {budget}.")


def _needs_other_documents(own_point: Point, cell: Point) -> bool:
    if any(cell.at(axis) != own_point.at(axis) for axis in AXES_OF_DOCUMENTS):
        return True
    is_simulated = kind_of_source(session.chosen_source()) is CorpusKind.SIMULATED
    return is_simulated and cell.population != own_point.population


def _simulate_for(cell: Point) -> Simulation | None:
    """Choose a simulation with a cell's numbers; None, with a notice, where that cannot be."""
    source = session.chosen_source()
    if kind_of_source(source) is CorpusKind.UPLOADED:
        session.notice(OTHER_THAN_YOURS)
        return None
    try:
        simulation = replace(
            source if isinstance(source, Simulation) else Simulation(),
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
    """Set the sidebar's numbers and method to a cell's; returns the budget and method in words."""
    state = st.session_state
    state[Key.N_TOPICS] = round(cell.n_topics)
    state[Key.ALPHA0] = float(cell.alpha0)
    state[Key.EPSILON] = _nearest(cell.epsilon, EPSILONS)
    state[Key.DELTA] = _nearest(cell.delta, DELTAS)
    budget = f"ε = {state[Key.EPSILON]:g}, δ = {delta_text(state[Key.DELTA])}"
    if method is None or not method.needs_epsilon:
        return budget
    method_choice.select(method)
    return f"{budget}; method {method.title}"


def _nearest(value: float, steps: Sequence[float]) -> float:
    return min(steps, key=lambda step: abs(math.log(step / value)))
