"""Error curves: the experiment's own settings and the papers' figures, in one list."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda.core.errors import DpldaError
from dplda.corpus import Label, Simulation
from dplda.experiments.papers.precomputed import Precomputed, stored_results
from dplda.experiments.papers.presets import PRESETS, Preset
from dplda.experiments.papers.readings import NoiseReading, rows_of_reading
from dplda.experiments.sweeps import Sweep
from dplda.experiments.sweeps.frame import unmeasured
from dplda.figures import Measure
from dplda.ui.compare import (
    answer,
    chart,
    own_sweep,
    paper_notes,
    paper_numbers,
    result_downloads,
)
from dplda.ui.compare.paper_numbers import OWN
from dplda.ui.literal import literal
from dplda.ui.shell import glossary, predictions
from dplda.ui.shell.frame import Header, LoadedExperiment
from dplda.ui.state import runs
from dplda.ui.state.keys import Key

FOLDED = "folded-curves"


def header(loaded: LoadedExperiment) -> Header:
    """A header for what is compared: documents and numbers of the chosen figure of a paper.

    If none is chosen, the header of the answer, which is that of the experiment. It has no status,
    since each method drawn has its own.
    """
    chosen_figure = paper_numbers.selected_preset()
    if chosen_figure is None:
        return answer.header(loaded)
    documents_fact, *number_facts = chosen_figure.described()
    return Header(
        (f"**{documents_fact[:1].upper()}{documents_fact[1:]}**", *number_facts), on_documents=False
    )


def draw(loaded: LoadedExperiment) -> None:
    """Draw the view Error curves: of the experiment's settings, or of a paper's figure.

    A figure that is no sweep has only the results that come with the program. A choice between
    readings is forgotten where the figure has none.
    """
    preset = paper_numbers.selected_preset()
    if preset is None or preset.sweep is None:
        paper_notes.forget_reading()
    if preset is None:
        _draw_own(loaded)
    elif preset.sweep is None:
        _draw_shipped(preset)
    else:
        _draw_preset(preset, float(loaded.experiment.budget.epsilon))


def _draw_own(loaded: LoadedExperiment) -> None:
    """Draw the view of the experiment's own settings.

    Shows the best method, the chart, the controls of the run that measures it, choices, why numbers
    are missing, and downloads. Without a sweep that can run there are no downloads; documents that
    are simulated may get a warning.
    """
    answer_place = st.container(key=answer.PLACE)
    chart_place = st.container()
    run_place = _choose_figure()
    with run_place:
        results = _draw_run(None, lambda: own_sweep.sweep(loaded))
    measure = _choose_measure("own", chart.OWN, results)
    with answer_place:
        answer.draw(loaded)
    sweep = results.sweep

    def draw_chart(frame: pd.DataFrame) -> None:
        _draw_own_chart(loaded, sweep, frame, measure)

    with chart_place:
        _draw_live(results, "own", draw_chart)
    if loaded.corpus.label is Label.SIMULATED:
        predictions.warn_if_unreadable(predictions.own_point(loaded))
    with st.container(key=FOLDED, gap="small"):
        own_sweep.draw_choices(loaded)
        _explain_missing_numbers(results.frame)
        if sweep is not None:
            result_downloads.draw_for_sweep(sweep, "own", results.frame)


def _draw_preset(preset: Preset, epsilon: float) -> None:
    """Draw a paper's figure that is a sweep, from shipped results or those that were run here.

    The controls, the verdicts on the paper's claims, notes, why numbers are missing, and downloads
    come with it. If the sweep is refused there are neither a chart nor downloads.
    """
    chart_place = st.container()
    run_place = _choose_figure()
    with run_place:
        results = _draw_run(preset, lambda: preset.sweep)
    with st.container(horizontal=True):
        measure = _choose_measure(preset.name, chart.PAPER, results)
        noise_reading = paper_notes.choose_reading(results.frame)
    sweep = results.sweep

    def draw_chart(computed_rows: pd.DataFrame) -> None:
        rows = _shipped_or_computed(results.shipped, computed_rows)
        _draw_paper_chart(preset, sweep, rows, noise_reading, measure, epsilon)

    with chart_place:
        _draw_live(results, preset.name, draw_chart)
    paper_notes.draw(
        preset, results.shipped, paper_notes.judge(preset.name, results.frame, str(measure))
    )
    _explain_missing_numbers(results.frame)
    if sweep is not None:
        result_downloads.draw_for_sweep(sweep, preset.name, results.frame)


def _shipped_or_computed(
    shipped_results: Precomputed | None, computed_rows: pd.DataFrame
) -> pd.DataFrame:
    """The shipped rows of a figure, if there are any, until private ones were computed here."""
    if shipped_results is None or _has_private_numbers(computed_rows):
        return computed_rows
    return shipped_results.frame


def _draw_paper_chart(
    preset: Preset,
    sweep: Sweep | None,
    rows: pd.DataFrame,
    reading: NoiseReading,
    measure: Measure,
    epsilon: float,
) -> None:
    """Draw the verdicts on the claims of a reading, and the chart of its rows.

    Without a sweep, which was refused, there is no chart.

    Args:
        preset: the paper's figure.
        sweep: that it draws; None if it was refused.
        rows: results of all readings, one row a run; may be empty.
        reading: of the paper's noise, whose rows are drawn.
        measure: the error that is drawn.
        epsilon: ε of the page, which is marked.
    """
    drawn_rows = rows
    if len(rows):
        drawn_rows = rows_of_reading(rows, reading)
    verdicts = paper_notes.judge(preset.name, rows, str(measure))
    verdicts_of_reading = [verdict for verdict in verdicts if verdict.claim.reading is reading]
    lowest_errors_sentence = chart.describe_lowest_errors(drawn_rows, measure, epsilon)
    with st.container(key=answer.PLACE):
        paper_notes.draw_answer(reading, verdicts_of_reading, lowest_errors_sentence)
    if sweep is not None:  # else what is wrong stands beside the choice
        chart.draw(
            drawn_rows,
            sweep,
            measure,
            is_log_scale=preset.log_epsilon,
            key=preset.name,
            page_epsilon=epsilon,
            title=paper_notes.CHART_TITLES[reading],
        )


def _draw_shipped(preset: Preset) -> None:
    """Draw a paper's table or figure that cannot be run here, from its shipped results.

    The choice of what to compare and the notes follow, and downloads if it comes from a study.
    """
    place = st.container()
    _choose_figure()
    with place:
        frame = chart.draw_shipped(preset)
    paper_notes.draw(preset, None, ())
    if preset.study is not None:
        result_downloads.draw_for_study(preset.name, frame)


def _choose_figure() -> DeltaGenerator:
    """Draw the choice of what to compare, and return the column beside it, for a run's controls."""
    left_column, right_column = st.columns([3, 2], vertical_alignment="bottom", gap="medium")
    left_column.selectbox(
        "What to compare",
        [*PRESETS, OWN],
        format_func=lambda name: PRESETS[name].title if name in PRESETS else name,
        key=Key.CURVES_SHOWN,
        persist_state="session",
        help=glossary.with_terms(
            "*My settings* are those of the sidebar. A paper's figure has its own.", "as_published"
        ),
    )
    return right_column


