"""The answer at the top of Compare: which method to use for the experiment's own numbers."""

from collections.abc import Sequence

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

PLACE = "answer"  # key of its container, whose height does not follow the answer's
GUESSED_LENGTH = " (a guess: lengths of sensitive documents are not public)"
ON_REAL_TEXT = " On real text errors can be larger."


def header(loaded: LoadedExperiment) -> Header:
    """Make the page's header: the documents' name, and the numbers that the answer omits.

    Those are α₀, length, δ and seed. Of sensitive documents the length is said to be a guess.
    """
    settings_point, corpus = own_point(loaded), loaded.corpus
    length_note = GUESSED_LENGTH if loaded.is_sensitive else ""
    header_parts = (
        f"**{literal(corpus.name)}** ({corpus.label})",
        f"α₀ {settings_point.alpha0:g}",
        f"{settings_point.mean_length} words a document{length_note}",
        f"δ {delta_text(settings_point.delta)}",
        f"noise seed {loaded.experiment.seed}",
    )
    return Header(header_parts, on_documents=False)


def draw(loaded: LoadedExperiment, method_texts: Sequence[str] | None = None) -> None:
    """Draw which method to take at the experiment's numbers, its error, and the second best.

    Errors that were measured at this ε replace predictions. On documents that are not simulated, a
    reservation follows.

    Args:
        loaded: documents and experiment.
        method_texts: texts of those to choose from; all with predictions by default.
    """
    point = own_point(loaded)
    numbers_text = f"N {point.n_documents:,}, d {point.n_words:,}, k {point.n_topics}"
    recommendation = advice(point, _measured_errors(loaded), method_texts)
    answer = f"At your numbers ({numbers_text}) and ε = {point.epsilon:g}, {recommendation}"
    reservation = "" if loaded.corpus.label is Label.SIMULATED else ON_REAL_TEXT
    st.markdown(answer + reservation)


def _measured_errors(loaded: LoadedExperiment) -> dict[str, float]:
    """Median over runs of the mean L1 error by method, as measured on Error curves at this ε.

    Empty if nothing was run at this ε, or the sweep is refused.
    """
    try:
        sweep_results = runs.results(own_sweep.sweep(loaded))
    except DpldaError:  # said where a run is started
        return {}
    rows_at_epsilon = sweep_results[
        sweep_results["epsilon"] == float(loaded.experiment.budget.epsilon)
    ]
    rows_with_error = rows_at_epsilon.dropna(subset="l1_mean")
    median_by_method = rows_with_error.groupby("method")["l1_mean"].median()
    return {str(method): float(error) for method, error in median_by_method.items()}
