"""Matrices of counts as words: which columns are words, and the words of each row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core.engine import row_blocks, rows_of
from dplda.core.types import Counts
from dplda.corpus.words.reading import TextReading


@dataclass(frozen=True, slots=True, eq=False)
class ColumnNames:
    """Names of a matrix's columns as a reading takes them.

    Attributes:
        names: the ``D`` names, clean and in the case in which words are kept.
        is_word: whether each is exactly one word, shape (D,).
    """

    names: list[str]
    is_word: NDArray[np.bool_]

    @property
    def words(self) -> list[str]:
        """The names that are words, in column order."""
        word_columns = np.flatnonzero(self.is_word)
        return [self.names[column] for column in word_columns]

    @property
    def other_names(self) -> list[tuple[int, str]]:
        """Column and name of each column that is no word."""
        other_columns = np.flatnonzero(~self.is_word).tolist()
        return [(column, self.names[column]) for column in other_columns]


def read_column_names(reading: TextReading, column_names: Sequence[str]) -> ColumnNames:
    """Read the names of columns as if they were words of a text: clean, and in the words' case.

    Names that are no words stay, and are marked.

    Args:
        reading: of texts.
        column_names: as they came.
    """
    clean_names = [reading.clean(name) for name in column_names]
    names = [reading.cased(name) for name in clean_names]
    is_word = np.array(reading.are_words(names), dtype=bool)
    return ColumnNames(names=names, is_word=is_word)


def hash_filled_rows(counts: Counts) -> Iterator[int]:
    """Yield a hash of each row that is not empty; equal rows have equal hashes.

    Hashes of different runs of Python are not comparable.

    Args:
        counts: shape (N, D), in canonical form: columns in order, each once.
    """
    n_documents = counts.shape[0]
    for row_slice in row_blocks(n_documents):
        block = rows_of(counts, row_slice)
        row_starts = block.indptr[:-1].tolist()
        row_ends = block.indptr[1:].tolist()
        for start, end in zip(row_starts, row_ends, strict=True):
            if end > start:
                columns = block.indices[start:end].tobytes()
                row_counts = block.data[start:end].tobytes()
                yield hash((columns, row_counts))


@dataclass(frozen=True, slots=True, eq=False)
class WordBlock:
    """Words of a block of rows, as if they stood in texts.

    Attributes:
        codes: column or negative code of each word, row after row.
        document_of_word: row of each word, from 0 in the block.
        n_documents: rows of the block.
    """

    codes: NDArray[np.int32]
    document_of_word: NDArray[np.integer]
    n_documents: int


def list_words(counts: Counts, codes: NDArray[np.int32]) -> Iterator[WordBlock]:
    """Yield the words of documents, each as often as it is counted, a block of rows at a time.

    Args:
        counts: shape (N, D), counts of words.
        codes: column or negative code of each of its words, shape (D,).
    """
    for row_slice in row_blocks(counts.shape[0]):
        block = rows_of(counts, row_slice)
        n_documents = block.shape[0]
        entries_per_document = np.diff(block.indptr)
        document_of_entry = np.repeat(np.arange(n_documents), entries_per_document)
        code_of_entry = codes[block.indices]
        yield WordBlock(
            codes=np.repeat(code_of_entry, block.data),
            document_of_word=np.repeat(document_of_entry, block.data),
            n_documents=n_documents,
        )
