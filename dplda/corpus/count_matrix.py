"""Counts of words, made block by block, in memory that never grows with N·d."""

from collections.abc import Iterator
from typing import IO, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.core.types import Counts
from dplda.corpus.counts import read_only_counts

_Block: TypeAlias = tuple[NDArray[np.unsignedinteger], NDArray[np.int32], NDArray[np.int32]]
"""Data, indices and indptr of some documents' CSR.

Counts have the smallest type that holds them.
"""


class Blocks:
    """Counts of documents, added and read a block at a time.

    Args:
        file: empty file, open for writing and reading, to which blocks go; None keeps them in
            memory.
    """

    def __init__(self, file: IO[bytes] | None = None) -> None:
        self._blocks: list[_Block] = []
        self._file = file
        self._n_blocks_in_file = 0
        self._document_frequency = np.zeros(0, dtype=np.int64)

    def add(self, columns: NDArray[np.int32], ends: NDArray[np.int64], n_words: int) -> None:
        """Count the words of the next documents, and keep the counts in memory or in the file.

        The order of words within a document is lost here. Their document frequency is added up.

        Args:
            columns: column of each word, document after document.
            ends: 0, then the end of each document in ``columns``, shape (n + 1,).
            n_words: number of different words met so far.
        """
        ones = np.ones(columns.size, dtype=np.int32)
        shape = (ends.size - 1, max(n_words, 1))
        counts = csr_array((ones, columns, ends.astype(np.int32)), shape=shape)
        counts.sum_duplicates()
        block_frequency = np.bincount(counts.indices, minlength=n_words)[:n_words]
        self._document_frequency = self.frequency(n_words) + block_frequency
        smallest_type = np.min_scalar_type(int(counts.data.max(initial=0)))
        stored_block = counts.data.astype(smallest_type), counts.indices.copy(), counts.indptr
        if self._file is None:
            self._blocks.append(stored_block)
            return
        for array in stored_block:
            np.save(self._file, array, allow_pickle=False)
        self._n_blocks_in_file += 1

    def frequency(self, n_words: int) -> NDArray[np.int64]:
        """Number of documents with each of the first ``n_words`` words, shape (n_words,)."""
        return np.pad(self._document_frequency, (0, n_words - self._document_frequency.size))

    def frequency_in(self, documents: NDArray[np.integer], n_words: int) -> NDArray[np.int64]:
        """Number of chosen documents that contain each word, shape (n_words,).

        Only blocks in memory are counted: with a file the result is 0.

        Args:
            documents: numbers of the chosen documents, from 0 in the order of ``add``.
            n_words: number of words to count.
        """
        frequency = np.zeros(n_words, dtype=np.int64)
        first_document = 0
        for _, indices, row_ends in self._blocks:
            n_in_block = row_ends.size - 1
            document_numbers = np.arange(first_document, first_document + n_in_block)
            document_is_chosen = np.isin(document_numbers, documents)
            chosen_columns = indices[np.repeat(document_is_chosen, np.diff(row_ends))]
            frequency += np.bincount(chosen_columns, minlength=n_words)[:n_words]
            first_document += n_in_block
        return frequency

    def parts(self, columns: NDArray[np.intp], n_words: int) -> Iterator[Counts]:
        """Yield the chosen columns of all documents, a block at a time.

        Blocks in memory are freed on the way, so they can be read only once.

        Args:
            columns: columns to keep, in their new order.
            n_words: number of different words met.
        """
        new_column = np.full(max(n_words, 1), -1, dtype=np.int32)
        new_column[columns] = np.arange(len(columns), dtype=np.int32)
        for data, indices, row_ends in self._take_blocks():
            new_indices = new_column[indices]
            is_kept = new_indices >= 0
            n_kept_before = np.concatenate([[0], np.cumsum(is_kept)])
            indptr = n_kept_before[row_ends].astype(np.int32)
            kept_data = data[is_kept].astype(np.int32)
            shape = (indptr.size - 1, len(columns))
            part = csr_array((kept_data, new_indices[is_kept], indptr), shape=shape)
            part.sort_indices()
            yield part

    def _take_blocks(self) -> Iterator[_Block]:
        """Yield blocks in the order of ``add``.

        Blocks in memory are dropped; those in a file can be read again.
        """
        self._blocks.reverse()
        while self._blocks:
            yield self._blocks.pop()
        if self._file is not None:
            self._file.seek(0)
            for _ in range(self._n_blocks_in_file):
                data, indices, row_ends = (
                    np.load(self._file, allow_pickle=False) for _ in range(3)
                )
                yield data, indices, row_ends


