"""The answer of a class: hands for each option, or one number; typed by the teacher."""

from collections.abc import Mapping

import streamlit as st

from dplda import figures
from dplda.lessons import Pick
from dplda.ui.learn.lesson_position import LessonPosition
from dplda.ui.learn.own_answer import Answering, draw_guess_slider
from dplda.ui.state.keys import Key

MOST_HANDS = 999
FIGURE_HEIGHT = 460  # pixels: what the class's head and clock leave of 768


def _ask(position: LessonPosition) -> None:
    """Draw a field for the hands of each option, or an empty slider; and a button to answer."""
    question = position.step.question
    if isinstance(question, Pick):
        for option_index, option in enumerate(question.options):
            text_column, hands_column = st.columns([5, 2], vertical_alignment="center", gap="small")
            text_column.markdown(option.text)
            hands_column.number_input(
                f"Hands for: {option.text}",
                min_value=0,
                max_value=MOST_HANDS,
                value=None,
                step=1,
                placeholder="hands",
                key=_hands_key(position, option_index),
                persist_state="session",
                label_visibility="collapsed",
            )
    else:
        draw_guess_slider(question, position.key_of(Key.LEARN_GUESS))
    st.button(
        "Show the answer",
        type="primary",
        key=position.key_of(Key.CLASS_SHOW),
        on_click=_keep_answer,
        args=(position,),
    )


def _keep_answer(position: LessonPosition) -> None:
    """Keep what the class said in the session: hands for each option, or the slider's number.

    A field left empty has no hands; a slider left alone gives None.
    """
    question = position.step.question
    state = st.session_state
    answer: tuple[int, ...] | float | None
    if isinstance(question, Pick):
        keys = [_hands_key(position, index) for index in range(len(question.options))]
        answer = tuple(state.get(key) or 0 for key in keys)
    else:
        answer = state.get(position.key_of(Key.LEARN_GUESS))
    state[position.key_of(Key.LEARN_ANSWERS)] = (answer,)


def _hands_key(position: LessonPosition, option_index: int) -> str:
    return f"{position.key_of(Key.CLASS_HANDS)}.{option_index}"


def _draw_verdict(position: LessonPosition, numbers: Mapping[str, float]) -> None:
    """Draw the right answer beside the hands of each option, or beside the class's number.

    Without a hand or a number only the right answer.
    """
    question = position.step.question
    answer = st.session_state[position.key_of(Key.LEARN_ANSWERS)][0]
    verdict = f":material/lightbulb: The answer: **{question.describe_right_answer(numbers)}**."
    if isinstance(question, Pick):
        n_hands = sum(answer)
        right_index = question.right_index(numbers)
        if n_hands:
            verdict += f" {answer[right_index]} of {n_hands} hands were for it."
        st.markdown(verdict)
        if n_hands:
            texts = [option.text for option in question.options]
            st.html(figures.class_tally(texts, answer, right_index))
        return
    if answer is not None:
        verdict += f" The class said **{question.describe_answer(answer)}**."
    st.markdown(verdict)


CLASS_ANSWER = Answering(ask=_ask, draw_verdict=_draw_verdict, figure_height=FIGURE_HEIGHT)
