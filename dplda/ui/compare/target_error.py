"""The ε or the number of documents that a target error needs."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.methods.registry import parse_method
from dplda.theory.prediction.inverse import InverseAnswer, smallest
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, views
from dplda.ui.state.keys import Key

AXES = {"Smallest ε at this N": Axis.EPSILON, "Smallest N at this ε": Axis.DOCUMENTS}
TARGETS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.2, 1.5)
DEFAULT_TARGET = 0.3
ERROR_HELP = (
    "Mean L1 distance of a topic from the truth: 0 if they are the same, 2 if they share no word."
)
RANGE_CAPTION = (
    "For documents drawn from the model. Nine of ten runs lie in the likely range; real text may"
    " need more."
)


def draw(own_point: Point, method_texts: Sequence[str]) -> None:
    """Draw the choice of a target error and of ε or N, and a table of what each method needs.

    A method that does not reach the error has a row with the limit that stops it.
    The methods that need least come above the table, a caption on ranges below. If no method
    reaches the error, draws the refusal of the first and no table.

    Args:
        own_point: the experiment's numbers, of which one is varied.
        method_texts: texts of the methods that are asked.
    """
    axis, target_error = _choose_target()
    answer_by_method, refusal_by_method = _solve(axis, target_error, own_point, tuple(method_texts))
    if not answer_by_method:
        method, refusal = next(iter(refusal_by_method.items()))
        st.info(
            literal(
                f"None of these methods reaches this error. {parse_method(method).title}: {refusal}"
            ),
            icon=":material/block:",
        )
        return
    _draw_best(answer_by_method, axis, target_error, own_point)
    table_rows = []
    for method in method_texts:
        if method in answer_by_method:
            table_row = _answer_row(method, answer_by_method[method], axis)
        else:
            table_row = _refusal_row(method, refusal_by_method[method], axis)
        table_rows.append(table_row)
    figure_view.draw_table(table_rows, "method")
    st.caption(RANGE_CAPTION)


def _choose_target() -> tuple[Axis, float]:
    """Draw the choice of ε or N and of a target error, and return both."""
    left_column, right_column = st.columns(2, gap="medium")
    with left_column:
        axis_title = views.choose_one(
            "Find the smallest",
            list(AXES),
            key=Key.REGIME_ASK,
            help="All other numbers stay those of your experiment.",
        )
    target_error = right_column.select_slider(
        "Target error",
        TARGETS,
        value=DEFAULT_TARGET,
        format_func=lambda value: f"{value:g}",
        key=Key.REGIME_TARGET,
        persist_state="session",
        help=ERROR_HELP,
    )
    return AXES[axis_title], float(target_error)


@lru_cache(maxsize=256)
def _solve(
    axis: Axis, target_error: float, own_point: Point, method_texts: tuple[str, ...]
) -> tuple[dict[str, InverseAnswer], dict[str, str]]:
    """Find for each method the smallest value that reaches the target, or the reason for none.

    Returns:
        Answers by method, and refusals by method; each method is in one of them.
    """
    answer_by_method: dict[str, InverseAnswer] = {}
    refusal_by_method: dict[str, str] = {}
    for method in method_texts:
        try:
            answer_by_method[method] = smallest(axis, target_error, own_point, method)
        except DpldaError as error:
            refusal_by_method[method] = str(error)
    return answer_by_method, refusal_by_method


def _draw_best(
    answer_by_method: Mapping[str, InverseAnswer], axis: Axis, target_error: float, own_point: Point
) -> None:
    """Draw which methods need least ε or fewest documents for the target, and how much.

    All methods with the same smallest number are named. The likely range is added unless it is the
    number itself.

    Args:
        answer_by_method: of the methods that reach the target; at least one.
        axis: ε or N, whichever was asked for.
        target_error: mean L1 error, at most 2.
        own_point: the experiment's numbers; all but that of the axis are kept.
    """
    best_answer = min(answer_by_method.values(), key=lambda answer: answer.middle)
    best_titles = ", ".join(
        parse_method(method).title
        for method, answer in answer_by_method.items()
        if answer.middle == best_answer.middle
    )
    fixed_setting = f"ε = {own_point.epsilon:g}"
    if axis is Axis.EPSILON:
        fixed_setting = f"N = {own_point.n_documents:,}"
    likely_range = ""
    if best_answer.likely != best_answer.in_words:
        likely_range = f" (likely {best_answer.likely})"
    st.success(
        f"For a mean L1 error of {target_error:g} at {fixed_setting}, **{best_titles}** should need"
        f" least: about **{axis.symbol} = {best_answer.in_words}**{likely_range}.",
        icon=":material/target:",
    )


def _answer_row(method: str, answer: InverseAnswer, axis: Axis) -> dict[str, str]:
    """A table row on a method that reaches the target: the smallest value, and its likely range."""
    return {
        "method": parse_method(method).title,
        f"smallest {axis.symbol}": answer.in_words,
        "likely": answer.likely,
    }


def _refusal_row(method: str, refusal: str, axis: Axis) -> dict[str, str]:
    """A table row on a method that does not reach the target, with the limit that stops it.

    Args:
        method: text of the method.
        refusal: text of an ``InputError``, from which the limit is taken.
        axis: ε or N.
    """
    requirement = refusal.partition("must be ")[2].partition(", got")[0]
    return {
        "method": parse_method(method).title,
        f"smallest {axis.symbol}": f"not reached ({requirement})",
        "likely": "",
    }
