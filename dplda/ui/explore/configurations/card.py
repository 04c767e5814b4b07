"""The card of one method on the board."""

import streamlit as st

from dplda import figures
from dplda.core.formatting import digits
from dplda.core.types import Matrix, Vector
from dplda.experiments.configuration_board import BoardAnswer, ErrorKind, has_form
from dplda.figures.topics.across_epsilon import shown_words
from dplda.methods.base.method import Method
from dplda.methods.configurations import Calibration
from dplda.spectral.topics import match
from dplda.theory.theorems.readings import TRIVIAL
from dplda.ui.explore.configurations.cells import BoardCell
from dplda.ui.literal import literal
from dplda.ui.shell import claim_view
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state import method_choice, session
from dplda.ui.state.keys import Key

WORDS_ON_A_CARD = 8
TRUE_WORDS = 15  # a word counts as right if it is among so many of the true topic
NO_CORRECTED_FORM = {
    "config-3": "No corrected form: one document can turn a factor far.",
    "config-4": "No corrected form: one document can turn a topic far.",
}
NOT_RUN = "Not run here."
BELOW_NOISE = "This topic is below the noise."
WORD_LIST_ONLY = "Noise hides every topic. This is the overall word list."
WHY_IT_ANSWERS = (
    "It answers here because a word list needs no private bound on σk. Where topics rise above the"
    " noise it needs one, so it may refuse at a larger ε."
)
WHY_IT_REFUSES = (
    "At a smaller ε it may answer: where noise hides every topic, it returns the overall word list,"
    " which needs no such bound."
)


def draw_card(
    loaded: LoadedExperiment,
    cell: BoardCell,
    *,
    topic: int,
    reference: Matrix | None,
    right_words: Vector | None,
    form: Calibration,
) -> None:
    """Draw a method's card.

    Args:
        loaded: documents and settings.
        cell: all that is known of the method.
        topic: place of the topic shown, from 0.
        reference: shape (k, d), the topic of each place; None where unknown.
        right_words: shape (d,), the topic as it should be; None where unknown.
        form: the form that was asked for.
    """
    method = cell.method
    with st.container(border=True, gap="xxsmall", key=f"board-card-{method.name}"):
        st.markdown(_title(method))
        st.markdown(claim_view.status_badge(method.status))
        if method.flow is not None:
            is_dark = st.context.theme.type == "dark"
            edges = method.flow.noised
            st.html(figures.small_flow_image(method.flow, edges, cell.numbers, dark=is_dark))
        _draw_words(loaded, cell, topic, reference, right_words)
        for line in (_describe_error(cell), _describe_bound(cell), *_notes(cell, form)):
            if line:
                st.markdown(f":small[{line}]")
        st.button(
            "Open its topics",
            key=f"{Key.BOARD_OPEN}.{method.name}",
            on_click=_open,
            args=(cell,),
            width="stretch",
            help="Topics, Noise and Bounds then show this configuration.",
        )


def _title(method: Method) -> str:
    """Title and meaning, without a calibration, as Markdown on two lines."""
    family = method.family
    if not family.meaning:
        return f"**{family.title}**"
    return f"**{family.title}**  \n:small[{family.meaning}]"


def _open(cell: BoardCell) -> None:
    """Choose the card's method, and open its topics."""
    method_choice.select(cell.method)
    session.go("explore", "Topics")


def _draw_words(
    loaded: LoadedExperiment,
    cell: BoardCell,
    topic: int,
    reference: Matrix | None,
    right_words: Vector | None,
) -> None:
    """Draw the leading words of the topic, or why there are none.

    It was not run, refuses, has a word list alone, or its topic is below the noise.
    """
    answer = cell.answer
    if answer is None:
        st.markdown(NOT_RUN)
    elif answer.words is None:
        st.markdown(literal(_describe_refusal(answer)))
    elif answer.has_no_topics:
        st.markdown(WORD_LIST_ONLY)
    elif row_in_place(answer.words, reference, topic) >= answer.n_found:
        st.markdown(BELOW_NOISE)
    else:
        words = shown_words(
            answer.words[row_in_place(answer.words, reference, topic)],
            right_words,
            loaded.corpus.vocabulary,
            n_shown=WORDS_ON_A_CARD,
            n_right=TRUE_WORDS,
        )
        st.html(figures.words_line(words))


def _describe_refusal(answer: BoardAnswer) -> str:
    """Why there are no topics, in a line where a private bound is to blame."""
    if not answer.refused_bound:
        return f"No topics. {answer.refusal}"
    return f"Refuses: its private lower bound on {answer.refused_bound} is not above 0."


def row_in_place(words: Matrix, reference: Matrix | None, topic: int) -> int:
    """Row of the topic nearest to the reference topic of a place, matched one to one.

    Args:
        words: shape (k, d), the topics.
        reference: shape (k, d), the topic of each place; None where unknown.
        topic: the place, from 0.
    """
    if reference is None or reference.shape != words.shape:
        return topic
    return int(match(reference, words)[topic])


def _describe_error(cell: BoardCell) -> str:
    """A line on the error: measured, predicted, or a distance; empty if it is unknown."""
    if cell.error is None:
        return ""
    number = digits(cell.error, 2)
    if cell.error_kind is ErrorKind.MEASURED:
        return f"Error **{number}** of 2, this run"
    if cell.error_kind is ErrorKind.PREDICTED:
        return f"Error ≈ **{number}** of 2, predicted"
    return f"**{number}** of 2 away from the topics without noise"


def _describe_bound(cell: BoardCell) -> str:
    """A line on the bound of the method's theorem, or why it is none; empty without a theorem."""
    bound = cell.bound
    if cell.failed_bound:
        return f"Its theorem: no number, since {cell.failed_bound} has no positive bound"
    if bound is None:
        return ""
    is_corrected = cell.method.scaling is not Calibration.PUBLISHED
    form = ", as published" if is_corrected else ""
    useless = f" (says nothing: {digits(TRIVIAL)} is the most possible)" if bound.vacuous else ""
    return f"{bound.source}{form}: error ≤ **{digits(bound.total, 2)}**{useless}"


def _notes(cell: BoardCell, form: Calibration) -> tuple[str, ...]:
    """Notes on a missing corrected form, and on when configuration 2 answers or refuses."""
    notes = []
    method = cell.method
    answer = cell.answer
    if not has_form(method, form) and method.name in NO_CORRECTED_FORM:
        notes.append(NO_CORRECTED_FORM[method.name])
    is_corrected_config_2 = (
        method.name == "config-2" and method.scaling is Calibration.CORRECTED and answer is not None
    )
    if is_corrected_config_2 and answer is not None:
        if answer.has_no_topics:
            notes.append(WHY_IT_ANSWERS)
        elif answer.refused_bound:
            notes.append(WHY_IT_REFUSES)
    return tuple(literal(note) for note in notes)
