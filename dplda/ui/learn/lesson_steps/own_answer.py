"""The answer of one visitor to a lesson's question."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from dplda.lessons import Pick
from dplda.lessons.lesson import Guess
from dplda.ui.learn.lesson_steps.lesson_position import LessonPosition
from dplda.ui.state import session
from dplda.ui.state.keys import Key

NO_GUESS_YET = "?"
"""First stop of a slider, where it stands until somebody guesses."""


@dataclass(frozen=True, slots=True)
class Answering:
    """A way to answer a lesson's questions.

    Attributes:
        ask: draws controls that keep the answer in the session, as a tuple of one.
        draw_verdict: draws the right answer beside the one that was given, from the numbers of the
            step's figure.
        figure_height: pixels that a figure beside the question may take.
    """

    ask: Callable[[LessonPosition], None]
    draw_verdict: Callable[[LessonPosition, Mapping[str, float]], None]
    figure_height: int = 500  # what a lesson's head leaves of 768


def draw_guess_slider(question: Guess, key: str) -> float | None:
    """Draw a slider that starts empty, so that it suggests no number; None until it is moved.

    Args:
        question: gives the ends and the step of the slider.
        key: of the widget.
    """

    def label(stop: float | None) -> str:
        if stop is None:
            return NO_GUESS_YET
        return question.describe_answer(stop)

    return st.select_slider(
        "My guess",
        [None, *question.stops()],
        format_func=label,
        key=key,
        persist_state="session",
        label_visibility="collapsed",
    )


def _ask(position: LessonPosition) -> None:
    """Draw the controls of an answer: a button for each option, or a slider with a button.

    The slider's button is disabled until it is moved. A further button shows the answer without a
    guess. Each keeps the answer in the session as a tuple of one: the option's index, the number,
    or None without a guess.
    """
    question = position.step.question
    button_key = position.key_of(Key.LEARN_ANSWER)
    answers_key = position.key_of(Key.LEARN_ANSWERS)
    if isinstance(question, Pick):
        for option_index, option in enumerate(question.options):
            st.button(
                option.text,
                key=f"{button_key}.{option_index}",
                on_click=session.put,
                args=(answers_key, (float(option_index),)),
                width="stretch",
            )
    else:
        guess = draw_guess_slider(question, position.key_of(Key.LEARN_GUESS))
        st.button(
            "Move the slider to guess" if guess is None else "That is my guess",
            type="primary",
            key=button_key,
            on_click=session.put,
            args=(answers_key, (guess,)),
            disabled=guess is None,
        )
    st.button(
        "Show me without a guess",
        type="tertiary",
        key=Key.LEARN_SKIP,
        on_click=session.put,
        args=(answers_key, (None,)),
    )


def _draw_verdict(position: LessonPosition, number_by_name: Mapping[str, float]) -> None:
    """Draw the visitor's answer and whether it is right; without a guess only the right answer."""
    question = position.step.question
    answer = st.session_state[position.key_of(Key.LEARN_ANSWERS)][0]
    right_answer = question.describe_right_answer(number_by_name)
    answer_sentence = ""
    if answer is not None:
        answer_sentence = f"You said **{question.describe_answer(answer)}**. "
    if answer is not None and question.is_right(answer, number_by_name):
        st.success(f"{answer_sentence}Right: **{right_answer}**.", icon=":material/check:")
    else:
        st.info(f"{answer_sentence}The answer: **{right_answer}**.", icon=":material/lightbulb:")


OWN_ANSWER = Answering(ask=_ask, draw_verdict=_draw_verdict)
