"""Ten rounds of guessing from one output which of two corpora it came from, beside what the best player reaches."""

import math
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import streamlit as st

from dplda.attacks.game import Draw, draws
from dplda.attacks.neighbour_pairs import PAIRS, Pair
from dplda.experiments.settings import Settings
from dplda.methods.problem import Budget
from dplda.privacy.odds import best_guess
from dplda.ui.learn.game.side import GameSide
from dplda.ui.shell.choices import one_of
from dplda.ui.state import session
from dplda.ui.state.keys import Key

ROUNDS = 10


@dataclass(slots=True)
class Game:
    """What a session has played."""

    of: tuple[object, ...]
    rounds: Iterator[Draw]
    drawn: list[Draw] = field(default_factory=list)
    guesses: list[bool] = field(default_factory=list)

    @property
    def right(self) -> int:
        """Guesses that were right."""
        return sum(guess == draw.was_one for guess, draw in zip(self.guesses, self.drawn, strict=False))


def play(settings: Settings, name: str, sides: Sequence[GameSide]) -> None:
    """The game against one of the methods shown."""
    st.header("Guess yourself: ten rounds", anchor=False)
    if not sides:
        st.caption("There is nothing to guess from: neither method gave an output.")
        return
    titles = [side.method.title for side in sides]
    title = one_of("From the output of", titles, key=Key.WHO_PLAYED)
    side = next((each for each in sides if each.method.title == title), sides[0])
    pair = PAIRS[name]
    game = _game(side, settings.budget, pair)
    number = len(game.guesses)
    if number < ROUNDS:
        _round(game, pair, number)
    else:
        _end(settings, game, side)


def _game(side: GameSide, budget: Budget, pair: Pair) -> Game:
    of = (side.method.text, pair.title, budget.epsilon, budget.delta)
    game: Game | None = st.session_state.get(Key.WHO_GAME)
    if game is None or game.of != of:
        game = Game(of, draws(side.method, Budget(budget.epsilon, budget.delta), pair, seed=secrets.randbits(32)))
        st.session_state[Key.WHO_GAME] = game
    return game


def _round(game: Game, pair: Pair, number: int) -> None:
    if number == len(game.drawn):
        game.drawn.append(next(game.rounds))
    loss = game.drawn[number].loss
    more, odds = (pair.one, _odds(loss)) if loss > 0 else (pair.other, _odds(-loss))
    st.markdown(
        f"**Round {number + 1} of {ROUNDS}.** A coin has decided which letter was in. This output is **{odds}** as"
        f" likely with “{' '.join(more)}” as with the other letter. Which one was in?"
    )
    with st.container(horizontal=True):
        for first, words in ((True, pair.one), (False, pair.other)):
            st.button(
                f"“{' '.join(words)}”",
                key=f"{Key.WHO_GUESS}.{number}.{first}",
                on_click=game.guesses.append,
                args=(first,),
            )
    if number:
        said, was = game.guesses[-1], game.drawn[number - 1].was_one
        letter = " ".join(pair.one if was else pair.other)
        st.caption(f"{'Right' if said == was else 'Wrong'}: it was “{letter}”. {game.right} of {number} right so far.")


def _end(settings: Settings, game: Game, side: GameSide) -> None:
    allowed = best_guess(settings.budget.epsilon, settings.budget.delta)
    first, second, third = st.columns(3)
    first.metric("You were right", f"{game.right} of {ROUNDS}", border=True)
    second.metric("The best player, here", f"{side.score:.0%}", border=True, help="Mean over the runs drawn above.")
    third.metric("At most, says ε", f"{allowed:.0%}", border=True, help="(e^ε + δ)/(e^ε + 1), on any two collections.")
    if side.score > allowed:
        said = "The output gives the letter away far more often than the ε it is sold under would allow."
    else:
        said = "Not even the best player learns more about the letter than ε allows."
    st.markdown(f"{said} A coin alone is right in 5 of 10.")
    st.button("Play again", key=Key.WHO_AGAIN, on_click=session.put, args=(Key.WHO_GAME, None))


def _odds(loss: float) -> str:
    """How many times as likely, in words a person repeats."""
    if loss < math.log(1.05):
        return "just"
    times = math.exp(min(loss, 14))
    return (
        "more than a million times"
        if loss > math.log(1e6)
        else f"{times:,.0f} times"
        if times > 10
        else f"{times:.1f} times"
    )
