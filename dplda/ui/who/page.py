"""The leak as a picture: what a method as published, and a proven one, say about one document."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dplda import figures
from dplda.attacks.game import Draw, best_score, shared_runs
from dplda.attacks.neighbour_pairs import PAIRS, Pair
from dplda.core.errors import DpldaError
from dplda.methods.method import Method
from dplda.methods.registry import parse_method
from dplda.privacy.odds import best_guess
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view
from dplda.ui.shell.frame import Experiment, Header
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import delta_text

PAIR = "pair"  # in the address
RUNS = 60  # of each method, half of them on either corpus: enough for the shape of a histogram
PUBLISHED = ("config-2/as published", "config-1/as published")
PROVEN = ("adaptive", "shared-moment", "config-2/corrected", "private-unigram")


@dataclass(frozen=True, slots=True, eq=False)
class GameSide:
    """One method and how well the best player tells its runs."""

    method: Method
    runs: Sequence[Draw]

    @property
    def losses(self) -> tuple[float, ...]:
        """Of every run."""
        return tuple(run.loss for run in self.runs)

    @property
    def score(self) -> float:
        """How often the best player is right."""
        return best_score(np.array(self.losses))[0]


def header(experiment: Experiment) -> Header:
    """Collections of its own, under the sidebar's ε and δ."""
    budget = experiment.settings.budget
    return Header(
        (f"Two collections made for this page · ε {budget.epsilon:g} · δ {delta_text(budget.delta)}",),
        on_documents=False,
    )


def choose_pair() -> str:
    """Draw the two corpora, as one can read them; their name."""
    asked = st.query_params.get(PAIR)
    if Key.WHO_PAIR not in st.session_state and asked in PAIRS:
        st.session_state[Key.WHO_PAIR] = asked
    st.session_state.setdefault(Key.WHO_PAIR, "turn")
    name = str(
        st.segmented_control(
            "The two collections",
            list(PAIRS),
            required=True,
            format_func=lambda text: PAIRS[text].title,
            key=Key.WHO_PAIR,
            persist_state="session",
            label_visibility="collapsed",
        )
    )
    pair = PAIRS[name]
    session.write({PAIR: name})
    said = "; ".join(f"{number:,} × “{' '.join(words)}”" for words, number in pair.others)
    st.markdown(
        f"{pair.story} Everybody knows the others: {said}. The one letter reads :blue[**“{' '.join(pair.one)}”**] or"
        f" :orange[**“{' '.join(pair.other)}”**]."
    )
    return name


def side_by_side(experiment: Experiment, pair: str) -> tuple[GameSide, ...]:
    """Both pictures, each with the method it is of; only those that gave runs are returned."""
    found = []
    for column, key, texts in zip(
        st.columns(2, gap="medium"), (Key.WHO_PUBLISHED, Key.WHO_PROVEN), (PUBLISHED, PROVEN), strict=True
    ):
        with column:
            text = st.selectbox(
                "As published" if texts is PUBLISHED else "Proven",
                texts,
                format_func=lambda name: parse_method(name).title,
                key=key,
                persist_state="session",
            )
            side = _side(experiment, pair, text)
            if side is not None:
                found.append(side)
                _picture(experiment, PAIRS[pair], side, key)
    st.caption(
        "Every bar is a number of whole runs: those at an edge give the letter away, those in the middle say nothing."
        " *Between the dotted lines* an output is at most e^ε times as likely with one letter as with the other, as ε"
        " promises; what lies outside is for δ to cover."
    )
    return tuple(found)


def _side(experiment: Experiment, pair: str, text: str) -> GameSide | None:
    asked = (text, pair, experiment.settings.budget.epsilon, experiment.settings.budget.delta, RUNS)
    try:
        with st.container():
            runs = cache.made_of_settings("who", shared_runs, *asked)
    except DpldaError as error:  # no finite noise: a finding, not a fault
        st.info(literal(str(error)), icon=":material/block:")
        return None
    return None if runs is None else GameSide(parse_method(text), runs)


def _picture(experiment: Experiment, pair: Pair, side: GameSide, key: Key) -> None:
    epsilon, delta = experiment.settings.budget.epsilon, experiment.settings.budget.delta
    allowed = best_guess(epsilon, delta)
    title = f"The best player is right in {side.score:.0%} of all runs; ε allows {allowed:.1%}"
    first = [run.was_one for run in side.runs]
    figure = figures.guesses(side.losses, first, names=pair.names, title=title, epsilon=epsilon)
    figure_view.draw(figure, f"{key}.picture", tools=False)
