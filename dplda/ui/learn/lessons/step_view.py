"""One step: the scene, the question, and once it is answered the picture, its numbers and the sentence to keep."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.core.versions import installed_version
from dplda.lessons import Guess, Pick, Picture, PictureView
from dplda.ui.learn.lessons.position import LessonPosition
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary
from dplda.ui.state import cache
from dplda.ui.state.keys import Key


def show(place: LessonPosition, seed: int) -> None:
    """Draw the step."""
    step = place.step
    if place.at == 1:
        st.markdown(f"*{place.lesson.says}*")
    glossary.heading(f"{place.at}. {step.title}", step.words)
    left, right = st.columns([2, 3], gap="medium")
    answered = _answer_key(place) in _answers()
    with left:
        st.markdown(step.told(step.scene, {}))
        st.markdown(f"**{step.told(step.question.asks, {})}**")
        if not answered:
            _ask(place)
    with right:
        view = step.after if answered else step.before
        found = None if view is None else _drawn(place, view, seed, answered=answered)
    if answered and found is not None:
        with left:
            _reveal(place, found.numbers)
        right.caption(_made_of(step.after, seed))
    if answered:
        left.button(
            "Ask me again",
            type="tertiary",
            icon=":material/replay:",
            key=Key.LEARN_AGAIN,
            on_click=_forget,
            args=(place,),
        )


def _ask(place: LessonPosition) -> None:
    question, name = place.step.question, _answer_key(place)
    if isinstance(question, Pick):
        for i, option in enumerate(question.options):
            st.button(
                option.says,
                key=f"{Key.LEARN_ANSWER}.{name}.{i}",
                on_click=_decide,
                args=(place, float(i)),
                width="stretch",
            )
    else:
        guess = st.slider(
            "My guess",
            question.low,
            question.high,
            step=question.by,
            format="percent" if question.percent else "%g",
            key=_guess_key(place),
            persist_state="session",
        )
        st.button(
            "That is my guess", type="primary", key=f"{Key.LEARN_ANSWER}.{name}", on_click=_decide, args=(place, guess)
        )
    if isinstance(question, Guess) and question.click:
        st.caption("Or click on a point in the picture.")
    st.button("Show me without a guess", type="tertiary", key=Key.LEARN_SKIP, on_click=_decide, args=(place, None))


def _reveal(place: LessonPosition, numbers: Mapping[str, float]) -> None:
    question, answer = place.step.question, _answers()[_answer_key(place)]
    truth = question.truth(numbers)
    if answer is None:
        st.info(f"The answer: **{truth}**.", icon=":material/visibility:")
    elif question.is_right(answer, numbers):
        st.success(f"You said **{question.said(answer)}**. Right: **{truth}**.", icon=":material/check:")
    else:
        st.info(f"You said **{question.said(answer)}**. It is **{truth}**.", icon=":material/lightbulb:")
    if exceptions := place.step.exceptions(numbers):
        st.warning(
            "Hardly ever is a draw like this one, for which the usual words are not true: "
            + literal("; ".join(exceptions))
            + ".",
            icon=":material/casino:",
        )
        return
    st.markdown(place.step.told(place.step.reveal, numbers))
    st.markdown(f":material/record_voice_over: **Say it:** “{place.step.told(place.step.repeat, numbers)}”")


def _drawn(place: LessonPosition, view: PictureView, seed: int, *, answered: bool) -> Picture | None:
    """Draw a picture, or say why there is none; where a guess may be clicked, a click moves the slider there."""
    try:
        found = cache.made_of_settings("learn", *picture(view, seed))
    except DpldaError as error:
        st.info(literal(str(error)), icon=":material/block:")
        return None
    if found is not None:
        key, question = f"{Key.LEARN_PICTURE}.{'after' if answered else 'before'}", place.step.question
        clicked = not answered and isinstance(question, Guess) and question.click
        if clicked:
            key = f"{key}.{_answer_key(place)}"  # what was clicked elsewhere is no answer here
        select = partial(_clicked, place, key) if clicked else None
        figure_view.draw(found.figure, key, tools=False, on_select=select)
    return found


def picture(view: PictureView, seed: int) -> tuple[Callable[..., Picture], int]:
    """What makes the picture of a view, and of what."""
    return view.look, seed if view.draws else 0


def _made_of(view: PictureView, seed: int) -> str:
    """What a picture was computed from."""
    said = ", ".join(
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}" for name, value in view.settings.items()
    )
    drawn = f", noise seed {seed}" if view.draws else ""
    return literal(f"Computed live by dplda {installed_version('dplda')}: {said}{drawn}.")


def _clicked(place: LessonPosition, key: str) -> None:
    """Move the slider to the place clicked."""
    points, question = st.session_state[key].selection.points, place.step.question
    if points and isinstance(question, Guess):
        st.session_state[_guess_key(place)] = question.at(float(points[0]["x"]))


def _guess_key(place: LessonPosition) -> str:
    return f"{Key.LEARN_GUESS}.{_answer_key(place)}"


def _answers() -> dict[str, float | None]:
    """What the session has said so far, by lesson and step."""
    found: dict[str, float | None] = st.session_state.setdefault(Key.LEARN_ANSWERS, {})
    return found


def _answer_key(place: LessonPosition) -> str:
    return f"{place.lesson.name}.{place.at}"


def _decide(place: LessonPosition, answer: float | None) -> None:
    _answers()[_answer_key(place)] = answer


def _forget(place: LessonPosition) -> None:
    _answers().pop(_answer_key(place), None)
