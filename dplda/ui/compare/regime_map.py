"""Regimes: a map of the method with the smallest predicted error, and the ε or N that a target error needs."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial

import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.corpus import Simulation
from dplda.experiments.experiment import CorpusKind, kind_of_source
from dplda.methods.base.method import Method
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import UNIGRAM, predicted_methods
from dplda.theory.prediction.inverse import InverseAnswer, smallest
from dplda.theory.prediction.regime_axes import Axis, Grid, Point, usual_range
from dplda.theory.prediction.regimes import RegimeMap, predicted
from dplda.ui.compare import answer
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary, method_choice, predictions, views
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state import session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS, DELTAS, EPSILONS, TOPICS, delta_text

_predicted = lru_cache(maxsize=64)(predicted)
FINEST = 11  # values along an axis
CHART = "regimes.winners"


def draw(experiment: LoadedExperiment) -> None:
    """Draw the answer, the map, its axes, and an expander for target errors."""
    here = predictions.own_point(experiment)
    with st.container(key=answer.PLACE):
        answer.draw(experiment)
    picture = st.container()
    left, right = st.columns(2, gap="medium")
    with left:
        x = _axis(Key.REGIME_X, "Across", tuple(Axis), Axis.DOCUMENTS)
    with right:
        y = _axis(Key.REGIME_Y, "Up", tuple(axis for axis in Axis if axis != x), Axis.EPSILON)
    predictions.warn_if_unreadable(here)
    with picture:
        xs, ys = (axis.values(*usual_range(axis, here.at(axis)), FINEST) for axis in (x, y))
        grid = Grid(
            here.moved(x, xs[0]).moved(y, ys[0]), x, y, xs, ys
        )  # the same wherever one is on it
        found = _predicted(grid, predicted_methods())
        figure_view.draw(
            figures.regimes(found, here=here), CHART, on_select=partial(_clicked, found, here)
        )
        st.caption(
            "Each cell is an experiment: click one to make it yours, and Error curves measures it. Its letter is the"
            f" method to choose: {predictions.RECOMMENDATION_RULE}."
        )
    asked = st.expander(
        "How much data or ε do I need?",
        icon=":material/target:",
        key=Key.REGIME_INVERSE,
        on_change="rerun",
    )
    if asked.open:  # it is worked out while it is open
        with asked:
            _ask(here)


def _axis(key: Key, label: str, offered: tuple[Axis, ...], first: Axis) -> Axis:
    names = [axis.value for axis in sorted(offered, key=lambda axis: axis != first)]
    help = glossary.describe_terms("regime", "prediction")
    control = partial(
        st.selectbox,
        label,
        format_func=lambda name: f"{Axis(name).symbol} · {Axis(name).words}",
        help=help,
    )
    return Axis(views.choose("compare", names, key, control))


def _clicked(found: RegimeMap, here: Point) -> None:
    points = st.session_state[CHART].selection.points
    if not points:
        return
    grid, column, row = found.grid, round(points[0]["x"]), round(points[0]["y"])
    if 0 <= column < len(grid.xs) and 0 <= row < len(grid.ys):
        winner = int(found.winners[row, column])
        method = parse_method(found.methods[winner]) if winner >= 0 else None
        adopt(here, here.moved(grid.x, grid.xs[column]).moved(grid.y, grid.ys[row]), method)


def adopt(here: Point, there: Point, method: Method | None = None) -> None:
    """Set the sidebar to a cell's numbers, simulate documents if others are needed, and say so in a notice."""
    k, alpha0 = round(there.n_topics), float(there.alpha0)
    if not (TOPICS[0] <= k <= TOPICS[1] and ALPHAS[0] <= alpha0 <= ALPHAS[1]):
        session.notice(
            f"This cell has k = {k} and α₀ = {alpha0:g}, outside the sidebar's range. Choose another cell."
        )
        return
    others = any(
        there.at(axis) != here.at(axis) for axis in (Axis.DOCUMENTS, Axis.WORDS, Axis.LENGTH)
    )
    source = session.chosen_source()
    kind, said = kind_of_source(source), f"k = {k}, α₀ = {alpha0:g}"
    if others and kind is CorpusKind.UPLOADED:
        session.notice(
            "This cell needs other documents than yours. Choose Simulated in the sidebar first."
        )
        return
    if others or (kind is CorpusKind.SIMULATED and there.population != here.population):
        try:
            simulation = replace(
                source if isinstance(source, Simulation) else Simulation(),
                n_documents=round(there.n_documents),
                n_words=round(there.n_words),
                n_topics=k,
                alpha0=alpha0,
                mean_length=round(there.mean_length),
            )
        except DpldaError as error:
            session.notice(
                f"This cell is only a prediction: its documents cannot be simulated here. {error}"
            )
            return
        session.choose(simulation)
        documents = f"{simulation.n_documents:,} simulated documents of {simulation.mean_length:g} words each"
        said = f"{documents}, over a vocabulary of {simulation.n_words:,}; {said}"
    st.session_state[Key.N_TOPICS], st.session_state[Key.ALPHA0] = k, alpha0
    st.session_state[Key.EPSILON] = _nearest(there.epsilon, EPSILONS)
    st.session_state[Key.DELTA] = _nearest(there.delta, DELTAS)
    budget = f"ε = {st.session_state[Key.EPSILON]:g}, δ = {delta_text(st.session_state[Key.DELTA])}"
    if method is not None and method.needs_epsilon:
        method_choice.select(method)
        budget += f"; method {method.title}"
    session.notice(f"Your experiment now has that cell's numbers: {said}; {budget}.")


