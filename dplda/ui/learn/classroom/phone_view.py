"""A phone that joined a class: the teacher's question, and buttons to answer it."""

import secrets

import streamlit as st

from dplda.lessons import Pick
from dplda.lessons.lesson import Guess, LessonStep
from dplda.ui.learn.classroom.class_rooms import CLASS_ROOMS, ClassError
from dplda.ui.learn.classroom.class_view import read_class
from dplda.ui.learn.lesson_steps.own_answer import draw_guess_slider
from dplda.ui.literal import literal
from dplda.ui.state import session
from dplda.ui.state.keys import Key

CLASS_IS_OVER = "There is no class at this link, or it is over. Ask your teacher for a new link."
AT_THE_END = "The questions are over. Look at the screen, and say the four sentences."


def code_in_address() -> str:
    """Code of the class that the address names; empty if it names none."""
    return st.query_params.get(Key.CLASS_CODE) or ""


def draw(code: str) -> None:
    """Draw the teacher's question with controls to answer it, and what this phone answered.

    Below stands a button that fetches the next question. A message stands in place of all that if
    the class is over or at its end.

    Args:
        code: of the class.
    """
    with st.container(horizontal=True):
        st.title("Ten-minute class", anchor=False)
    session.say_notices()
    step_index = CLASS_ROOMS.current_step(code)
    if step_index is None:
        st.info(CLASS_IS_OVER, icon=":material/school:")
        return
    steps = read_class().steps
    if step_index >= len(steps):
        st.info(AT_THE_END, icon=":material/record_voice_over:")
        return
    step = steps[step_index]
    with st.container(key=f"{Key.CLASS_PHONE}.{step_index}"):
        st.subheader(f"{step_index + 1}. {step.title}", anchor=False)
        st.markdown(f"**{step.fill_in(step.question.question_text, {})}**")
        _draw_controls(code, step_index, step)
        _draw_own_answer(code, step_index, step)
    st.button("Next question", key=Key.CLASS_MORE, help="When your teacher shows it.")


def _draw_controls(code: str, step_index: int, step: LessonStep) -> None:
    """Draw a button for each option, or a slider and a button, which is disabled until it is moved.

    A press sends the answer: the option's index, or the number.
    """
    question = step.question
    button_key = f"{Key.CLASS_VOTE}.{step_index}"
    if isinstance(question, Pick):
        for option_index, option in enumerate(question.options):
            st.button(
                option.text,
                key=f"{button_key}.{option_index}",
                on_click=_send,
                args=(code, step_index, float(option_index)),
                width="stretch",
            )
        return
    guess = draw_guess_slider(question, f"{button_key}.slider")
    st.button(
        "Move the slider to guess" if guess is None else "That is my guess",
        type="primary",
        key=button_key,
        on_click=_send,
        args=(code, step_index, guess),
        disabled=guess is None,
    )


def _send(code: str, step_index: int, answer: float) -> None:
    """Send an answer to the class, and keep it for this phone.

    If it does not count, the next run says why, and nothing is kept.
    """
    session_state = st.session_state
    phone_id = session_state.setdefault(Key.CLASS_PHONE, secrets.token_hex(8))
    try:
        CLASS_ROOMS.answer(code, step_index, phone_id, answer)
    except ClassError as error:
        session.notice(str(error))
        return
    session_state[_own_answer_key(code, step_index)] = answer


def _draw_own_answer(code: str, step_index: int, step: LessonStep) -> None:
    """Draw what this phone answered, if it did, and that it can be changed; no verdict on it."""
    answer = st.session_state.get(_own_answer_key(code, step_index))
    if answer is None:
        return
    question: Pick | Guess = step.question
    answer_text = literal(question.describe_answer(answer))
    st.success(
        f"Your answer counts: **{answer_text}**. You can change it until the answer is shown.",
        icon=":material/check:",
    )


def _own_answer_key(code: str, step_index: int) -> str:
    return f"{Key.CLASS_VOTE}.{code}.{step_index}.own"
