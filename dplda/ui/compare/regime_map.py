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
from dplda.ui.compare.regime_methods import Competition, choose_group, complete_competition
from dplda.ui.shell import figure_view, glossary, predictions, views
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state.keys import Key

_predict_map = lru_cache(maxsize=64)(predicted)
_describe_frontier = lru_cache(maxsize=512)(describe_frontier)
VALUES_PER_AXIS = 11
AXES_WIDTH = 350  # pixels of both choices of an axis
CHART = "regimes.winners"
FOLDED = "folded-regimes"
OWN_PARAMETERS = (
    Key.REGIME_X,
    Key.REGIME_Y,
    Key.REGIME_METHODS,
    Key.REGIME_FIRST,
    Key.REGIME_SECOND,
)
MAP_CAPTION = (
    "Each cell: the recommended method; stronger color: by more. Lines: error 0.1 (solid), 0.5, 1"
    " (dotted). Click a cell to use its numbers."
)


def draw(loaded: LoadedExperiment) -> None:
    """Draw the view of the map: answer, choice of methods and axes, map, and two expanders.

    A warning is added if no method is expected to find readable topics. The expanders find the data
    or the ε that a target error needs, and judge the paper's remarks. What they hold is worked out
    only while they are open.
    """
    own_point = predictions.own_point(loaded)
    answer_place = st.container(key=answer.PLACE)
    with st.container(horizontal=True, gap="xsmall"):
        chosen_group = choose_group()
        x_axis, y_axis = _choose_axes()
    competition = complete_competition(chosen_group)
    with answer_place:
        answer.draw(loaded, competition.methods_of_answer)
    predictions.warn_if_unreadable(own_point)
    regimes = _draw_map(own_point, x_axis, y_axis, competition)
    folded_place = st.container(key=FOLDED, gap="small")
    target_place = folded_place.expander(
        "How much data or ε do I need?",
        icon=":material/target:",
        key=Key.REGIME_INVERSE,
        on_change="rerun",
    )
    if target_place.open:
        with target_place:
            target_error.draw(own_point, competition.rivals)
    remarks_place = folded_place.expander(
        "The paper's remarks, judged",
        icon=":material/rule:",
        key=Key.REGIME_REMARKS,
        on_change="rerun",
    )
    if remarks_place.open:
        with remarks_place:
            remarks.draw(regimes, competition)


def _draw_map(own_point: Point, x_axis: Axis, y_axis: Axis, competition: Competition) -> RegimeMap:
    """Draw the map of the best method, sentences below, and a caption; return the map.

    Each axis covers its usual range, widened to include the experiment's number.
    The sentences are on the frontier at the experiment's numbers, and on methods that win nowhere.
    A click adopts a cell's numbers, and its best method if it has one.
    """
    x_values, y_values = (
        axis.values(*usual_range(axis, own_point.at(axis)), VALUES_PER_AXIS)
        for axis in (x_axis, y_axis)
    )
    grid_corner = own_point.moved(x_axis, x_values[0]).moved(
        y_axis, y_values[0]
    )  # it depends on no axis of the experiment
    regimes = _predict_map(
        Grid(grid_corner, x_axis, y_axis, x_values, y_values), competition.methods
    )
    figure = figures.regimes(regimes, here=own_point)
    figure_view.draw(figure, CHART, on_select=partial(_adopt_clicked_cell, regimes, own_point))
    map_sentences = (
        _describe_frontier(x_axis, y_axis, own_point, competition.methods),
        describe_methods_without_cells(regimes, competition.rivals),
    )
    st.markdown(" ".join(filter(None, map_sentences)))
    st.caption(MAP_CAPTION)
    return regimes


def _choose_axes() -> tuple[Axis, Axis]:
    """Draw the choice of the horizontal and the vertical axis, and return both in this order.

    The second choice leaves out the first axis. The address keeps both.
    """
    axes_place = st.container(key=Key.REGIME_AXES, width=AXES_WIDTH)  # in a row on a phone, too
    left_column, right_column = axes_place.columns(2, gap="xsmall")
    with left_column:
        x_axis = _choose_axis(Key.REGIME_X, "Horizontal axis", tuple(Axis), Axis.DOCUMENTS)
    with right_column:
        other_axes = tuple(axis for axis in Axis if axis != x_axis)
        y_axis = _choose_axis(Key.REGIME_Y, "Vertical axis", other_axes, Axis.EPSILON)
    return x_axis, y_axis


def _choose_axis(key: Key, label: str, axes: tuple[Axis, ...], default: Axis) -> Axis:
    """Draw the choice of an axis, and return it; the address keeps it, and the default is first."""
    axis_names = [axis.value for axis in sorted(axes, key=lambda axis: axis != default)]
    draw_select_box = partial(
        st.selectbox,
        label,
        format_func=lambda name: f"{Axis(name).symbol} · {Axis(name).words}",
        help=glossary.describe_terms("regime", "prediction"),
    )
    return Axis(views.choose("compare", axis_names, key, draw_select_box))


def _adopt_clicked_cell(regimes: RegimeMap, own_point: Point) -> None:
    """Set the sidebar to the clicked cell's numbers, and to its best method if it has one.

    Does nothing if no cell of the map was clicked.
    """
    clicked_points = st.session_state[CHART].selection.points
    if not clicked_points:
        return
    grid = regimes.grid
    cell_column, cell_row = round(clicked_points[0]["x"]), round(clicked_points[0]["y"])
    is_on_map = 0 <= cell_column < len(grid.xs) and 0 <= cell_row < len(grid.ys)
    if is_on_map:
        winner_index = int(regimes.winners[cell_row, cell_column])
        method = None
        if winner_index >= 0:
            method = parse_method(regimes.methods[winner_index])
        cell_point = own_point.moved(grid.x, grid.xs[cell_column]).moved(grid.y, grid.ys[cell_row])
        adopt(own_point, cell_point, method)
