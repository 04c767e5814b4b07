"""Count words of documents as they pass by, in memory for their distinct words and never for N·d."""

from collections.abc import Iterator
from dataclasses import dataclass
from mmap import mmap
from typing import IO, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.core.types import Counts
from dplda.corpus.counts import frozen

Whole = TypeVar("Whole", bound=np.integer)


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Some documents: as rows of a sparse matrix, counts in the smallest type that holds them."""

    data: NDArray[np.unsignedinteger]
    indices: NDArray[np.int32]
    indptr: NDArray[np.int32]


class Blocks:
    """Counts of documents, some at a time.

    Args:
        file: where they wait, empty and open for writing and reading; None keeps them in memory.
    """

    def __init__(self, file: IO[bytes] | None = None) -> None:
        self.n_documents = 0
        self._blocks: list[_Block] = []
        self._file = file
        self._n_in_file = 0
        self._frequency = np.zeros(0, dtype=np.int64)

    def add(self, columns: NDArray[np.int32], ends: NDArray[np.int64], n_words: int) -> None:
        """Count the words of the next documents; their order within a document is forgotten here.

        Args:
            ends: 0, then where each document ends in ``columns``, shape (n + 1,).
        """
        ones = np.ones(columns.size, dtype=np.int32)
        counted = csr_array((ones, columns, ends.astype(np.int32)), shape=(ends.size - 1, max(n_words, 1)))
        counted.sum_duplicates()
        largest = int(counted.data.max(initial=0))
        smallest_type = np.min_scalar_type(largest)
        self._keep(_Block(_apart(counted.data.astype(smallest_type)), _apart(counted.indices), counted.indptr))
        self.n_documents += ends.size - 1
        self._frequency = _padded(self._frequency, n_words) + np.bincount(counted.indices, minlength=n_words)[:n_words]

    def frequency(self, n_words: int) -> NDArray[np.int64]:
        """In how many documents each of so many words occurs, shape (n_words,)."""
        return _padded(self._frequency, n_words)

    def counts(self, columns: NDArray[np.intp], n_words: int, *, last: bool = False) -> Counts:
        """Counts of all documents so far.

        Args:
            last: whether nothing else will be asked for, so that each block is let go of when it has been taken over.
        """
        place = _places(columns, n_words)
        blocks = list(self._kept())
        if last:
            self._blocks.clear()
        end = sum(int(np.count_nonzero(place[block.indices] >= 0)) for block in blocks)
        data, indices = np.empty(end, dtype=np.int32), np.empty(end, dtype=np.int32)
        lengths = []
        while blocks:  # the last one first: what lies behind the others goes back to the system
            part = _selected(blocks.pop(), place, len(columns))
            data[end - part.nnz : end], indices[end - part.nnz : end] = part.data, part.indices
            lengths.append(np.diff(part.indptr))
            end -= part.nnz
        indptr = np.concatenate([np.zeros(1, dtype=np.int64), *reversed(lengths)]).cumsum()
        pointers: NDArray[np.integer] = indptr if indptr[-1] >= 2**31 else indptr.astype(np.int32)
        return frozen(data, indices, pointers, (self.n_documents, max(len(columns), 1)))

    def parts(self, columns: NDArray[np.intp], n_words: int) -> Iterator[Counts]:
        """The same some documents at a time; arguments as for ``counts``."""
        place = _places(columns, n_words)
        for block in self._kept():
            yield _selected(block, place, len(columns))

    def _keep(self, block: _Block) -> None:
        if self._file is None:
            self._blocks.append(block)
            return
        for numbers in (block.data, block.indices, block.indptr):
            np.save(self._file, numbers, allow_pickle=False)
        self._n_in_file += 1

    def _kept(self) -> Iterator[_Block]:
        if self._file is None:
            yield from self._blocks
            return
        self._file.seek(0)
        for _ in range(self._n_in_file):
            yield _Block(*(np.load(self._file, allow_pickle=False) for _ in range(3)))


def _selected(block: _Block, place: NDArray[np.int32], n_columns: int) -> csr_array[np.int32]:
    """The chosen columns of a block, in their new places, sorted in each row."""
    columns = place[block.indices]
    kept = columns >= 0
    before = np.concatenate([[0], np.cumsum(kept)])
    indptr = before[block.indptr].astype(np.int32)
    part = csr_array((block.data[kept].astype(np.int32), columns[kept], indptr), shape=(indptr.size - 1, n_columns))
    part.sort_indices()
    return part


def _apart(numbers: NDArray[Whole]) -> NDArray[Whole]:
    """A copy in memory of its own, which goes back to the system as soon as it is let go of."""
    copy = np.frombuffer(mmap(-1, max(1, numbers.nbytes)), dtype=numbers.dtype, count=numbers.size)
    copy[:] = numbers
    return copy


def _places(columns: NDArray[np.intp], n_words: int) -> NDArray[np.int32]:
    """The new place of each word's column; -1 of those that are not chosen."""
    place = np.full(max(n_words, 1), -1, dtype=np.int32)
    place[columns] = np.arange(len(columns), dtype=np.int32)
    return place


def _padded(frequency: NDArray[np.int64], n_words: int) -> NDArray[np.int64]:
    return np.pad(frequency, (0, n_words - frequency.size))
