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
    """Parse all packages, then write both files; equal docstrings count once."""
    documents: dict[tuple[str, ...], None] = {}
    left_out = vocabulary.stop_words() | BOILERPLATE
    found = packages()
    for package in found:
        before = len(documents)
        for path in source_files(package):
            for docstring in docstrings(path):
                found = Tokenisation().words(prose(docstring))
                words = tuple(word for word in found if word not in left_out)
                if len(words) >= LEAST_WORDS:
                    documents.setdefault(words)
        yield {
            "package": package.name,
            "version": package.version,
            "documents": len(documents) - before,
        }
    counts, listed = candidates(list(documents))
    COUNTS_FILE.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        COUNTS_FILE,
        data=counts.data.astype(np.min_scalar_type(counts.data.max())),
        indices=counts.indices.astype(np.min_scalar_type(len(listed))),
        indptr=counts.indptr.astype(np.int32),
        words=np.frombuffer("\n".join(listed).encode(), dtype=np.uint8),
    )
    COUNTS_FILE.with_suffix(".txt").write_text(
        "".join(f"{it.name}=={it.version}\n" for it in found), "utf-8"
    )
    yield {"documents": counts.shape[0], "words": len(listed), "bytes": COUNTS_FILE.stat().st_size}


def candidates(documents: list[tuple[str, ...]]) -> tuple[csr_array, list[str]]:
    """Counts and their words, without the rarest words and then without the shortest documents."""
    bags = [Counter(words) for words in documents]
    frequency = Counter(word for bag in bags for word in bag)
    listed = [word for word, n in frequency.items() if n >= LEAST_DOCUMENTS]
    place = {word: column for column, word in enumerate(listed)}
    rows = [sorted((place[word], n) for word, n in bag.items() if word in place) for bag in bags]
    kept = [row for row in rows if len(row) >= LEAST_WORDS]
    flat = np.array([entry for row in kept for entry in row], dtype=np.int64).reshape(-1, 2)
    indptr = np.cumsum([0, *map(len, kept)])
    return csr_array((flat[:, 1], flat[:, 0], indptr), shape=(len(kept), len(listed))), listed
