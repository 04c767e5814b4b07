"""The embedded real corpus: counts of the words of Python's docstrings, which come with the program."""

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

COUNTS = assets.folder() / "corpus" / "python-docs.npz"
"""Counts of all candidates and their words, as ``python -m benchmarks docstrings`` makes them: numbers, no text."""


def python_docs(n_words: int = 1000, n_documents: int = 10_000) -> Corpus:
    """A public corpus of the docstrings of Python's standard library and of the packages this one requires.

    One document is the prose of one docstring; equal ones are kept once. The ``n_words`` that occur in most of the
    ``n_documents`` candidates with the most distinct words become the vocabulary, and the ``n_documents`` candidates
    with the most distinct words of it the corpus. It is the same on every machine.

    Args:
        n_words: ``d``, at least 2.
        n_documents: ``N``, at least 3; there are 17,408 candidates.

    Example:
        >>> import dplda
        >>> corpus = dplda.python_docs(n_words=100, n_documents=50)
        >>> corpus.counts.shape, corpus.label.value
        ((50, 100), 'public')
    """
    checks.integer_at_least("n_words", n_words, 2)
    checks.integer_at_least("n_documents", n_documents, 3)
    try:
        with COUNTS.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            words = stored["words"].tobytes().decode().split("\n")
            arrays = stored["data"], stored["indices"], stored["indptr"]
        counts = canonical_counts(csr_array(arrays, shape=(arrays[2].size - 1, len(words))))
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error):
        raise ReadError(
            COUNTS.name, "the embedded corpus is missing or damaged", "Install dplda again."
        ) from None
    frequency = np.bincount(
        counts[_wordiest(counts, n_documents)].indices, minlength=counts.shape[1]
    )
    columns = most_frequent(frequency, words, n_words)
    chosen, vocabulary = counts[:, columns], tuple(words[column] for column in columns)
    documents = chosen[_wordiest(chosen, n_documents)]
    return Corpus(
        documents, vocabulary, Label.PUBLIC, "Python docstrings", VocabularySource.FROM_DATA
    )


def _wordiest(counts: Counts, n_documents: int) -> NDArray[np.intp]:
    """Rows of the documents with the most distinct words, earlier ones where equal, in their own order."""
    return np.sort(np.argsort(-np.diff(counts.indptr), kind="stable")[:n_documents])
