"""The card of one method on the board."""

from collections.abc import Iterator

import streamlit as st

from dplda import figures
from dplda.core.formatting import digits
from dplda.core.types import Matrix, Vector
from dplda.evaluation.relevance import choose_words
from dplda.experiments.configuration_board import BoardAnswer, ErrorKind, has_form
from dplda.figures import CardFact
from dplda.figures.topics.across_epsilon import RightTopic, ShownWord, shown_words
from dplda.methods.base.method import Method
from dplda.methods.configurations import Calibration
from dplda.spectral.topics import match
from dplda.ui.explore.configurations.cells import BoardCell
from dplda.ui.shell import claim_view
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state import method_choice, session
from dplda.ui.state.keys import Key

WORDS_ON_A_CARD = 8
N_RIGHT_WORDS = 15  # a word counts as right if it is among so many that describe the true topic
SAYS_NOTHING = "(says nothing)"
NO_FORM = "No corrected form"
NO_CORRECTED_FORM = {
    "config-3": (
        "One document can change a factor of the tensor completely, so only large noise hides it."
        " No correction of the proof is known."
    ),
    "config-4": (
        "One document can change a factor of the tensor completely, and with it a topic, so only"
        " large noise hides it. No correction of the proof is known."
    ),
}
ANSWERS = "May refuse at a larger ε"
REFUSES = "May answer at a smaller ε"
NOT_RUN = "Not run here."
BELOW_NOISE = "This topic is below the noise."
WORD_LIST_ONLY = "Noise hides every topic. This is the overall word list."
WHY_IT_ANSWERS = (
    "Noise hides every topic here, and the overall word list needs no private bound on σk. At a"
    " larger ε some topics are left. Then it needs that bound, and may refuse."
)
WHY_IT_REFUSES = (
    "At a smaller ε noise hides every topic, and the overall word list needs no private bound. Here"
    " some topics are left, so the tensor needs a bound above 0, and its own is not."
)


def draw_card(
    loaded: LoadedExperiment,
    cell: BoardCell,
    *,
    topic_index: int,
    reference_topics: Matrix | None,
    right_topic: RightTopic | None,
    calibration: Calibration,
) -> None:
    """Draw a method's card: name, flow, form, words of one topic, error, bound, note, and a button.

    The flow is missing for a method without one. The button makes it the experiment's method.

    Args:
        loaded: documents and settings.
        cell: all that is known of the method.
        topic_index: place of the topic shown, from 0.
        reference_topics: shape (k, d), the topic of each place; None where unknown.
        right_topic: the topic as it should be; None where unknown.
        calibration: the one that was chosen for all cards.
    """
    method = cell.method
    with st.container(border=True, gap="xxsmall", key=f"board-card-{method.name}"):
        _draw_title(method)
        if method.flow is not None:
            is_dark = st.context.theme.type == "dark"
            noised_edges = method.flow.noised
            st.html(figures.small_flow_image(method.flow, noised_edges, cell.numbers, dark=is_dark))
        if method.family.meaning:
            st.markdown(f":small[{method.family.meaning}]")
        shown_words_of_topic, reason_without_words = _find_words(
            loaded, cell, topic_index, reference_topics, right_topic
        )
        card_facts = [*_describe_error(cell), *_describe_bound(cell)]
        st.html(figures.card_facts(shown_words_of_topic, reason_without_words, card_facts))
        _draw_note(cell, calibration)
        st.button(
            "Open",
            key=f"{Key.BOARD_OPEN}.{method.name}",
            on_click=_open,
            args=(cell,),
            width="stretch",
            help="Topics, Noise and Bounds then show this one.",
        )


def _draw_title(method: Method) -> None:
    """Draw its name, and its status: beside the name where cards are wide, else below it."""
    with st.container(key=f"board-title-{method.name}", gap="xxsmall"):
        st.markdown(f"**{method.family.title}**", width="content")
        st.markdown(claim_view.status_badge(method.status), width="content")


def _open(cell: BoardCell) -> None:
    """Choose the card's method, and open its topics."""
    method_choice.select(cell.method)
    session.go("explore", "Topics")


