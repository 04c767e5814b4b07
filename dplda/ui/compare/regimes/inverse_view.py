"""Questions the other way round: how large ε, or N, must be for a target error."""

import math

import pandas as pd
import streamlit as st

from dplda.core.errors import DpldaError
from dplda.core.formatting import digits
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import RANGES, UNIGRAM, predicted_methods
from dplda.theory.prediction.inverse import InverseAnswer, smallest
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.ui.literal import literal
from dplda.ui.shell import glossary
from dplda.ui.shell.choices import one_of
from dplda.ui.shell.foreseen import own_point
from dplda.ui.shell.frame import Experiment
from dplda.ui.state.keys import Key

ASKED = {"Smallest ε at this N": Axis.EPSILON, "Smallest N at this ε": Axis.DOCUMENTS}
TARGETS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.2, 1.5)
DEFAULT_TARGET = 0.3


def ask(experiment: Experiment) -> None:
    """Draw the question and its answers."""
    glossary.heading("The other way round", "prediction l1 epsilon documents")
    here = own_point(experiment)
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
        help="Mean over topics of the L1 distance from the truth: 0 for the same, 2 for no word in common.",
    )
    found: dict[str, InverseAnswer | str] = {}
    for text in (text for text in predicted_methods() if text != UNIGRAM):
        try:
            found[text] = smallest(axis, float(target), here, text)
        except DpldaError as error:
            found[text] = str(error)
    with st.container():
        _shown(found, here, axis, float(target))


def _shown(found: dict[str, InverseAnswer | str], here: Point, axis: Axis, target: float) -> None:
    there = {name: answer for name, answer in found.items() if isinstance(answer, InverseAnswer)}
    if not there:
        text, reason = next(iter(found.items()))
        st.info(literal(f"No method reaches it. {parse_method(text).title}: {reason}"), icon=":material/block:")
        return
    best = min(there, key=lambda name: there[name].middle)
    st.success(_sentence(there[best], here, axis, target), icon=":material/target:")
    rows = [_row(name, answer, axis) for name, answer in found.items()]
    st.table(pd.DataFrame(rows).set_index("method"))
    if len(there) < len(found):
        with st.expander("Why the others do not reach it", icon=":material/rule:"):
            refused = [(name, said) for name, said in found.items() if isinstance(said, str)]
            st.markdown("\n".join(f"- {parse_method(name).title}: {literal(said)}" for name, said in refused))
    st.caption(
        "Nine of ten runs at settings like this one lie in the range. It holds for documents drawn from the model, with"
        " topics of few words each; real documents are not, and may need more."
    )


def _sentence(answer: InverseAnswer, here: Point, axis: Axis, target: float) -> str:
    title = parse_method(answer.method).title
    fixed = f"N = {here.n_documents:,}" if axis is Axis.EPSILON else f"ε = {here.epsilon:g}"
    return (
        f"**{title}** is the first method to reach a mean L1 error of {target:g}, from"
        f" **{axis.symbol} ≈ {_number(answer.middle, axis)}** on, at {fixed}; likely between {_range(answer, axis)},"
        " for documents drawn from the model."
    )


def _row(name: str, answer: InverseAnswer | str, axis: Axis) -> dict[str, str]:
    row = {"method": parse_method(name).label}
    if isinstance(answer, str):
        return row | {f"smallest {axis.symbol}": "not reached", "likely between": "–"}
    return row | {
        f"smallest {axis.symbol}": _number(answer.middle, axis),
        "likely between": _range(answer, axis),
    }


def _range(answer: InverseAnswer, axis: Axis) -> str:
    low = _number(answer.low, axis)
    first = f"{low} or less" if answer.low <= RANGES[axis][0] else low
    last = _number(answer.high, axis) if math.isfinite(answer.high) else f"never, up to {axis.text(RANGES[axis][1])}"
    return f"{first} and {last}"


def _number(value: float, axis: Axis) -> str:
    """Rounded up to two digits, so that it is enough."""
    power = math.floor(math.log10(value)) - 1
    rounded = math.ceil(value / 10.0**power * (1 - 1e-9)) * 10.0**power
    return axis.text(rounded) if axis.whole else digits(rounded, 2)
