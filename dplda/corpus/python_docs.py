"""Embedded corpus of real text: word counts of Python's docstrings, which come with the program."""

import zipfile
import zlib

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.core import assets, checks
from dplda.core.errors import ReadError
from dplda.core.types import Counts
from dplda.corpus.corpus import Corpus, Label, VocabularySource
from dplda.corpus.counts import canonical_counts
from dplda.corpus.words.vocabulary import most_frequent

COUNTS_FILE = assets.folder() / "corpus" / "python-docs.npz"
"""Counts and words of all candidates, made by ``python -m benchmarks docstrings``: no running text.
"""


def python_docs(n_words: int = 1000, n_documents: int = 10_000) -> Corpus:
    """A public corpus of the docstrings of Python's standard library and of required packages.

    One document is the prose of one docstring; equal ones are kept once. The vocabulary is the
    ``n_words`` words that occur in most of the ``n_documents`` candidates with the most distinct
    words. The corpus is the ``n_documents`` candidates with the most distinct words of that
    vocabulary. It is the same on every machine.

    Args:
        n_words: ``d``, at least 2; a number beyond all words gives all.
        n_documents: ``N``, at least 3; there are 17,408 candidates, and more gives all.

    Raises:
        InputError: a number is too small.
        ReadError: the embedded file is missing or damaged.

    Example:
        >>> import dplda
        >>> corpus = dplda.python_docs(n_words=100, n_documents=50)
        >>> corpus.counts.shape, corpus.label.value
        ((50, 100), 'public')
    """
    n_words = checks.integer_at_least("n_words", n_words, 2)
    n_documents = checks.integer_at_least("n_documents", n_documents, 3)
    all_counts, all_words = _read_candidates()
    candidate_rows = _wordiest_rows(all_counts, n_documents)
    columns_of_entries = all_counts[candidate_rows].indices
    document_frequency = np.bincount(columns_of_entries, minlength=len(all_words))
    chosen_columns = most_frequent(document_frequency, all_words, n_words)
    counts = all_counts[:, chosen_columns]
    vocabulary = tuple(all_words[column] for column in chosen_columns)
    chosen_rows = _wordiest_rows(counts, n_documents)
    return Corpus(
        counts[chosen_rows],
        vocabulary,
        Label.PUBLIC,
        "Python docstrings",
        VocabularySource.FROM_DATA,
    )


def _read_candidates() -> tuple[Counts, list[str]]:
    """Counts of all candidates and the words of their columns, from the embedded file.

    Raises:
        ReadError: it is missing or damaged.
    """
    try:
        with COUNTS_FILE.open("rb") as file, np.load(file, allow_pickle=False) as stored_arrays:
            joined_words = stored_arrays["words"].tobytes().decode()
            data = stored_arrays["data"]
            indices = stored_arrays["indices"]
            indptr = stored_arrays["indptr"]
        words = joined_words.split("\n")
        shape = (indptr.size - 1, len(words))
        counts = csr_array((data, indices, indptr), shape=shape)
        return canonical_counts(counts), words
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error):
        raise ReadError(
            COUNTS_FILE.name, "the embedded corpus is missing or damaged", "Install dplda again."
        ) from None


def _wordiest_rows(counts: Counts, n_documents: int) -> NDArray[np.intp]:
    """Rows of the documents with most distinct words, in rising order.

    Earlier ones first if equal.
    """
    n_distinct_words = np.diff(counts.indptr)
    row_order = np.argsort(-n_distinct_words, kind="stable")
    return np.sort(row_order[:n_documents])
