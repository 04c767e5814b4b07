"""What rows name, and the weight that each gives to it; ``thresholds`` says why such weights."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.core.types import Counts, Vector
from dplda.privacy.noise.fixed_point import count_resolution
from dplda.privacy.word_selection.thresholds import MAX_WORDS_PER_ROW


@dataclass(frozen=True, slots=True, eq=False)
class NamingRows:
    """Rows that are protected one by one, and the words or groups that each of them names.

    Attributes:
        counts: how often each row names each word, shape (N, d).
        words: the d words, distinct.
        max_words_per_row: distinct words that a row gives weight to at most, from 1 to
            ``MAX_WORDS_PER_ROW``; of a row that names more, a hash draws so many.
    """

    counts: Counts
    words: Sequence[str]
    max_words_per_row: int


def limit_words_per_row(
    counts: Counts, words: Sequence[str], max_words: int = MAX_WORDS_PER_ROW
) -> Counts:
    """Mark the words that each row gives weight to: all, or ``max_words`` that a hash draws.

    The hash is of the row's own words and counts, so other rows and columns change nothing.

    Args:
        counts: how often rows have words, shape (N, d).
        words: the d words.
        max_words: distinct words that a row gives weight to at most.

    Returns:
        Ones, shape (N, d), and no entry for other words. A row's ones depend on that row alone.
    """
    n_words_of_row = np.diff(counts.indptr)
    entry_marks = np.ones(counts.nnz, dtype=counts.dtype)
    long_rows = np.flatnonzero(n_words_of_row > max_words)
    if long_rows.size:
        hashes = _hash_words(words)
        alphabetical_rank = np.unique(words, return_inverse=True)[1]
    for row in long_rows:
        row_entries = slice(counts.indptr[row], counts.indptr[row + 1])
        columns = counts.indices[row_entries]
        row_counts = counts.data[row_entries].astype(np.uint64)
        word_hashes = hashes[columns]
        row_hash = np.sum(word_hashes * row_counts) | np.uint64(1)
        # the same order whatever other words there are
        drawn_order = np.lexsort((alphabetical_rank[columns], word_hashes * row_hash))
        marks_of_row = entry_marks[row_entries]
        marks_of_row[drawn_order[max_words:]] = 0
    marked_entries = (entry_marks, counts.indices.copy(), counts.indptr.copy())
    marked_counts: Counts = csr_array(marked_entries, shape=counts.shape)
    marked_counts.eliminate_zeros()
    return marked_counts


def _hash_words(words: Sequence[str]) -> NDArray[np.uint64]:
    """A hash of each word, 64 bits without a key, the same on every machine; shape (d,)."""
    digests = []
    for word in words:
        encoded_word = word.encode("utf-8", "surrogatepass")
        word_hash = hashlib.blake2b(encoded_word, digest_size=8, person=b"dplda words")
        digests.append(word_hash.digest())
    return np.frombuffer(b"".join(digests), dtype="<u8")


def sum_word_weights(named: Counts) -> Vector:
    r"""Sum the weights that all rows give to each word, shape (d,), float64.

    Sums are whole numbers of steps; ``count_resolution(N)`` steps are a weight of 1.

    A row gives each of its n words :math:`1/\sqrt n`, rounded down, so its weights have a length of
    at most 1.

    Args:
        named: ones where a row gives weight to a word, at most 300 a row, shape (N, d).
    """
    steps_per_weight = int(count_resolution(named.shape[0]))
    weight_by_n_words = np.zeros(MAX_WORDS_PER_ROW + 1)
    for n_words in range(1, MAX_WORDS_PER_ROW + 1):
        weight_by_n_words[n_words] = math.isqrt(steps_per_weight**2 // n_words)
    n_words_of_row = np.diff(named.indptr)
    weight_of_row = weight_by_n_words[n_words_of_row]
    weight_of_entry = np.repeat(weight_of_row, n_words_of_row)
    sums: Vector = np.zeros(named.shape[1])
    np.add.at(sums, named.indices, weight_of_entry)
    return sums
