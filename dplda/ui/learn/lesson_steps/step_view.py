"""One step of a lesson: scene and question; after the answer, figure and sentence to keep."""

from collections.abc import Callable, Mapping

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.core.formatting import digits
from dplda.figures import theme
from dplda.lessons import Picture, PictureView
from dplda.ui.learn.lesson_steps.lesson_position import LessonPosition
from dplda.ui.learn.lesson_steps.own_answer import OWN_ANSWER, Answering
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary, look
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key

TERMS_EXPLAINED = 2  # beside a question that has no figure
SYMBOLS = {
    "n_documents": "N",
    "n_words": "d",
    "n_topics": "k",
    "alpha0": "α₀",
    "epsilon": "ε",
    "delta": "δ",
}


def draw(
    position: LessonPosition,
    seed: int,
    answering: Answering = OWN_ANSWER,
    draw_way_on: Callable[[], None] | None = None,
) -> None:
    """Draw the step: scene and question at the left, a figure or a text at the right.

    Before the answer there are controls to give it. After it the figure shows the truth, with its
    settings below; a verdict on the answer, an explanation, and a button that asks again follow. If
    that figure is refused or was canceled, only the buttons follow.

    Args:
        position: which step.
        seed: of the noise in its figures.
        answering: asks the question and compares the answer with the truth.
        draw_way_on: draws the way to the next step, beside the button that asks again, and only
            after the answer; None for none.
    """
    step = position.step
    answers_key = position.key_of(Key.LEARN_ANSWERS)
    is_answered = bool(st.session_state.get(answers_key))
    glossary.draw_heading(f"{position.at}. {step.title}", step.words)
    step_place = st.container(key=Key.LEARN_BODY)
    left_column, right_column = step_place.columns([2, 3], gap="medium")
    with left_column:
        st.markdown(step.fill_in(step.scene, {}))
        st.markdown(f"**{step.fill_in(step.question.question_text, {})}**")
        if not is_answered:
            answering.ask(position)
    picture_view = step.question_view
    figure_name = "before"
    if is_answered:
        picture_view = step.answer_view
        figure_name = "after"
    with right_column:
        if picture_view is None:
            _draw_reading(position)
            drawn_picture = None
        else:
            drawn_picture = _draw_picture(
                picture_view, seed, name=figure_name, height=answering.figure_height
            )
    if not is_answered:
        return
    if picture_view is not None and drawn_picture is not None:
        with right_column:
            _draw_settings(picture_view, seed)
        with left_column:
            answering.draw_verdict(position, drawn_picture.numbers)
            _explain(position, drawn_picture.numbers)
    end_place = left_column.container(
        horizontal=True, vertical_alignment="center", gap="small", key=Key.LEARN_END
    )
    with end_place:
        if draw_way_on is not None:
            draw_way_on()
        st.button(
            "Ask me again",
            type="tertiary",
            icon=":material/replay:",
            key=Key.LEARN_AGAIN,
            on_click=session.put,
            args=(answers_key, ()),
        )


def _draw_reading(position: LessonPosition) -> None:
    """Draw a box to read beside a question without a figure: an example, or else terms explained.

    Of terms, the first ``TERMS_EXPLAINED`` are explained. In the first step of a lesson the box
    begins with the summary of the lesson. It is drawn even if it stays empty.
    """
    step = position.step
    term_names = step.words.split()[:TERMS_EXPLAINED]
    explanations = []
    for entry in (glossary.entries()[name] for name in term_names):
        term_heading = f"**{entry.term}** {entry.symbol}".strip()
        explanations.append(f"{term_heading}: {entry.says}")
    with st.container(border=True, key=Key.LEARN_READING):
        if position.at == 1:
            st.markdown(f"*{position.lesson.says}*")
        st.markdown(step.example or "\n\n".join(explanations))


def _explain(position: LessonPosition, number_by_name: Mapping[str, float]) -> None:
    """Draw why the answer is as it is, and the sentence to keep.

    On an unusual draw, a warning stands in their place.

    Args:
        position: the step.
        number_by_name: numbers of its figure.
    """
    step = position.step
    unusual_facts = step.describe_exceptions(number_by_name)
    if unusual_facts:
        facts_text = literal("; ".join(unusual_facts))
        st.warning(
            f"This draw is unusual, so the explanation does not apply: {facts_text}.",
            icon=":material/casino:",
        )
        return
    st.markdown(step.fill_in(step.reveal, number_by_name))
    sentence_to_keep = step.fill_in(step.takeaway, number_by_name)
    st.markdown(f":material/record_voice_over: **Say it:** “{sentence_to_keep}”")


def _draw_picture(view: PictureView, seed: int, *, name: str, height: int) -> Picture | None:
    """Make and draw a step's figure, and return it with its numbers.

    Returns None if it was canceled, or refused for a reason that is drawn.

    Args:
        view: makes the figure.
        seed: of its noise; not used by a figure that draws none.
        name: of the figure in its key.
        height: most pixels that it may take.
    """
    try:
        picture = cache.made_of_settings(
            "learn", view.make_picture, seed if view.depends_on_seed else 0
        )
    except DpldaError as error:
        st.info(literal(str(error)), icon=":material/block:")
        return None
    if picture is not None:
        figure_key = f"{Key.LEARN_PICTURE}.{name}"
        figure_view.draw(
            picture.figure,
            figure_key,
            has_save_button=False,
            max_height=height,
            fills=True,
            smallest_letters=theme.ROOM_LETTERS,
        )
    return picture


def _draw_settings(view: PictureView, seed: int) -> None:
    """Draw a caption with a figure's settings that have a symbol, and its seed if noise is drawn.

    Draws nothing on a projector, or if there are none.
    """
    setting_texts = [
        f"{SYMBOLS[setting_name]} = {digits(float(setting_value))}"
        for setting_name, setting_value in view.settings.items()
        if setting_name in SYMBOLS
    ]
    if view.depends_on_seed:
        setting_texts.append(f"noise seed {seed}")
    if setting_texts and not look.is_projected():
        st.caption(f"Computed live: {', '.join(setting_texts)}.")
