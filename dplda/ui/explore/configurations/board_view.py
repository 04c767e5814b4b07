"""Configurations: the paper's four side by side, at one ε, on the same documents and noise."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda.core.formatting import digits
from dplda.core.types import Matrix
from dplda.experiments.configuration_board import OURS, RIVAL, board_methods
from dplda.figures.topics.across_epsilon import RightTopic
from dplda.methods.base.method import Method
from dplda.methods.base.method_names import PAPER_AUTHORS
from dplda.methods.configurations import Calibration
from dplda.methods.registry import parse_method
from dplda.spectral.topics import match
from dplda.theory.theorems.readings import TRIVIAL
from dplda.ui.explore.configurations import across_view, card, cells
from dplda.ui.explore.configurations.board_finding import summarize_board
from dplda.ui.literal import literal
from dplda.ui.shell import glossary, views
from dplda.ui.shell.frame import Header, LoadedExperiment, describe_method
from dplda.ui.state import session
from dplda.ui.state.keys import Key

FORMS = {"Corrected": Calibration.CORRECTED, "As published": Calibration.PUBLISHED}
FORM_HELP = (
    "As published: noise as the paper prints it. Corrected: scaled as a proof requires. Only"
    " configurations 1 and 2 have a corrected form."
)
TERMS = "configuration edge as_published l1 bound prediction signal_to_noise"
PICTURES = ("At one ε", "Across ε")
NOT_RUN = "Turn on *Run them on these documents* to see their topics across ε."
BOARD = "board"  # the place whose choices these are
LONG_TOPIC_LIST = 8  # topics from which they are a list rather than buttons
CAPTION = (
    "Thick arrows use more of the budget; orange ones carry more noise than signal. **Bold**: right"
    " words."
)
BOUNDS_HELP = "Theorems bound a topic's L2 error under noise as published."
VACUOUS_HELP = "The L2 error is at most {}, so a larger bound says nothing."
BESIDE = (OURS, RIVAL)
BESIDE_HELP = "Our method, and the rival that the paper compares with."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choices:
    """The board's own choices.

    Attributes:
        picture: one of ``PICTURES``.
        form: corrected or as published.
        beside: names of methods beside the paper's four.
        topic: place of the topic shown, from 0.
    """

    picture: str
    form: Calibration
    beside: tuple[str, ...]
    topic: int


def header(loaded: LoadedExperiment) -> Header:
    """The documents and the problem; every card has a claim of its own."""
    _open_choices()
    whole_header = describe_method(loaded)
    method_title = whole_header.line[-3]
    line = tuple(part for part in whole_header.line if part != method_title)
    return replace(whole_header, line=line, claim=None)


def has_epsilon() -> bool:
    """Whether the open picture shows one ε; the other one shows several."""
    return views.open_title(BOARD, PICTURES, Key.BOARD_PICTURE) == PICTURES[0]


def draw(loaded: LoadedExperiment) -> None:
    """Draw the board of methods: a finding, the choices, and a card or a row for each method.

    A switch that starts the run is drawn if methods are not run unasked. Cards are of one ε, rows
    of several.
    """
    heading_place = st.container()
    with st.container(gap="xxsmall"):  # an empty place for progress takes no room
        choices = _draw_choices(loaded)
        if not cells.runs_unasked(loaded):
            cells.offer_run(loaded)
        progress_place = st.container(gap=None)
    methods = board_methods(choices.form, choices.beside)
    with progress_place:
        topics_without_noise = cells.noiseless_topics(loaded)
    if choices.picture == PICTURES[0]:
        _draw_cards(loaded, methods, choices, topics_without_noise, progress_place, heading_place)
    else:
        _draw_across(loaded, methods, choices, topics_without_noise, heading_place)


def _draw_cards(
    loaded: LoadedExperiment,
    methods: Sequence[Method],
    choices: _Choices,
    topics_without_noise: Matrix | None,
    progress_place: DeltaGenerator,
    heading_place: DeltaGenerator,
) -> None:
    """Draw the finding, a card for each method at the experiment's ε, and why others fail.

    Methods run for it if the board is run, with their progress in ``progress_place``. The finding
    is the heading; a caption ends the board.
    """
    with progress_place:
        spectrum = cells.read_spectrum(loaded)
        filled_cells = cells.fill_cells(
            loaded, methods, spectrum=spectrum, topics_without_noise=topics_without_noise
        )
    finding_texts = summarize_board(filled_cells, float(loaded.experiment.budget.epsilon))
    with heading_place:
        glossary.draw_heading(finding_texts.title, TERMS)
    reference_topics = _reference(filled_cells, topics_without_noise)
    right_topic = _right_topic(loaded, reference_topics, choices.topic)
    with st.container(key=BOARD):
        for cell in filled_cells:
            card.draw_card(
                loaded,
                cell,
                topic_index=choices.topic,
                reference_topics=reference_topics,
                right_topic=right_topic,
                calibration=choices.form,
            )
    if finding_texts.where_others_fail:
        st.markdown(literal(finding_texts.where_others_fail))
    st.caption(f"{CAPTION} Paper: {PAPER_AUTHORS}.", help=_help_on_bounds(filled_cells))


def _help_on_bounds(filled_cells: Sequence[cells.BoardCell]) -> str | None:
    """How to read the bounds on the cards; None if no card has one.

    Explains vacuous bounds, too, if a card has one.
    """
    bounds = [cell.bound for cell in filled_cells if cell.bound is not None]
    if not bounds:
        return None
    if any(bound.vacuous for bound in bounds):
        return f"{BOUNDS_HELP} {VACUOUS_HELP.format(digits(TRIVIAL))}"
    return BOUNDS_HELP


def _draw_across(
    loaded: LoadedExperiment,
    methods: Sequence[Method],
    choices: _Choices,
    topics_without_noise: Matrix | None,
    heading_place: DeltaGenerator,
) -> None:
    """Draw one topic at several ε, a row for each method; only a sentence if nothing was run.

    Errors are measured from the true topics, or else from those without noise.
    """
    if not cells.is_run(loaded):
        st.info(NOT_RUN)
        return
    truth = loaded.corpus.truth
    target_topics = topics_without_noise if truth is None else truth.topics
    across_view.draw_methods_across(
        loaded,
        methods,
        heading_place=heading_place,
        topic_index=choices.topic,
        reference_topics=topics_without_noise,
        right_topic=_right_topic(loaded, topics_without_noise, choices.topic),
        target_topics=target_topics,
    )


def _reference(
    filled_cells: Sequence[cells.BoardCell], topics_without_noise: Matrix | None
) -> Matrix | None:
    """Topics that define the places: those without noise, or else the first private ones.

    None without either.
    """
    if topics_without_noise is not None:
        return topics_without_noise
    answers = [cell.answer for cell in filled_cells if cell.answer is not None]
    return next((answer.words for answer in answers if answer.words is not None), None)


def _right_topic(
    loaded: LoadedExperiment, reference_topics: Matrix | None, topic_index: int
) -> RightTopic | None:
    """The topic of a place as it should be: the true one that matches, or the one without noise.

    The latter, if the truth is unknown or has another shape. None for sensitive documents, or
    without topics that define the places.
    """
    if reference_topics is None or loaded.is_sensitive:
        return None
    truth = loaded.corpus.truth
    if truth is None or truth.topics.shape != reference_topics.shape:
        return card.describe_right_topic(
            reference_topics, np.mean(reference_topics, axis=0), topic_index
        )
    true_topic_shares = truth.alpha / np.sum(truth.alpha)
    true_topic_index = int(match(reference_topics, truth.topics)[topic_index])
    return card.describe_right_topic(
        truth.topics, true_topic_shares @ truth.topics, true_topic_index
    )


def _topic_numbers(loaded: LoadedExperiment) -> list[str]:
    return [str(number + 1) for number in range(loaded.experiment.problem.n_topics)]


def _open_choices() -> None:
    """Put the board's choices into the address before the link is drawn."""
    views.open_title(BOARD, list(FORMS), Key.BOARD_FORM)
    views.open_title(BOARD, PICTURES, Key.BOARD_PICTURE)


