"""For whoever teaches: the note, the handout, links, large type."""

import streamlit as st

from dplda.lessons.handout import handout
from dplda.ui.learn import links
from dplda.ui.learn.step_view import LessonPosition
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
        st.markdown(
            "Three links to this step. The first is as you see it. The second is for a class: everybody gets their own"
            " noise. The third is for a projector: large type, and arrow keys or a clicker walk the steps."
        )
        if corner.open:  # what shows code is a megabyte and a half for the browser, of every student
            here = {link.VERSION_KEY: link.VERSION, Key.LESSON: place.number, Key.STEP: place.at}
            links.show(here, here | {link.DRAW_KEY: link.OWN}, here | {projector.PROJECTOR: "1"})
        with st.container(horizontal=True):
            st.button(
                "Projector mode",
                icon=":material/present_to_all:",
                key=Key.LEARN_PROJECTOR,
                on_click=projector.project,
            )
            downloads.save(
                "Handout to print",
                lambda: handout(
                    place.lesson, lambda view: cache.made_now(view.look, seed if view.draws else 0), seed=seed
                ),
                f"dplda-lesson-{place.number}.html",
                icon="print",
                key=Key.LEARN_HANDOUT,
            )
