"""Count words of documents as they pass by, in memory for their distinct words and never for N·d."""

from collections.abc import Iterator
from typing import IO, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.core.types import Counts
from dplda.corpus.counts import frozen

_Block: TypeAlias = tuple[NDArray[np.unsignedinteger], NDArray[np.int32], NDArray[np.int32]]
"""Some documents as data, indices and indptr of CSR, counts in the smallest type that holds them."""


class Blocks:
    """Counts of documents, some at a time; they wait in an empty file, open for writing and reading, or in memory."""

    def __init__(self, file: IO[bytes] | None = None) -> None:
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
        counted = csr_array(
            (ones, columns, ends.astype(np.int32)), shape=(ends.size - 1, max(n_words, 1))
        )
        counted.sum_duplicates()
        smallest_type = np.min_scalar_type(int(counted.data.max(initial=0)))
        self._frequency = (
            self.frequency(n_words) + np.bincount(counted.indices, minlength=n_words)[:n_words]
        )
        block = counted.data.astype(smallest_type), counted.indices.copy(), counted.indptr
        if self._file is None:
            self._blocks.append(block)
            return
        for numbers in block:
            np.save(self._file, numbers, allow_pickle=False)
        self._n_in_file += 1

    def frequency(self, n_words: int) -> NDArray[np.int64]:
        """In how many documents each of so many words occurs, shape (n_words,)."""
        return np.pad(self._frequency, (0, n_words - self._frequency.size))

    def frequency_in(self, documents: NDArray[np.integer], n_words: int) -> NDArray[np.int64]:
        """In how many of some documents, given by their numbers from 0, each of so many words occurs; in memory only."""
        found = np.zeros(n_words, dtype=np.int64)
        begin = 0
        for _, indices, ends in self._blocks:
            n_here = ends.size - 1
            is_asked = np.isin(np.arange(begin, begin + n_here), documents)
            of_asked = indices[np.repeat(is_asked, np.diff(ends))]
            found += np.bincount(of_asked, minlength=n_words)[:n_words]
            begin += n_here
        return found

    def parts(self, columns: NDArray[np.intp], n_words: int) -> Iterator[Counts]:
        """The chosen columns of all documents, some at a time; what was in memory is let go of on the way."""
        place = np.full(max(n_words, 1), -1, dtype=np.int32)
        place[columns] = np.arange(len(columns), dtype=np.int32)
        for data, indices, ends in self._taken():
            moved = place[indices]
            kept = moved >= 0
            indptr = np.concatenate([[0], np.cumsum(kept)])[ends].astype(np.int32)
            shape = (indptr.size - 1, len(columns))
            part = csr_array((data[kept].astype(np.int32), moved[kept], indptr), shape=shape)
            part.sort_indices()
            yield part

    def _taken(self) -> Iterator[_Block]:
        self._blocks.reverse()
        while self._blocks:
            yield self._blocks.pop()
        if self._file is not None:
            self._file.seek(0)
            for _ in range(self._n_in_file):
                data, indices, ends = (np.load(self._file, allow_pickle=False) for _ in range(3))
                yield data, indices, ends


def stacked(parts: list[Counts], n_words: int) -> Counts:
    """All documents of some parts in one matrix, shape (N, d); the parts are let go of."""
    lengths = np.concatenate([np.diff(part.indptr) for part in parts])
    data, indices = [part.data for part in parts], [part.indices for part in parts]
    parts.clear()
    indptr = np.concatenate([np.zeros(1, dtype=np.int64), lengths]).cumsum()
    pointers: NDArray[np.integer] = indptr if indptr[-1] >= 2**31 else indptr.astype(np.int32)
    joined = np.concatenate(data)
    data.clear()
    return frozen(joined, np.concatenate(indices), pointers, (lengths.size, max(n_words, 1)))


def thinned(counts: Counts, longest: int) -> tuple[Counts, int]:
    """Documents thinned to ``longest`` words, one in so many of them in a row, and how many documents that were.

    Every count keeps its share of the document, up to one word; no column is favoured by where it stands.
    """
    lengths = counts.sum(axis=1, dtype=np.int64)
    n_long = int((lengths > longest).sum())
    if not n_long:
        return counts, 0
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    upto = np.concatenate([[0], np.cumsum(counts.data, dtype=np.int64)])
    room, length = np.minimum(lengths, longest)[row], lengths[row]
    wide = (
        object if int(lengths.max()) > np.iinfo(np.int64).max // longest else np.int64
    )  # which products would leave
    last, first = ((end - upto[counts.indptr[row]]).astype(wide) for end in (upto[1:], upto[:-1]))
    thin = counts.copy()
    thin.data = (last * room // length - first * room // length).astype(np.int32)
    return thin, n_long
