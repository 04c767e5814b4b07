"""The views of Learn."""

from collections.abc import Callable

import streamlit as st

from dplda.experiments.settings import Settings
from dplda.ui.learn.audit import audit_view
from dplda.ui.learn.docs import docs_view
from dplda.ui.learn.game import game_view
from dplda.ui.learn.lessons import lessons_view
from dplda.ui.learn.proofs import proofs_view
from dplda.ui.literal import literal
from dplda.ui.shell import sidebar, views
from dplda.ui.state import session

VIEWS: dict[str, Callable[[Settings], None]] = {
    "Lessons": lessons_view.draw,
    "Who was in?": game_view.draw,
    "Audit": audit_view.draw,
    "Where proofs fail": proofs_view.draw,
    "Docs": docs_view.draw,
}


def draw() -> None:
    """Draw the place."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title("Learn", anchor=False, width="content", help="How does it work, and can I trust it?")
        view = views.choose("learn", list(VIEWS))
    for notice in session.take_notices():
        st.info(literal(notice), icon=":material/info:")
    VIEWS[view](sidebar.settings())
