"""Sums over documents, computed by threads or another backend, always added in the same order.

Every statistic of a corpus is a sum over documents, so a statistic is written once, as a function
of a block of rows. The grouping and order of rows depend only on the number of documents. So on
processors of one kind a sum is the same, bit for bit, from one thread, several, or other processes
(``backends``). Usually threads suffice: sparse and dense products release the interpreter lock, and
each runs on one BLAS thread.
"""

import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, partial, reduce
from typing import Protocol, TypeVar

import numpy as np
from scipy.sparse import csr_array

from dplda.core.threads import one_thread
from dplda.core.types import Counts, Rows, Vector

A = TypeVar("A")
B = TypeVar("B")
S = TypeVar("S")

CHUNK_ROWS = 4096
FEWEST_ROWS = 512  # of a block, if a sum uses smaller ones
BLOCKS_A_RUN = 16  # added up in one task, at most
MOST_WORKERS = 4
UNIT_ROUNDOFF = 2.0**-53  # relative error of one floating-point operation


class Engine(Protocol):
    """Something that computes: threads of this process, or other processes."""

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """``function`` of every item, in order, computed at most a few items ahead."""


class Serial:
    """The calling thread alone."""

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """As ``Engine.map``."""
        return map(function, items)


class Threads:
    """A few threads that live as long as the process."""

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Yield the function of every item, in order, computed a few items ahead by the threads.

        With one processor, each item is computed in the calling thread when it is asked for.
        """
        if workers() == 1:
            yield from map(function, items)
            return

        def submit(item: A) -> Future[B]:
            """Begin the work on an item."""
            return _threads().submit(function, item)

        yield from in_order(submit, items, workers())


def in_order(submit: Callable[[A], Future[B]], items: Iterable[A], max_waiting: int) -> Iterator[B]:
    """Submit items, and yield their results in order.

    When the caller stops early or a result raises, those still waiting are canceled.

    Args:
        submit: begins the work on an item.
        items: taken one after the other, as results are asked for.
        max_waiting: items that may be submitted before their results are asked for.
    """
    waiting_futures: deque[Future[B]] = deque()
    try:
        for item in items:
            if len(waiting_futures) == max_waiting:
                yield waiting_futures.popleft().result()
            waiting_futures.append(submit(item))
        while waiting_futures:
            yield waiting_futures.popleft().result()
    finally:
        for future in waiting_futures:
            future.cancel()


_in_use: ContextVar[Engine] = ContextVar("engine")


@contextmanager
def using(engine: Engine) -> Iterator[None]:
    """Compute this thread's sums over documents with an engine; threads are the default."""
    token = _in_use.set(engine)
    try:
        yield
    finally:
        _in_use.reset(token)


def row_blocks(n_documents: int, rows: int = CHUNK_ROWS) -> Iterator[slice]:
    """Consecutive slices of at most ``rows`` rows that cover ``n_documents``."""
    for start in range(0, n_documents, rows):
        yield slice(start, min(start + rows, n_documents))


def rows_of(counts: Rows, rows: slice) -> Counts:
    """Consecutive rows of a corpus: views of the counts in memory, or read from disk.

    Args:
        counts: shape (N, d).
        rows: with a start and a stop, within the N documents.
    """
    if not isinstance(counts, csr_array):
        return counts.rows(rows)
    first_entry = counts.indptr[rows.start]
    end_entry = counts.indptr[rows.stop]
    n_rows = rows.stop - rows.start
    n_words = counts.shape[1]
    block = csr_array((n_rows, n_words), dtype=counts.dtype)
    # A constructor would check and copy everything.
    block.indptr = counts.indptr[rows.start : rows.stop + 1] - first_entry
    block.data = counts.data[first_entry:end_entry]
    block.indices = counts.indices[first_entry:end_entry]
    return block


def workers() -> int:
    """Threads for one sum: the processors this process may run on, at most ``MOST_WORKERS``."""
    if hasattr(os, "sched_getaffinity"):
        n_processors = len(os.sched_getaffinity(0))
    else:
        n_processors = os.cpu_count() or 1
    return min(MOST_WORKERS, n_processors)


