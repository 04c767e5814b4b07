"""Regimes: a map of the method with the smallest predicted error among those that are chosen."""

from functools import lru_cache, partial

import streamlit as st

from dplda import figures
from dplda.methods.registry import parse_method
from dplda.theory.prediction.frontier import describe_frontier
from dplda.theory.prediction.regime_axes import Axis, Grid, Point, usual_range
from dplda.theory.prediction.regimes import RegimeMap, predicted
from dplda.ui.compare import answer, remarks, target_error
from dplda.ui.compare.cell_adoption import adopt
from dplda.ui.compare.map_notes import describe_methods_without_cells
from dplda.ui.compare.regime_methods import Competition, choose_competition
from dplda.ui.shell import figure_view, glossary, predictions, views
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state.keys import Key

_predict_map = lru_cache(maxsize=64)(predicted)
_describe_frontier = lru_cache(maxsize=512)(describe_frontier)
VALUES_PER_AXIS = 11
CHART = "regimes.winners"
OWN_PARAMETERS = (
    Key.REGIME_X,
    Key.REGIME_Y,
    Key.REGIME_METHODS,
    Key.REGIME_FIRST,
    Key.REGIME_SECOND,
)
MAP_CAPTION = (
    "Stronger color: wins by more. Lines: error 0.1 (solid), 0.5, 1 (dotted). Click a cell to adopt"
    " it."
)


def draw(loaded: LoadedExperiment) -> None:
    """Draw the answer, the chips, the map with its frontier, its axes, and two expanders.

    What the expanders hold is worked out while they are open.
    """
    own_point = predictions.own_point(loaded)
    answer_place = st.container(key=answer.PLACE)
    competition = choose_competition()
    map_place = st.container()
    x, y = _choose_axes()
    with answer_place:
        answer.draw(loaded, competition.methods_of_answer)
    predictions.warn_if_unreadable(own_point)
    with map_place:
        regimes = _draw_map(own_point, x, y, competition)
    remarks_place = st.expander(
        "The paper's remarks, judged",
        icon=":material/rule:",
        key=Key.REGIME_REMARKS,
        on_change="rerun",
    )
    if remarks_place.open:
        with remarks_place:
            remarks.draw(regimes, competition)
    target_place = st.expander(
        "How much data or ε do I need?",
        icon=":material/target:",
        key=Key.REGIME_INVERSE,
        on_change="rerun",
    )
    if target_place.open:
        with target_place:
            target_error.draw(own_point, competition.rivals)


def _draw_map(own_point: Point, x: Axis, y: Axis, competition: Competition) -> RegimeMap:
    """Draw the map over two axes, its frontier, and who is missing; a click adopts a cell."""
    xs, ys = (
        axis.values(*usual_range(axis, own_point.at(axis)), VALUES_PER_AXIS) for axis in (x, y)
    )
    corner = own_point.moved(x, xs[0]).moved(y, ys[0])  # it depends on no axis of the experiment
    regimes = _predict_map(Grid(corner, x, y, xs, ys), competition.methods)
    figure = figures.regimes(regimes, here=own_point)
    figure_view.draw(figure, CHART, on_select=partial(_adopt_clicked_cell, regimes, own_point))
    sentences = (
        _describe_frontier(x, y, own_point, competition.methods),
        describe_methods_without_cells(regimes, competition.rivals),
    )
    st.markdown(" ".join(filter(None, sentences)))
    st.caption(MAP_CAPTION)
    return regimes


def _choose_axes() -> tuple[Axis, Axis]:
    """Draw the choice of both axes; the second leaves out the first."""
    left_column, right_column = st.columns(2, gap="medium")
    with left_column:
        x = _choose_axis(Key.REGIME_X, "Horizontal", tuple(Axis), Axis.DOCUMENTS)
    with right_column:
        other_axes = tuple(axis for axis in Axis if axis != x)
        y = _choose_axis(Key.REGIME_Y, "Vertical", other_axes, Axis.EPSILON)
    return x, y


def _choose_axis(key: Key, label: str, axes: tuple[Axis, ...], default: Axis) -> Axis:
    """Draw the choice of an axis, which the address keeps; the default comes first."""
    names = [axis.value for axis in sorted(axes, key=lambda axis: axis != default)]
    control = partial(
        st.selectbox,
        label,
        format_func=lambda name: f"{Axis(name).symbol} · {Axis(name).words}",
        help=glossary.describe_terms("regime", "prediction"),
    )
    return Axis(views.choose("compare", names, key, control))


def _adopt_clicked_cell(regimes: RegimeMap, own_point: Point) -> None:
    """Adopt the numbers of the cell that was clicked, and its best method if it has one."""
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
