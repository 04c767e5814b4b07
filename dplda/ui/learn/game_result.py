"""The end of a guessing game: a card with scores, a verdict, and the way to a harder level."""

import math
from collections.abc import Sequence

import streamlit as st

from dplda.attacks.game import Game
from dplda.methods.base.problem import Budget
from dplda.privacy.accounting.risk import risk_of
from dplda.ui.shell import figure_view
from dplda.ui.state import session
from dplda.ui.state.keys import Key

MATCHES = {"Proven noise": "adaptive", "Noise as published": "config-2/as published"}
LEVELS = (10.0, 6.0, 3.0, 1.0, 0.5)
"""ε from easy to hard; at the first, the first pair's best attacker is right 70 times in 100."""


def draw_result(game: Game, best_chances: Sequence[float], budget: Budget) -> None:
    """Draw the visitor's scores beside the best attackers', a verdict, and two ways to go on.

    These are *Play again* and a harder game.

    The verdict is on the published noise: it breaks its promise if the best attacker of the second
    match, who is not the visitor, is right more often than Gaussian noise of this ε and δ allows.

    Args:
        game: both matches.
        best_chances: chance of a right guess of the best attacker in each match.
        budget: that both methods promise.
    """
    risk = risk_of(budget.epsilon, budget.delta, is_gaussian=True)
    promised_chance = risk.right_guess
    score_rows = [
        {
            "match": match,
            "you": f"{10 * n_right} in 100",
            "best attacker": f"{100 * best_chance:.0f} in 100",
        }
        for match, n_right, best_chance in zip(MATCHES, game.scores, best_chances, strict=True)
    ]
    figure_view.draw_table(score_rows, "match")
    verdict_verb = "breaks" if best_chances[1] > promised_chance else "keeps"
    st.markdown(
        f"Gaussian noise of ε = {budget.epsilon:g} and δ = {budget.delta:g} promises at most"
        f" {math.ceil(100 * promised_chance)} in 100; a coin gets 50. On these letters the"
        f" published noise **{verdict_verb}** that promise. The proven noise keeps it."
    )
    st.button(
        "Play again",
        icon=":material/replay:",
        key=Key.GAME_NEXT,
        on_click=session.put,
        args=(Key.GAME, None),
    )
    draw_harder(budget.epsilon)


def draw_harder(epsilon: float, *, is_earned: bool = False) -> None:
    """Draw a button to the next harder level; none below the hardest.

    Args:
        epsilon: of the level that is played.
        is_earned: whether a streak earned it: then it is the main button.
    """
    harder_level = next((level for level in LEVELS if level < epsilon), None)
    if harder_level is not None:
        st.button(
            f"Harder: ε = {harder_level:g}",
            icon=":material/trending_up:",
            type="primary" if is_earned else "secondary",
            key=Key.GAME_HARDER,
            on_click=session.put,
            args=(Key.GAME_EPSILON, harder_level),
        )
