"""A guessing game: runs form two heaps of dots, and the visitor says which one a run is from."""

import secrets
from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda import figures
from dplda.attacks.game import ROUNDS, Game, GameRun, best_score, play_runs, shared_runs
from dplda.attacks.neighbour_pairs import PAIRS, Pair
from dplda.core.errors import DpldaError
from dplda.figures import theme
from dplda.methods.base.problem import Budget
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.ui.learn.game_result import LEVELS, MATCHES, draw_harder, draw_result
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary, views
from dplda.ui.state import cache, link, session
from dplda.ui.state.keys import Key

N_KNOWN_RUNS = 60  # of each method, half of them with either letter: enough for two heaps
FIGURE_HEIGHT = 500  # pixels: what the controls leave of a projector's 768
LEVEL_HELP = "A smaller ε makes the game harder: the heaps come closer to each other."
LONG_STREAK = 3  # right guesses in a row that earn a harder level
TERMS = "epsilon delta adjacency release as_published proven"


def draw() -> None:
    """Draw the choice of ε and of a pair of letters, and the game; the address keeps the ε.

    If a method has no finite noise at this ε, a message stands in place of the game; if computing
    the known runs was canceled, nothing does.
    """
    epsilon = _choose_epsilon()
    game_place = st.container(key=Key.GAME_TABLE)
    left_column, right_column = game_place.columns([2, 3], gap="medium")
    controls_place = left_column.container()
    with left_column.container(key=Key.GAME_END):  # a phone shows it below the figure
        pair_name = _choose_pair()
    figure_place = right_column.container(height="stretch")
    budget = Budget(epsilon, link.DEFAULTS[Key.DELTA])
    try:
        known_runs = [
            cache.made_of_settings(
                "who", shared_runs, method, pair_name, budget.epsilon, budget.delta, N_KNOWN_RUNS
            )
            for method in MATCHES.values()
        ]
        game = _current_game(pair_name, budget)
    except DpldaError as error:  # no finite noise: a finding, not a fault
        refusal = f"There is no game at this ε. {literal(str(error))}"
        st.info(refusal, icon=":material/block:")
        return
    computed_runs = [runs_of_match for runs_of_match in known_runs if runs_of_match is not None]
    if len(computed_runs) == len(MATCHES):  # else one was canceled
        _draw_game(game, computed_runs, budget, controls_place, figure_place)


def _choose_epsilon() -> float:
    """Draw the slider of ε, which is the game's difficulty, and return it.

    A new address sets it: to its ε, or to the first level if it has none. The address keeps it, but
    for the first level.
    """
    session_state = st.session_state
    if session.address_changed():
        first_epsilon = LEVELS[0]
        if Key.EPSILON in st.query_params:
            first_epsilon = session_state[Key.EPSILON]
        session_state[Key.GAME_EPSILON] = first_epsilon
    session_state.setdefault(Key.GAME_EPSILON, LEVELS[0])
    epsilon = float(
        st.select_slider(
            "Privacy budget ε: the smaller, the harder",
            link.EPSILONS,
            format_func=link.epsilon_text,
            key=Key.GAME_EPSILON,
            persist_state="session",
            help=glossary.with_terms(LEVEL_HELP, "epsilon budget"),
        )
    )
    session.write({Key.EPSILON: None if epsilon == LEVELS[0] else link.epsilon_text(epsilon)})
    return epsilon


def _choose_pair() -> str:
    """Draw the choice of two collections that differ in one letter; returns its name."""
    titles = {name: pair.title for name, pair in PAIRS.items()}
    label = "Two collections, one letter apart"
    control = partial(st.segmented_control, label, required=True, format_func=titles.get)
    return views.choose("learn", list(PAIRS), Key.PAIR, control)


def _current_game(pair_name: str, budget: Budget) -> Game:
    """The session's game; a new one, kept there, if it has none or one of another pair or budget.

    A new game has fresh noise for every method. Its runs are computed, or refused, only once they
    are shown.
    """
    game: Game | None = st.session_state.get(Key.GAME)
    if game is not None and game.setting == (pair_name, budget):
        return game
    new_runs = [
        play_runs(parse_method(method), budget, PAIRS[pair_name], seed=secrets.randbits(32))
        for method in MATCHES.values()
    ]
    new_game = Game((pair_name, budget), new_runs)
    st.session_state[Key.GAME] = new_game
    return new_game


