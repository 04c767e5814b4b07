"""How alike the topics of any two fits are."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.figures import Lane
from dplda.figures.topics.lanes import lane
from dplda.methods.problem import Origin
from dplda.methods.registry import METHODS, parse_method
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view
from dplda.ui.shell.frame import Experiment
from dplda.ui.state import cache
from dplda.ui.state.keys import Key
from dplda.ui.topics.comparison import Comparison


def distances(experiment: Experiment, found: Comparison, names: Mapping[int, str]) -> None:
    """A heat map between any two fits: those shown, and any method at the sidebar's settings."""
    left, right = st.columns(2)
    with left:
        rows = _fit("Rows", experiment, found, Key.COMPARE_ROWS, 0)
    with right:
        columns = _fit("Columns", experiment, found, Key.COMPARE_COLUMNS, 1)
    if rows is None or columns is None:
        return
    figure_view.with_file(figures.distances(rows, columns, watermark=experiment.watermark), "topics.distances")
    st.caption(
        "Jensen–Shannon distance: 0 for the same words, 1 for none in common. A dark diagonal: each topic is its own"
        " twin. Two dark cells in a row: a topic that the other fit has split."
    )


def _fit(label: str, experiment: Experiment, found: Comparison, key: Key, first: int) -> Lane | None:
    """A fit to choose; None where it was refused or cancelled, which is then said."""
    shown = ["private", *(lane.title for lane in found.lanes[1:])]
    own = experiment.settings.method.text
    # A run on sensitive documents is another release, and never made by looking.
    others = (
        []
        if experiment.sensitive
        else [text for text in METHODS if text not in (own, experiment.settings.method.beside)]
    )
    places: list[int | str] = [*range(len(shown)), *others]
    if st.session_state.get(key, first) not in places:
        st.session_state[key] = first
    place = st.selectbox(
        label,
        places,
        index=first,
        format_func=lambda place: shown[place] if isinstance(place, int) else _named(place, experiment),
        key=key,
        persist_state="session",
        help="The topics shown, or those of any other method on the same documents, with the same k, α₀, ε and seed.",
        width=320,
    )
    return found.lanes[place] if isinstance(place, int) else _of_method(place, experiment, found)


def _of_method(text: str, experiment: Experiment, found: Comparison) -> Lane | None:
    corpus, settings, method = experiment.corpus, experiment.settings, parse_method(text)
    try:
        if method.needs_epsilon:
            other = cache.found(
                corpus,
                replace(settings, method=method, budget=replace(settings.budget, split=(), chosen=Origin.BEFOREHAND)),
            )
        else:
            other = cache.without_noise(corpus, settings, text)
    except DpldaError as error:
        st.info(literal(str(error)), icon=":material/block:")
        return None
    return None if other is None else lane(_named(text, experiment), other.topics, found.exact.topics.words)


def _named(text: str, experiment: Experiment) -> str:
    method = parse_method(text)
    return f"{method.title}, ε = {experiment.settings.budget.epsilon:g}" if method.needs_epsilon else method.title