def _draw_choices(loaded: LoadedExperiment) -> _Choices:
    """Draw the board's own controls, and return their values; the address keeps them.

    All four are drawn: the picture, the form, methods beside the paper's four, and the topic, by
    its index.
    """
    topic_numbers = _topic_numbers(loaded)
    draw_form_control = partial(
        st.segmented_control, "Form", required=True, label_visibility="collapsed", help=FORM_HELP
    )
    draw_picture_control = partial(
        st.segmented_control, "Picture", required=True, label_visibility="collapsed"
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        chosen_picture = views.choose(BOARD, PICTURES, Key.BOARD_PICTURE, draw_picture_control)
        chosen_form = views.choose(BOARD, list(FORMS), Key.BOARD_FORM, draw_form_control)
        names_beside = _choose_beside()
        draw_topic_control = _topic_control(len(topic_numbers))
        chosen_number = views.choose(BOARD, topic_numbers, Key.BOARD_TOPIC, draw_topic_control)
    return _Choices(
        picture=chosen_picture,
        form=FORMS[chosen_form],
        beside=names_beside,
        topic=topic_numbers.index(chosen_number),
    )


def _topic_control(n_topics: int) -> Callable[..., object]:
    """The choice of a topic: buttons for a few, a list for many."""
    if n_topics < LONG_TOPIC_LIST:
        draw_control = partial(st.segmented_control, "Topic", required=True)
    else:
        draw_control = partial(st.selectbox, "Topic", width=140)
    return partial(draw_control, format_func=_topic_label, label_visibility="collapsed")


def _topic_label(number: str) -> str:
    """The first one says what the numbers are of."""
    return f"Topic {number}" if number == "1" else number


def _choose_beside() -> tuple[str, ...]:
    """Draw the chips of methods beside the paper's four, and return the chosen ones.

    Chips are set from the address if that has changed, and the address keeps the choice.
    """
    if session.address_changed():
        names_in_address = (st.query_params.get(Key.BOARD_BESIDE) or "").split("_")
        st.session_state[Key.BOARD_BESIDE] = [name for name in BESIDE if name in names_in_address]
    selected_names = st.pills(
        "Beside them",
        list(BESIDE),
        selection_mode="multi",
        format_func=lambda name: f"+ {parse_method(name).short_title}",
        key=Key.BOARD_BESIDE,
        persist_state="session",
        label_visibility="collapsed",
        help=BESIDE_HELP,
    )
    chosen_names = tuple(name for name in BESIDE if name in selected_names)
    session.write({Key.BOARD_BESIDE: "_".join(chosen_names) or None})
    return chosen_names
