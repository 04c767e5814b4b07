"""One step of a lesson: scene and question; after the answer, the figure, its numbers and the sentence to keep."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.core.formatting import digits
from dplda.lessons import Lesson, LessonStep, Pick, Picture, PictureView
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary, look
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key

EXPLAINED = 2  # terms beside a question that has no picture
SYMBOLS = {
    "n_documents": "N",
    "n_words": "d",
    "n_topics": "k",
    "alpha0": "α₀",
    "epsilon": "ε",
    "delta": "δ",
}
ROOM = 540  # pixels: what a lesson's head leaves of a projector's 768


@dataclass(frozen=True, slots=True)
class LessonPosition:
    """Where a session is."""

    lesson: Lesson
    number: int
    at: int

    @property
    def step(self) -> LessonStep:
        """The step."""
        return self.lesson.steps[self.at - 1]

    def key(self, of: Key) -> str:
        """The key of a value that the session keeps for this step alone."""
        return f"{of}.{self.lesson.name}.{self.at}"


def show(place: LessonPosition, seed: int) -> None:
    """Draw the step."""
    step, answered = place.step, bool(st.session_state.get(place.key(Key.LEARN_ANSWERS)))
    glossary.draw_heading(f"{place.at}. {step.title}", step.words)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.markdown(step.told(step.scene, {}))
        st.markdown(f"**{step.told(step.question.asks, {})}**")
        if not answered:
            _ask(place)
    with right:
        view = step.after if answered else step.before
        if view is None:
            _read(place)
        elif (found := _drawn(place, view, seed, answered=answered)) is not None and answered:
            if (made := _made_of(view, seed)) and not look.is_projected():
                st.caption(made)
            with left:
                _reveal(place, found.numbers)
    if answered:
        left.button(
            "Ask me again",
            type="tertiary",
            icon=":material/replay:",
            key=Key.LEARN_AGAIN,
            on_click=session.put,
            args=(place.key(Key.LEARN_ANSWERS), ()),
        )


def _read(place: LessonPosition) -> None:
    """Draw an example or explained terms next to a question that has no figure yet."""
    with st.container(border=True):
        if place.at == 1:
            st.markdown(f"*{place.lesson.says}*")
        terms = [glossary.entries()[name] for name in place.step.words.split()[:EXPLAINED]]
        said = (f"{' '.join((f'**{one.term}**', one.symbol)).strip()}: {one.says}" for one in terms)
        st.markdown(place.step.shows or "\n\n".join(said))


def _ask(place: LessonPosition) -> None:
    question, key, kept = (
        place.step.question,
        place.key(Key.LEARN_ANSWER),
        place.key(Key.LEARN_ANSWERS),
    )
    if isinstance(question, Pick):
        for i, option in enumerate(question.options):
            st.button(
                option.says,
                key=f"{key}.{i}",
                on_click=session.put,
                args=(kept, (float(i),)),
                width="stretch",
            )
    else:
        guess = st.slider(
            "My guess",
            question.low,
            question.high,
            question.start,
            step=question.by,
            format="percent" if question.percent else "%g",
            key=place.key(Key.LEARN_GUESS),
            persist_state="session",
            label_visibility="collapsed",
        )
        st.button(
            "That is my guess", type="primary", key=key, on_click=session.put, args=(kept, (guess,))
        )
    skip = "Show me without a guess"
    st.button(skip, type="tertiary", key=Key.LEARN_SKIP, on_click=session.put, args=(kept, (None,)))


def _reveal(place: LessonPosition, numbers: Mapping[str, float]) -> None:
    step, answer = place.step, st.session_state[place.key(Key.LEARN_ANSWERS)][0]
    truth = step.question.truth(numbers)
    said = "" if answer is None else f"You said **{step.question.said(answer)}**. "
    if answer is not None and step.question.is_right(answer, numbers):
        st.success(f"{said}Right: **{truth}**.", icon=":material/check:")
    else:
        st.info(f"{said}The answer: **{truth}**.", icon=":material/lightbulb:")
    if exceptions := step.exceptions(numbers):
        said = f"This draw is unusual, so the explanation does not apply: {literal('; '.join(exceptions))}."
        st.warning(said, icon=":material/casino:")
        return
    st.markdown(step.told(step.reveal, numbers))
    st.markdown(f":material/record_voice_over: **Say it:** “{step.told(step.repeat, numbers)}”")


def _drawn(
    place: LessonPosition, view: PictureView, seed: int, *, answered: bool
) -> Picture | None:
    try:
        found = cache.made_of_settings("learn", view.look, seed if view.draws else 0)
    except DpldaError as error:
        st.info(literal(str(error)), icon=":material/block:")
        return None
    if found is not None:
        key = f"{Key.LEARN_PICTURE}.{'after' if answered else 'before'}"
        figure_view.draw(found.figure, key, tools=False, room=ROOM)
    return found


def _made_of(view: PictureView, seed: int) -> str:
    numbers = [(SYMBOLS[name], value) for name, value in view.settings.items() if name in SYMBOLS]
    said = [f"{symbol} = {digits(float(value))}" for symbol, value in numbers] + [
        f"noise seed {seed}"
    ] * view.draws
    return f"Computed live: {', '.join(said)}." if said else ""
