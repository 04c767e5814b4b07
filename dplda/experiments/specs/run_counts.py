"""Runs of slow methods: how many a sweep does of each, and on which corpora."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.methods.base.method import Method
from dplda.methods.registry import parse_method

RunCounts: TypeAlias = tuple[tuple[str, int], ...]
MOST_RUNS = 1_000_000


def checked_run_counts(
    pairs: Iterable[tuple[object, int]],
    methods: Sequence[Method],
) -> RunCounts:
    """Check pairs of a method's text and its number of runs at one ε over all corpora.

    Args:
        pairs: as given.
        methods: of the sweep.

    Returns:
        The pairs, with each method's own text.

    Raises:
        InputError: a method is not among them or is named twice, or a number is not from 1 to
            ``MOST_RUNS``.
    """
    checked_pairs = []
    for method_text, n_runs in pairs:
        method = parse_method(method_text)
        if method not in methods:
            raise InputError("runs", "of methods of the sweep", f"those of {method.key}")
        checks.integer_between(f"runs of {method.key}", n_runs, 1, MOST_RUNS)
        checked_pairs.append((method.key, int(n_runs)))
    if len(dict(checked_pairs)) < len(checked_pairs):
        raise InputError("runs", "one number for each method", "two for one")
    return tuple(checked_pairs)


def draws_on_corpus(
    corpus: int,
    *,
    n_runs: int | None,
    n_corpora: int,
    repeats: int,
) -> int:
    """Draws of a method on one corpus: its runs go around the corpora, one on each in turn.

    Args:
        corpus: number of the corpus, from 0.
        n_runs: its runs over all corpora; None for all.
        n_corpora: corpora of the setting.
        repeats: most draws on one corpus.
    """
    if n_runs is None:
        return repeats
    on_every_corpus, left_over = divmod(n_runs, n_corpora)
    return min(repeats, on_every_corpus + (corpus < left_over))
