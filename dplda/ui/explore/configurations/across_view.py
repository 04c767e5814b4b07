"""Topics across ε: the board's methods at five values of ε, and without noise."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda import figures
from dplda.core.formatting import digits
from dplda.core.types import Matrix, Vector
from dplda.experiments.configuration_board import BoardAnswer, experiment_of, mean_error
from dplda.experiments.experiment import Experiment
from dplda.figures.topics.across_epsilon import AcrossCell, AcrossRow, shown_words
from dplda.methods.base.method import Method
from dplda.theory.prediction.advice import READABLE
from dplda.ui.explore.configurations import cells
from dplda.ui.explore.configurations.card import TRUE_WORDS, row_in_place
from dplda.ui.shell import glossary
from dplda.ui.shell.frame import LoadedExperiment

EPSILONS = (0.1, 0.3, 1, 3, 10)
NO_NOISE = "no noise"
N_WORDS = 4  # shown of a topic
TERMS = "epsilon topic l1 configuration"
WORDS_CAPTION = (
    "Stronger ground: more probable. **Bold on blue**: belongs to the topic; *italic on orange*:"
    " does not."
)
CAPTION = f"{WORDS_CAPTION} Below: the mean error of all topics, of at most 2."
TOPICS_CAPTION = f"{WORDS_CAPTION} Below: the topic's error, of at most 2."
WHY_A_LATER_REFUSAL = (
    "At the smaller ε noise hides every topic, and the overall word list needs no private bound. At"
    " the larger ε noise leaves directions, and the tensor needs one that is above 0."
)


def draw_methods_across(
    loaded: LoadedExperiment,
    methods: Sequence[Method],
    *,
    heading_place: DeltaGenerator,
    topic: int,
    reference: Matrix | None,
    right_words: Vector | None,
    target: Matrix | None,
) -> None:
    """Draw one topic, as each method finds it at each ε.

    Args:
        loaded: documents and settings.
        methods: a row each.
        heading_place: where the finding is written.
        topic: place of the topic, from 0.
        reference: shape (k, d), the topic of each place; None where unknown.
        right_words: shape (d,), the topic as it should be; None where unknown.
        target: shape (k, d), topics from which errors are measured; None where unknown.
    """
    make_cell = partial(
        _cell, loaded, topic=topic, reference=reference, right=right_words, target=target
    )
    last_cells = []
    if reference is not None:
        last_cells.append(make_cell(BoardAnswer(words=reference, n_found=len(reference))))
    rows = []
    notes = []
    for method in methods:
        answers = _answers_across(loaded, experiment_of(loaded.experiment, method))
        row_cells = map(make_cell, answers)
        rows.append(AcrossRow(method.family.title, (*row_cells, *last_cells)))
        notes.append(_explain_later_refusal(method, answers))
    with heading_place:
        glossary.draw_heading(_finding(rows), TERMS)
    label = f"Topic {topic + 1} across ε, a row for each method"
    _draw_table(rows, label=label, has_noiseless=reference is not None)
    st.caption(" ".join(filter(None, (CAPTION, *notes))))


def draw_topics_across(
    loaded: LoadedExperiment,
    names: Sequence[str],
    *,
    reference: Matrix,
    right_topics: Matrix,
    has_noiseless: bool,
) -> None:
    """Draw every topic of the experiment's method at each ε.

    Args:
        loaded: documents and settings.
        names: of the topics, in the order of their places.
        reference: shape (k, d), the topic of each place.
        right_topics: shape (k, d), the topics as they should be, in the same places.
        has_noiseless: whether ``reference`` is without noise, and may be shown.
    """
    answers = _answers_across(loaded, loaded.experiment)
    noiseless = BoardAnswer(words=reference, n_found=len(reference))
    shown_answers = [*answers, noiseless] if has_noiseless else answers
    rows = []
    for topic, name in enumerate(names):
        make_cell = partial(
            _cell, loaded, topic=topic, reference=reference, right=right_topics[topic], target=None
        )
        rows.append(AcrossRow(name, tuple(map(make_cell, shown_answers))))
    label = "Topics across ε, a row for each topic"
    _draw_table(rows, label=label, has_noiseless=has_noiseless)
    note = _explain_later_refusal(loaded.experiment.registered_method, answers)
    st.caption(f"{TOPICS_CAPTION} {note}".strip())


def _draw_table(rows: Sequence[AcrossRow], *, label: str, has_noiseless: bool) -> None:
    columns = [f"ε = {epsilon:g}" for epsilon in EPSILONS]
    if has_noiseless:
        columns.append(NO_NOISE)
    st.html(figures.across_epsilon(rows, columns, label=label))


def _explain_later_refusal(method: Method, answers: Sequence[BoardAnswer | None]) -> str:
    """Sentences on a method that answers at a small ε and refuses at a larger one, or empty."""
    answers_at = dict(zip(EPSILONS, answers, strict=True))
    without_topics = [
        epsilon for epsilon, answer in answers_at.items() if answer and answer.has_no_topics
    ]
    refused = [epsilon for epsilon, answer in answers_at.items() if answer and answer.refused_bound]
    if not without_topics or not refused or refused[-1] < without_topics[0]:
        return ""
    return (
        f"{method.family.title} answers at ε = {without_topics[0]:g} and refuses at ε ="
        f" {refused[-1]:g}. {WHY_A_LATER_REFUSAL}"
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
    topic: int,
    reference: Matrix | None,
    right: Vector | None,
    target: Matrix | None,
) -> AcrossCell:
    """One topic of an answer, with the error of all its topics; a note where there is no topic.

    Args:
        loaded: documents and settings.
        answer: of a method at one ε; None where it was not run.
        topic: place of the topic, from 0.
        reference: shape (k, d), the topic of each place; None where unknown.
        right: shape (d,), the topic as it should be; None where unknown.
        target: shape (k, d), topics from which the error of all is measured; None for the error of
            this topic alone.
    """
    if answer is None:
        return AcrossCell((), "not run")
    if answer.words is None:
        return AcrossCell((), "refuses")
    if answer.has_no_topics:
        return AcrossCell((), "no topic above the noise")
    row = row_in_place(answer.words, reference, topic)
    if row >= answer.n_found:
        return AcrossCell((), "below the noise")
    words = answer.words[row]
    error = mean_error(answer.words, target)
    if target is None and right is not None:
        error = float(np.sum(np.abs(words - right)))
    return AcrossCell(
        words=shown_words(
            words,
            right,
            loaded.corpus.vocabulary,
            n_shown=N_WORDS,
            n_right=TRUE_WORDS,
        ),
        note="" if error is None else digits(error, 2),
        is_found=error is not None and error <= READABLE,
    )


def _finding(rows: Sequence[AcrossRow]) -> str:
    """A sentence on the smallest ε at which each method finds the topics, and who never does."""
    finders: list[str] = []
    others: list[str] = []
    for row in rows:
        found_at = [
            epsilon for epsilon, cell in zip(EPSILONS, row.cells, strict=False) if cell.is_found
        ]
        name = row.title
        if finders or others:
            name = name.removeprefix("Configuration ")
        if found_at:
            finders.append(f"{name} from ε = {found_at[0]:g}")
        else:
            others.append(name)
    if not finders:
        return "None of these finds the topics at any of these ε"
    sentence = f"Topics are found by {', '.join(finders)}"
    if others:
        sentence += f"; not by {', '.join(others)}"
    return sentence
