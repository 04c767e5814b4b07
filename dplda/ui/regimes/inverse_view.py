"""Questions the other way round: how large ε, or N, must be for a target error."""

import math
from functools import partial

import pandas as pd
import streamlit as st

from dplda.core.errors import DpldaError
from dplda.core.formatting import digits
from dplda.core.types import Report
from dplda.methods.registry import may_be_better, parse_method, predictors
from dplda.theory.prediction.inverse import InverseAnswer, smallest
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.ui.literal import literal
from dplda.ui.regimes import map_view
from dplda.ui.regimes.page import own_point
from dplda.ui.shell import glossary
from dplda.ui.shell.bounded_cache import BoundedCache
from dplda.ui.shell.choices import one_of
from dplda.ui.shell.frame import Experiment
from dplda.ui.shell.keys import Key
from dplda.ui.shell.progress import watched

REFERENCES = 5
ASKED = {"Smallest ε at this N": Axis.EPSILON, "Smallest N at this ε": Axis.DOCUMENTS}
TARGETS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.2, 1.5)
DEFAULT_TARGET = 0.3


@st.cache_resource(show_spinner=False)
def _answered() -> BoundedCache[InverseAnswer | str]:
    """Answers, or why there is none; they depend on public numbers alone."""
    return BoundedCache(1_000_000)


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
    with st.container():
        try:
            found = watched(f"inverse{hash((here, axis, target))}", partial(_answers, here, axis, float(target)))
        except DpldaError as error:
            st.error(literal(str(error)))
            return
        if found is not None:
            _shown(found, here, axis, float(target))


def _answers(here: Point, axis: Axis, target: float, report: Report) -> dict[str, InverseAnswer | str]:
    references = []
    asked = predictors()
    for seed in range(REFERENCES):
        report(seed / (REFERENCES + len(asked)), f"Drawing reference {seed + 1} of {REFERENCES}")
        if (geometry := map_view.reference(here, seed=seed)) is not None:
            references.append(geometry)
    found: dict[str, InverseAnswer | str] = {}
    for number, (text, predictor) in enumerate(asked.items()):
        report((REFERENCES + number) / (REFERENCES + len(asked)), f"Asking {parse_method(text).title}")
        key = (here.moved(axis, axis.limits[0]), axis, target, predictor)
        kept = _answered().get(key)
        if kept is None:
            try:
                kept = smallest(axis, target, here, predictor, references)
            except DpldaError as error:
                kept = str(error)
            kept = _answered().put(key, kept, 500)
        found[text] = kept
    return found


def _shown(found: dict[str, InverseAnswer | str], here: Point, axis: Axis, target: float) -> None:
    there = {name: answer for name, answer in found.items() if isinstance(answer, InverseAnswer)}
    if not there:
        text, reason = next(iter(found.items()))
        said = (
            f"No method that can be predicted reaches it. {parse_method(text).title}: {reason} {may_be_better(found)}"
        )
        st.info(literal(said), icon=":material/block:")
        return
    best = min(there, key=lambda name: there[name].middle)
    said = f"{_sentence(there[best], here, axis, target)} {may_be_better(found)}"
    st.success(said, icon=":material/target:")
    rows = [_row(name, answer, axis) for name, answer in found.items()]
    st.table(pd.DataFrame(rows).set_index("configuration"))
    if len(there) < len(found):
        with st.expander("Why the others do not reach it", icon=":material/rule:"):
            refused = [(name, said) for name, said in found.items() if isinstance(said, str)]
            st.markdown("\n".join(f"- {parse_method(name).title}: {literal(said)}" for name, said in refused))
    st.caption(_covered(there[best], here))


def _sentence(answer: InverseAnswer, here: Point, axis: Axis, target: float) -> str:
    title = parse_method(answer.configuration).title
    fixed = f"N = {here.n_documents:,}" if axis is Axis.EPSILON else f"ε = {here.epsilon:g}"
    return (
        f"Among the methods that can be predicted, **{title}** is the first to reach a mean L1 error of {target:g},"
        f" from **{axis.symbol} ≈ {_number(answer.middle, axis)}** on, at {fixed}; likely between"
        f" {_range(answer, axis)}, for documents drawn from the model."
    )


def _row(name: str, answer: InverseAnswer | str, axis: Axis) -> dict[str, str]:
    row = {"configuration": parse_method(name).label}
    if isinstance(answer, str):
        return row | {f"smallest {axis.symbol}": "not reached", "likely between": "–"}
    measured = "" if answer.ratio.measured else " (a guess)"
    return row | {
        f"smallest {axis.symbol}": _number(answer.middle, axis),
        "likely between": _range(answer, axis) + measured,
    }


def _range(answer: InverseAnswer, axis: Axis) -> str:
    low = _number(answer.low, axis)
    first = f"{low} or less" if answer.low <= axis.limits[0] else low
    last = _number(answer.high, axis) if math.isfinite(answer.high) else f"never, up to {axis.text(axis.limits[1])}"
    return f"{first} and {last}"


def _covered(answer: InverseAnswer, here: Point) -> str:
    """What the range covers and what it does not."""
    ratio = answer.ratio
    why = (
        "the extremes of single benchmark runs (N = 100,000, d = 100, k = 3)"
        if ratio.measured
        else f"a guess at α₀ = {here.alpha0:g}, where too little was measured"
    )
    return (
        f"The range covers {answer.n_references} draws of topics and predictions between {ratio.low:g} and"
        f" {ratio.high:g} times the error observed, {why}. It holds for documents drawn from the model, with topics as"
        " concentrated as the reference's; real documents are not, and may need more."
    )


def _number(value: float, axis: Axis) -> str:
    """Rounded up to two digits, so that it is enough."""
    power = math.floor(math.log10(value)) - 1
    rounded = math.ceil(value / 10.0**power * (1 - 1e-9)) * 10.0**power
    return axis.text(rounded) if axis.whole else digits(rounded, 2)
