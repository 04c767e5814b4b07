"""The chart of error curves, the choice of its error, and papers' figures that are no sweeps."""

import pickle
from collections.abc import Sequence
from hashlib import sha256

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.experiments.papers.curves import (
    LOGARITHMIC,
    MINIBATCHES,
    curves_of,
    kept_words,
    same_noise,
)
from dplda.experiments.papers.minibatch_curves import (
    describe_accounting,
    judge_sizes,
    minibatch_curves,
    noiseless_perplexity,
)
from dplda.experiments.papers.precomputed import stored_results
from dplda.experiments.papers.presets import Preset
from dplda.experiments.papers.study import study_text
from dplda.experiments.storage.identity import code_version
from dplda.experiments.sweeps import Sweep
from dplda.experiments.sweeps.bounds import bounds_of
from dplda.figures import Measure, MethodLine
from dplda.methods.base.calibration import Calibration, PublishedReading
from dplda.theory.prediction.curves import ErrorCurve
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary
from dplda.ui.shell.views import choose_one
from dplda.ui.state.keys import Key

OWN, PAPER = "mean L1", "sum of L1"  # the error that is drawn at first
MEASURES = {OWN: Measure.L1_MEAN, PAPER: Measure.L1_SUM, "mean L2": Measure.L2_MEAN}
MIN_RUNS_OF_A_BAND = 5
LINES_CAPTION = "Lines: solid are proven, dashed as published, dotted not private."
MARKERS_CAPTION = "Markers: solid are measured, hollow predicted."
PERPLEXITY_CAPTION = "Perplexity is on held-out documents; lower is better."
BOUNDS_CAPTION = "Thin lines: the paper's bounds with constant 1, left out where far above √2."
MINIBATCH_CAPTION = (
    "S: documents in a minibatch, on average. Solid: moments accountant. Dashed: strong"
    " composition. Points: the five σ of the paper, medians of draws. Each document is scaled down;"
    " *as printed* scales down the mean of a minibatch, as the formula does. Perplexity is of one"
    " half of a held-out document, given the other half."
)
STUDY_CAPTION = (
    "To run it again: the script below, or `python -m benchmarks presets --only {}` in the sources."
)
ACCOUNTING_CAPTION = (
    "The paper's own run under four accountings: one epoch of minibatches of 20,000 from 400,000"
    " documents, σ = 1.24, δ = 1e-4."
)


def choose_measure(name: str, default: str) -> Measure:
    """Ask which error a figure shows.

    Args:
        name: the figure's, for which the choice is kept.
        default: one of ``MEASURES``.
    """
    help_text = (
        f"{glossary.describe_terms('l1', 'unigram')}\n\nWith *mean L2* come the paper's bounds."
    )
    key = f"{Key.CURVES_MEASURE}.{name}"
    return MEASURES[choose_one("Error", list(MEASURES), first=default, key=key, help=help_text)]


def draw(
    frame: pd.DataFrame,
    sweep: Sweep,
    measure: Measure,
    *,
    is_log_scale: bool,
    key: str,
    page_epsilon: float,
    predictions: Sequence[ErrorCurve] = (),
    title: str = "",
) -> None:
    """Draw measured curves over ε, with predicted ones if given, and a caption.

    The theorems' bounds are drawn only for the mean L2 error.

    Args:
        frame: results of the sweep, one row per run.
        sweep: whose settings give k and the bounds.
        measure: the error that is drawn.
        is_log_scale: whether the axis of ε is logarithmic.
        key: of the figure.
        page_epsilon: ε of the page, which is marked.
        predictions: predicted mean L1 errors; empty for none.
        title: empty for the finding about proven methods.
    """
    first_setting = sweep.settings[0]
    method_lines = _lines_of(frame, measure)
    has_bounds = measure is Measure.L2_MEAN
    figure = figures.error_curves(
        method_lines,
        measure,
        n_topics=first_setting.n_topics,
        log_epsilon=is_log_scale,
        bounds=bounds_of(sweep, first_setting) if has_bounds else (),
        predictions=predictions,
        current=page_epsilon,
        title=title,
    )
    figure_view.draw(figure, f"curves.{key}")
    has_predictions = bool(predictions) and measure.per_mean_l1(first_setting.n_topics) is not None
    st.caption(_caption(method_lines, measure, has_predictions=has_predictions))