def _nearest(value: float, steps: Sequence[float]) -> float:
    return min(steps, key=lambda step: abs(math.log(step / value)))


ASKED = {"Smallest ε at this N": Axis.EPSILON, "Smallest N at this ε": Axis.DOCUMENTS}
TARGETS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.2, 1.5)
DEFAULT_TARGET = 0.3


def _ask(here: Point) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        said = "All other numbers stay those of your experiment."
        axis = ASKED[views.choose_one("Looked for", list(ASKED), key=Key.REGIME_ASK, help=said)]
    target = right.select_slider(
        "Target error",
        TARGETS,
        value=DEFAULT_TARGET,
        format_func=lambda value: f"{value:g}",
        key=Key.REGIME_TARGET,
        persist_state="session",
        help="Mean L1 distance of a topic from the truth: 0 if they are the same, 2 if they share no word.",
    )
    found: dict[str, InverseAnswer | str] = {}
    for text in (text for text in predicted_methods() if text != UNIGRAM):
        try:
            found[text] = smallest(axis, float(target), here, text)
        except DpldaError as error:
            found[text] = str(error)
    there = {name: answer for name, answer in found.items() if isinstance(answer, InverseAnswer)}
    if not there:
        text, reason = next(iter(found.items()))
        st.info(
            literal(f"No method reaches this error. {parse_method(text).title}: {reason}"),
            icon=":material/block:",
        )
        return
    best = min(there.values(), key=lambda answer: answer.middle)
    alike = ", ".join(
        parse_method(name).title for name, one in there.items() if one.middle == best.middle
    )
    number, likely = best.in_words, best.likely
    fixed = f"N = {here.n_documents:,}" if axis is Axis.EPSILON else f"ε = {here.epsilon:g}"
    st.success(
        f"For a mean L1 error of {target:g} at {fixed}, **{alike}** should need least: about"
        f" **{axis.symbol} = {number}**{'' if likely == number else f' (likely {likely})'}.",
        icon=":material/target:",
    )
    figure_view.draw_table((_row(name, answer, axis) for name, answer in found.items()), "method")
    st.caption(
        "For documents drawn from the model. Nine of ten runs lie in the likely range; real text may need more."
    )


def _row(name: str, answer: InverseAnswer | str, axis: Axis) -> dict[str, str]:
    if isinstance(answer, str):
        found, likely = f"not reached ({answer.partition('must be ')[2].partition(', got')[0]})", ""
    else:
        found, likely = answer.in_words, answer.likely
    return {"method": parse_method(name).title, f"smallest {axis.symbol}": found, "likely": likely}