def _find_words(
    loaded: LoadedExperiment,
    cell: BoardCell,
    topic_index: int,
    reference_topics: Matrix | None,
    right_topic: RightTopic | None,
) -> tuple[tuple[ShownWord, ...], str]:
    """Find the leading words of the topic, or the reason for none; one of both is empty.

    There are none if the method was not run, refuses, has a word list alone, or if its topic is
    below the noise.
    """
    answer = cell.answer
    if answer is None:
        return (), NOT_RUN
    if answer.words is None:
        return (), _describe_refusal(answer)
    if answer.has_no_topics:
        return (), WORD_LIST_ONLY
    topic_row = row_in_place(answer.words, reference_topics, topic_index)
    if topic_row >= answer.n_found:
        return (), BELOW_NOISE
    leading_words = shown_words(
        answer.words[topic_row],
        answer.leading_words[topic_row][:WORDS_ON_A_CARD],
        right_topic,
        loaded.corpus.vocabulary,
    )
    return leading_words, ""


def _describe_refusal(answer: BoardAnswer) -> str:
    """Why there are no topics, in a line where a private bound is to blame."""
    if not answer.refused_bound:
        return f"No topics. {answer.refusal}"
    return f"Refuses: its private lower bound on {answer.refused_bound} is not above 0."


def row_in_place(words: Matrix, reference_topics: Matrix | None, topic_index: int) -> int:
    """Row of the topic nearest to the reference topic of a place, matched one to one.

    The place itself where the reference topics are unknown, or of another shape.

    Args:
        words: shape (k, d), the topics.
        reference_topics: shape (k, d), the topic of each place; None where unknown.
        topic_index: the place, from 0.
    """
    if reference_topics is None or reference_topics.shape != words.shape:
        return topic_index
    return int(match(reference_topics, words)[topic_index])


def describe_right_topic(topics: Matrix, word_frequencies: Vector, topic_index: int) -> RightTopic:
    """A topic as it should be, with the words that describe it among these topics.

    Args:
        topics: as they should be, shape (k, d).
        word_frequencies: of all documents, shape (d,).
        topic_index: row of the topic.
    """
    chosen_words = choose_words(topics, word_frequencies)
    return RightTopic(
        topics[topic_index], frozenset(chosen_words.of_topic(topic_index, N_RIGHT_WORDS))
    )


def _describe_error(cell: BoardCell) -> Iterator[CardFact]:
    """Yield one fact on the error: measured, predicted, or a distance from noiseless topics.

    Yields nothing if it is unknown.
    """
    if cell.error is None:
        return
    error_text = digits(cell.error, 2)
    if cell.error_kind is ErrorKind.MEASURED:
        yield CardFact("Error", error_text, "of 2, this run")
    elif cell.error_kind is ErrorKind.PREDICTED:
        yield CardFact("Error", f"≈ {error_text}", "of 2, predicted")
    else:
        yield CardFact("Distance", error_text, "of 2 from the topics without noise")


def _describe_bound(cell: BoardCell) -> Iterator[CardFact]:
    """Yield one fact on the bound of the method's theorem: its value, or why it has none.

    Yields nothing without a theorem. A note tells a bound that says nothing.
    """
    bound = cell.bound
    if cell.failed_bound:
        note_text = f"since {cell.failed_bound} has no positive bound"
        yield CardFact("Its theorem:", "no number", note_text)
    elif bound is not None:
        note_text = SAYS_NOTHING if bound.vacuous else ""
        yield CardFact(f"{bound.source}:", f"≤ {digits(bound.total, 2)}", note_text)


def _draw_note(cell: BoardCell, calibration: Calibration) -> None:
    """Draw notes on a method's form, if there is something to say.

    One is on a form that the method lacks, one on corrected configuration 2, which has no topics or
    refuses.
    """
    method = cell.method
    answer = cell.answer
    if not has_form(method, calibration) and method.name in NO_CORRECTED_FORM:
        st.markdown(f":small[{NO_FORM}]", help=NO_CORRECTED_FORM[method.name])
    is_corrected = method.scaling is Calibration.CORRECTED
    if method.name != "config-2" or not is_corrected or answer is None:
        return
    if answer.has_no_topics:
        st.markdown(f":small[{ANSWERS}]", help=WHY_IT_ANSWERS)
    elif answer.refused_bound:
        st.markdown(f":small[{REFUSES}]", help=WHY_IT_REFUSES)
