"""The views of Learn."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dplda.ui.learn import (
    audit_view,
    docs_view,
    game_view,
    lessons_view,
    proofs_view,
)
from dplda.ui.learn.classroom import class_view, phone_view
from dplda.ui.shell import views
from dplda.ui.state import session
from dplda.ui.state.keys import Key


@dataclass(frozen=True, slots=True)
class LearnView:
    """One view of Learn.

    Attributes:
        draw: draws it.
        own_parameters: parameters of the address that other views do not have.
    """

    draw: Callable[[], None]
    own_parameters: tuple[str, ...]


GAME = "Guess the letter"
ATTACKS = {
    GAME: LearnView(game_view.draw, (Key.ATTACK, Key.PAIR, Key.EPSILON)),
    "Audit": LearnView(audit_view.draw, (Key.ATTACK,)),
}
VIEWS = {
    "Lessons": LearnView(lessons_view.draw, (Key.LESSON, Key.STEP)),
    "Ten-minute class": LearnView(class_view.draw, (Key.CLASS_STEP,)),
    "Attack it": ATTACKS[GAME],
    "Where proofs fail": LearnView(proofs_view.draw, (Key.GAP,)),
    "Docs": LearnView(docs_view.draw, (Key.CHAPTER,)),
}


def draw() -> None:
    """Draw the page Learn: its title, its views in a row of their own, notices, and the open view.

    A view of attacks has a second choice, between them. Parameters of other views are removed from
    the address. An address with the code of a class shows a phone's page alone.
    """
    class_code = phone_view.code_in_address()
    if class_code:
        phone_view.draw(class_code)
        return
    title_help = "How does it work, and can I trust it?"
    with st.container(gap="xsmall"):
        title_row = st.container(horizontal=True, vertical_alignment="center", gap="small")
        title_row.title("Learn", anchor=False, width="content", help=title_help)
        with st.container(
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
            key=Key.LEARN_HEAD,
        ):
            open_view = VIEWS[views.choose("learn", list(VIEWS))]
            if Key.ATTACK in open_view.own_parameters:
                open_view = ATTACKS[views.choose("learn", list(ATTACKS), Key.ATTACK)]
    session.say_notices()
    all_own_parameters = {
        parameter_name
        for other_view in VIEWS.values()
        for parameter_name in other_view.own_parameters
    }
    session.write(
        {
            parameter_name: None
            for parameter_name in all_own_parameters - set(open_view.own_parameters)
        }
    )
    open_view.draw()
