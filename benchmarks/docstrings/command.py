"""The embedded corpus: counts of the words of docstrings, as ``assets/corpus`` ships them.

Writes what ``dplda.python_docs`` reads, with the names and versions of the packages, and yields a row for each package.
The choice of documents and words follows from the versions of Python and of the packages alone.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array

from benchmarks.docstrings.boilerplate import BOILERPLATE
from benchmarks.docstrings.prose import prose
from benchmarks.docstrings.sources import docstrings, packages, source_files
from dplda.corpus import Tokenisation
from dplda.corpus.python_docs import COUNTS_FILE
from dplda.corpus.words import vocabulary

LEAST_WORDS = 5  # a docstring with fewer distinct words is no candidate
LEAST_DOCUMENTS = 5  # a word in fewer documents is no candidate

Row = dict[str, str | int]


def run() -> Iterator[Row]:
    """Parse all packages, then write both files; equal docstrings count once.

    Yields:
        A row for each package with the number of documents that it adds, then one with the size of the corpus.
    """
    documents: dict[tuple[str, ...], None] = {}
    left_out = vocabulary.stop_words() | BOILERPLATE
    parsed_packages = packages()
    for package in parsed_packages:
        n_documents_before = len(documents)
        for path in source_files(package):
            for docstring in docstrings(path):
                prose_words = Tokenisation().words(prose(docstring))
                words = tuple(word for word in prose_words if word not in left_out)
                if len(words) >= LEAST_WORDS:
                    documents.setdefault(words)
        yield {
            "package": package.name,
            "version": package.version,
            "documents": len(documents) - n_documents_before,
        }
    counts, column_words = candidates(list(documents))
    _write_corpus(counts, column_words)
    versions = [f"{package.name}=={package.version}\n" for package in parsed_packages]
    COUNTS_FILE.with_suffix(".txt").write_text("".join(versions), "utf-8")
    yield {
        "documents": counts.shape[0],
        "words": len(column_words),
        "bytes": COUNTS_FILE.stat().st_size,
    }


def _write_corpus(counts: csr_array, column_words: list[str]) -> None:
    """Write counts and words in the smallest types that hold them."""
    COUNTS_FILE.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        COUNTS_FILE,
        data=counts.data.astype(np.min_scalar_type(counts.data.max())),
        indices=counts.indices.astype(np.min_scalar_type(len(column_words))),
        indptr=counts.indptr.astype(np.int32),
        words=np.frombuffer("\n".join(column_words).encode(), dtype=np.uint8),
    )


def candidates(documents: list[tuple[str, ...]]) -> tuple[csr_array, list[str]]:
    """Leave out the rarest words, and then the shortest documents.

    Args:
        documents: words of each, in the order of its text.

    Returns:
        Counts, shape (N, d), and the words of their columns.
    """
    bags = [Counter(words) for words in documents]
    document_frequency = Counter(word for bag in bags for word in bag)
    column_words = [word for word, n in document_frequency.items() if n >= LEAST_DOCUMENTS]
    column_of_word = {word: column for column, word in enumerate(column_words)}
    rows = [
        sorted((column_of_word[word], n) for word, n in bag.items() if word in column_of_word)
        for bag in bags
    ]
    long_rows = [row for row in rows if len(row) >= LEAST_WORDS]
    entries = np.array([entry for row in long_rows for entry in row], dtype=np.int64)
    columns, values = entries.reshape(-1, 2).T
    indptr = np.cumsum([0, *map(len, long_rows)])
    shape = (len(long_rows), len(column_words))
    return csr_array((values, columns, indptr), shape=shape), column_words
