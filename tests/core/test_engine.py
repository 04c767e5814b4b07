"""Sums over blocks of rows: every row once, in order, whatever the number of threads."""

from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array

from dplda.core import engine
from tests.tiny_corpora import counts_of, random_rows

COUNTS = counts_of(random_rows(0, n_documents=103, n_words=5, longest=9))


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
def test_blocks_are_added_in_order(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Addition of lists keeps the order; every block is given with the rows it holds."""
    monkeypatch.setattr(engine, "workers", lambda: threads)

    def numbered(rows: slice, block) -> list[int]:
        assert block.shape[0] == rows.stop - rows.start
        return [*range(rows.start, rows.stop)]

    numbers_in_order = engine.sum_over(
        COUNTS, lambda rows: partial(numbered, rows), list.__add__, rows=7
    )
    assert numbers_in_order == list(range(103))


def test_sum_by_any_number_of_threads_has_the_same_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weights = np.random.default_rng(0).uniform(size=103)

    def sums(rows: int) -> np.ndarray:
        return engine.sum_over(
            COUNTS,
            lambda block_rows: lambda block: block.T @ weights[block_rows],
            np.add,
            rows=rows,
        )

    for rows in (1, 4, 30):
        with engine.using(engine.Serial()):
            expected_sums = sums(rows)
        for threads in (1, 2, 3, 4, 4):
            monkeypatch.setattr(engine, "workers", lambda threads=threads: threads)
            np.testing.assert_array_equal(sums(rows), expected_sums)


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("rows", [engine.FEWEST_ROWS, 2048, engine.CHUNK_ROWS])
@pytest.mark.parametrize("n", [1, 511, 4097, 70_000, 1_000_000])
def test_sum_puts_no_part_through_more_additions_than_stated(
    n: int, rows: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks tell how deep their sum may be, one row after the other; adding two makes it deeper by one."""
    monkeypatch.setattr(engine, "workers", lambda: threads)
    empty = csr_array((n, 1), dtype=np.int32)
    depth = engine.sum_over(
        empty, lambda of: lambda _: of.stop - of.start - 1, lambda x, y: max(x, y) + 1, rows=rows
    )
    assert depth <= engine.additions(n)
    if rows == engine.CHUNK_ROWS and threads == 1:
        assert depth > engine.additions(n) / 2 - 20, "the bound is not idle"


@pytest.mark.parametrize("threads", [1, 2])
def test_error_in_a_block_is_raised(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "workers", lambda: threads)

    def failing(rows: slice, block) -> float:
        if rows.start >= 50:
            raise ZeroDivisionError("in a block")
        return 0.0

    with pytest.raises(ZeroDivisionError, match="in a block"):
        engine.sum_over(COUNTS, lambda rows: partial(failing, rows), float.__add__, rows=10)


def test_consecutive_rows_equal_those_of_the_corpus() -> None:
    for rows in (slice(0, 103), slice(0, 1), slice(7, 50), slice(102, 103)):
        block_of_rows = engine.rows_of(COUNTS, rows)
        np.testing.assert_array_equal(block_of_rows.toarray(), COUNTS[rows].toarray())


def test_consecutive_rows_that_are_many_share_memory_with_the_corpus() -> None:
    block_of_rows = engine.rows_of(COUNTS, slice(0, 100))
    assert np.shares_memory(block_of_rows.data, COUNTS.data)
    assert np.shares_memory(block_of_rows.indices, COUNTS.indices)
