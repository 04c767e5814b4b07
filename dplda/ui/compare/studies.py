"""The papers' figures that are no sweeps: shipped numbers of spectra, minibatches and top words."""

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.experiments.papers.curves import MINIBATCHES, curves_of, kept_words, same_noise
from dplda.experiments.papers.precomputed import stored_results
from dplda.experiments.papers.presets import Preset
from dplda.experiments.storage.identity import code_version
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view


def draw(preset: Preset) -> pd.DataFrame:
    """Draw the results that came with the program, and give them; nothing where their file is damaged."""
    try:
        stored = stored_results(preset.name)
    except DpldaError as error:
        st.error(literal(str(error)))
        stored = None
    if stored is None:
        return pd.DataFrame()
    _picture(preset, stored.frame)
    st.caption(f"Shipped with dplda. {stored.label(spec=None, version=code_version())} It cannot be run here.")
    return stored.frame


def _picture(preset: Preset, frame: pd.DataFrame) -> None:
    """Its curves, or else its words beside each other, a column a method."""
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
        st.caption("S is the mean number of documents in a minibatch. Each mark is one run, clipped as published.")
        figure_view.draw(figures.accountants(same_noise()), f"curves.{preset.name}.accountants")
        st.caption(
            "The paper's own run under four accountings: one epoch of minibatches of 20,000 from 400,000 documents, σ ="
            " 1.24, δ = 1e-4."
        )
