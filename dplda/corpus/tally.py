"""Count words of documents as they pass by, in memory for their distinct words and never for N·d."""

from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from dplda._types import Counts
from dplda.corpus.counts import canonical_counts

_TOKENS_AT_ONCE = 1 << 20


class WordTally:
    """Counts of words by document, gathered one document at a time.

    Args:
        vocabulary: the only words to count, in column order; None counts every word met.
    """

    def __init__(self, vocabulary: Sequence[str] | None = None) -> None:
        self._grows = vocabulary is None
        self._columns = {word: column for column, word in enumerate(vocabulary or ())}
        self._tokens = array("i")
        self._ends = array("q", [0])
        self._blocks: list[Counts] = []

    def add(self, words: Iterable[str]) -> int:
        """Count one document.

        Args:
            words: its words; those outside a given vocabulary are passed over.

        Returns:
            How many words were counted, repeats included.
        """
        columns = self._columns
        if self._grows:
            self._tokens.extend([columns.setdefault(word, len(columns)) for word in words])
        else:
            self._tokens.extend([columns[word] for word in words if word in columns])
        n_counted = len(self._tokens) - self._ends[-1]
        self._ends.append(len(self._tokens))
        if len(self._tokens) >= _TOKENS_AT_ONCE:
            self._close_block()
        return n_counted

    @property
    def words(self) -> tuple[str, ...]:
        """The words met, or the vocabulary given, in column order."""
        return tuple(self._columns)

    @property
    def n_words(self) -> int:
        """How many words there are in ``words``."""
        return len(self._columns)

    def document_frequency(self) -> NDArray[np.int64]:
        """In how many documents each word occurs, shape (number of words,)."""
        self._close_block()
        frequency = np.zeros(self.n_words, dtype=np.int64)
        for block in self._blocks:
            frequency[: block.shape[1]] += np.bincount(block.indices, minlength=block.shape[1])
        return frequency

    def counts(self, columns: Sequence[int] | NDArray[np.intp] | None = None) -> Counts:
        """Counts of all documents so far.

        Args:
            columns: which words, in which order; None takes all of ``words``.

        Returns:
            Shape (number of documents, number of columns).
        """
        self._close_block()
        taken = np.arange(self.n_words) if columns is None else np.asarray(columns, dtype=np.intp)
        return vstack([_widened(block, self.n_words)[:, taken] for block in self._blocks], format="csr")

    def _close_block(self) -> None:
        """Turn the words waiting into counts; their order within a document is forgotten here."""
        ends = np.array(self._ends, dtype=np.int64)
        if ends.size == 1 and self._blocks:
            return
        tokens = np.array(self._tokens, dtype=np.int32)
        ones = np.ones(tokens.size, dtype=np.int32)
        width = max(self.n_words, 1)
        self._blocks.append(canonical_counts(csr_array((ones, tokens, ends), shape=(ends.size - 1, width))))
        self._tokens = array("i")
        self._ends = array("q", [0])


def _widened(block: Counts, n_words: int) -> Counts:
    """Give a block counted before the last words were met the columns it lacks."""
    return csr_array((block.data, block.indices, block.indptr), shape=(block.shape[0], max(n_words, 1)))
