"""The predicted map, and what is predicted of the experiment itself: which method to use, and what would help."""

from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np
import streamlit as st

from dplda import figures
from dplda.corpus import Label
from dplda.figures import Figure
from dplda.methods.registry import parse_method
from dplda.theory.prediction.advice import READABLE, advice, least_errors, remedies
from dplda.theory.prediction.curves import prediction_curve
from dplda.theory.prediction.expected import UNIGRAM, predicted_methods
from dplda.theory.prediction.regime_axes import Axis, Grid, Point
from dplda.theory.prediction.regimes import RegimeMap, predicted
from dplda.ui.regimes.adopt import adopt, clicked
from dplda.ui.regimes.page import filled, own_point
from dplda.ui.shell import figure_view
from dplda.ui.shell.frame import Experiment
from dplda.ui.shell.preview import STEPS
from dplda.ui.state import session
from dplda.ui.state.keys import Key

FINEST = 11  # values along an axis
WAYS = {
    Axis.TOPICS: "fewer topics",
    Axis.WORDS: "fewer words",
    Axis.DOCUMENTS: "more documents",
    Axis.EPSILON: "a larger ε",
}


def draw(experiment: Experiment, grid: Grid, methods: Sequence[str]) -> None:
    """Draw the predicted map, and say what is predicted here."""
    fine = filled(grid, FINEST)
    found, figure = _drawn(fine, tuple(methods), grid.base)
    key = "regimes.winners"
    figure_view.draw(figure, key, on_select=partial(clicked, found, grid.base, key))
    _alone(found)
    st.caption(
        "A cell stands for a whole experiment. Its colour and letter name the method with the smallest predicted error."
        " A question mark: too close to call. P: no method is better than one private list of words. Hover for all"
        " errors; click to make the cell your experiment, which the cross marks."
    )
    _at_home(grid.base)


@lru_cache(maxsize=64)
def _drawn(fine: Grid, methods: tuple[str, ...], here: Point) -> tuple[RegimeMap, Figure]:
    found = predicted(fine, methods)
    return found, figures.regimes(found, here=here)


def _at_home(here: Point) -> None:
    """Which method to use in the experiment itself, in one sentence; and what would help where all fail."""
    numbers = f"N = {here.n_documents:,}, ε = {here.epsilon:g}, d = {here.n_words:,}, k = {here.n_topics}"
    st.markdown(f"**At your numbers** ({numbers}): {advice(here)}")
    fails(here)


def fails(here: Point) -> None:
    """Say beforehand that no method will find readable topics, and offer what would help."""
    helps = remedies(here)
    if helps is None:
        return
    (least,) = least_errors([here])
    said = f"**Topics will hardly be readable here**: the smallest mean L1 error to expect is {least:.2g} of at most 2."
    ways = [f"{WAYS[axis]} {axis.symbol} = {axis.text(value)}" for axis, value in helps.items()]
    said += f" {READABLE:g} is reached with {', or '.join(ways)}." if ways else " Nothing helps alone."
    st.warning(said, icon=":material/visibility_off:")
    with st.container(horizontal=True):
        for axis in (Axis.TOPICS, Axis.WORDS):
            if axis in helps:
                st.button(
                    f"{WAYS[axis].capitalize()}: {axis.symbol} = {axis.text(helps[axis])}",
                    key=f"{Key.REGIME_HELP}.{axis}",
                    on_click=adopt,
                    args=(here, here.moved(axis, helps[axis])),
                )


def foreseen(experiment: Experiment) -> None:
    """The same where documents are drawn from the model, of which predictions are."""
    if experiment.corpus.label is Label.SIMULATED:
        fails(own_point(experiment))


def _alone(found: RegimeMap) -> None:
    """Where one method has the smallest error wherever any does: a button that takes it out, to compare the others."""
    winners = {found.methods[winner] for winner in np.unique(found.winners) if winner >= 0} - {UNIGRAM}
    if len(winners) != 1 or len(found.methods) < 3:
        return
    alone = winners.pop()
    st.button(
        f"Compare without {parse_method(alone).title}",
        icon=":material/person_remove:",
        key=Key.REGIME_WITHOUT,
        on_click=session.put,
        args=(Key.REGIME_METHODS, [text for text in found.methods if text not in (alone, UNIGRAM)]),
        help="Takes it out of the methods compared below; there it comes back.",
    )


def curves(experiment: Experiment, key: str) -> None:
    """The error to expect of every method against ε, at the experiment's public numbers, and which to use."""
    here, chosen = own_point(experiment), experiment.settings.method.text
    found = [prediction_curve(here, text, STEPS) for text in predicted_methods()]
    figure_view.draw(figures.predictions(found, epsilon=here.epsilon, chosen=chosen), key)
    st.caption(
        f"From public numbers alone: {advice(here)} Predictions are of runs on documents drawn from the model; real"
        " documents may differ. Where a line is missing, the method answers with one list of words, or refuses."
    )
