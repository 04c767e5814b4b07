"""A guessing game: runs form two heaps of dots, a new run appears, and the player says which heap it is from."""

import math
import secrets
from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from dplda import figures
from dplda.attacks.game import ROUNDS, Game, GameRun, best_score, play_runs, shared_runs
from dplda.attacks.neighbour_pairs import PAIRS, Pair
from dplda.core.errors import DpldaError
from dplda.methods.base.problem import Budget
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.odds import best_guess
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary, sidebar, views
from dplda.ui.state import cache, link, session
from dplda.ui.state.keys import Key

RUNS = 60  # of each method, half of them with either letter: enough for the shape of two heaps
ROOM = 500  # pixels: what the controls leave of a projector's 768
MATCHES = {"Noise as published": "config-2/as published", "Proven noise": "adaptive"}


def draw() -> None:
    """Draw the pair of collections, ε, and the game."""
    sidebar.write_promise(sidebar.draw_epsilon())
    left, right = st.columns([2, 3], gap="medium")  # a phone shows the buttons above the picture
    with right:
        place = st.container()
        label, titles = (
            "Two collections, one letter apart",
            {name: pair.title for name, pair in PAIRS.items()},
        )
        control = partial(st.segmented_control, label, required=True, format_func=titles.get)
        name = views.choose("learn", list(PAIRS), Key.PAIR, control)
    epsilon, delta = float(st.session_state[Key.EPSILON]), link.DEFAULTS[Key.DELTA]
    session.write(
        {Key.EPSILON: None if epsilon == link.DEFAULTS[Key.EPSILON] else link.epsilon_text(epsilon)}
    )
    pair, budget = PAIRS[name], Budget(epsilon, delta)
    try:
        runs = [
            cache.made_of_settings("who", shared_runs, text, name, epsilon, delta, RUNS)
            for text in MATCHES.values()
        ]
    except DpldaError as error:  # no finite noise: a finding, not a fault
        st.info(f"There is no game at this ε. {literal(str(error))}", icon=":material/block:")
        return
    game: Game | None = st.session_state.get(Key.GAME)
    if game is None or game.setting != (name, budget):
        rounds = [
            play_runs(parse_method(text), budget, pair, seed=secrets.randbits(32))
            for text in MATCHES.values()
        ]
        game = st.session_state[Key.GAME] = Game((name, budget), rounds)
    both = [some for some in runs if some is not None]
    if len(both) == 2:
        with left:
            _match(game, both, pair, budget)
        with place:
            _picture(game, both[game.match], pair, budget)


def _picture(game: Game, known: Sequence[GameRun], pair: Pair, budget: Budget) -> None:
    mu, right = gaussian.mu_for(budget.epsilon, budget.delta), game.were_right[game.match]
    over = len(right) == ROUNDS
    figure = figures.heaps(
        [run.loss / mu for run in known],
        [run.used_first for run in known],
        title=f"You were right in {sum(right)} of {ROUNDS} rounds"
        if over
        else "Which heap is the star from?",
        beside=f"These {RUNS} runs are known. The star is {'the last new' if over else 'a new'} one.",
        names=pair.names,
        sides=("", ""),
        seen=(game.current_run().loss / mu, "a new run"),
    )
    figure_view.draw(figure, Key.GAME_PICTURE, tools=False, room=ROOM)


def _match(game: Game, runs: Sequence[Sequence[GameRun]], pair: Pair, budget: Budget) -> None:
    title = f"Match {game.match + 1} of 2: {list(MATCHES)[game.match].lower()}"
    glossary.draw_heading(title, "epsilon delta adjacency release as_published proven")
    over = len(game.were_right[game.match]) == ROUNDS
    if over and game.match == 1:
        _card(game, [best_score(np.array([run.loss for run in some]))[0] for some in runs], budget)
    else:
        _round(game, pair, over=over)


def _round(game: Game, pair: Pair, *, over: bool) -> None:
    played = len(game.were_right[game.match])
    last = game.shown_runs[game.match][played - 1] if played else None
    if over:
        st.markdown(
            f"**You were right in {game.scores[0]} of {ROUNDS} rounds.** Now try the same with proven noise."
        )
        st.button(
            "Next match",
            type="primary",
            key=Key.GAME_NEXT,
            on_click=setattr,
            args=(game, "match", 1),
        )
    else:
        st.markdown(
            f"{pair.story} You know all other letters. **Round {played + 1} of {ROUNDS}: which letter was in?**"
        )
        with st.container(horizontal=True, gap="small"):  # each on the side of its heap
            for first, words, mark in (
                (False, pair.second_words, "◆"),
                (True, pair.first_words, "●"),
            ):
                key = f"{Key.GAME_GUESS}.{game.match}.{played}.{first}"
                st.button(
                    f"{mark} “{' '.join(words)}”", key=key, on_click=game.guess, args=(first,)
                )
    if last is None:
        st.markdown(":small[You hear after each guess whether you were right.]")
    else:
        letter, right = (
            " ".join(pair.first_words if last.used_first else pair.second_words),
            game.were_right[game.match],
        )
        st.markdown(
            f":small[{'Right' if right[-1] else 'Wrong'}: it was “{letter}”. {sum(right)} of {played} so far.]"
        )


def _card(game: Game, best: Sequence[float], budget: Budget) -> None:
    allowed = best_guess(budget.epsilon, budget.delta)
    scores = zip(MATCHES, game.scores, best, strict=True)
    shown = (
        {"match": match, "you": f"{10 * right} in 100", "best attacker": f"{100 * most:.0f} in 100"}
        for match, right, most in scores
    )
    figure_view.draw_table(shown, "match")
    promise = f"ε = {budget.epsilon:g} promises at most {math.ceil(100 * allowed)} in 100; a coin gets 50."
    said = "breaks" if best[0] > allowed else "keeps"
    st.markdown(
        f"{promise} On these letters the published noise **{said}** that promise. The proven noise keeps it."
    )
    st.button(
        "Play again",
        icon=":material/replay:",
        key=Key.GAME_NEXT,
        on_click=session.put,
        args=(Key.GAME, None),
    )
