"""The experiment's own cell by simulation: what comes out, beside what was predicted; a sweep of one setting."""

import math
from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dplda.core.errors import DpldaError
from dplda.core.formatting import digits
from dplda.corpus import Simulation
from dplda.experiments.sweeps import Setting, Sweep
from dplda.figures.errors.regimes import in_words
from dplda.methods.registry import parse_method
from dplda.theory.prediction.advice import advice
from dplda.theory.prediction.expected import expected
from dplda.theory.prediction.regime_axes import Point
from dplda.ui.literal import literal
from dplda.ui.shell import glossary
from dplda.ui.shell.foreseen import own_point
from dplda.ui.shell.frame import Experiment
from dplda.ui.state import runs, sweep_files

PANEL = "regimes"


def check(experiment: Experiment, methods: Sequence[str]) -> None:
    """Draw the run, and its errors beside the predicted ones."""
    glossary.heading("Does it hold on simulated documents?", "truth l1 prediction seed")
    st.caption(
        "Documents are drawn from the very population that is predicted for at your numbers, every method runs on them"
        " once, and its topics are compared with the truth. For another cell, click it in the map first."
    )
    here = own_point(experiment)
    compared = tuple(dict.fromkeys((*methods, experiment.settings.method.text)))
    try:
        sweep = _sweep(here, compared, experiment.settings.seed)
    except DpldaError as error:
        st.info(literal(str(error)), icon=":material/block:")
        return
    # However much stands in it, the run takes one place on the page: what fills in below then never moves to another.
    with st.container():
        runs.panel(sweep, PANEL, start="Simulate your experiment")
    runs.live(sweep, PANEL, partial(_table, compared, here))
    sweep_files.draw(sweep, PANEL, None)


def _sweep(here: Point, methods: Sequence[str], seed: int) -> Sweep:
    simulation = Simulation(
        n_documents=here.n_documents,
        n_words=here.n_words,
        n_topics=here.n_topics,
        alpha0=here.alpha0,
        mean_length=here.mean_length,
    )
    setting = Setting("simulated", simulation, here.n_topics, here.alpha0)
    asked = tuple(map(parse_method, methods))
    return Sweep((setting,), asked, epsilons=(here.epsilon,), delta=here.delta, seed=seed)


def _table(methods: Sequence[str], here: Point, frame: pd.DataFrame) -> None:
    """Both errors of every method that has run, and which to use by what was measured."""
    shown = frame[frame["failed"] == ""].set_index("method")
    found = shown["l1_mean"].where(shown["resolved"] > 0).map(_error).where(shown["refused"] == "", "refused")
    rows = [
        {
            "method": parse_method(text).label,
            "predicted": in_words(expected([here], text)[0]),
            "simulated": found[text],
        }
        for text in methods
        if text in found
    ]
    if rows:
        st.table(pd.DataFrame(rows).set_index("method"))
        measured = {str(text): error for text, error in shown["l1_mean"].dropna().items()}
        st.markdown(f"**Measured**: {advice(here, measured)}")
        st.caption(
            "Mean L1 error. One draw of documents and of noise: where two methods are close, another draw may turn the"
            " winner. A sweep of several draws, the same at other numbers, is on Error curves."
        )


def _error(error: float) -> str:
    return "no topic above its noise" if math.isnan(error) else digits(error, 2)
