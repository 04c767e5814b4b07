"""The finding of the board: which configurations find the topics, and where the others fail."""

from collections.abc import Sequence
from dataclasses import dataclass

from dplda.core.formatting import digits
from dplda.methods.configurations.chain.noise_table import EdgeNoise
from dplda.theory.prediction.advice import READABLE
from dplda.ui.explore.configurations.cells import BoardCell
from dplda.ui.explore.configurations.step_noise import step_name

PREFIX = "Configuration "
N_WORDS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True, slots=True)
class BoardFinding:
    """A heading above the board, and a sentence below it.

    Attributes:
        title: which configurations find the topics.
        where_others_fail: a sentence for each of the others; empty where all find them.
    """

    title: str
    where_others_fail: str


def summarize_board(cells: Sequence[BoardCell], epsilon: float) -> BoardFinding:
    """Say which methods find the topics at this ε, and where the others fail.

    A method finds them where its mean error is at most a quarter of the largest possible one.
    """
    finders = [cell for cell in cells if finds_topics(cell)]
    others = [cell for cell in cells if not finds_topics(cell)]
    return BoardFinding(_title(cells, finders, epsilon), _describe_failures(others))


def finds_topics(cell: BoardCell) -> bool:
    """Whether the topics are readable: a mean error of at most ``READABLE``."""
    if cell.answer is not None and not cell.answer.n_found:
        return False
    return cell.error is not None and cell.error <= READABLE


def _title(cells: Sequence[BoardCell], finders: Sequence[BoardCell], epsilon: float) -> str:
    """State which methods find the topics at this ε, by name unless all or none do.

    Says that it is unknown if no method's error is known.

    Args:
        cells: all methods.
        finders: those that find the topics.
        epsilon: ε of the experiment.
    """
    epsilon_phrase = f"At ε = {epsilon:g}"
    if all(cell.error is None for cell in cells):
        return f"{epsilon_phrase} it is unknown which of these finds the topics"
    if not finders:
        number_word = str(len(cells))
        if len(cells) < len(N_WORDS):
            number_word = N_WORDS[len(cells)]
        return f"{epsilon_phrase} none of the {number_word} finds the topics"
    finder_titles = _listed([cell.method.family.title for cell in finders])
    if len(finders) == len(cells):
        return f"{epsilon_phrase} all {N_WORDS[len(cells)]} find the topics"
    if len(finders) == 1:
        return f"{epsilon_phrase} only {finder_titles} finds the topics"
    return f"{epsilon_phrase} {finder_titles} find the topics"


def _describe_failures(cells: Sequence[BoardCell]) -> str:
    """State in one sentence which steps have more noise than signal, then why others fail.

    A method that refuses is among the others, even if a step of it has too much noise. Methods that
    were not run, without a known error, come last. Empty without cells.

    Args:
        cells: methods that do not find the topics.
    """
    answering_cells_and_steps = [(cell, cell.drowned) for cell in cells if not _refuses(cell)]
    clauses: list[str] = []
    for cell, drowned_step in answering_cells_and_steps:
        if drowned_step is not None:
            clauses.append(_describe_drowned(cell, drowned_step, is_first=not clauses))
    sentences = [f"{', '.join(clauses)}."] if clauses else []
    sentences += _describe_refusals([cell for cell in cells if _refuses(cell)])
    other_cells = [cell for cell in cells if not _refuses(cell) and cell.drowned is None]
    sentences += [_describe_failure(cell) for cell in other_cells if not _is_unknown(cell)]
    unknown_titles = [cell.method.family.title for cell in other_cells if _is_unknown(cell)]
    if unknown_titles:
        sentences.append(f"Not run yet: {_listed(unknown_titles)}.")
    return " ".join(sentences)


def _describe_refusals(cells: Sequence[BoardCell]) -> list[str]:
    """State which methods refuse: first those that no finite noise would protect, then others.

    There is one sentence for each of these two kinds that has a method.

    Args:
        cells: methods that refuse.
    """
    unprotected: list[str] = []
    others: list[str] = []
    for cell in cells:
        is_unprotected = cell.answer is not None and bool(cell.answer.refused_bound)
        (unprotected if is_unprotected else others).append(cell.method.family.title)
    sentences = []
    if unprotected:
        verb, pronoun = ("refuses", "it") if len(unprotected) == 1 else ("refuse", "them")
        sentences.append(f"{_listed(unprotected)} {verb}: no finite noise would protect {pronoun}.")
    if others:
        sentences.append(f"{_listed(others)} {'refuses' if len(others) == 1 else 'refuse'}.")
    return sentences


def _refuses(cell: BoardCell) -> bool:
    """Whether a method gave no topics at all."""
    return cell.answer is not None and cell.answer.words is None


def _is_unknown(cell: BoardCell) -> bool:
    """Whether a method was not run, and its error is not predicted either."""
    return cell.answer is None and cell.error is None


def _describe_drowned(cell: BoardCell, noise_row: EdgeNoise, *, is_first: bool) -> str:
    """Say in a clause on which step a method's noise exceeds the signal the most, and how far.

    A step without finite noise, or signal, has no ratio.

    Args:
        cell: the method.
        noise_row: its quantity whose noise exceeds its signal the most.
        is_first: whether no such clause stands before it; later ones are shorter.
    """
    method_title = cell.method.family.title
    step_title = step_name(noise_row)
    if not noise_row.signal_to_noise:
        return f"{method_title} has no finite noise for {step_title}"
    noise_over_signal = digits(1 / noise_row.signal_to_noise, 2)
    if is_first:
        return f"Noise exceeds the signal in {method_title} on {step_title} ({noise_over_signal} ×)"
    return f"in {method_title.removeprefix(PREFIX)} on {step_title} ({noise_over_signal} ×)"


def _describe_failure(cell: BoardCell) -> str:
    """Explain why a method does not find the topics, by the first reason that holds.

    No topic is above the noise; its error is unknown; or else it is off although no single step
    has too much noise.
    """
    method_title = cell.method.family.title
    answer = cell.answer
    if answer is not None and answer.has_no_topics:
        return f"{method_title} finds no topic above the noise."
    if cell.error is None:
        return f"{method_title}: error unknown."
    error_text = digits(cell.error, 2)
    return f"{method_title} is off by {error_text}, although no step has more noise than signal."


def _listed(names: Sequence[str]) -> str:
    """Names with commas and an *and*; numbers of configurations are joined."""
    if len(names) > 1 and all(name.startswith(PREFIX) for name in names):
        numbers = [name.removeprefix(PREFIX) for name in names]
        return f"Configurations {_joined(numbers)}"
    return _joined(names)


def _joined(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
