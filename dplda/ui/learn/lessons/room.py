"""For whoever teaches: the note, the handout, links, large type."""

import streamlit as st

from dplda.lessons.handout import handout
from dplda.ui.learn.lessons.position import LessonPosition
from dplda.ui.learn.lessons.step_view import picture
from dplda.ui.shell import downloads, projector
from dplda.ui.state import cache, link
from dplda.ui.state.keys import Key


def tools(place: LessonPosition, seed: int) -> None:
    """Draw what a teacher needs, folded."""
    if projector.is_projected():
        return
    words = "For the teacher: note, links, handout, projector"
    corner = st.expander(words, icon=":material/school:", key=Key.LEARN_CORNER, on_change="rerun")
    with corner:
        st.markdown(f"**{place.lesson.title}**, about {place.lesson.minutes} minutes. {place.lesson.note}")
        st.markdown("**This step**, and the same for a class: each who opens it draws a noise seed of their own.")
        if corner.open:  # what shows code is a megabyte and a half for the browser, of every student
            for more in ({}, {link.DRAW_KEY: link.OWN}, {projector.PROJECTOR: "1"}):
                query = {Key.LESSON: place.number, Key.STEP: place.at, **more}
                st.code(link.with_query(str(st.context.url), query), language=None, wrap_lines=True)
        st.caption(
            "The third opens in projector mode: large type, no sidebar; arrow keys and a clicker walk the steps."
        )
        with st.container(horizontal=True):
            st.button(
                "Projector mode",
                icon=":material/present_to_all:",
                key=Key.LEARN_PROJECTOR,
                on_click=projector.project,
            )
            downloads.save(
                "Handout to print",
                lambda: handout(place.lesson, lambda view: cache.made_now(*picture(view, seed)), seed=seed),
                f"dplda-lesson-{place.number}.html",
                icon="print",
                key=Key.LEARN_HANDOUT,
            )
