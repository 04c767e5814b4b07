"""What is predicted for the experiment from its public numbers, and what would help."""

from functools import lru_cache

import streamlit as st

from dplda import figures
from dplda.theory.prediction.advice import READABLE, least_errors, remedies
from dplda.theory.prediction.curves import ErrorCurve, prediction_curve
from dplda.theory.prediction.expected import MEAN_LENGTH, predicted_methods
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.regimes import HEAD_START
from dplda.ui.shell import figure_view
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state.link import EPSILONS

RECOMMENDATION_RULE = (
    f"the one with the smallest error, or *Refined* where no other is {1 - HEAD_START:.0%} smaller"
)
_predict_curve = lru_cache(maxsize=512)(prediction_curve)
REMEDIES = {
    Axis.TOPICS: "fewer topics",
    Axis.WORDS: "a smaller vocabulary",
    Axis.DOCUMENTS: "more {}s",
    Axis.EPSILON: "a larger ε",
}
CURVES_CAPTION = (
    "Predicted for documents drawn from the model; real ones may differ. Solid: proven. Dashed: as"
    f" published. Recommended: {RECOMMENDATION_RULE}. No line: none predicted, or one word list for"
    " all topics."
)


def own_point(loaded: LoadedExperiment) -> Point:
    """The experiment's public numbers, as predictions take them.

    The mean length of sensitive documents is not public, so it is ``MEAN_LENGTH``.
    """
    corpus = loaded.corpus
    experiment = loaded.experiment
    mean_length = MEAN_LENGTH
    if not loaded.is_sensitive:
        mean_length = max(1.0, corpus.counts.data.sum() / corpus.n_documents)
    return Point(
        n_documents=corpus.n_documents,
        n_topics=experiment.problem.n_topics,
        n_words=corpus.n_words,
        alpha0=experiment.problem.alpha0,
        mean_length=round(mean_length),
        epsilon=float(experiment.budget.epsilon),
        delta=experiment.budget.delta,
    )


def warn_if_unreadable(point: Point, unit: str = "document") -> None:
    """Warn if no method is expected to find readable topics, and say what would help.

    Args:
        point: public numbers of an experiment.
        unit: what is protected: a document or a person.
    """
    values_that_help = remedies(point)
    if values_that_help is None:
        return
    (smallest_error,) = least_errors([point])
    remedy_phrases = [
        f"{REMEDIES[axis].format(unit)} ({axis.symbol} = {axis.text(value)})"
        for axis, value in values_that_help.items()
    ]
    advice = "No single change helps."
    if remedy_phrases:
        advice = f"To get below {READABLE:g}: {' or '.join(remedy_phrases)}."
    st.warning(
        "**Topics will hardly be readable here**: expect an L1 error of"
        f" {smallest_error:.2g} or so at best (maximum 2). {advice}",
        icon=":material/visibility_off:",
    )


def predicted_curves(loaded: LoadedExperiment) -> tuple[ErrorCurve, ...]:
    """Every method's predicted mean L1 error against ε, at the experiment's public numbers."""
    point = own_point(loaded).moved(Axis.EPSILON, EPSILONS[0])  # the same at every step of ε
    return tuple(_predict_curve(point, method, EPSILONS) for method in predicted_methods())


def draw_predicted_curves(loaded: LoadedExperiment, key: str) -> None:
    """Draw every method's predicted error against ε, at the experiment's public numbers."""
    figure = figures.predictions(
        predicted_curves(loaded),
        epsilon=float(loaded.experiment.budget.epsilon),
        chosen=loaded.experiment.method.text,
    )
    figure_view.draw(figure, key)
    st.caption(CURVES_CAPTION)
