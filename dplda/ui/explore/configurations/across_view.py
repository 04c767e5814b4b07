"""Topics across ε: the board's methods at five values of ε, and without noise."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda import figures
from dplda.core.formatting import digits
from dplda.core.types import Matrix
from dplda.experiments.configuration_board import (
    BoardAnswer,
    answer_of_topics,
    experiment_of,
    mean_error,
)
from dplda.experiments.experiment import Experiment
from dplda.figures.topics.across_epsilon import AcrossCell, AcrossRow, RightTopic, shown_words
from dplda.methods.base.method import Method
from dplda.theory.prediction.advice import READABLE
from dplda.ui.explore.configurations import cells
from dplda.ui.explore.configurations.card import row_in_place
from dplda.ui.shell import glossary
from dplda.ui.shell.frame import LoadedExperiment

EPSILONS = (0.1, 0.3, 1, 3, 10)
NO_NOISE = "no noise"
N_WORDS = 4  # shown of a topic
TERMS = "epsilon topic l1 configuration"
WORDS_CAPTION = (
    "Stronger color: more probable. **Bold on blue**: belongs to the topic; *italic on orange*:"
    " does not."
)
CAPTION = f"{WORDS_CAPTION} The number: the mean error of all topics, of at most 2."
TOPICS_CAPTION = f"{WORDS_CAPTION} The number: the topic's error, of at most 2."
WHY_A_LATER_REFUSAL = (
    "At the smaller ε noise hides every topic, so only the overall word list is left, which needs"
    " no private bound. At the larger ε some topics are left, and the tensor needs a bound above 0."
)


def draw_methods_across(
    loaded: LoadedExperiment,
    methods: Sequence[Method],
    *,
    heading_place: DeltaGenerator,
    topic_index: int,
    reference_topics: Matrix | None,
    right_topic: RightTopic | None,
    target_topics: Matrix | None,
) -> None:
    """Draw a table of one topic, as each method finds it at each ε, with a heading and a caption.

    The last column has the topic without noise if that is known. The caption explains methods that
    answer at a small ε and refuse at a larger one.

    Args:
        loaded: documents and settings.
        methods: a row each.
        heading_place: where the finding is written.
        topic_index: place of the topic, from 0.
        reference_topics: shape (k, d), the topic of each place; None where unknown.
        right_topic: the topic as it should be; None where unknown.
        target_topics: shape (k, d), topics from which errors are measured; None where unknown.
    """
    make_cell = partial(
        _cell,
        loaded,
        topic_index=topic_index,
        reference_topics=reference_topics,
        right_topic=right_topic,
        target_topics=target_topics,
    )
    noiseless_cells = []
    if reference_topics is not None:
        noiseless_cells.append(make_cell(_noiseless_answer(reference_topics)))
    table_rows = []
    refusal_notes = []
    for method in methods:
        answers_by_epsilon = _answers_across(loaded, experiment_of(loaded.experiment, method))
        row_cells = map(make_cell, answers_by_epsilon)
        table_rows.append(AcrossRow(method.family.title, (*row_cells, *noiseless_cells)))
        refusal_notes.append(_explain_later_refusal(method, answers_by_epsilon))
    with heading_place:
        glossary.draw_heading(_finding(table_rows), TERMS)
    table_label = f"Topic {topic_index + 1} across ε, a row for each method"
    _draw_table(table_rows, label=table_label, has_noiseless=reference_topics is not None)
    st.caption(" ".join(filter(None, (CAPTION, *refusal_notes))))


def draw_topics_across(
    loaded: LoadedExperiment,
    names: Sequence[str],
    *,
    reference_topics: Matrix,
    right_topics: Sequence[RightTopic],
    has_noiseless: bool,
) -> None:
    """Draw a table of every topic of the experiment's method at each ε, with a caption.

    The last column has the topics without noise if they may be shown.

    Args:
        loaded: documents and settings.
        names: of the topics, in the order of their places.
        reference_topics: shape (k, d), the topic of each place.
        right_topics: the topics as they should be, in the same places.
        has_noiseless: whether ``reference_topics`` is without noise, and may be shown.
    """
    answers_by_epsilon = _answers_across(loaded, loaded.experiment)
    answers_by_column = [*answers_by_epsilon]
    if has_noiseless:
        answers_by_column.append(_noiseless_answer(reference_topics))
    table_rows = []
    for topic, topic_name in enumerate(names):
        make_cell = partial(
            _cell,
            loaded,
            topic_index=topic,
            reference_topics=reference_topics,
            right_topic=right_topics[topic],
            target_topics=None,
        )
        table_rows.append(AcrossRow(topic_name, tuple(map(make_cell, answers_by_column))))
    table_label = "Topics across ε, a row for each topic"
    _draw_table(table_rows, label=table_label, has_noiseless=has_noiseless)
    refusal_note = _explain_later_refusal(loaded.experiment.registered_method, answers_by_epsilon)
    st.caption(f"{TOPICS_CAPTION} {refusal_note}".strip())


def _noiseless_answer(topics: Matrix) -> BoardAnswer:
    """The answer without noise, whose word frequencies are taken for the mean of its topics."""
    return answer_of_topics(topics, np.mean(topics, axis=0), n_found=len(topics))


def _draw_table(table_rows: Sequence[AcrossRow], *, label: str, has_noiseless: bool) -> None:
    columns = [f"ε = {epsilon:g}" for epsilon in EPSILONS]
    if has_noiseless:
        columns.append(NO_NOISE)
    st.html(figures.across_epsilon(table_rows, columns, label=label))


def _explain_later_refusal(method: Method, answers_by_epsilon: Sequence[BoardAnswer | None]) -> str:
    """Explain a method that finds no topics at a small ε and refuses at a larger one.

    Empty for any other method.
    """
    answer_by_epsilon = dict(zip(EPSILONS, answers_by_epsilon, strict=True))
    epsilons_without_topics = [
        epsilon for epsilon, answer in answer_by_epsilon.items() if answer and answer.has_no_topics
    ]
    refused_epsilons = [
        epsilon for epsilon, answer in answer_by_epsilon.items() if answer and answer.refused_bound
    ]
    if (
        not epsilons_without_topics
        or not refused_epsilons
        or refused_epsilons[-1] < epsilons_without_topics[0]
    ):
        return ""
    return (
        f"{method.family.title} answers at ε = {epsilons_without_topics[0]:g} and refuses at ε ="
        f" {refused_epsilons[-1]:g}. {WHY_A_LATER_REFUSAL}"
    )


def _answers_across(loaded: LoadedExperiment, experiment: Experiment) -> list[BoardAnswer | None]:
    """The answers of a method at each ε; one that was canceled is None."""
    return [cells.find_answer(loaded, _at_epsilon(experiment, epsilon)) for epsilon in EPSILONS]


def _at_epsilon(experiment: Experiment, epsilon: float) -> Experiment:
    return replace(experiment, budget=replace(experiment.budget, epsilon=float(epsilon)))


def _cell(
    loaded: LoadedExperiment,
    answer: BoardAnswer | None,
    *,
    topic_index: int,
    reference_topics: Matrix | None,
    right_topic: RightTopic | None,
    target_topics: Matrix | None,
) -> AcrossCell:
    """Make the cell of one topic of an answer: its leading words and an error.

    A note stands in their place if the method was not run, refuses, or has no such topic above the
    noise. Otherwise the note is the error, an L1 distance in [0, 2], or empty if unknown.
    The topic counts as found if the error is known and at most ``READABLE``.

    Args:
        loaded: documents and settings.
        answer: of a method at one ε; None where it was not run.
        topic_index: place of the topic, from 0.
        reference_topics: shape (k, d), the topic of each place; None where unknown.
        right_topic: the topic as it should be; None where unknown.
        target_topics: shape (k, d), topics from which the mean error of all is measured; None
            for the error of this topic alone, from the right one.
    """
    if answer is None:
        return AcrossCell((), "not run")
    if answer.words is None:
        return AcrossCell((), "refuses")
    if answer.has_no_topics:
        return AcrossCell((), "no topic above the noise")
    topic_row = row_in_place(answer.words, reference_topics, topic_index)
    if topic_row >= answer.n_found:
        return AcrossCell((), "below the noise")
    topic_words = answer.words[topic_row]
    error = mean_error(answer.words, target_topics)
    if target_topics is None and right_topic is not None:
        error = float(np.sum(np.abs(topic_words - right_topic.words)))
    return AcrossCell(
        words=shown_words(
            topic_words,
            answer.leading_words[topic_row][:N_WORDS],
            right_topic,
            loaded.corpus.vocabulary,
        ),
        note="" if error is None else digits(error, 2),
        is_found=error is not None and error <= READABLE,
    )


def _finding(table_rows: Sequence[AcrossRow]) -> str:
    """State the smallest ε at which each method finds the topics, and who never does.

    Says so if none does. After the first method, the word *Configuration* is left out of titles.
    """
    finder_phrases: list[str] = []
    titles_of_others: list[str] = []
    for row in table_rows:
        epsilons_where_found = [
            epsilon for epsilon, cell in zip(EPSILONS, row.cells, strict=False) if cell.is_found
        ]
        short_title = row.title
        if finder_phrases or titles_of_others:
            short_title = short_title.removeprefix("Configuration ")
        if epsilons_where_found:
            finder_phrases.append(f"{short_title} from ε = {epsilons_where_found[0]:g}")
        else:
            titles_of_others.append(short_title)
    if not finder_phrases:
        return "None of these finds the topics at any of these ε"
    sentence = f"Topics are found by {', '.join(finder_phrases)}"
    if titles_of_others:
        *first_titles, last_title = titles_of_others
        joined_titles = " and ".join(filter(None, (", ".join(first_titles), last_title)))
        sentence += f"; not by {joined_titles}"
    return sentence
