"""The answer at the top of Compare: which method to use for the experiment's own numbers."""

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus import Label
from dplda.theory.prediction.advice import advice
from dplda.ui.compare import own_sweep
from dplda.ui.literal import literal
from dplda.ui.shell.frame import Header, LoadedExperiment
from dplda.ui.shell.predictions import own_point
from dplda.ui.state import runs
from dplda.ui.state.link import delta_text

PLACE = "answer"  # whose height does not follow the answer's


def header(experiment: LoadedExperiment) -> Header:
    """A header with what the answer leaves out: the documents' name and their other public numbers."""
    here, corpus = own_point(experiment), experiment.corpus
    guess = (
        " (a guess: lengths of sensitive documents are not public)"
        if experiment.is_sensitive
        else ""
    )
    numbers = (
        f"α₀ {here.alpha0:g}",
        f"{here.mean_length} words a document{guess}",
        f"δ {delta_text(here.delta)}",
    )
    line = (
        f"**{literal(corpus.name)}** ({corpus.label})",
        *numbers,
        f"noise seed {experiment.settings.seed}",
    )
    return Header(line, on_documents=False)


def draw(experiment: LoadedExperiment) -> None:
    """The answer in one sentence."""
    here = own_point(experiment)
    numbers = f"N {here.n_documents:,}, d {here.n_words:,}, k {here.n_topics}"
    said = f"At your numbers ({numbers}) and ε = {here.epsilon:g}, {advice(here, _measured(experiment))}"
    real = (
        "" if experiment.corpus.label is Label.SIMULATED else " On real text errors can be larger."
    )
    st.markdown(said + real)


def _measured(experiment: LoadedExperiment) -> dict[str, float]:
    """Median of the mean L1 error per method, as measured by a run on Error curves at this ε."""
    try:
        frame = runs.results(own_sweep.sweep(experiment))
    except DpldaError:  # said where a run is started
        return {}
    there = frame[frame["epsilon"] == float(experiment.settings.budget.epsilon)]
    found = there.dropna(subset="l1_mean").groupby("method")["l1_mean"].median()
    return {str(text): float(error) for text, error in found.items()}