def _choose_measure(name: str, default: str, results: "_Results") -> Measure:
    """Draw the choice of the error that the chart shows, and return it.

    Nothing is asked if the documents have no known truth: it is the perplexity. Nor is it without
    results: it is the default. A refused sweep counts as one with truth.
    """
    sweep = results.sweep
    has_truth = sweep is None or isinstance(sweep.settings[0].source, Simulation)
    if not has_truth:
        return Measure.PERPLEXITY
    if not len(results.frame):
        return chart.MEASURES[default]
    return chart.choose_measure(name, default)


def _draw_live(results: "_Results", name: str, draw_chart: Callable[[pd.DataFrame], None]) -> None:
    """Draw a chart of the results; while the sweep runs, again every few seconds."""
    if results.sweep is not None and runs.is_running(results.sweep):
        runs.live(results.sweep, name, draw_chart)
    else:
        draw_chart(results.frame)


def _explain_missing_numbers(frame: pd.DataFrame) -> None:
    reasons = unmeasured(frame) if len(frame) else []
    if reasons:
        with st.expander("Why some numbers are missing", icon=":material/rule:"):
            st.markdown("\n".join(f"- {literal(sentence)}" for sentence in reasons))


def _draw_own_chart(
    loaded: LoadedExperiment, sweep: Sweep | None, frame: pd.DataFrame, measure: Measure
) -> None:
    """Draw measured errors with predicted ones.

    In one chart if the measure can be compared with the L1 error, else side by side. Predictions
    alone if nothing is measured.
    """
    if sweep is None or frame.empty:
        predictions.draw_predicted_curves(loaded, "curves.predicted")
        return
    draw_measured = partial(
        chart.draw,
        frame,
        sweep,
        measure,
        is_log_scale=True,
        key="own",
        page_epsilon=float(loaded.experiment.budget.epsilon),
    )
    if measure.per_mean_l1(sweep.settings[0].n_topics) is not None:
        draw_measured(predictions=predictions.predicted_curves(loaded))
        return
    left_column, right_column = st.columns(2, gap="medium")  # predictions are of L1 errors alone
    with left_column:
        draw_measured()
    with right_column:
        predictions.draw_predicted_curves(loaded, "curves.predicted")


@dataclass(frozen=True, slots=True, eq=False)
class _Results:
    """The sweep of a chart, and the numbers it has.

    Attributes:
        sweep: None where the settings allow none, which is said beside the choice.
        shipped: results that came with the program, as long as they are the ones drawn.
        frame: one row per run; those of ``shipped`` where it is given.
    """

    sweep: Sweep | None
    shipped: Precomputed | None
    frame: pd.DataFrame


def _draw_run(preset: Preset | None, make_sweep: Callable[[], Sweep | None]) -> _Results:
    """Draw the run's controls, and return the sweep with its results.

    The shipped ones are returned until all are computed here, or until the first private ones are
    while the sweep runs. If the sweep is refused, the reason is drawn, and there are neither a
    sweep nor results.
    """
    try:
        sweep = make_sweep()
        assert sweep is not None  # figures without one are drawn as shipped
        shipped_results = stored_results(preset.name) if preset else None
        computed_rows = runs.results(sweep)
        is_complete = len(computed_rows) == sweep.n_cells
        if is_complete or (runs.is_running(sweep) and _has_private_numbers(computed_rows)):
            shipped_results = None
        panel_name = preset.name if preset else "own"
        runs.panel(sweep, panel_name, start_label="Run it again" if shipped_results else "Run it")
    except DpldaError as error:
        st.info(literal(str(error)), icon=":material/tune:")
        return _Results(sweep=None, shipped=None, frame=pd.DataFrame())
    return _Results(
        sweep, shipped_results, computed_rows if shipped_results is None else shipped_results.frame
    )


def _has_private_numbers(frame: pd.DataFrame) -> bool:
    return len(frame) > 0 and bool(frame["epsilon"].notna().any())
