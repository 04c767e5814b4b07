from tempfile import TemporaryFile

import numpy as np
import pytest

from dplda.corpus.count_matrix import Blocks, stacked

ROWS = [[0, 1, 0], [], [2], [1, 3, 3, 3]]  # the columns of each document's words


@pytest.fixture(params=[False, True], ids=["memory", "file"])
def file(request):
    if not request.param:
        yield None
    else:
        with TemporaryFile() as waiting:
            yield waiting


def add(blocks: Blocks, rows: list[list[int]], n_words: int) -> None:
    ends = np.cumsum([0, *map(len, rows)])
    blocks.add(np.array([column for row in rows for column in row], dtype=np.int32), ends, n_words)


@pytest.mark.parametrize("at_once", [1, 3, 4])
@pytest.mark.parametrize("columns", [[0, 1, 2, 3], [3, 0]])
def test_counts_of_words_met(at_once, columns, file):
    blocks = Blocks(file)
    for start in range(0, len(ROWS), at_once):
        met = [column for row in ROWS[: start + at_once] for column in row]
        add(blocks, ROWS[start : start + at_once], max(met) + 1)
    assert blocks.frequency(4).tolist() == [1, 2, 1, 1]
    whole = np.array([[2, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 3]])
    counts = stacked(list(blocks.parts(np.array(columns), 4)), len(columns))
    assert counts.toarray().tolist() == whole[:, columns].tolist()


def test_many_blocks():
    draws = np.random.default_rng(0).integers(0, 50, size=(12_000, 100))
    blocks = Blocks()
    for part in np.split(draws, 5):
        add(blocks, part.tolist(), 50)
    counts = stacked(list(blocks.parts(np.arange(50), 50)), 50)
    assert counts.shape == (12_000, 50)
    assert (counts[:, [7]].toarray().ravel() == (draws == 7).sum(axis=1)).all()
