"""The chart of error curves, the choice of its error, and the papers' figures that are not sweeps."""

import pickle
from collections.abc import Sequence
from hashlib import sha256

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.experiments.papers.curves import MINIBATCHES, curves_of, kept_words, same_noise
from dplda.experiments.papers.precomputed import stored_results
from dplda.experiments.papers.presets import Preset
from dplda.experiments.storage.identity import code_version
from dplda.experiments.sweeps import Sweep
from dplda.experiments.sweeps.bounds import bounds_of
from dplda.figures import Measure
from dplda.theory.prediction.curves import ErrorCurve
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary
from dplda.ui.shell.views import choose_one
from dplda.ui.state.keys import Key

OWN, PAPER = "mean L1", "sum of L1"
MEASURES = {OWN: Measure.L1_MEAN, PAPER: Measure.L1_SUM, "mean L2": Measure.L2_MEAN}


def choose(name: str, first: str) -> Measure:
    """Ask which error a figure shows."""
    words = glossary.describe_terms("l1", "unigram") + "\n\nWith *mean L2* come the paper's bounds."
    return MEASURES[
        choose_one(
            "Error", list(MEASURES), first=first, key=f"{Key.CURVES_MEASURE}.{name}", help=words
        )
    ]


def draw(
    frame: pd.DataFrame,
    sweep: Sweep,
    measure: Measure,
    *,
    log: bool,
    key: str,
    current: float,
    predictions: Sequence[ErrorCurve] = (),
) -> None:
    """Draw the curves in a frame of results above predicted ones, on a logarithmic ε axis if ``log``."""
    setting, lines = sweep.settings[0], _lines(frame, measure)
    bounded = measure is Measure.L2_MEAN
    figure = figures.error_curves(
        lines,
        measure,
        n_topics=setting.n_topics,
        log_epsilon=log,
        bounds=bounds_of(sweep, setting) if bounded else (),
        predictions=predictions,
        current=current,
    )
    figure_view.draw(figure, f"curves.{key}")
    repeats = max((number for line in lines for number in line.n), default=0)
    said = "Lines: solid are proven, dashed as published, dotted not private."
    if predictions and measure.per_mean_l1(setting.n_topics):
        said += " Markers: solid are measured, hollow predicted."
    if repeats > 1:
        said += f" Lines are medians of {repeats} runs{'; bands hold the middle 80%' if repeats > 4 else ''}."
    if measure is Measure.PERPLEXITY:
        said += " Perplexity is on held-out documents; lower is better."
    if bounded:
        said += " Thin lines: the paper's bounds with constant 1, left out where far above √2."
    st.caption(said)


def fingerprint(frame: pd.DataFrame) -> bytes:
    """A digest of a frame, twenty times faster than Streamlit's own."""
    return sha256(pickle.dumps(frame)).digest()


_kept = st.cache_data(show_spinner=False, max_entries=64, hash_funcs={pd.DataFrame: fingerprint})
_lines = _kept(figures.lines_of)


def describe_lowest_errors(frame: pd.DataFrame, measure: Measure, epsilon: float) -> str:
    """Say which methods have the smallest errors near ε, of the same lines as the chart's title."""
    return figures.describe_lowest_errors(_lines(frame, measure) if len(frame) else (), epsilon)


def shipped(preset: Preset) -> pd.DataFrame:
    """Draw and return the results shipped with the program; an empty frame if their file is damaged."""
    try:
        stored = stored_results(preset.name)
    except DpldaError as error:
        st.error(literal(str(error)))
        stored = None
    if stored is None:
        return pd.DataFrame()
    _picture(preset, stored.frame)
    st.caption(
        f"Shipped with dplda. {stored.label(spec=None, version=code_version())} It cannot be run here."
    )
    return stored.frame


def _picture(preset: Preset, frame: pd.DataFrame) -> None:
    """The preset's curves, or else its words side by side, one column per method."""
    curves = curves_of(preset.name, frame)
    if curves is None:
        st.markdown(kept_words(frame))
        words = frame.pivot(index=["topic", "rank"], columns="column", values="word").reset_index()
        st.dataframe(words, hide_index=True, width="stretch")
        return
    xs, named = curves.index.tolist(), {str(name): curves[name].tolist() for name in curves}
    x_title, y_title = str(curves.index.name), str(curves.columns.name)
    title = f"{y_title[:1].upper()}{y_title[1:]} over {x_title.split()[-1]}"
    log = preset.name != MINIBATCHES
    figure = figures.lines(xs, named, title=title, x_title=x_title, y_title=y_title, log_y=log)
    figure_view.draw(figure, f"curves.{preset.name}")
    if preset.name == MINIBATCHES:
        st.caption(
            "S is the mean number of documents in a minibatch. Each mark is one run, clipped as published."
        )
        figure_view.draw(figures.accountants(same_noise()), f"curves.{preset.name}.accountants")
        st.caption(
            "The paper's own run under four accountings: one epoch of minibatches of 20,000 from 400,000 documents, σ ="
            " 1.24, δ = 1e-4."
        )
