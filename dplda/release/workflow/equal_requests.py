"""Equal requests: ways to write equal numbers, some of which earlier versions charged twice."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

from dplda.corpus import Selection
from dplda.experiments.experiment import Experiment


def equal_spellings(
    experiment: Experiment, selection: Selection | None
) -> Iterator[tuple[Experiment, Selection | None]]:
    """Yield equal experiments and selections that write whole numbers as 1.0 or as 1.

    Every mixture comes; the first has floats. Earlier versions wrote 1 and 1.0 differently into the
    key of a request.

    Args:
        experiment: of the request.
        selection: of the request; None where words are not selected.
    """
    budget = experiment.budget
    quantity_names = [name for name, _ in budget.split]
    combinations = itertools.product(
        _equal_numbers(experiment.problem.alpha0),
        _equal_numbers(budget.epsilon),
        _equal_choices(budget.first_words),
        _equal_choices(budget.clip_quantile),
        itertools.product(*(_equal_numbers(fraction) for _, fraction in budget.split)),
        _equal_choices(None if selection is None else selection.epsilon),
    )
    for alpha0, epsilon, word_counts_share, clip_quantile, fractions, words_epsilon in combinations:
        spelled_budget = replace(
            budget,
            epsilon=epsilon,
            split=tuple(zip(quantity_names, fractions, strict=True)),
            first_words=word_counts_share,
            clip_quantile=clip_quantile,
        )
        problem = replace(experiment.problem, alpha0=alpha0)
        spelled_selection = selection
        if selection is not None and words_epsilon is not None:
            spelled_selection = replace(selection, epsilon=words_epsilon)
        yield replace(experiment, problem=problem, budget=spelled_budget), spelled_selection


def _equal_numbers(number: float) -> tuple[float, ...]:
    """A number as a float, and as an integer too if it is one."""
    as_float = float(number)
    return (as_float, int(as_float)) if as_float.is_integer() else (as_float,)


def _equal_choices(number: float | None) -> tuple[float | None, ...]:
    """As ``_equal_numbers``, or the choice that is left to the method."""
    return (None,) if number is None else _equal_numbers(number)
