"""The presets that are no sweeps: the shipped numbers of spectra, minibatches and top words."""

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.experiments.papers.curves import MINIBATCHES, curves_of, same_noise
from dplda.experiments.papers.precomputed import Precomputed
from dplda.experiments.papers.presets import Preset
from dplda.experiments.storage.identity import code_version
from dplda.ui.shell import figure_view
from dplda.ui.state import sweep_files


def show(preset: Preset, stored: Precomputed | None) -> None:
    """Draw the results that came with the program."""
    if stored is None:
        return
    _draw(preset, stored.frame)
    label = stored.label(spec=None, version=code_version())
    st.caption(f":material/inventory_2: Shipped with dplda. {label} It is not run here.")
    with st.container(horizontal=True):
        sweep_files.table(lambda: stored.frame, preset.name)


def _draw(preset: Preset, frame: pd.DataFrame) -> None:
    """Its curves, or else its words beside each other, a column a method."""
    curves = curves_of(preset.name, frame)
    if curves is None:
        st.markdown(f"**What comes out here.** {kept_words(frame)}")
        words = frame.pivot(index=["topic", "rank"], columns="column", values="word").reset_index()
        st.dataframe(words, hide_index=True, width="stretch")
        return
    xs, named = curves.index.tolist(), {str(name): curves[name].tolist() for name in curves}
    x_title, y_title = str(curves.index.name), str(curves.columns.name)
    title = f"{y_title[:1].upper()}{y_title[1:]} over {x_title}"
    log = preset.name != MINIBATCHES
    figure = figures.lines(xs, named, title=title, x_title=x_title, y_title=y_title, log_y=log)
    figure_view.draw(figure, f"curves.{preset.name}")
    st.markdown(f"**What comes out here.** {figure.alt.removeprefix(title)[2:]}")
    if preset.name == MINIBATCHES:
        st.caption(
            "S: documents in a minibatch, on average; one run a mark, the batch bounded as published. What ε every"
            " accountant gives these runs, and runs that bound every document, stand in the numbers."
        )
        _accountants(f"curves.{preset.name}.accountants")


def _accountants(key: str) -> None:
    """What the paper's own run is worth under four accountings."""
    with st.spinner("Adding up privacy losses …"):
        figure = figures.accountants(same_noise())
    figure_view.draw(figure, key)
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
