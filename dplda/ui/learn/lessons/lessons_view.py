"""Which lesson and which step: lists, the address, and a way back and forth that loses nothing."""

from functools import lru_cache
from pathlib import Path

import streamlit as st

from dplda.core import assets
from dplda.core.errors import ReadError
from dplda.experiments.settings import Settings
from dplda.lessons import Lesson, read_lesson
from dplda.ui.learn.lessons import room, step_view
from dplda.ui.learn.lessons.position import LessonPosition
from dplda.ui.literal import literal
from dplda.ui.shell import glossary, projector
from dplda.ui.state import link, session
from dplda.ui.state.keys import Key


def draw(settings: Settings) -> None:
    """The lesson and step that the address names."""
    if st.query_params.get(link.DRAW_KEY) == link.OWN:
        st.caption("**This draw is yours**: whoever opened the same link drew another seed, so compare.")
    place = choose()
    step_view.show(place, settings.seed)
    room.tools(place, settings.seed)


def choose() -> LessonPosition:
    """Draw the lists of lessons and steps; ends the run where there is no lesson."""
    found, wrong = _read(_stamps())
    for problem in wrong:
        st.warning(f"A lesson was left out. {literal(problem)}", icon=":material/menu_book:")
    if not found:
        st.info("There are no lessons: put a file into the folder assets/lessons.", icon=":material/menu_book:")
        st.stop()
    _adopt(found)
    state = st.session_state
    left, right = st.columns(2, gap="medium", vertical_alignment="bottom")
    number = left.selectbox(
        "Lesson",
        range(1, len(found) + 1),
        format_func=lambda i: f"{i}. {found[i - 1].title}",
        key=Key.LESSON,
        persist_state="session",
        on_change=lambda: state.update({Key.STEP: 1}),
    )
    steps = range(1, len(found[number - 1].steps) + 1)
    with right.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        at = st.segmented_control("Step", steps, required=True, key=Key.STEP, persist_state="session", width="content")
        place = LessonPosition(found, number, int(at or 1))
        _walk(place)
    written: dict[str, str] = {Key.LESSON: str(place.number), Key.STEP: str(place.at)}
    state[Key.LEARN_SHOWN] = written
    session.write(written)
    return place


def _walk(place: LessonPosition) -> None:
    """Back and forth; the arrow keys press these buttons in projector mode."""
    for key, by, words, icon, arrow in (
        (Key.LEARN_BACK, -1, "Back", ":material/arrow_back:", "Left"),
        (Key.LEARN_NEXT, 1, "Next", ":material/arrow_forward:", "Right"),
    ):
        to = place.moved(by)
        st.button(
            words,
            icon=icon,
            icon_position="left" if by < 0 else "right",
            type="tertiary",
            disabled=to is None,
            key=key,
            shortcut=arrow if projector.is_projected() else None,
            on_click=_go,
            args=(to,),
        )


def _go(to: tuple[int, int] | None) -> None:
    if to is not None:
        st.session_state[Key.LESSON], st.session_state[Key.STEP] = to


def _adopt(lessons: tuple[Lesson, ...]) -> None:
    """Take lesson and step from an address that somebody brought, else keep those that the session is at."""
    asked = {key: st.query_params[key] for key in (Key.LESSON, Key.STEP) if key in st.query_params}
    state = st.session_state
    if asked and asked != state.get(Key.LEARN_SHOWN):
        number = _within(asked.get(Key.LESSON, "1"), len(lessons))
        _go((number, _within(asked.get(Key.STEP, "1"), len(lessons[number - 1].steps))))
    number = min(int(state.get(Key.LESSON) or 1), len(lessons))
    _go((number, min(int(state.get(Key.STEP) or 1), len(lessons[number - 1].steps))))


def _within(text: str, most: int) -> int:
    """The number of an address, or 1 where it is none."""
    return int(text) if text.isdecimal() and len(text) < 4 and 1 <= int(text) <= most else 1


def _stamps() -> tuple[tuple[Path, int], ...]:
    """The files, and when each was written."""
    return tuple((path, path.stat().st_mtime_ns) for path in sorted((assets.folder() / "lessons").glob("*.toml")))


@lru_cache(maxsize=4)
def _read(stamps: tuple[tuple[Path, int], ...]) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    """Lessons that can be read, and what is wrong with the others."""
    found, wrong = [], []
    for path, _ in stamps:
        try:
            lesson = read_lesson(path)
            for at, step in enumerate(lesson.steps, start=1):
                if unknown := set(step.words.split()) - set(glossary.entries()):
                    said = f"step {at}, words: no entry of the glossary: {', '.join(sorted(unknown))}"
                    raise ReadError(path.name, said, "Write names that stand in brackets in assets/docs/glossary.toml.")
            found.append(lesson)
        except ReadError as error:
            wrong.append(str(error))
    return tuple(found), tuple(wrong)
