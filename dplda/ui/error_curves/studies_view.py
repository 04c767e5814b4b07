"""The presets that are no sweeps: spectra, minibatches, top words; computed in this process, with progress."""

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.experiments.papers.batches import Batches, same_noise
from dplda.experiments.papers.curves import curves_of
from dplda.experiments.papers.precomputed import Precomputed
from dplda.experiments.papers.presets import Kind, Preset
from dplda.experiments.papers.recompute import compute, spec_of
from dplda.experiments.storage.identity import code_version
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, sweep_files
from dplda.ui.shell.keys import Key
from dplda.ui.shell.progress import allow, watched


def show(preset: Preset, stored: Precomputed | None) -> None:
    """Draw the latest result: of this session, or else the one that came with the program."""
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
    """Its curves, or else its words beside each other, a column a method."""
    curves = curves_of(preset.kind, frame)
    if curves is None:
        st.markdown(f"**What comes out here.** {kept_words(frame)}")
        words = frame.pivot(index=["topic", "rank"], columns="column", values="word").reset_index()
        st.dataframe(words, hide_index=True, width="stretch")
        return
    xs, named = curves.index.tolist(), {str(name): curves[name].tolist() for name in curves}
    x_title, y_title = str(curves.index.name), str(curves.columns.name)
    title = f"{y_title[:1].upper()}{y_title[1:]} over {x_title}"
    log = preset.kind is not Kind.BATCHES
    figure = figures.lines(xs, named, title=title, x_title=x_title, y_title=y_title, log_y=log)
    figure_view.draw(figure, f"curves.{preset.name}")
    st.markdown(f"**What comes out here.** {figure.alt.removeprefix(title)[2:]}")
    if preset.kind is Kind.BATCHES:
        st.caption(
            "S: documents in a minibatch, on average; one run a mark, the batch bounded as published. What ε every"
            " accountant gives these runs, and runs that bound every document, stand in the numbers."
        )
        _accountants(f"curves.{preset.name}.accountants")


def _accountants(key: str) -> None:
    """What the paper's own run is worth under four accountings."""
    with st.spinner("Adding up privacy losses …"):
        epsilons = same_noise(Batches())
    figure_view.draw(figures.accountants(epsilons), key)
    st.caption(
        "One epoch of minibatches of 20,000 out of 400,000 documents at σ = 1.24 and δ = 1e-4, which the paper reports"
        " as ε = 2.44. Neighbors add or remove a document, as in the paper."
    )


def kept_words(frame: pd.DataFrame) -> str:
    """How many of the top words without noise every other column keeps, a sentence with its numbers from the frame."""
    exact = frame[frame["column"] == "not private"].groupby("topic")["word"].agg(set)
    total = int(exact.map(len).sum())
    said = []
    for column, rows in frame[frame["column"] != "not private"].groupby("column", sort=False):
        kept = sum(len(exact[topic] & set(words["word"])) for topic, words in rows.groupby("topic"))
        said.append(f"{kept} under “{column}”")
    return f"Of the {total} top words without noise there remain {'; '.join(said)}."
