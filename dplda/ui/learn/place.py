"""The views of Learn."""

from collections.abc import Callable

import streamlit as st

from dplda.ui.learn import audit_view, docs_view, game_view, lessons_view, proofs_view
from dplda.ui.shell import views
from dplda.ui.state import session
from dplda.ui.state.keys import Key

ATTACKS: dict[
    str, tuple[Callable[[], None], tuple[str, ...]]
] = {  # each with its own parameters of the address
    "Guess the letter": (game_view.draw, (Key.ATTACK, Key.PAIR, Key.EPSILON)),
    "Audit": (audit_view.draw, (Key.ATTACK,)),
}
VIEWS: dict[str, tuple[Callable[[], None], tuple[str, ...]]] = {
    "Lessons": (lessons_view.draw, (Key.LESSON, Key.STEP)),
    "Attack it": ATTACKS["Guess the letter"],
    "Where proofs fail": (proofs_view.draw, (Key.GAP,)),
    "Docs": (docs_view.draw, (Key.CHAPTER,)),
}


def draw() -> None:
    """Draw the place."""
    with st.container(
        horizontal=True,
        vertical_alignment="center",
        horizontal_alignment="distribute",
        key=Key.LEARN_HEAD,
    ):
        st.title(
            "Learn", anchor=False, width="content", help="How does it work, and can I trust it?"
        )
        inside = st.container(width="content")
        view, own = VIEWS[views.choose("learn", list(VIEWS))]
    if Key.ATTACK in own:
        with inside:
            view, own = ATTACKS[views.choose("learn", list(ATTACKS), Key.ATTACK)]
    session.say_notices()
    session.write(
        {name: None for _, others in VIEWS.values() for name in others if name not in own}
    )
    view()
