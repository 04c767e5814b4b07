"""Methods that compete on a map and have no cell of their own, each with the reason."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method_names import short_title
from dplda.methods.registry import parse_method
from dplda.theory.prediction.expected import Answer
from dplda.theory.prediction.regimes import RegimeMap

REASONS = {
    Answer.REFUSED: "too noisy for an answer",
    Answer.WORDS: "one word list for all topics",
    Answer.UNKNOWN: "not predicted",
}


def describe_methods_without_cells(regimes: RegimeMap, rivals: Sequence[str]) -> str:
    """Say which methods win in no cell: those that are beaten, and those without a prediction.

    Args:
        regimes: the map.
        rivals: texts of the methods that are named if they have no cell.

    Returns:
        Up to two sentences, with the reason for a missing prediction; empty where each of them wins
        somewhere.
    """
    beaten_titles: list[str] = []
    titles_without_error: list[str] = []
    for method_index, method in enumerate(regimes.methods):
        if method not in rivals or np.any(regimes.winners == method_index):
            continue
        method_title = short_title(parse_method(method).title)
        if np.any(np.isfinite(regimes.errors[method_index])):
            beaten_titles.append(method_title)
        else:
            titles_without_error.append(f"{method_title} ({_reason(regimes, method_index)})")
    sentences = []
    if beaten_titles:
        sentences.append(f"Never best here: {_listed(beaten_titles)}.")
    if titles_without_error:
        sentences.append(f"Without a number here: {_listed(titles_without_error)}.")
    return " ".join(sentences)


def _reason(regimes: RegimeMap, number: int) -> str:
    """The most frequent reason for a method's missing numbers."""
    answers = Counter(cell[number].answer for cell in regimes.cells)
    ((answer, _),) = answers.most_common(1)
    return REASONS[answer]


def _in_brackets(name: str, suffix: str) -> str:
    """A name whose suffix, if it has it, is written as *as published* in brackets."""
    if not name.endswith(suffix):
        return name
    return f"{name.removesuffix(suffix)} ({Calibration.PUBLISHED})"


def _listed(names: Sequence[str]) -> str:
    """Join names with commas and *and*.

    If all of several names end in *published*, that word stands once, after the list.
    If only some do, it stands in brackets after each of those.

    Args:
        names: at least one; a single name is returned unchanged.
    """
    shared_suffix = f", {Calibration.PUBLISHED}"
    if len(names) > 1 and all(name.endswith(shared_suffix) for name in names):
        bare_names = [name.removesuffix(shared_suffix) for name in names]
        return f"{_listed(bare_names)}, all {Calibration.PUBLISHED}"
    if len(names) > 1:  # a comma in a name would part it from its suffix
        names = [_in_brackets(name, shared_suffix) for name in names]
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"
