"""Sums over documents: one chunk function, added up over row blocks by a few threads.

Every statistic of a corpus is a sum over documents, so a statistic is written once, as a function of a block of
rows. Threads suffice: sparse and dense products release the interpreter lock, and each runs on one BLAS thread.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from scipy.sparse import csr_array

from dplda._types import Counts
from dplda.blas import one_thread

A = TypeVar("A")
B = TypeVar("B")
S = TypeVar("S")

CHUNK_ROWS = 4096
FEWEST_ROWS = 512  # of a block, where a sum takes smaller ones
BLOCKS_A_ROUND = 16  # what one thread does between two reports of progress
MOST_WORKERS = 4
UNIT_ROUNDOFF = 2.0**-53  # an operation on two numbers is right up to this fraction of its result


def row_blocks(n_documents: int, rows: int = CHUNK_ROWS) -> Iterator[slice]:
    """Consecutive slices of at most ``rows`` rows that cover ``n_documents``."""
    for start in range(0, n_documents, rows):
        yield slice(start, min(start + rows, n_documents))


def rows_of(counts: Counts, rows: slice) -> Counts:
    """Consecutive rows of a corpus; in its own memory where they are more than half of it."""
    start, stop = counts.indptr[rows.start], counts.indptr[rows.stop]
    parts = (counts.data[start:stop], counts.indices[start:stop], counts.indptr[rows.start : rows.stop + 1] - start)
    return csr_array(parts, shape=(rows.stop - rows.start, counts.shape[1]))


def workers() -> int:
    """Threads used for one sum: the processors this process may run on, at most ``MOST_WORKERS``."""
    return min(MOST_WORKERS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def sum_over(
    counts: Counts,
    chunk: Callable[[Counts, slice], S],
    add: Callable[[S, S], S],
    *,
    rows: int = CHUNK_ROWS,
    tick: Callable[[float], None] | None = None,
) -> S:
    """Adds ``chunk(block, rows)`` over all row blocks of a corpus.

    The blocks are dealt to the threads in fixed runs and added in order, so the result does not depend on timing.

    Args:
        counts: shape (N, d), at least one row.
        chunk: what one block of rows contributes; gets the block and its slice of row numbers.
        add: adds two contributions; may reuse the memory of the first.
        rows: rows in a block; ``FEWEST_ROWS`` to ``CHUNK_ROWS`` where a sensitivity counts ``additions``.
        tick: told the fraction done from time to time, in the calling thread; may raise to give up.

    Returns:
        The sum over blocks.
    """
    blocks = list(row_blocks(counts.shape[0], rows))
    n_workers = min(workers(), len(blocks))

    def one_run(run: list[slice]) -> S:
        total = chunk(rows_of(counts, run[0]), run[0])
        for rows_ in run[1:]:
            total = add(total, chunk(rows_of(counts, rows_), rows_))
        return total

    total: S | None = None
    for start in range(0, len(blocks), n_workers * BLOCKS_A_ROUND):
        round_ = blocks[start : start + n_workers * BLOCKS_A_ROUND]
        per_worker = -(-len(round_) // n_workers)
        runs = [round_[i : i + per_worker] for i in range(0, len(round_), per_worker)]
        for part in map_threads(one_run, runs):
            total = part if total is None else add(total, part)
        if tick is not None:
            tick(min(1.0, (start + len(round_)) / len(blocks)))
    assert total is not None
    return total


def additions(n_documents: int) -> int:
    """The most additions that one document's part goes through in ``sum_over``.

    Fewer than ``CHUNK_ROWS`` inside its block, in whatever order that adds its rows up; then with the other blocks of
    its run, of which there are at most ``BLOCKS_A_ROUND``; then one for every run, of which there are at most
    ``MOST_WORKERS`` more than full ones. Holds for blocks of ``FEWEST_ROWS`` to ``CHUNK_ROWS`` rows; for one document
    after the other the number of documents is what counts.
    """
    blocks = -(-n_documents // FEWEST_ROWS)
    outside = min(blocks, BLOCKS_A_ROUND) + blocks // BLOCKS_A_ROUND + MOST_WORKERS
    return min(n_documents, CHUNK_ROWS) + outside


def map_threads(function: Callable[[A], B], items: Sequence[A]) -> list[B]:
    """``function`` of every item, in order, on a few threads that live as long as the process.

    For work that spends its time in NumPy or SciPy, with one BLAS thread. An exception in one call is raised here.
    """
    if len(items) <= 1 or workers() == 1:
        return [function(item) for item in items]
    with one_thread:
        return list(_threads().map(function, items))


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=workers(), thread_name_prefix="dplda-sum")
