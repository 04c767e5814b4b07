"""The choice of a lesson and step, kept in the address; Back and Next; and tools for a class."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeAlias

import streamlit as st

from dplda.core import assets
from dplda.core.errors import ReadError
from dplda.lessons import Lesson, read_lesson
from dplda.ui.learn.lesson_steps import step_view
from dplda.ui.learn.lesson_steps.lesson_position import LessonPosition
from dplda.ui.literal import literal
from dplda.ui.shell import downloads, glossary, look, views
from dplda.ui.state import link, session
from dplda.ui.state.keys import Key

LESSON_KEY = f"{Key.LESSON}.learn"
STEP_KEY = f"{Key.STEP}.learn"
StepNumber: TypeAlias = tuple[int, int]  # of a lesson, and of a step in it, from 1
OWN_DRAW = (
    "**This draw is yours**: everybody who opens this link gets a different seed. Compare results."
)
LINKS = (
    "Three links to this step. The first is as you see it. The second is for a class: everybody"
    " gets their own noise. The third is for a projector: large type, and arrow keys or a clicker"
    " walk the steps."
)


@dataclass(frozen=True, slots=True)
class _WayButton:
    """A button to the step before or after.

    Attributes:
        key: of the button.
        offset: steps that it goes on: -1 or 1.
        label: written on it.
        icon: its icon, which a projector leaves out: there the arrow key is drawn.
        shortcut: the key that presses it in projector mode.
    """

    key: Key
    offset: int
    label: str
    icon: str
    shortcut: str


BACK = _WayButton(Key.LEARN_BACK, -1, "Back", ":material/arrow_back:", "Left")
NEXT = _WayButton(Key.LEARN_NEXT, 1, "Next", ":material/arrow_forward:", "Right")


@dataclass(frozen=True, slots=True)
class _Lessons:
    """The lessons that could be read, and what is wrong with the others."""

    lessons: tuple[Lesson, ...]
    problems: tuple[str, ...]


def draw() -> None:
    """Draw the lesson and step that the address names, and tools for a teacher.

    A caption stands above if the link asks for a draw of one's own. Lessons that cannot be read are
    left out with a warning; if none is left, nothing more is drawn. A projector shows no tools.
    """
    if st.query_params.get(link.DRAW_KEY) == link.OWN:
        st.caption(OWN_DRAW)
    lesson_paths = sorted((assets.folder() / "lessons").glob("*.toml"))
    read_lessons = _read_lessons(
        tuple((lesson_path, lesson_path.stat().st_mtime_ns) for lesson_path in lesson_paths)
    )
    for problem in read_lessons.problems:
        st.warning(f"A lesson was left out. {literal(problem)}", icon=":material/menu_book:")
    if not read_lessons.lessons:
        return
    position = _choose_position(read_lessons.lessons)
    seed = int(st.session_state[Key.SEED])
    draw_way_on = partial(_draw_way_on, read_lessons.lessons, position)
    step_view.draw(position, seed, draw_way_on=draw_way_on)
    if not look.is_projected():
        _draw_teacher_tools(position, seed)


def _choose_position(lessons: Sequence[Lesson]) -> LessonPosition:
    """Draw the choice of a lesson and of its step, with Back and Next; return what is open.

    A change of lesson begins with its first step. The address keeps both.
    """
    lesson_column, step_column = st.columns([3, 4], gap="medium", vertical_alignment="center")
    with lesson_column:
        lesson_number = _choose_lesson(lessons)
    chosen_lesson = lessons[lesson_number - 1]
    every_step = _list_steps(lessons)
    with step_column.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        open_step_number = _choose_step(len(chosen_lesson.steps))
        for way_button in (BACK, NEXT):
            _draw_way(way_button, every_step, (lesson_number, open_step_number))
    return LessonPosition(chosen_lesson, lesson_number, open_step_number)


def _choose_lesson(lessons: Sequence[Lesson]) -> int:
    """Draw the choice of a lesson, and return its number, from 1; a change opens its first step."""
    title_by_number = {
        str(number): f"{number}. {lesson.title}" for number, lesson in enumerate(lessons, 1)
    }
    draw_lesson_list = partial(
        st.selectbox,
        "Lesson",
        format_func=title_by_number.get,
        label_visibility="collapsed",
        on_change=session.put,
        args=(STEP_KEY, "1"),
    )
    return int(views.choose("learn", list(title_by_number), Key.LESSON, draw_lesson_list))


def _choose_step(n_steps: int) -> int:
    """Draw the choice of a step of the lesson, and return its number, from 1."""
    step_numbers = [str(step_number) for step_number in range(1, n_steps + 1)]
    draw_step_buttons = partial(
        st.segmented_control,
        "Step",
        required=True,
        label_visibility="collapsed",
        width="content",
    )
    return int(views.choose("learn", step_numbers, Key.STEP, draw_step_buttons))


def _draw_way(button: _WayButton, every_step: Sequence[StepNumber], open_step: StepNumber) -> None:
    """Draw Back or Next, which also lead into the lesson before or after.

    Disabled at the first and the last step of all. On a projector it has no icon, and an arrow key
    presses it.

    Args:
        button: which of the two.
        every_step: steps of all lessons, in order.
        open_step: the open step.
    """
    target_index = every_step.index(open_step) + button.offset
    shown_icon: str | None = button.icon
    shortcut = None
    if look.is_projected():
        shown_icon = None
        shortcut = button.shortcut
    st.button(
        button.label,
        icon=shown_icon,
        icon_position="left" if button.offset < 0 else "right",
        type="tertiary",
        disabled=not 0 <= target_index < len(every_step),
        key=button.key,
        shortcut=shortcut,
        on_click=_go,
        args=every_step[target_index % len(every_step)],
    )


def _draw_way_on(lessons: Sequence[Lesson], position: LessonPosition) -> None:
    """Draw the button to the next step, or lesson, which follows an answer.

    Draws nothing at the last step of all, and on a projector, where the arrow keys lead on.
    """
    every_step = _list_steps(lessons)
    next_index = every_step.index((position.number, position.at)) + 1
    if next_index == len(every_step) or look.is_projected():
        return
    next_step = every_step[next_index]
    st.button(
        "Next step" if next_step[0] == position.number else "Next lesson",
        icon=NEXT.icon,
        icon_position="right",
        type="primary",
        key=Key.LEARN_GO_ON,
        on_click=_go,
        args=next_step,
    )


def _list_steps(lessons: Sequence[Lesson]) -> list[StepNumber]:
    """Steps of all lessons, in order."""
    return [
        (number, step_number)
        for number, lesson in enumerate(lessons, 1)
        for step_number in range(1, len(lesson.steps) + 1)
    ]


def _go(lesson_number: int, step_number: int) -> None:
    """Open a step on the next run."""
    st.session_state[LESSON_KEY] = str(lesson_number)
    st.session_state[STEP_KEY] = str(step_number)


@lru_cache(maxsize=4)
def _read_lessons(paths_and_times: tuple[tuple[Path, int], ...]) -> _Lessons:
    """Read the lessons that can be read, with a problem for each other one.

    A lesson that explains a term that the glossary lacks is left out, too.

    Args:
        paths_and_times: files, each with the time when it was written, so that a change is seen.
    """
    lessons: list[Lesson] = []
    problems: list[str] = []
    for lesson_path, _ in paths_and_times:
        try:
            lesson = read_lesson(lesson_path)
            _check_terms(lesson, lesson_path.name)
            lessons.append(lesson)
        except ReadError as error:
            problems.append(str(error))
    return _Lessons(tuple(lessons), tuple(problems))


def _check_terms(lesson: Lesson, file_name: str) -> None:
    """Refuse a lesson with a step that explains a term that the glossary lacks.

    Raises:
        ReadError: it has one; the first such step and all its missing terms are named.
    """
    for step_number, step in enumerate(lesson.steps, start=1):
        missing_terms = set(step.words.split()) - set(glossary.entries())
        if missing_terms:
            terms_text = ", ".join(sorted(missing_terms))
            problem_clause = f"step {step_number}, words: not in the glossary: {terms_text}"
            fix = "Use names in brackets from assets/docs/glossary.toml."
            raise ReadError(file_name, problem_clause, fix)


def _draw_teacher_tools(position: LessonPosition, seed: int) -> None:
    """Draw an expander with a note for the teacher, links to this step, and *Projector mode*.

    Links are drawn only while it is open.
    """
    lesson = position.lesson
    tools_expander = st.expander(
        "For the teacher", icon=":material/school:", key=Key.LEARN_CORNER, on_change="rerun"
    )
    with tools_expander:
        st.markdown(f"**{lesson.title}**, about {lesson.minutes} minutes. {lesson.note}")
        st.markdown(LINKS)
        if tools_expander.open:  # what draws code is 1.5 MB for the browser of every student
            step_query = {
                link.VERSION_KEY: link.VERSION,
                Key.LESSON: position.number,
                Key.STEP: position.at,
            }
            query_as_seen = step_query | {Key.SEED: seed}
            query_for_class = step_query | {link.DRAW_KEY: link.OWN}
            query_for_projector = query_as_seen | {look.PROJECTOR: "1"}
            downloads.draw_links(query_as_seen, query_for_class, query_for_projector)
        st.button(
            "Projector mode",
            icon=":material/present_to_all:",
            key=Key.LEARN_PROJECTOR,
            on_click=session.write,
            args=({look.PROJECTOR: "1"},),
        )
