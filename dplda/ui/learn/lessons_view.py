"""The choice of a lesson and step, kept in the address; Back and Next, which keep answers; and tools for a class."""

from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path

import streamlit as st

from dplda.core import assets
from dplda.core.errors import ReadError
from dplda.lessons import Lesson, read_lesson
from dplda.ui.learn import step_view
from dplda.ui.learn.step_view import LessonPosition
from dplda.ui.literal import literal
from dplda.ui.shell import downloads, glossary, look, views
from dplda.ui.state import link, session
from dplda.ui.state.keys import Key

LESSON, STEP = f"{Key.LESSON}.learn", f"{Key.STEP}.learn"


def draw() -> None:
    """Draw the lesson and step that the address names."""
    if st.query_params.get(link.DRAW_KEY) == link.OWN:
        st.caption(
            "**This draw is yours**: everybody who opens this link gets a different seed. Compare results."
        )
    paths = sorted((assets.folder() / "lessons").glob("*.toml"))
    lessons, wrong = _read(tuple((path, path.stat().st_mtime_ns) for path in paths))
    for problem in wrong:
        st.warning(f"A lesson was left out. {literal(problem)}", icon=":material/menu_book:")
    if not lessons:
        return
    left, right = st.columns([3, 4], gap="medium", vertical_alignment="center")
    with left:
        titles = {
            str(number): f"{number}. {lesson.title}" for number, lesson in enumerate(lessons, 1)
        }
        first = {"on_change": session.put, "args": (STEP, "1")}
        control = partial(
            st.selectbox, "Lesson", format_func=titles.get, label_visibility="collapsed", **first
        )
        number = int(views.choose("learn", list(titles), Key.LESSON, control))
    lesson = lessons[number - 1]
    with right.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        steps = [str(number) for number in range(1, len(lesson.steps) + 1)]
        control = partial(
            st.segmented_control,
            "Step",
            required=True,
            label_visibility="collapsed",
            width="content",
        )
        step = int(views.choose("learn", steps, Key.STEP, control))
        _walk(
            [(i, j) for i, one in enumerate(lessons, 1) for j in range(1, len(one.steps) + 1)],
            (number, step),
        )
    place, seed = LessonPosition(lesson, number, step), int(st.session_state[Key.SEED])
    step_view.show(place, seed)
    _tools(place, seed)


def _walk(every: Sequence[tuple[int, int]], here: tuple[int, int]) -> None:
    """Draw Back and Next, which also lead into other lessons; in projector mode the arrow keys press them."""
    for key, by, words, icon, arrow in (
        (Key.LEARN_BACK, -1, "Back", ":material/arrow_back:", "Left"),
        (Key.LEARN_NEXT, 1, "Next", ":material/arrow_forward:", "Right"),
    ):
        to = every.index(here) + by
        st.button(
            words,
            icon=None if look.is_projected() else icon,  # the key is drawn as an arrow too
            icon_position="left" if by < 0 else "right",
            type="tertiary",
            disabled=not 0 <= to < len(every),
            key=key,
            shortcut=arrow if look.is_projected() else None,
            on_click=lambda lesson, step: st.session_state.update(
                {LESSON: str(lesson), STEP: str(step)}
            ),
            args=every[to % len(every)],
        )


@lru_cache(maxsize=4)
def _read(stamps: tuple[tuple[Path, int], ...]) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    """The readable lessons, and what is wrong with the others; ``stamps`` are files and when each was written."""
    found, wrong = [], []
    for path, _ in stamps:
        try:
            lesson = read_lesson(path)
            for at, step in enumerate(lesson.steps, start=1):
                if unknown := set(step.words.split()) - set(glossary.entries()):
                    said = f"step {at}, words: not in the glossary: {', '.join(sorted(unknown))}"
                    raise ReadError(
                        path.name, said, "Use names in brackets from assets/docs/glossary.toml."
                    )
            found.append(lesson)
        except ReadError as error:
            wrong.append(str(error))
    return tuple(found), tuple(wrong)


def _tools(place: LessonPosition, seed: int) -> None:
    if look.is_projected():
        return
    corner = st.expander(
        "For the teacher", icon=":material/school:", key=Key.LEARN_CORNER, on_change="rerun"
    )
    with corner:
        st.markdown(
            f"**{place.lesson.title}**, about {place.lesson.minutes} minutes. {place.lesson.note}"
        )
        st.markdown(
            "Three links to this step. The first is as you see it. The second is for a class: everybody gets their own"
            " noise. The third is for a projector: large type, and arrow keys or a clicker walk the steps."
        )
        if (
            corner.open
        ):  # what shows code is a megabyte and a half for the browser, of every student
            here = {link.VERSION_KEY: link.VERSION, Key.LESSON: place.number, Key.STEP: place.at}
            seen = here | {Key.SEED: seed}
            downloads.draw_links(
                seen, here | {link.DRAW_KEY: link.OWN}, seen | {look.PROJECTOR: "1"}
            )
        st.button(
            "Projector mode",
            icon=":material/present_to_all:",
            key=Key.LEARN_PROJECTOR,
            on_click=session.write,
            args=({look.PROJECTOR: "1"},),
        )
