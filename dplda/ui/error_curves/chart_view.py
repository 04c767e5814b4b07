"""The chart of error curves, its controls, and what stands below it."""

import math
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.experiments.sweeps import Sweep
from dplda.experiments.sweeps.bounds import bounds_of
from dplda.figures import Measure, MethodLine
from dplda.figures.errors.method_lines import grid
from dplda.methods.registry import parse_method
from dplda.theory.prediction.curves import ErrorCurve
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view
from dplda.ui.shell.choices import one_of
from dplda.ui.state.keys import Key

MEASURES = {
    "sum of L1": Measure.L1_SUM,
    "mean L1": Measure.L1_MEAN,
    "mean L2": Measure.L2_MEAN,
}
LINEAR, LOG = "linear", "logarithmic"


@dataclass(frozen=True, slots=True)
class ChartView:
    """How curves are looked at: nothing here changes a number."""

    measure: Measure
    log_epsilon: bool
    log_error: bool
    bands: bool
    bounds: bool
    parts: bool


def choose_view(name: str, *, real: bool, log_epsilon: bool) -> ChartView:
    """Draw the display controls."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = Measure.PERPLEXITY if real else _measure(name)
        epsilon_axis = one_of(
            "ε axis",
            [LINEAR, LOG],
            first=LOG if log_epsilon else LINEAR,
            key=f"{Key.CURVES_EPSILON_AXIS}.{name}",
            help="A display control.",
        )
        error_axis = one_of(
            "Perplexity axis" if real else "Error axis",
            [LINEAR, LOG],
            first=LOG,
            key=f"{Key.CURVES_ERROR_AXIS}.{name}",
            help="A display control.",
        )
    with st.container(horizontal=True):
        bands = st.toggle(
            "10–90 % bands",
            value=True,
            key=f"{Key.CURVES_BANDS}.{name}",
            persist_state="session",
            help="Over draws of the noise, and over corpora where there are several.",
        )
        bounds = not real and st.toggle(
            "The paper's bounds",
            value=False,
            key=f"{Key.CURVES_BOUNDS}.{name}",
            persist_state="session",
            help="Theorems 10 to 13, which bound the L2 error of a topic.",
        )
        parts = not real and st.toggle(
            "Sampling and privacy apart",
            value=False,
            key=f"{Key.CURVES_PARTS}.{name}",
            persist_state="session",
            help="What too few documents and clipping cost, and what the noise adds.",
        )
    return ChartView(
        measure=measure,
        log_epsilon=epsilon_axis == LOG,
        log_error=error_axis == LOG,
        bands=bands,
        bounds=bounds,
        parts=parts,
    )


def _measure(name: str) -> Measure:
    said = "Distances between true and found topics, matched so that the L1 sum is least."
    return MEASURES[one_of("Error", list(MEASURES), key=f"{Key.CURVES_MEASURE}.{name}", help=said)]


def chart(frame: pd.DataFrame, view: ChartView, sweep: Sweep, *, key: str, current: float | None) -> None:
    """Draw the curves that a frame holds so far."""
    setting = sweep.settings[0]
    lines, refusals = _read(frame, view.measure)
    bounds: tuple[ErrorCurve, ...] = ()
    if view.bounds and view.measure is Measure.L2_MEAN:
        bounds = bounds_of(sweep, setting)
    figure = figures.error_curves(
        lines,
        view.measure,
        n_topics=setting.n_topics,
        log_epsilon=view.log_epsilon,
        log_error=view.log_error,
        bands=view.bands,
        bounds=bounds,
        current=current,
    )
    figure_view.draw(figure, f"curves.{key}")
    st.caption(_how_to_read(lines, view))
    opened = f"{Key.CURVES_NUMBERS}.{key}"
    numbers = st.expander("The numbers", icon=":material/table:", key=opened, on_change="rerun")
    if numbers.open:
        numbers.dataframe(table_of(lines), key=f"{Key.CURVES_TABLE}.{key}")
    if refusals:
        st.caption(refusals)
    if view.bounds and view.measure is not Measure.L2_MEAN:
        st.info(
            "The paper's theorems bound the L2 error of a topic: choose *mean L2* to see them beside the curves.",
            icon=":material/info:",
        )
    if view.parts:
        _parts(frame, view, key)


def fingerprint(frame: pd.DataFrame) -> bytes:
    """What tells frames apart: taking it costs a twentieth of what Streamlit takes to."""
    return sha256(pickle.dumps(frame)).digest()


@st.cache_data(show_spinner=False, max_entries=64, hash_funcs={pd.DataFrame: fingerprint})
def _read(frame: pd.DataFrame, measure: Measure) -> tuple[tuple[MethodLine, ...], str]:
    """Lines and refusals of a frame, which do not change when a slider moves."""
    return figures.lines_of(frame, measure), _refusals(frame)


def table_of(lines: Sequence[MethodLine]) -> pd.DataFrame:
    """Medians, a row for every method, a column for every ε; a method without ε has one number in all of them."""
    epsilons = grid(lines)
    rows = {}
    for line in lines:
        found = dict(zip(line.epsilons, line.median, strict=True)) if line.epsilons else {}
        rows[line.title] = [found.get(epsilon, math.nan) if line.epsilons else line.median[0] for epsilon in epsilons]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=[f"ε = {epsilon:g}" for epsilon in epsilons])
    return table.map(lambda value: float(f"{value:.4g}")).rename_axis("method")


def _how_to_read(lines: tuple[MethodLine, ...], view: ChartView) -> str:
    repeats = max((number for line in lines for number in line.n), default=0)
    said = "Solid: proven. Dashed with hollow marks: as published. Dotted: not private."
    if repeats > 1:
        said += f" Lines are medians of up to {repeats} runs."
    if view.measure is Measure.PERPLEXITY:
        said += " Perplexity on documents held out of training, by document completion; less is better."
    if view.bounds and view.measure is Measure.L2_MEAN:
        said += " Thin lines: the paper's expressions with constant 1; those far above √2 are left out."
    return said


def _refusals(frame: pd.DataFrame) -> str:
    """Which methods gave no number, and the reason that they gave."""
    silent = frame[(frame["refused"] != "") | (frame["failed"] != "")]
    said = []
    for text, rows in silent.groupby("method", sort=False):
        title = parse_method(str(text)).title
        of = int((frame["method"] == text).sum())
        first = rows.iloc[0]
        reason = str(first["refused"]).split(". ")[0].rstrip(".") or f"the program failed with {first['failed']}"
        said.append(f"{title}, {len(rows)} of {of} runs: {reason}")
    return literal("Without a number: " + "; ".join(said) + ".") if said else ""


def _parts(frame: pd.DataFrame, view: ChartView, key: str) -> None:
    noisy = frame[frame["epsilon"].notna() & frame["privacy_l1"].notna()]
    options = [str(text) for text in dict.fromkeys(noisy["method"])]
    if not options:
        st.info("No method has an error to take apart yet.", icon=":material/info:")
        return
    chosen = st.selectbox(
        "Method taken apart",
        options,
        format_func=lambda text: parse_method(text).label,
        key=f"{Key.CURVES_METHODS}.parts.{key}",
        help="The distance of un-noised topics to the truth, and of private topics to un-noised ones.",
    )
    rows, title = noisy[noisy["method"] == chosen], parse_method(str(chosen)).title
    figure_view.draw(figures.error_parts(title, rows, log_epsilon=view.log_epsilon), f"curves.apart.{key}")
    st.caption("Medians; the error is at most the sum of both parts, and often less.")
