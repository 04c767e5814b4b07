"""Marks of a game's rounds, as HTML whose style is in ``assets/styles/page.css``."""

from collections.abc import Sequence


def game_rounds(were_right: Sequence[bool], *, n_rounds: int) -> str:
    """Draw a mark for each round of a match: right, wrong, or still to come.

    It is for the eye alone: the page says the score in words, too.

    Args:
        were_right: of the rounds that were played, in order.
        n_rounds: of the match, at least those that were played.
    """
    marks = ['<i class="right">✓</i>' if is_right else "<i>×</i>" for is_right in were_right]
    marks += ["<i></i>"] * (n_rounds - len(were_right))
    return f'<div class="game-rounds" aria-hidden="true">{"".join(marks)}</div>'
