"""Notes on a paper's figure: verdicts on its claims, what it reports, and why numbers differ."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dplda.experiments.papers.claims import Judged, judge_claims
from dplda.experiments.papers.precomputed import Precomputed
from dplda.experiments.papers.presets import PRESETS, Preset
from dplda.experiments.papers.readings import NoiseReading, readings_of
from dplda.experiments.papers.verdict_text import (
    describe_refusals,
    describe_verdict,
    verdict_table,
)
from dplda.experiments.storage.identity import code_version
from dplda.methods.base.method_names import PAPER_AUTHORS, RIVAL_AUTHORS
from dplda.ui.compare import chart
from dplda.ui.shell import views
from dplda.ui.state import session
from dplda.ui.state.keys import Key

CHART_TITLES = {
    NoiseReading.PUBLISHED: "Noise as published",
    NoiseReading.AUTHORS: "Noise as in the authors' code: not private",
    NoiseReading.UNSCALED: "Noise as inferred from the paper's figures: not private",
    NoiseReading.PROVEN: "",
}
"""Titles of a figure's chart; empty for the finding about proven methods."""
ANSWER_NOISE = {
    NoiseReading.PUBLISHED: "noise as published",
    NoiseReading.AUTHORS: "noise as in the authors' code (not private)",
    NoiseReading.UNSCALED: "noise as inferred from the figures (not private)",
    NoiseReading.PROVEN: "proven noise",
}
READING_HELP = (
    "*As published*: the printed formulas. *Authors' code*: the paper's public code, as read; not"
    " private. *Unscaled*: the same with smaller sensitivities, inferred from the figures; not"
    " private. *Proven*: corrected noise, and our methods."
)
VERDICTS_CAPTION = (
    "Draws of both methods are ranked on each corpus, over the claim's values of ε together. A"
    " claim holds if every comparison is found at level 1%. It does not hold if one is found"
    " reversed, at 1% shared among all."
)


@st.cache_data(show_spinner=False, max_entries=64, hash_funcs={pd.DataFrame: chart.fingerprint})
def judge(preset_name: str, frame: pd.DataFrame, column: str) -> tuple[Judged, ...]:
    """Test a figure's claims on a column of the results; nothing without private runs.

    Args:
        preset_name: name of the figure's preset.
        frame: the results, one row a run.
        column: the measure that its claims speak of.
    """
    if not len(frame) or frame["epsilon"].isna().all():
        return ()
    return judge_claims(PRESETS[preset_name].claims, frame, column)


def choose_reading(frame: pd.DataFrame) -> NoiseReading:
    """Ask which reading of the paper's noise a figure shows, where its results have several.

    The address keeps the choice. With fewer than two it is the published one, and nothing is asked.

    Args:
        frame: the figure's results.
    """
    readings = readings_of(frame) if len(frame) else []
    if len(readings) < 2:
        return NoiseReading.PUBLISHED
    draw_segments = partial(st.segmented_control, "Noise", required=True, help=READING_HELP)
    reading_names = list(map(str, readings))
    return NoiseReading(views.choose("compare", reading_names, Key.CURVES_READING, draw_segments))


def forget_reading() -> None:
    """Take the choice out of the address, where nothing depends on it."""
    session.write({Key.CURVES_READING: None})


def draw_answer(
    reading: NoiseReading, judged_claims: Sequence[Judged], lowest_errors_sentence: str
) -> None:
    """Draw the verdicts on a figure's claims; without claims, the smallest errors.

    Args:
        reading: of the paper's noise.
        judged_claims: its claims under this reading, with their verdicts.
        lowest_errors_sentence: which methods have the lowest errors at the ε of the page.
    """
    if not judged_claims:
        st.markdown(lowest_errors_sentence)
        return
    lines = [f"- {describe_verdict(judged)}" for judged in judged_claims]
    st.markdown("\n".join([f"The paper's claims, with {ANSWER_NOISE[reading]}:", "", *lines]))


def draw(
    preset: Preset, shipped_results: Precomputed | None, judged_claims: Sequence[Judged]
) -> None:
    """Draw an expander: what the paper reports, verdicts, why numbers differ, and what is run.

    A table of verdicts is left out without any. The label of shipped results is a caption, only if
    they are drawn and the figure is a sweep.

    Args:
        preset: the figure.
        shipped_results: results that came with the program, where they are drawn; else None.
        judged_claims: its claims, with their verdicts.
    """
    expander_title = "What the paper reports, and why these numbers differ"
    with st.expander(expander_title, icon=":material/menu_book:"):
        authors = RIVAL_AUTHORS if preset.name.startswith("park") else PAPER_AUTHORS
        st.markdown(f"**{authors} report.** {preset.reports}")
        if judged_claims:
            _draw_verdict_table(judged_claims)
        st.markdown(f"**Why they differ.** {preset.differs}")
        st.markdown(f"**What is run here.** {preset.chosen}")
        if shipped_results is not None and preset.sweep is not None:
            st.caption(shipped_results.label(spec=preset.sweep.to_toml(), version=code_version()))


def _draw_verdict_table(judged_claims: Sequence[Judged]) -> None:
    st.dataframe(verdict_table(judged_claims), hide_index=True, width="stretch")
    refusals = dict.fromkeys(filter(None, map(describe_refusals, judged_claims)))
    st.caption(" ".join([VERDICTS_CAPTION, *refusals]))
