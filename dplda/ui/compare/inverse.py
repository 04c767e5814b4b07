"""How large ε, or N, must be for a target error."""

import math

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.core.formatting import digits
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import RANGES, UNIGRAM, predicted_methods
from dplda.theory.prediction.inverse import InverseAnswer, smallest
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view
from dplda.ui.shell.foreseen import own_point
from dplda.ui.shell.frame import Experiment
from dplda.ui.shell.views import one_of
from dplda.ui.state.keys import Key

ASKED = {"Smallest ε at this N": Axis.EPSILON, "Smallest N at this ε": Axis.DOCUMENTS}
TARGETS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.2, 1.5)
DEFAULT_TARGET = 0.3


def fold(experiment: Experiment) -> None:
    """The question, which is worked out while it is open."""
    title = "How much data or ε do I need?"
    opened = st.expander(title, icon=":material/target:", key=Key.REGIME_INVERSE, on_change="rerun")
    if opened.open:
        with opened:
            _ask(own_point(experiment))


def _ask(here: Point) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        said = "All other numbers stay those of your experiment."
        axis = ASKED[one_of("Looked for", list(ASKED), key=Key.REGIME_ASK, help=said)]
    target = right.select_slider(
        "Target error",
        TARGETS,
        value=DEFAULT_TARGET,
        format_func=lambda value: f"{value:g}",
        key=Key.REGIME_TARGET,
        persist_state="session",
        help="Mean L1 distance of a topic from the truth: 0 if they are the same, 2 if they share no word.",
    )
    found: dict[str, InverseAnswer | str] = {}
    for text in (text for text in predicted_methods() if text != UNIGRAM):
        try:
            found[text] = smallest(axis, float(target), here, text)
        except DpldaError as error:
            found[text] = str(error)
    there = {name: answer for name, answer in found.items() if isinstance(answer, InverseAnswer)}
    if not there:
        text, reason = next(iter(found.items()))
        st.info(literal(f"No method reaches this error. {parse_method(text).title}: {reason}"), icon=":material/block:")
        return
    best = there[min(there, key=lambda name: there[name].middle)]
    fixed = f"N = {here.n_documents:,}" if axis is Axis.EPSILON else f"ε = {here.epsilon:g}"
    st.success(
        f"**{parse_method(best.method).title}** should need least for a mean L1 error of {target:g}: **{axis.symbol} ≈"
        f" {_number(best.middle, axis)}** at {fixed} (likely {_range(best, axis)}).",
        icon=":material/target:",
    )
    figure_view.table((_row(name, answer, axis) for name, answer in found.items()), "method")
    st.caption("For documents drawn from the model. Nine of ten runs lie in the likely range; real text may need more.")


def _row(name: str, answer: InverseAnswer | str, axis: Axis) -> dict[str, str]:
    row, number = {"method": parse_method(name).title}, f"smallest {axis.symbol}"
    if isinstance(answer, str):
        return row | {number: "not reached", "likely": answer.partition("must be ")[2].partition(", got")[0]}
    return row | {number: _number(answer.middle, axis), "likely": _range(answer, axis)}


def _range(answer: InverseAnswer, axis: Axis) -> str:
    low, last = _number(answer.low, axis), f"more than {axis.text(RANGES[axis][1])}"
    high = _number(answer.high, axis) if math.isfinite(answer.high) else last
    return low if low == high else f"{low} to {high}"


def _number(value: float, axis: Axis) -> str:
    """Rounded up to two digits, so that it is enough."""
    power = math.floor(math.log10(value)) - 1
    rounded = math.ceil(value / 10.0**power * (1 - 1e-9)) * 10.0**power
    said = axis.text(rounded) if axis.whole else digits(rounded, 2)
    return f"{said} or less" if value <= RANGES[axis][0] else said
