"""The answer of a class: hands for each option, or one number; typed, or sent by phones."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from dplda import figures
from dplda.lessons import Pick
from dplda.ui.learn.classroom import class_phones
from dplda.ui.learn.lesson_steps.lesson_position import LessonPosition
from dplda.ui.learn.lesson_steps.own_answer import Answering, draw_guess_slider
from dplda.ui.state.keys import Key

MOST_HANDS = 999
FIGURE_HEIGHT = 470  # pixels: what the class's head and clock leave of 768


@dataclass(frozen=True, slots=True)
class ClassAnswer:
    """Answers of a class.

    Attributes:
        hands: for each option, those of phones among them; empty for a question for a number.
        number: of the teacher's slider, else the median of phones; None where nobody gave one.
        n_phones: number of phones whose answers count in it.
    """

    hands: tuple[int, ...] = ()
    number: float | None = None
    n_phones: int = 0


def _ask(position: LessonPosition) -> None:
    """Draw a field for the hands of each option, or an empty slider; and the button of the answer.

    The button keeps the class's answer in the session: what was entered, and what phones sent.
    The phones' answers are forgotten then. Where the class is open to phones, the number of those
    that answered stands below.
    """
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
    class_phones.draw_count(position)


def _keep_answer(position: LessonPosition) -> None:
    """Keep what the class said in the session, as a tuple of one: typed, and sent by phones.

    Hands of each option are added up, or one number is chosen. The phones' answers are forgotten
    then.
    """
    question = position.step.question
    session_state = st.session_state
    phone_answers = class_phones.take_answers(position)
    if isinstance(question, Pick):
        hands_keys = [_hands_key(position, index) for index in range(len(question.options))]
        typed_hands = [session_state.get(key) or 0 for key in hands_keys]
        answer = count_hands(typed_hands, phone_answers)
    else:
        answer = choose_number(session_state.get(position.key_of(Key.LEARN_GUESS)), phone_answers)
    session_state[position.key_of(Key.LEARN_ANSWERS)] = (answer,)


def count_hands(typed_hands: Sequence[int], phone_answers: Sequence[float]) -> ClassAnswer:
    """Add the phones' answers to the hands that the teacher typed, option by option.

    Args:
        typed_hands: for each option.
        phone_answers: index of an option, for each phone.
    """
    n_by_option = Counter(int(option_index) for option_index in phone_answers)
    hands = tuple(n_typed + n_by_option[index] for index, n_typed in enumerate(typed_hands))
    return ClassAnswer(hands=hands, n_phones=len(phone_answers))


def choose_number(typed_number: float | None, phone_answers: Sequence[float]) -> ClassAnswer:
    """The number of the class: the teacher's, else the median of the phones' numbers.

    Of an even number of phones, it is the lower of the two in the middle. Where the teacher's
    number counts, ``n_phones`` is 0. Without either, the number is None.

    Args:
        typed_number: of the teacher's slider; None where it was not moved.
        phone_answers: a number for each phone.
    """
    if typed_number is not None or not phone_answers:
        return ClassAnswer(number=typed_number)
    middle_number = statistics.median_low(phone_answers)
    return ClassAnswer(number=middle_number, n_phones=len(phone_answers))


def _hands_key(position: LessonPosition, option_index: int) -> str:
    return f"{position.key_of(Key.CLASS_HANDS)}.{option_index}"


def _draw_verdict(position: LessonPosition, number_by_name: Mapping[str, float]) -> None:
    """Draw the right answer, and how many hands were for it, or the class's number.

    Answers of phones count as hands. A number that phones gave is described as their middle one.
    For options, a figure of the hands of each follows. Without a hand or a number there is only the
    right answer.
    """
    question = position.step.question
    answer: ClassAnswer = st.session_state[position.key_of(Key.LEARN_ANSWERS)][0]
    verdict_text = (
        f":material/lightbulb: The answer: **{question.describe_right_answer(number_by_name)}**."
    )
    if isinstance(question, Pick):
        n_hands = sum(answer.hands)
        right_index = question.right_index(number_by_name)
        if n_hands:
            verdict_text += f" {answer.hands[right_index]} of {n_hands} hands were for it."
        st.markdown(verdict_text)
        if n_hands:
            option_texts = [option.text for option in question.options]
            st.html(figures.class_tally(option_texts, answer.hands, right_index))
        return
    if answer.number is not None:
        verdict_text += f" The class said **{question.describe_answer(answer.number)}**"
        if answer.n_phones:
            verdict_text += f", the middle of {answer.n_phones} phones"
        verdict_text += "."
    st.markdown(verdict_text)


CLASS_ANSWER = Answering(ask=_ask, draw_verdict=_draw_verdict, figure_height=FIGURE_HEIGHT)
