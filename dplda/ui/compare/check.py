"""The experiment's own cell by simulation, beside what was predicted of it; a sweep of one setting."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dplda.core.errors import DpldaError
from dplda.core.formatting import digits
from dplda.experiments.sweeps import Setting, Sweep
from dplda.figures.errors.regimes import in_words
from dplda.methods.registry import parse_method
from dplda.theory.prediction.advice import advice
from dplda.theory.prediction.expected import expected
from dplda.theory.prediction.regime_axes import Point
from dplda.ui.compare import own_sweep
from dplda.ui.literal import literal
from dplda.ui.shell.foreseen import own_point
from dplda.ui.shell.frame import Experiment
from dplda.ui.state import runs

PANEL = "regimes"


def fold(experiment: Experiment, methods: Sequence[str]) -> None:
    """The run, and its errors beside the predicted ones."""
    with st.expander("Check the prediction by simulation", icon=":material/science:"):
        st.caption("Every method runs once on documents drawn at your numbers. Its topics are compared with the truth.")
        _check(experiment, methods)


def _check(experiment: Experiment, methods: Sequence[str]) -> None:
    here = own_point(experiment)
    compared = tuple(dict.fromkeys((*methods, experiment.settings.method.text)))
    try:
        setting = Setting("simulated", own_sweep.reference(here), here.n_topics, here.alpha0)
        asked, seed = tuple(map(parse_method, compared)), experiment.settings.seed
        sweep = Sweep((setting,), asked, epsilons=(here.epsilon,), delta=here.delta, seed=seed)
    except DpldaError as error:
        st.info(literal(str(error)), icon=":material/block:")
        return
    with st.container():  # one place, however much is in it
        runs.panel(sweep, PANEL, start="Simulate your experiment")
    runs.live(sweep, PANEL, partial(_table, compared, here))


def _table(methods: Sequence[str], here: Point, frame: pd.DataFrame) -> None:
    """Both errors of every method that has run, and which to use by what was measured."""
    shown = frame[frame["failed"] == ""].set_index("method")
    errors = shown["l1_mean"].map(partial(digits, n=2)).where(shown["resolved"] > 0, "no topic above its noise")
    found = errors.where(shown["refused"] == "", "refused")
    rows = [
        {
            "method": parse_method(text).title,
            "predicted": in_words(expected([here], text)[0]),
            "simulated": found[text],
        }
        for text in methods
        if text in found
    ]
    if rows:
        st.table(pd.DataFrame(rows).set_index("method"))
        measured = {str(text): error for text, error in shown["l1_mean"].dropna().items()}
        st.markdown(f"Measured once: {advice(here, measured)}")
        st.caption("Mean L1 error. Where two methods are close, another draw may change the winner.")
