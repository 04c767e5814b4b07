"""The chart of error curves, the choice of an error and of bounds, and what stands below."""

import pickle
from hashlib import sha256

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.experiments.sweeps import Sweep
from dplda.experiments.sweeps.bounds import bounds_of
from dplda.figures import Measure, MethodLine
from dplda.methods.registry import parse_method
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view
from dplda.ui.shell.choices import one_of
from dplda.ui.state.keys import Key

MEASURES = {
    "sum of L1": Measure.L1_SUM,
    "mean L1": Measure.L1_MEAN,
    "mean L2": Measure.L2_MEAN,
}


def measured(name: str, *, real: bool) -> tuple[Measure, bool]:
    """Ask which error to draw, and whether the paper's bounds beside it; real documents have perplexity."""
    if real:
        return Measure.PERPLEXITY, False
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = one_of(
            "Error",
            list(MEASURES),
            key=f"{Key.CURVES_MEASURE}.{name}",
            help="Distances between true and found topics, matched so that the L1 sum is least.",
        )
        bounds = st.toggle(
            "The paper's bounds",
            value=False,
            key=f"{Key.CURVES_BOUNDS}.{name}",
            persist_state="session",
            help="Theorems 10 to 13, which bound the L2 error of a topic.",
        )
    return MEASURES[measure], bounds


def chart(
    frame: pd.DataFrame, sweep: Sweep, measure: Measure, *, bounds: bool, log: bool, key: str, current: float | None
) -> None:
    """Draw the curves that a frame holds so far, over a logarithmic ε if asked to."""
    setting = sweep.settings[0]
    lines, refusals = _read(frame, measure)
    bounded = bounds and measure is Measure.L2_MEAN
    figure = figures.error_curves(
        lines,
        measure,
        n_topics=setting.n_topics,
        log_epsilon=log,
        bounds=bounds_of(sweep, setting) if bounded else (),
        current=current,
    )
    figure_view.draw(figure, f"curves.{key}")
    repeats = max((number for line in lines for number in line.n), default=0)
    said = "Solid: proven. Dashed with hollow marks: as published. Dotted: not private."
    if repeats > 1:
        said += f" Lines are medians of up to {repeats} runs, bands go from their 10th to their 90th percentile."
    if measure is Measure.PERPLEXITY:
        said += " Perplexity on documents held out of training, by document completion; less is better."
    if bounded:
        said += " Thin lines: the paper's expressions with constant 1; those far above √2 are left out."
    st.caption(said)
    if refusals:
        st.caption(refusals)
    if bounds and not bounded:
        st.info(
            "The paper's theorems bound the L2 error of a topic: choose *mean L2* to see them beside the curves.",
            icon=":material/info:",
        )


def fingerprint(frame: pd.DataFrame) -> bytes:
    """What tells frames apart: taking it costs a twentieth of what Streamlit takes to."""
    return sha256(pickle.dumps(frame)).digest()


@st.cache_data(show_spinner=False, max_entries=64, hash_funcs={pd.DataFrame: fingerprint})
def _read(frame: pd.DataFrame, measure: Measure) -> tuple[tuple[MethodLine, ...], str]:
    """Lines and refusals of a frame, which do not change when a slider moves."""
    return figures.lines_of(frame, measure), _refusals(frame)


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
