"""The leak as a picture: what a method as published, and a proven one, say about one document."""

import streamlit as st

from dplda import figures
from dplda.attacks.game import shared_runs
from dplda.attacks.neighbour_pairs import PAIRS, Pair
from dplda.core.errors import DpldaError
from dplda.experiments.settings import Settings
from dplda.methods.registry import parse_method
from dplda.privacy.odds import best_guess
from dplda.ui.learn.game import game
from dplda.ui.learn.game.side import GameSide
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, sidebar
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key

PAIR = "pair"  # in the address
RUNS = 60  # of each method, half of them on either corpus: enough for the shape of a histogram
PUBLISHED = ("config-2/as published", "config-1/as published")
PROVEN = ("adaptive", "shared-moment", "config-2/corrected", "private-unigram")


def draw(settings: Settings) -> None:
    """The pictures at this ε, and a game against one of the methods."""
    sidebar.epsilon()
    pictures = st.container()
    pair = choose_pair()
    with pictures:
        shown = side_by_side(settings, pair)
    game.play(settings, pair, shown)


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


def side_by_side(settings: Settings, pair: str) -> tuple[GameSide, ...]:
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
            side = _side(settings, pair, text)
            if side is not None:
                found.append(side)
                _picture(settings, PAIRS[pair], side, key)
    st.caption(
        "Every bar is a number of whole runs: those at an edge give the letter away, those in the middle say nothing."
        " *Between the dotted lines* an output is at most e^ε times as likely with one letter as with the other, as ε"
        " promises; what lies outside is for δ to cover."
    )
    return tuple(found)


def _side(settings: Settings, pair: str, text: str) -> GameSide | None:
    asked = (text, pair, settings.budget.epsilon, settings.budget.delta, RUNS)
    try:
        with st.container():
            runs = cache.made_of_settings("who", shared_runs, *asked)
    except DpldaError as error:  # no finite noise: a finding, not a fault
        st.info(literal(str(error)), icon=":material/block:")
        return None
    return None if runs is None else GameSide(parse_method(text), runs)


def _picture(settings: Settings, pair: Pair, side: GameSide, key: Key) -> None:
    epsilon, delta = settings.budget.epsilon, settings.budget.delta
    allowed = best_guess(epsilon, delta)
    title = f"The best player is right in {side.score:.0%} of all runs; ε allows {allowed:.1%}"
    first = [run.was_one for run in side.runs]
    figure = figures.guesses(side.losses, first, names=pair.names, title=title, epsilon=epsilon)
    figure_view.draw(figure, f"{key}.picture", tools=False)
