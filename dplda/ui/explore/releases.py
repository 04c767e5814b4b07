"""What can be counted of a run: its errors, and the spectrum with its floor."""

import streamlit as st

from dplda import figures
from dplda.evaluation import topic_error
from dplda.figures.topics.corpus import n_hidden
from dplda.ui.explore.comparison import Comparison
from dplda.ui.shell import figure_view
from dplda.ui.shell.frame import Experiment


def draw(experiment: Experiment, found: Comparison) -> None:
    """All of it, of which nothing is shown before somebody asks."""
    _errors(experiment, found)
    _spectrum(experiment, found)


def _errors(experiment: Experiment, found: Comparison) -> None:
    """Distance to the truth, where it is known."""
    truth, k = experiment.corpus.truth, experiment.settings.problem.n_topics
    if truth is None:
        return
    if len(truth.topics) != k:
        st.caption(f"The documents have {len(truth.topics)} true topics. Set k to {len(truth.topics)} to see errors.")
        return
    of = ((found.private, "private"), (found.exact, "without noise"))
    said = (f"**{topic_error(truth.topics, fit.topics.words).l1_mean:.3f}** {name}" for fit, name in of if fit)
    st.markdown(f"L1 error to the true topics: {', '.join(said)} (0: the same; 2: no word in common).")


def _spectrum(experiment: Experiment, found: Comparison) -> None:
    """Eigenvalues of the noisy pair moment beside the un-noised ones, and the floor; of methods that have them."""
    private = found.private.curator.whitening
    if private is None:
        return
    beside = found.exact.curator.whitening if found.exact else None
    exact = beside.spectrum if beside else None
    figure = figures.spectrum(
        private.spectrum,
        noise_floor=private.noise_floor,
        rising=private.rising,
        exact=exact,
        watermark=experiment.watermark,
    )
    figure_view.draw(figure, "topics.spectrum")
    hidden = n_hidden(private.spectrum) + (0 if exact is None else n_hidden(exact))
    said = "Each topic lifts one eigenvalue of the pair moment M₂."
    if private.noise_floor:
        said += " Noise alone would lift them up to the dashed line."
        if private.rising < private.resolved:
            said += f" As published, the first {private.resolved} are used as topics anyway."
        elif not private.rising and private.spectrum[0] > private.noise_floor:
            said += " A single one above it shows only the overall word frequencies, not a topic."
    else:
        said += " This method puts no noise on it."
    st.caption(said + (f" {hidden} that are not positive do not fit on a logarithmic axis." if hidden else ""))
