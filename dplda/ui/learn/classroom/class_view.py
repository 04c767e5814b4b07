"""The ten-minute class: four questions of two minutes, a clock, a tally, a page to print."""

from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path

import streamlit as st

from dplda.core import assets
from dplda.lessons import Lesson, read_lesson
from dplda.lessons.handout import render_handout
from dplda.ui.learn.classroom import class_clock, class_phones
from dplda.ui.learn.classroom.class_answer import CLASS_ANSWER
from dplda.ui.learn.lesson_steps import step_view
from dplda.ui.learn.lesson_steps.lesson_position import LessonPosition
from dplda.ui.shell import downloads, look, views
from dplda.ui.state import session
from dplda.ui.state.keys import Key

STEP_KEY = f"{Key.CLASS_STEP}.learn"
ENDING = "Say it"
"""Title of the last two minutes, in which the class repeats the sentences to keep."""


def draw() -> None:
    """Draw the one class at the step that the address names, its clock, and the teacher's tools.

    A change of step starts the clock anew, and phones are shown the same step. The last step is the
    ending. On a projector there are no tools.
    """
    look.apply_class_style()
    lesson = read_class()
    seed = int(st.session_state[Key.SEED])
    titles = [*(step.title for step in lesson.steps), ENDING]
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=Key.CLASS_HEAD
    ):
        draw_step_choice = partial(views.SEGMENTS, on_change=class_clock.restart)
        step_title = views.choose("learn", titles, Key.CLASS_STEP, draw_step_choice)
        class_phones.show_step(titles.index(step_title))
        _draw_ways(titles, titles.index(step_title))
        class_clock.draw()
        if not look.is_projected():
            with st.popover("For the teacher", icon=":material/school:"):
                _draw_tools(lesson, seed)
    with st.container(
        key=f"{Key.CLASS_PART}.{titles.index(step_title)}"
    ):  # no step inherits elements
        if step_title == ENDING:
            _draw_ending(lesson)
        else:
            position = LessonPosition(lesson, number=1, at=titles.index(step_title) + 1)
            step_view.draw(position, seed, CLASS_ANSWER)


def read_class() -> Lesson:
    """The lesson of the class."""
    return _read_class(assets.folder() / "lessons" / "class" / "ten-minutes.toml")


@lru_cache(maxsize=2)
def _read_class(path: Path) -> Lesson:
    return read_lesson(path)


def _draw_ways(titles: Sequence[str], step_index: int) -> None:
    """Draw Back and Next; on a projector, arrow keys press them.

    Back is disabled at the first step, Next at the last.
    """
    buttons = (
        (Key.CLASS_BACK, -1, "Back", "Left"),
        (Key.CLASS_NEXT, 1, "Next", "Right"),
    )
    for key, step_offset, label, arrow_key in buttons:
        target_index = step_index + step_offset
        st.button(
            label,
            type="tertiary",
            key=key,
            disabled=not 0 <= target_index < len(titles),
            shortcut=arrow_key if look.is_projected() else None,
            on_click=_open_step,
            args=(titles[target_index % len(titles)],),
        )


def _open_step(title: str) -> None:
    """Open a step on the next run, with two minutes of its own."""
    st.session_state[STEP_KEY] = title
    class_clock.restart()


def _draw_ending(lesson: Lesson) -> None:
    """Draw the sentences to keep, one for each step."""
    st.header("Say it in four sentences", anchor=False)
    sentences = [f"{number}. {step.takeaway}" for number, step in enumerate(lesson.steps, 1)]
    st.markdown("\n".join(sentences))
    st.markdown("**Whose letter would you leave out, and whose need the topics?** Talk about it.")


def _draw_tools(lesson: Lesson, seed: int) -> None:
    """Draw a note on how to teach it, a switch for phones, and buttons to print and to project."""
    st.markdown(lesson.note)
    class_phones.draw_switch(len(lesson.steps))
    downloads.draw_save_button(
        "Page to print",
        partial(render_handout, lesson, seed),
        "dplda-class.html",
        icon_name="print",
        help="Questions for the class on one page, answers for the teacher on the next.",
    )
    st.button(
        "Projector mode",
        icon=":material/present_to_all:",
        key=Key.CLASS_PROJECTOR,
        on_click=session.write,
        args=({look.PROJECTOR: "1"},),
    )
