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
        n_documents = ends.size - 1
        counts = _count_words(columns, ends, shape=(n_documents, max(n_words, 1)))
        block_frequency = np.bincount(counts.indices, minlength=n_words)[:n_words]
        self._document_frequency = self.frequency(n_words) + block_frequency
        largest_count = int(counts.data.max(initial=0))
        smallest_type = np.min_scalar_type(largest_count)
        data = counts.data.astype(smallest_type)
        self._keep_block((data, counts.indices.copy(), counts.indptr))

    def _keep_block(self, block: _Block) -> None:
        """Append a block to those in memory, or to the file."""
        if self._file is None:
            self._blocks.append(block)
            return
        for array in block:
            np.save(self._file, array, allow_pickle=False)
        self._n_blocks_in_file += 1

    def frequency(self, n_words: int) -> NDArray[np.int64]:
        """Number of documents with each of the first ``n_words`` words, shape (n_words,)."""
        n_new_words = n_words - self._document_frequency.size
        return np.pad(self._document_frequency, (0, n_new_words))

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
            next_document = first_document + n_in_block
            document_numbers = np.arange(first_document, next_document)
            document_is_chosen = np.isin(document_numbers, documents)
            entry_is_chosen = np.repeat(document_is_chosen, np.diff(row_ends))
            chosen_columns = indices[entry_is_chosen]
            frequency += np.bincount(chosen_columns, minlength=n_words)[:n_words]
            first_document = next_document
        return frequency

    def parts(self, columns: NDArray[np.intp], n_words: int) -> Iterator[Counts]:
        """Yield the chosen columns of all documents, a block at a time.

        Blocks in memory are freed on the way, so they can be read only once.

        Args:
            columns: columns to keep, in their new order.
            n_words: number of different words met.
        """
        n_columns = len(columns)
        new_column = np.full(max(n_words, 1), -1, dtype=np.int32)
        new_column[columns] = np.arange(n_columns, dtype=np.int32)
        for data, indices, row_ends in self._take_blocks():
            new_indices = new_column[indices]
            is_kept = new_indices >= 0
            n_kept_before = np.concatenate([[0], np.cumsum(is_kept)])
            indptr = n_kept_before[row_ends].astype(np.int32)
            kept_data = data[is_kept].astype(np.int32)
            kept_indices = new_indices[is_kept]
            n_documents = indptr.size - 1
            part = csr_array((kept_data, kept_indices, indptr), shape=(n_documents, n_columns))
            part.sort_indices()
            yield part

    def _take_blocks(self) -> Iterator[_Block]:
        """Yield blocks in the order of ``add``.

        Blocks in memory are dropped; those in a file can be read again.
        """
        self._blocks.reverse()
        while self._blocks:
            yield self._blocks.pop()
        if self._file is None:
            return
        self._file.seek(0)
        for _ in range(self._n_blocks_in_file):
            data = np.load(self._file, allow_pickle=False)
            indices = np.load(self._file, allow_pickle=False)
            row_ends = np.load(self._file, allow_pickle=False)
            yield data, indices, row_ends


def _count_words(
    columns: NDArray[np.int32], ends: NDArray[np.int64], *, shape: tuple[int, int]
) -> Counts:
    """Counts of words whose columns are listed document after document.

    Args:
        columns: of each word; one that stands twice in a document counts twice.
        ends: 0, then where each document ends in ``columns``, shape (N + 1,).
        shape: (N, D).
    """
    ones = np.ones(columns.size, dtype=np.int32)
    indptr = ends.astype(np.int32)
    counts = csr_array((ones, columns, indptr), shape=shape)
    counts.sum_duplicates()
    return counts


def stack_counts(parts: list[Counts], n_words: int) -> Counts:
    """Join parts into one matrix, shape (N, d) with d of at least 1.

    The list is emptied to free memory.

    Args:
        parts: counts of consecutive documents; at least one part.
        n_words: ``d``.
    """
    row_ends = _row_ends(parts)
    n_documents = row_ends.size - 1
    data_parts = [part.data for part in parts]
    index_parts = [part.indices for part in parts]
    parts.clear()
    data = np.concatenate(data_parts)
    data_parts.clear()
    indices = np.concatenate(index_parts)
    shape = (n_documents, max(n_words, 1))
    return read_only_counts(data, indices, row_ends, shape)


def _row_ends(parts: list[Counts]) -> NDArray[np.integer]:
    """CSR's row pointer of stacked parts, shape (N + 1,): 0, then the end of each document.

    It is of 32 bits if all entries can be numbered so.
    """
    entries_of_parts = [np.diff(part.indptr) for part in parts]
    row_ends = np.concatenate([np.zeros(1, dtype=np.int64), *entries_of_parts]).cumsum()
    n_entries = row_ends[-1]
    if n_entries >= 2**31:
        return row_ends
    return row_ends.astype(np.int32)


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
    is_long = lengths > max_length
    n_long = int(is_long.sum())
    if not n_long:
        return counts, 0
    thin_counts = counts.copy()
    thin_data = _thin_entries(counts, lengths, max_length)
    thin_counts.data = thin_data.astype(np.int32)
    return thin_counts, n_long


def _thin_entries(
    counts: Counts, lengths: NDArray[np.int64], max_length: int
) -> NDArray[np.generic]:
    """Thinned count of each stored entry: words up to its end, scaled, minus those before it.

    Both are scaled by the new length of the document over its length, and rounded down. They are
    Python's integers where products would overflow.
    """
    largest_factor = np.iinfo(np.int64).max // max_length
    products_overflow = int(lengths.max()) > largest_factor
    number_type = object if products_overflow else np.int64
    n_documents = counts.shape[0]
    entries_per_document = np.diff(counts.indptr)
    row_of_entry = np.repeat(np.arange(n_documents), entries_per_document)
    length_by_entry = lengths[row_of_entry]
    new_lengths = np.minimum(lengths, max_length)
    new_length_by_entry = new_lengths[row_of_entry]
    cumulative_words = np.concatenate([[0], np.cumsum(counts.data, dtype=np.int64)])
    first_entry = counts.indptr[row_of_entry]
    words_before_document = cumulative_words[first_entry]
    words_through_entry = cumulative_words[1:] - words_before_document
    words_before_entry = cumulative_words[:-1] - words_before_document

    def scale_down(n_words: NDArray[np.int64]) -> NDArray[np.int64]:
        """Words of each entry's document, scaled to its new length and rounded down."""
        scaled_words = n_words.astype(number_type) * new_length_by_entry
        return np.asarray(scaled_words // length_by_entry)

    thin_counts = scale_down(words_through_entry) - scale_down(words_before_entry)
    return np.asarray(thin_counts)


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
    is_long = lengths > max_length
    n_long = int(is_long.sum())
    if not n_long:
        return codes, document_of_word, 0
    document_starts = np.cumsum(lengths) - lengths
    start_of_document = np.repeat(document_starts, lengths)
    place_in_document = np.arange(codes.size) - start_of_document
    is_within_limit = place_in_document < max_length
    return codes[is_within_limit], document_of_word[is_within_limit], n_long
