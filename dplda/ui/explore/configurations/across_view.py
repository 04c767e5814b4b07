"""Topics across ε: the board's methods at five values of ε, and without noise."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

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
CAPTION = (
    "Stronger letters: more probable. **Bold**: belongs to the topic; *italic*: does not. Below:"
    " the mean error of all topics, of at most 2."
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
    for method in methods:
        row_cells = [make_cell(answer) for answer in _answers_across(loaded, method)]
        title = method.family.title
        rows.append(AcrossRow(title, (*row_cells, *last_cells)))
    columns = [f"ε = {epsilon:g}" for epsilon in EPSILONS]
    if reference is not None:
        columns.append(NO_NOISE)
    with heading_place:
        glossary.draw_heading(_finding(rows), TERMS)
    label = f"Topic {topic + 1} across ε, a row for each method"
    st.html(figures.across_epsilon(rows, columns, label=label))
    st.caption(CAPTION)


def _answers_across(loaded: LoadedExperiment, method: Method) -> list[BoardAnswer | None]:
    return [
        cells.find_answer(loaded, _at_epsilon(experiment_of(loaded.experiment, method), epsilon))
        for epsilon in EPSILONS
    ]


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
        target: shape (k, d), topics from which the error is measured; None where unknown.
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
    error = mean_error(answer.words, target)
    return AcrossCell(
        words=shown_words(
            answer.words[row],
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
