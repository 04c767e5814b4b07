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
_curve = lru_cache(maxsize=512)(prediction_curve)
WAYS = {
    Axis.TOPICS: "fewer topics",
    Axis.WORDS: "a smaller vocabulary",
    Axis.DOCUMENTS: "more {}s",
    Axis.EPSILON: "a larger ε",
}


def own_point(experiment: LoadedExperiment) -> Point:
    """The experiment's public numbers; for a sensitive corpus the mean length is a guess, because it is not public."""
    corpus, settings = experiment.corpus, experiment.settings
    length = (
        MEAN_LENGTH
        if experiment.is_sensitive
        else max(1.0, corpus.counts.data.sum() / corpus.n_documents)
    )
    return Point(
        n_documents=corpus.n_documents,
        n_topics=settings.problem.n_topics,
        n_words=corpus.n_words,
        alpha0=settings.problem.alpha0,
        mean_length=round(length),
        epsilon=float(settings.budget.epsilon),
        delta=settings.budget.delta,
    )


def warn_if_unreadable(here: Point, unit: str = "document") -> None:
    """Warn if no method is expected to find readable topics, and say what would help."""
    if (helps := remedies(here)) is None:
        return
    (least,) = least_errors([here])
    said = f"**Topics will hardly be readable here**: expect an L1 error of {least:.2g} or so at best (maximum 2)."
    ways = [
        f"{WAYS[axis].format(unit)} ({axis.symbol} = {axis.text(value)})"
        for axis, value in helps.items()
    ]
    said += (
        f" To get below {READABLE:g}: {' or '.join(ways)}." if ways else " No single change helps."
    )
    st.warning(said, icon=":material/visibility_off:")


def predicted_curves(experiment: LoadedExperiment) -> tuple[ErrorCurve, ...]:
    """Every method's predicted mean L1 error against ε, at the experiment's public numbers."""
    anywhere = own_point(experiment).moved(Axis.EPSILON, EPSILONS[0])  # the same at every step of ε
    return tuple(_curve(anywhere, text, EPSILONS) for text in predicted_methods())


def draw_predicted_curves(experiment: LoadedExperiment, key: str) -> None:
    """Draw every method's predicted error against ε, at the experiment's public numbers."""
    epsilon, chosen = float(experiment.settings.budget.epsilon), experiment.settings.method.text
    predictions = predicted_curves(experiment)
    figure_view.draw(figures.predictions(predictions, epsilon=epsilon, chosen=chosen), key)
    st.caption(
        "Predicted for documents drawn from the model; real ones may differ. Solid: proven. Dashed: as published."
        f" Recommended: {RECOMMENDATION_RULE}. No line: none predicted, or one word list for all topics."
    )
