"""The presets that are no sweeps: spectra, minibatches, top words; computed in this process, with progress."""

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.configurations import Calibration
from dplda.errors import DpldaError
from dplda.papers.precomputed import Precomputed
from dplda.papers.presets import Kind, Preset
from dplda.papers.recompute import compute, spec_of
from dplda.shown import digits
from dplda.sweeps.identity import code_version
from dplda.ui.error_curves.chart_view import PLOTLY
from dplda.ui.literal import literal
from dplda.ui.shell import sweep_files
from dplda.ui.shell.choices import one_of
from dplda.ui.shell.keys import Key
from dplda.ui.shell.progress import allow, watched

_DRAWN = {
    Kind.PAIR_SPECTRUM: (figures.pair_spectrum, figures.pair_spectrum_alt, figures.pair_spectrum_finding),
    Kind.TENSOR_GAPS: (figures.tensor_gaps, figures.tensor_gaps_alt, figures.tensor_gaps_finding),
}
"""Figure, the figure in words, and what it says."""


def show(preset: Preset, stored: Precomputed | None) -> None:
    """Draw the latest result: of this session, or else the one that came with the program.

    Args:
        preset: which is no sweep.
        stored: its shipped result; None where there is none.
    """
    held = f"{Key.CURVES_AGAIN}.{preset.name}.result"
    if st.session_state.get(f"{Key.CURVES_AGAIN}.{preset.name}.asked"):
        fresh = _computed(preset)
        if fresh is not None:
            st.session_state[held] = fresh
            st.session_state[f"{Key.CURVES_AGAIN}.{preset.name}.asked"] = False
    own: Precomputed | None = st.session_state.get(held)
    result = own or stored
    if result is not None:
        _draw(preset, result.frame)
        where = "Computed here." if own is not None else ":material/inventory_2: Shipped with dplda."
        st.caption(f"{where} {result.label(spec=spec_of(preset), version=code_version())}")
    with st.container(horizontal=True):
        st.button(
            "Run it again" if result is not None else "Run it",
            icon=":material/play_arrow:",
            key=f"{Key.CURVES_AGAIN}.{preset.name}",
            on_click=_ask,
            args=(preset.name,),
        )
        if result is not None:
            sweep_files.table(lambda: result.frame, preset.name)


def _ask(name: str) -> None:
    allow()
    st.session_state[f"{Key.CURVES_AGAIN}.{name}.asked"] = True


def _computed(preset: Preset) -> Precomputed | None:
    try:
        return watched(f"preset.{preset.name}", lambda report: compute(preset, report=report))
    except DpldaError as error:
        st.error(literal(str(error)))
        return None


def _draw(preset: Preset, frame: pd.DataFrame) -> None:
    key = f"curves.{preset.name}"
    if preset.kind in _DRAWN:
        draw, alt, finding = _DRAWN[preset.kind]
        st.plotly_chart(draw(frame), key=key, alt=alt(frame), config=PLOTLY)
        st.markdown(f"**What comes out here.** {finding(frame)}.")
    elif preset.kind is Kind.BATCHES:
        _batches(frame, key)
    else:
        _words(frame)


def _batches(frame: pd.DataFrame, key: str) -> None:
    chosen = one_of(
        "What is bounded",
        list(_BOUNDED),
        key=f"{Key.CURVES_MEASURE}.batches",
        help="As published the statistic of a whole minibatch is scaled down; proven is clipping every document.",
    )
    calibration = _BOUNDED[chosen]
    alt = figures.batches_alt(frame, calibration=calibration)
    st.plotly_chart(figures.batches(frame, calibration=calibration), key=key, alt=alt, config=PLOTLY)
    st.caption(
        "S: documents in a minibatch, on average. Each mark is one run with one σ, the largest σ leftmost; the three"
        " lines of an S are the same runs. Another draw of the noise may reorder those that are close."
    )
    st.markdown(f"**What comes out here.** {figures.batches_finding(frame, calibration=calibration)}.")


_BOUNDED = {"the batch, as published": Calibration.PUBLISHED, "every document, proven": Calibration.CORRECTED}


def _words(frame: pd.DataFrame) -> None:
    """One table a topic, a column a method; words are data and shown literally."""
    st.markdown(f"**What comes out here.** {kept_words(frame)}")
    for topic, rows in frame.groupby("topic"):
        st.markdown(f"**Topic {topic}**")
        shown = {}
        for column, ranked in rows.groupby("column", sort=False):
            pairs = zip(ranked["word"], ranked["probability"], strict=True)
            shown[str(column)] = [f"{word}  {probability:.4f}" for word, probability in pairs]
        st.dataframe(pd.DataFrame(shown), hide_index=True, width="stretch")
    noise = frame.dropna(subset="sigma").groupby("column", sort=False)["sigma"].first()
    st.caption("Noise: " + "; ".join(f"{column}, σ = {digits(sigma)}" for column, sigma in noise.items()) + ".")


def kept_words(frame: pd.DataFrame) -> str:
    """How many of the top words without noise every other column keeps, a sentence with its numbers from the frame."""
    exact = frame[frame["column"] == "not private"].groupby("topic")["word"].agg(set)
    total = int(exact.map(len).sum())
    said = []
    for column, rows in frame[frame["column"] != "not private"].groupby("column", sort=False):
        kept = sum(len(exact[topic] & set(words["word"])) for topic, words in rows.groupby("topic"))
        said.append(f"{kept} under “{column}”")
    return f"Of the {total} top words without noise there remain {'; '.join(said)}.{_same(frame)}"


def _same(frame: pd.DataFrame) -> str:
    """Says it where two noisy columns show the very same words, which would look like a mistake."""
    noisy = frame[frame["column"] != "not private"]
    by_words: dict[tuple[str, ...], list[str]] = {}
    for column, rows in noisy.groupby("column", sort=False):
        by_words.setdefault(tuple(map(str, rows["word"])), []).append(f"“{column}”")
    alike = [columns for columns in by_words.values() if len(columns) > 1]
    if not alike:
        return ""
    return (
        f" {' and '.join(alike[0])} show the same words, though σ differs: both are drawn from one seed, and what is"
        " left is that noise, whatever its size."
    )