def _caption(lines: Sequence[MethodLine], measure: Measure, *, has_predictions: bool) -> str:
    """Write the caption: what lines, markers and bands mean, as far as the chart has them.

    Medians are explained if a point has several runs; bands if it has ``MIN_RUNS_OF_A_BAND``.
    Perplexity has a sentence of its own, and so have the bounds that are drawn for mean L2 errors.
    """
    most_runs = max((n_runs_of_point for line in lines for n_runs_of_point in line.n), default=0)
    sentences = [LINES_CAPTION]
    if has_predictions:
        sentences.append(MARKERS_CAPTION)
    if most_runs > 1:
        bands_note = "; bands hold the middle 80%" if most_runs >= MIN_RUNS_OF_A_BAND else ""
        sentences.append(f"Lines are medians of {_count_runs(lines)} runs{bands_note}.")
    if measure is Measure.PERPLEXITY:
        sentences.append(PERPLEXITY_CAPTION)
    if measure is Measure.L2_MEAN:
        sentences.append(BOUNDS_CAPTION)
    return " ".join(sentences)


def _count_runs(lines: Sequence[MethodLine]) -> str:
    """Runs behind each point of the lines: one number, or a range."""
    numbers = {number for line in lines if line.epsilons for number in line.n if number}
    low = min(numbers, default=1)
    high = max(numbers, default=1)
    return str(high) if low == high else f"{low} to {high}"


def fingerprint(frame: pd.DataFrame) -> bytes:
    """A digest of a frame, twenty times faster than Streamlit's own."""
    return sha256(pickle.dumps(frame)).digest()


_cache_by_frame = st.cache_data(
    show_spinner=False, max_entries=64, hash_funcs={pd.DataFrame: fingerprint}
)
_lines_of = _cache_by_frame(figures.lines_of)


def describe_lowest_errors(frame: pd.DataFrame, measure: Measure, epsilon: float) -> str:
    """Say which methods have the smallest errors near ε, of the same lines as the chart's title."""
    lines = _lines_of(frame, measure) if len(frame) else ()
    return figures.describe_lowest_errors(lines, epsilon)


def draw_shipped(preset: Preset) -> pd.DataFrame:
    """Draw the results of a study that come with the program, with their origin, and return them.

    Returns an empty frame, and draws no figure, if there is no file; a damaged one is an error on
    the page.
    """
    try:
        shipped_results = stored_results(preset.name)
    except DpldaError as error:
        st.error(literal(str(error)))
        shipped_results = None
    if shipped_results is None:
        return pd.DataFrame()
    _draw_paper_figure(preset, shipped_results.frame)
    assert preset.study is not None  # other presets are sweeps
    origin_label = shipped_results.label(spec=study_text(preset.study), version=code_version())
    st.caption(f"Shipped with dplda. {origin_label} {STUDY_CAPTION.format(preset.name)}")
    return shipped_results.frame


def _draw_paper_figure(preset: Preset, frame: pd.DataFrame) -> None:
    """Draw the preset's figure: perplexity by batch size, or curves, logarithmic for some presets.

    A preset without curves gets a sentence and a table of its words, a column for each method.
    """
    if preset.name == MINIBATCHES:
        _draw_minibatches(frame)
        return
    curves = curves_of(preset.name, frame)
    if curves is None:
        st.markdown(kept_words(frame))
        words_by_column = frame.pivot(
            index=["topic", "rank"], columns="column", values="word"
        ).reset_index()
        st.dataframe(words_by_column, hide_index=True, width="stretch")
        return
    x_title = str(curves.index.name)
    y_title = str(curves.columns.name)
    figure = figures.lines(
        curves.index.tolist(),
        {str(curve_name): curves[curve_name].tolist() for curve_name in curves},
        title=f"{y_title[:1].upper()}{y_title[1:]} over {x_title.split()[-1]}",
        x_title=x_title,
        y_title=y_title,
        log_y=preset.name in LOGARITHMIC,
    )
    figure_view.draw(figure, f"curves.{preset.name}")


def _draw_minibatches(frame: pd.DataFrame) -> None:
    """Draw a verdict on the paper's claim about batch sizes, its accounting checked, two figures.

    Sizes are judged with the paper's noise read by document. Each figure has a caption.
    """
    size_verdict = judge_sizes(frame, PublishedReading.BY_DOCUMENT)
    st.markdown(f"- {size_verdict.describe()}\n- {describe_accounting(frame)}")
    _draw_size_curves(frame, title=size_verdict.finding)
    figure_view.draw(figures.accountants(same_noise()), f"curves.{MINIBATCHES}.accountants")
    st.caption(ACCOUNTING_CAPTION)


def _draw_size_curves(frame: pd.DataFrame, *, title: str) -> None:
    """Draw one chart of perplexity over ε, a line for each batch size, with a caption.

    Noise is read by document, with a thin line as printed, and a level line without noise.
    """
    figure = figures.minibatch_lines(
        minibatch_curves(frame, PublishedReading.BY_DOCUMENT),
        as_printed=minibatch_curves(frame, Calibration.PUBLISHED),
        noiseless=noiseless_perplexity(frame),
        title=title,
    )
    figure_view.draw(figure, f"curves.{MINIBATCHES}")
    st.caption(MINIBATCH_CAPTION)
