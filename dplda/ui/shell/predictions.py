"""Predictions for the experiment from its public numbers, and changes that would help."""

from collections.abc import Sequence
from functools import lru_cache

import streamlit as st

from dplda import figures
from dplda.methods.base.calibration import Calibration
from dplda.methods.registry import parse_method
from dplda.theory.prediction.advice import READABLE, least_errors, remedies
from dplda.theory.prediction.curves import ErrorCurve, prediction_curve
from dplda.theory.prediction.expected import MEAN_LENGTH, known, predicted_methods
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
    f" published. Bands: nine in ten runs. Recommended: {RECOMMENDATION_RULE}."
)


def own_point(loaded: LoadedExperiment) -> Point:
    """The experiment's public numbers, as predictions take them.

    The mean length of sensitive documents is not public, so it is ``MEAN_LENGTH``. Any other is
    rounded, and at least 1.
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
    """Draw a warning if no method is expected to find readable topics, with what would help.

    Draws nothing otherwise.

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


def predicted_curves(
    loaded: LoadedExperiment, *, as_published: bool = False
) -> tuple[ErrorCurve, ...]:
    """Predict mean L1 errors over ε, one curve a method, at the experiment's public numbers.

    Every method has its recommended calibration. The experiment's own method comes last, with its
    own calibration, if it is predicted.

    Args:
        loaded: the experiment.
        as_published: whether methods have the noise that a paper prints; those for which that is
            not predicted keep their own.
    """
    # The same at every step of ε.
    numbers_at_first_epsilon = own_point(loaded).moved(Axis.EPSILON, EPSILONS[0])
    methods_in_order = {
        _published_form(method) if as_published else method: None for method in predicted_methods()
    }
    own_method = loaded.experiment.method.text
    if own_method in known():
        methods_in_order[own_method] = None
    return tuple(
        _predict_curve(numbers_at_first_epsilon, method, EPSILONS) for method in methods_in_order
    )


def _published_form(method: str) -> str:
    """A method's text with the noise that a paper prints, if that is predicted; else its own."""
    published = f"{method.partition('/')[0]}/{Calibration.PUBLISHED}"
    return published if published in known() else method


def draw_predicted_curves(
    loaded: LoadedExperiment, key: str, *, as_published: bool = False
) -> None:
    """Draw predicted errors over ε, with a caption that names methods without a prediction.

    The experiment's ε and its own method are marked.

    Args:
        loaded: the experiment.
        key: of the figure.
        as_published: as for ``predicted_curves``.
    """
    curves = predicted_curves(loaded, as_published=as_published)
    figure = figures.predictions(
        curves,
        epsilon=float(loaded.experiment.budget.epsilon),
        chosen=loaded.experiment.method.text,
    )
    figure_view.draw(figure, key)
    st.caption(CURVES_CAPTION + describe_missing_curves(curves))


def describe_missing_curves(curves: Sequence[ErrorCurve]) -> str:
    """Name the methods that have no point at any ε; empty where every curve is drawn."""
    titles = [parse_method(curve.configuration).title for curve in curves if not curve.drawn]
    if not titles:
        return ""
    return f" Not drawn: {'; '.join(titles)} (too noisy here, or not predicted)."