def _draw_game(
    game: Game,
    known_runs: Sequence[Sequence[GameRun]],
    budget: Budget,
    controls_place: DeltaGenerator,
    figure_place: DeltaGenerator,
) -> None:
    """Draw the round of the current match, or the result after the last one, and the two heaps.

    A caption below the heaps says how often the best attacker is right.

    Args:
        game: what was played so far.
        known_runs: of each match, which form the heaps.
        budget: that the method promises.
        controls_place: where the round and its buttons are drawn.
        figure_place: where the heaps are drawn.
    """
    pair = PAIRS[game.setting[0]]
    match_name = list(MATCHES)[game.match].lower()
    is_over = len(game.were_right[game.match]) == ROUNDS
    with controls_place:
        glossary.draw_heading(f"Match {game.match + 1} of {len(MATCHES)}: {match_name}", TERMS)
        if is_over and game.match == len(MATCHES) - 1:
            draw_result(game, [_best_chance(runs_of_match) for runs_of_match in known_runs], budget)
        else:
            best_chance = _best_chance(known_runs[game.match])
            _draw_round(game, pair, best_chance, is_between_matches=is_over)
    with figure_place:
        _draw_heaps(game, known_runs[game.match], pair, budget)
        best_chance = _best_chance(known_runs[game.match])
        st.caption(f"The best attacker is right {100 * best_chance:.0f} times in 100 here.")


def _best_chance(known_runs: Sequence[GameRun]) -> float:
    """Chance of a right guess of the best attacker of a match."""
    return best_score(np.array([run.loss for run in known_runs]))[0]


def _draw_heaps(game: Game, known_runs: Sequence[GameRun], pair: Pair, budget: Budget) -> None:
    """Draw the match's known runs as two heaps of dots, and the new run as a star.

    They stand at their privacy losses, in units of the μ that the budget promises. The title asks
    for a guess; once all rounds of the match are played, it says the score.
    """
    promised_mu = gaussian.mu_for(budget.epsilon, budget.delta)
    were_right = game.were_right[game.match]
    title = "Which heap is the star from?"
    star_phrase = "a new"
    if len(were_right) == ROUNDS:
        title = f"You were right in {sum(were_right)} of {ROUNDS} rounds"
        star_phrase = "the last new"
    figure = figures.heaps(
        [run.loss / promised_mu for run in known_runs],
        [run.used_first for run in known_runs],
        title=title,
        comparison=f"These {N_KNOWN_RUNS} runs are known. The star is {star_phrase} one.",
        names=pair.names,
        sides=("", ""),
        marked_run=(game.current_run().loss / promised_mu, "a new run"),
    )
    figure_view.draw(
        figure,
        Key.GAME_PICTURE,
        has_save_button=False,
        max_height=FIGURE_HEIGHT,
        fills=True,
        smallest_letters=theme.ROOM_LETTERS,
    )


def _draw_round(game: Game, pair: Pair, best_chance: float, *, is_between_matches: bool) -> None:
    """Draw the question with a button for each letter, and the last answer below.

    Between the matches the score and a button to the next match stand in place of the question. A
    harder level is offered between the matches, and after a long streak.

    Args:
        game: what was played so far.
        pair: letters that the question is about.
        best_chance: how often the best attacker is right in this match.
        is_between_matches: whether the first match is over and the second has not begun.
    """
    n_played = len(game.were_right[game.match])
    if is_between_matches:
        st.markdown(
            f"**You were right in {game.scores[0]} of {ROUNDS} rounds.** The best attacker:"
            f" {100 * best_chance:.0f} times in 100. Now try the noise that the paper prints for"
            " the same ε."
        )
        st.button(
            "Next match",
            type="primary",
            key=Key.GAME_NEXT,
            on_click=setattr,
            args=(game, "match", 1),
        )
        draw_harder(game.setting[1].epsilon)
    else:
        st.markdown(f"{pair.story} You know all other letters.")
        st.markdown(f"**Round {n_played + 1} of {ROUNDS}: which letter was in?**")
        _draw_guess_buttons(game, pair, n_played)
    if n_played:
        _draw_last_answer(game, pair)
    st.html(figures.game_rounds(game.were_right[game.match], n_rounds=ROUNDS))
    if game.streak >= LONG_STREAK and not is_between_matches:
        draw_harder(game.setting[1].epsilon, is_earned=True)


def _draw_guess_buttons(game: Game, pair: Pair, n_played: int) -> None:
    """Draw a button for each letter, one above the other as their heaps; pressing it guesses."""
    label_by_is_first = {
        True: f"● “{' '.join(pair.first_words)}”",
        False: f"◆ “{' '.join(pair.second_words)}”",
    }
    with st.container(gap="xsmall"):
        for is_first, label in label_by_is_first.items():
            key = f"{Key.GAME_GUESS}.{game.match}.{n_played}.{is_first}"
            st.button(label, key=key, on_click=game.guess, args=(is_first,))


def _draw_last_answer(game: Game, pair: Pair) -> None:
    """Draw whether the last guess of the match was right, how many were so far, and a long streak.

    There must have been a guess in this match.
    """
    were_right = game.were_right[game.match]
    n_played = len(were_right)
    last_run = game.shown_runs[game.match][n_played - 1]
    words_of_letter = pair.first_words if last_run.used_first else pair.second_words
    true_letter = " ".join(words_of_letter)
    verdict_word = "Right" if were_right[-1] else "Wrong"
    verdict = f"{verdict_word}: it was “{true_letter}”. {sum(were_right)} of {n_played} so far."
    if game.streak >= LONG_STREAK:
        verdict += f" **{game.streak} in a row!**"
    st.markdown(verdict)
