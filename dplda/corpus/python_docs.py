"""The embedded real corpus: docstrings of the installed packages, public and always at hand."""

import hashlib

import numpy as np
from numpy.typing import NDArray

from dplda.core import checks
from dplda.core.types import Counts, Report, silent
from dplda.corpus import disk_cache, docstrings
from dplda.corpus.boilerplate import BOILERPLATE
from dplda.corpus.corpus import Corpus, Label, VocabularySource
from dplda.corpus.count_matrix import WordTally
from dplda.corpus.counts import WordCounts
from dplda.corpus.prose import prose
from dplda.corpus.words import vocabulary

_FORMAT = 3  # to be raised whenever the rules for words or documents change
_LEAST_WORDS = 5  # a docstring with fewer distinct words is no candidate
_LEAST_DOCUMENTS = 5  # a word in fewer documents is no candidate


def python_docs(n_words: int = 1000, n_documents: int = 10_000, *, report: Report | None = None) -> Corpus:
    """Make a corpus of the docstrings of the standard library and of the packages this one requires.

    One document is the prose of one docstring of a module, class or function; equal ones are kept once. Of
    all candidates the ``n_documents`` with the most distinct words are looked at, the ``n_words`` that occur
    in most of them become the vocabulary, and the ``n_documents`` candidates with the most distinct words of
    the vocabulary become the corpus (earlier files first where equal). The choice follows from the installed
    versions alone. The first call parses some thousand files; later ones read a file in the cache folder.

    Args:
        n_words: ``d``, size of the vocabulary, at least 2.
        n_documents: ``N``, at least 3; fewer where the packages have not so many.
        report: called with progress while files are parsed.

    Returns:
        A public corpus whose vocabulary is taken from the data.

    Raises:
        InputError: ``n_words`` or ``n_documents`` out of range.
        CorpusError: fewer than 3 docstrings found, as in an installation stripped of them.

    Example:
        >>> import dplda
        >>> corpus = dplda.python_docs(n_words=100, n_documents=50)
        >>> corpus.counts.shape, corpus.label.value
        ((50, 100), 'public')
    """
    checks.integer_at_least("n_words", n_words, 2)
    checks.integer_at_least("n_documents", n_documents, 3)
    packages = docstrings.packages()
    name = f"python-docs-{_key(packages)}.npz"
    stored = disk_cache.load(name)
    if stored is None:
        stored = _candidates(packages, report or silent)
        disk_cache.save(name, stored)
    counts, words = stored.counts, stored.words
    frequency = np.bincount(counts[_wordiest(counts, n_documents)].indices, minlength=counts.shape[1])
    columns = vocabulary.most_frequent(frequency, words, n_words)
    chosen = counts[:, columns]
    return Corpus(
        counts=chosen[_wordiest(chosen, n_documents)],
        vocabulary=tuple(words[column] for column in columns),
        label=Label.PUBLIC,
        name="Python docstrings",
        vocabulary_source=VocabularySource.FROM_DATA,
    )


def _key(packages: tuple[docstrings.Package, ...]) -> str:
    rules = [str(_FORMAT), *sorted(BOILERPLATE), *(f"{it.name}=={it.version}" for it in packages)]
    return hashlib.sha256("\n".join(rules).encode()).hexdigest()[:16]


def _candidates(packages: tuple[docstrings.Package, ...], report: Report) -> WordCounts:
    """Count the words of every docstring, then drop the shortest documents and the rarest words."""
    files = [(package, path) for package in packages for path in docstrings.source_files(package)]
    left_out = vocabulary.stop_words() | BOILERPLATE
    tally = WordTally()
    seen: set[int] = set()
    for position, (package, path) in enumerate(files):
        if position % 50 == 0:
            report(position / len(files), f"Reading the docstrings of {package.name}")
        for docstring in docstrings.docstrings(path):
            clean = vocabulary.strip_controls(prose(docstring)).text
            words = [word for word in vocabulary.words(clean) if word not in left_out]
            if len(words) < _LEAST_WORDS or hash(tuple(words)) in seen:
                continue
            seen.add(hash(tuple(words)))
            tally.add(words)
    report(1.0, f"Read {len(files):,} files")
    columns = np.flatnonzero(tally.document_frequency() >= _LEAST_DOCUMENTS)
    counts = tally.counts(columns)
    met = tally.words
    long_enough = np.diff(counts.indptr) >= _LEAST_WORDS
    return WordCounts(counts[long_enough], tuple(met[column] for column in columns))


def _wordiest(counts: Counts, n_documents: int) -> NDArray[np.intp]:
    """Rows of the documents with the most distinct words, in their own order."""
    by_richness = np.argsort(-np.diff(counts.indptr), kind="stable")
    return np.sort(by_richness[:n_documents])