def sum_over(
    counts: Rows,
    make_part: Callable[[slice], Callable[[Counts], S]],
    add: Callable[[S, S], S],
    *,
    rows: int = CHUNK_ROWS,
    together: int = BLOCKS_A_RUN,
    tick: Callable[[float], None] | None = None,
) -> S:
    """Sum the contributions of all row blocks of a corpus.

    Runs of blocks depend on the number of documents, ``rows`` and ``together``, and not on the
    engine. A run is added up where its blocks are counted, in order, and runs here, in order. A
    single run, or a corpus of at most ``FEWEST_ROWS`` documents, is counted in the calling thread.

    Args:
        counts: shape (N, d), at least one row.
        make_part: makes, for the slice of a block's row numbers, the function from the block to its
            contribution. That function takes along what it needs of each document, and may be sent
            to another process.
        add: adds two contributions, and may change the first.
        rows: rows in a block; ``FEWEST_ROWS`` to ``CHUNK_ROWS`` where a sensitivity counts
            ``additions``.
        together: blocks of a run, at most.
        tick: told the fraction done after each run, in the calling thread; may raise to give up.
    """
    n_documents = counts.shape[0]
    blocks = list(row_blocks(n_documents, rows))
    blocks_per_run = min(together, math.ceil(len(blocks) / MOST_WORKERS))
    run_starts = range(0, len(blocks), blocks_per_run)
    block_runs = [blocks[start : start + blocks_per_run] for start in run_starts]
    n_runs = len(block_runs)
    tasks = ([(_Block(counts, block), make_part(block)) for block in run] for run in block_runs)
    engine: Engine = _SERIAL
    if n_runs > 1 and n_documents > FEWEST_ROWS:
        engine = _in_use.get(_THREADS)
    sum_so_far: S | None = None
    with one_thread:
        run_sums = engine.map(partial(_sum_of_run, add), tasks)
        for n_done, run_sum in enumerate(run_sums, start=1):
            sum_so_far = run_sum if sum_so_far is None else add(sum_so_far, run_sum)
            if tick is not None:
                tick(n_done / n_runs)
    assert sum_so_far is not None
    return sum_so_far


def each_document(
    counts: Rows, make_part: Callable[[slice], Callable[[Counts], Vector]], rows: int = CHUNK_ROWS
) -> Vector:
    """One number per document, shape (N,), in their order; empty without documents.

    Args:
        counts: shape (N, d).
        make_part: as in ``sum_over``; its function gives the numbers of a block's documents.
        rows: rows in a block.
    """
    if counts.shape[0] == 0:
        return np.zeros(0)

    def list_part(block_rows: slice) -> Callable[[Counts], list[Vector]]:
        """Function from a block to the numbers of its documents, in a list of one array."""
        return partial(_as_list, make_part(block_rows))

    numbers_by_block = sum_over(counts, list_part, list.__add__, rows=rows)
    return np.concatenate(numbers_by_block)


def additions(n_documents: int) -> int:
    """The most additions that one document's part takes in ``sum_over``.

    Fewer than ``CHUNK_ROWS`` inside its block, in whatever order that adds its rows up; then with
    the other blocks of its run, of which there are at most ``BLOCKS_A_RUN``; then one for every
    run, of which there are at most ``MOST_WORKERS`` more than full ones. Holds for blocks of
    ``FEWEST_ROWS`` to ``CHUNK_ROWS`` rows. A sum of one document after the other is not covered.
    """
    n_blocks = math.ceil(n_documents / FEWEST_ROWS)
    within_run = min(n_blocks, BLOCKS_A_RUN)
    between_runs = n_blocks // BLOCKS_A_RUN + MOST_WORKERS
    return min(n_documents, CHUNK_ROWS) + within_run + between_runs


def map_threads(function: Callable[[A], B], items: Sequence[A]) -> list[B]:
    """``function`` of every item, in order, on a few threads: for work done by NumPy or SciPy.

    In the calling thread for one item, with one processor, and with the engine ``Serial``.
    """
    is_serial = isinstance(_in_use.get(_THREADS), Serial)
    if is_serial or len(items) <= 1 or workers() == 1:
        return [function(item) for item in items]
    with one_thread:
        return list(_threads().map(function, items))


@dataclass(frozen=True, slots=True)
class _Block:
    """Some rows of a corpus; another process receives them, or their place on disk."""

    counts: Rows
    rows: slice

    def __reduce__(self) -> tuple[type["_Block"], tuple[Rows, slice]]:
        """Pickle the block's own rows alone; those on disk as their place."""
        if not isinstance(self.counts, csr_array):
            return _Block, (self.counts, self.rows)
        own_counts = rows_of(self.counts, self.rows)
        all_rows = slice(0, self.rows.stop - self.rows.start)
        return _Block, (own_counts, all_rows)


def _sum_of_run(add: Callable[[S, S], S], run: list[tuple[_Block, Callable[[Counts], S]]]) -> S:
    """The sum of one run of blocks, each with the function to its part; with one BLAS thread."""
    with one_thread:
        parts = (compute_part(rows_of(block.counts, block.rows)) for block, compute_part in run)
        return reduce(add, parts)


def _as_list(compute_numbers: Callable[[Counts], Vector], block: Counts) -> list[Vector]:
    """A block's numbers as a list of one array, so that adding lists keeps their order."""
    return [compute_numbers(block)]


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=workers(), thread_name_prefix="dplda-sum")


_SERIAL = Serial()
_THREADS = Threads()