def stack_counts(parts: list[Counts], n_words: int) -> Counts:
    """Join parts into one matrix, shape (N, d) with d of at least 1.

    The list is emptied to free memory.

    Args:
        parts: counts of consecutive documents; at least one part.
        n_words: ``d``.
    """
    entries_per_document = np.concatenate([np.diff(part.indptr) for part in parts])
    data_parts = [part.data for part in parts]
    index_parts = [part.indices for part in parts]
    parts.clear()
    row_ends = np.concatenate([np.zeros(1, dtype=np.int64), entries_per_document]).cumsum()
    pointers: NDArray[np.integer] = row_ends if row_ends[-1] >= 2**31 else row_ends.astype(np.int32)
    data = np.concatenate(data_parts)
    data_parts.clear()
    shape = (entries_per_document.size, max(n_words, 1))
    return read_only_counts(data, np.concatenate(index_parts), pointers, shape)


def thin_documents(counts: Counts, max_length: int) -> tuple[Counts, int]:
    """Thin long documents to ``max_length`` words, evenly over their words.

    Each count keeps its share of the document, up to one word; no column is favored by its place.
    A count that becomes 0 stays stored.

    Args:
        counts: shape (N, d).
        max_length: words that a document may have.

    Returns:
        The counts (the same object if no document is longer), and the number of thinned documents.
    """
    lengths = counts.sum(axis=1, dtype=np.int64)
    n_long = int((lengths > max_length).sum())
    if not n_long:
        return counts, 0
    thin_counts = counts.copy()
    thin_counts.data = _thin_entries(counts, lengths, max_length).astype(np.int32)
    return thin_counts, n_long


def _thin_entries(
    counts: Counts, lengths: NDArray[np.int64], max_length: int
) -> NDArray[np.generic]:
    """Thinned count of each stored entry: words up to its end, scaled, minus those before it.

    Both are scaled by the new length of the document over its length, and rounded down. They are
    Python's integers where products would overflow.
    """
    products_overflow = int(lengths.max()) > np.iinfo(np.int64).max // max_length
    number_type = object if products_overflow else np.int64
    row_of_entry = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    length_by_entry = lengths[row_of_entry]
    new_length_by_entry = np.minimum(lengths, max_length)[row_of_entry]
    cumulative_words = np.concatenate([[0], np.cumsum(counts.data, dtype=np.int64)])
    words_before_document = cumulative_words[counts.indptr[row_of_entry]]
    words_through_entry = (cumulative_words[1:] - words_before_document).astype(number_type)
    words_before_entry = (cumulative_words[:-1] - words_before_document).astype(number_type)
    new_words_through_entry = words_through_entry * new_length_by_entry // length_by_entry
    new_words_before_entry = words_before_entry * new_length_by_entry // length_by_entry
    return np.asarray(new_words_through_entry - new_words_before_entry)


def cut_documents(
    codes: NDArray[np.int32],
    document_of_word: NDArray[np.integer],
    n_documents: int,
    max_length: int,
) -> tuple[NDArray[np.int32], NDArray[np.integer], int]:
    """Cut long documents to their first ``max_length`` words.

    Args:
        codes: code of each word, document after document.
        document_of_word: document of each word, from 0.
        n_documents: number of documents.
        max_length: words that a document may have.

    Returns:
        Codes and documents of the words that are left (the same arrays if no document is longer),
        and the number of documents that were cut.
    """
    lengths = np.bincount(document_of_word, minlength=n_documents)
    n_long = int((lengths > max_length).sum())
    if not n_long:
        return codes, document_of_word, 0
    document_start = np.repeat(np.cumsum(lengths) - lengths, lengths)
    is_within_limit = np.arange(codes.size) - document_start < max_length
    return codes[is_within_limit], document_of_word[is_within_limit], n_long
