"""The living picture, its question, and the doors to other places."""

import streamlit as st

from dplda.lessons.play.picture import FIRST_STOP, picture_data, picture_question
from dplda.lessons.play.shipped_numbers import shipped_numbers
from dplda.ui.play.component import draw_picture
from dplda.ui.shell import glossary
from dplda.ui.state import session
from dplda.ui.state.keys import Key

HELP = (
    "Drag ε. The left side shows what one run finds. The right side shows what an attacker can tell"
    " who knows the method and all other letters. All letters are invented. Every dot is a run of"
    " the whole method with fresh noise. No attack on its releases does better."
)
TERMS = "topic release budget epsilon"
PICTURE = "play.picture"  # key of its state; the address names the stop


def draw_question() -> None:
    """Draw the question that the page answers."""
    help_text = glossary.with_terms(HELP, TERMS)
    st.title(picture_question(shipped_numbers()), anchor=False, help=help_text)


@st.fragment
def draw() -> None:
    """Draw the living picture at the stop that the address names, else where it stood before."""
    last_stop = str(st.session_state.get(Key.PLAY, FIRST_STOP))
    stop = st.query_params.get(Key.PLAY, last_stop)
    data = picture_data(shipped_numbers(), stop)
    _keep_stop(str(data["stop"]))
    draw_picture(data, PICTURE, _note_stop)


def _note_stop() -> None:
    """Keep the stop at which the slider came to rest, if it is one."""
    stop = st.session_state[PICTURE]["stop"]
    if stop in [known_stop.name for known_stop in shipped_numbers().stops]:
        _keep_stop(stop)


def _keep_stop(stop: str) -> None:
    """Keep a stop in the session, and in the address if it is not the first one."""
    st.session_state[Key.PLAY] = stop
    session.write({Key.PLAY: None if stop == FIRST_STOP else stop})


def draw_place_links() -> None:
    """Draw links to Explore, Release and Learn in a row, each with what can be done there."""
    with st.container(horizontal=True, gap="small"):
        st.page_link(
            "pages/explore.py", label="**Explore** what ε costs on 100,000 letters", width="stretch"
        )
        st.page_link(
            "pages/release.py", label="**Release** topics of my documents", width="stretch"
        )
        st.page_link("pages/learn.py", label="**Learn** how it works", width="stretch")
