"""Crafted corpora one document apart, and answers that separate them as much as possible."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplda.attacks.audit.sabotage import BY_DOCUMENT, HONEST, Sabotage
from dplda.corpus import Corpus, Label
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.statistics import Averages

Rows: TypeAlias = NDArray[np.int64]
"""Word counts, one document per row, shape (N, d)."""
Pair: TypeAlias = tuple[Rows, Rows]
"""Neighbors, which differ in the first document only."""

N_COPIES = 3  # documents of the first person; everyone else has one


def make_corpus(rows: Rows, *, persons: bool = False, sabotage: Sabotage = HONEST) -> Corpus:
    """Make a public corpus of documents, or of persons.

    Args:
        rows: word counts, shape (N, d).
        persons: whether to protect persons: the first one then wrote the first document
            ``N_COPIES`` times.
        sabotage: ``BY_DOCUMENT`` leaves a person's documents apart; others change nothing here.
    """
    if not persons:
        return Corpus.from_counts(rows, label=Label.PUBLIC, name="crafted neighbours")
    n_persons = len(rows)
    documents_of_person = np.ones(n_persons, dtype=np.int64)
    documents_of_person[0] = N_COPIES
    authors = np.repeat(np.arange(n_persons), documents_of_person)
    corpus_of_documents = Corpus.from_counts(
        rows[authors], label=Label.PUBLIC, name="crafted neighbours", persons=authors
    )
    if sabotage == BY_DOCUMENT:
        return corpus_of_documents
    return corpus_of_documents.by_person()


def repeated_word(word: int, n_words: int, times: int = 3) -> Rows:
    """A document that repeats one word, shape (d,).

    Args:
        word: column of the word.
        n_words: number of words, d.
        times: how often it is repeated.
    """
    word_counts = np.zeros(n_words, dtype=np.int64)
    word_counts[word] = times
    return word_counts


def one_word_documents(*words: int | None, n_words: int) -> Rows:
    """One document per given word, three times that word; None for an empty document."""
    shape = (len(words), n_words)
    documents = np.zeros(shape, dtype=int)
    for document, word in zip(documents, words, strict=True):
        if word is not None:
            document[:] = repeated_word(word, n_words)
    return documents


def one_word_neighbors(
    first: int | None, second: int | None, *common: int | None, n_words: int
) -> tuple[Rows, Rows]:
    """Two corpora whose first document says one word or another; as in ``one_word_documents``."""
    return (
        one_word_documents(first, *common, n_words=n_words),
        one_word_documents(second, *common, n_words=n_words),
    )


def opposite_directions(n_words: int) -> Averages:
    """Noisy averages whose whitening maps words 0 and 1 to exactly opposite directions.

    These two are the longest of all. The mean is orthogonal to the kept eigenvectors, so the shift
    vanishes.
    """
    half_root = np.sqrt(0.5)
    directions = np.zeros((n_words, 2))
    directions[:2, 0] = [half_root, -half_root]
    directions[2:4, 1] = [0.6, 0.8]
    mean_words = np.zeros(n_words)
    mean_words[:2] = 0.25
    mean_words[2:4] = [0.3, -0.225]
    eigenvalues = [0.01, 0.1]
    pair_moment = (directions * eigenvalues) @ directions.T
    mean_square = np.outer(mean_words, mean_words)
    pairs = pair_moment + Coefficients(1.0).a * mean_square
    return Averages(mean_words, pairs, 1.0)


def _neighbors_of(first_document: Rows, second_document: Rows, *, common: Rows) -> Pair:
    """Two corpora of three documents: one of two, then the common one twice."""
    first_corpus = np.array([first_document, common, common])
    second_corpus = np.array([second_document, common, common])
    return first_corpus, second_corpus


def _words_repeated(words: list[int], n_words: int, times: int) -> Rows:
    """A document that repeats each of some words, shape (d,)."""
    word_counts = np.zeros(n_words, dtype=np.int64)
    word_counts[words] = times
    return word_counts


WORD_OR_OTHER = _neighbors_of(
    repeated_word(0, 4, 10_000),
    repeated_word(1, 4, 10_000),
    common=np.zeros(4, dtype=np.int64),
)
"""A pair whose only nonempty document says one word or another, often enough to be clipped.

Its parts are clipped everywhere: they are orthogonal and of full norm, the largest distance of
non-negative parts.
"""

BORNE_OUT_OR_NOT = _neighbors_of(
    repeated_word(0, 13, 10_000),
    np.array([0, 0, 1, 0, 0, 0, 3, 1, 3, 0, 1, 0, 0]),
    common=repeated_word(12, 13),
)
"""A long document of one theme, and one whose halves speak of a theme each; found by trying."""

FOR_OR_AGAINST_A_TABLE = _neighbors_of(
    _words_repeated([0, 1, 2, 3, 4, 5], 13, 200),
    _words_repeated([0, 5, 6, 7, 9, 11], 13, 200),
    common=repeated_word(12, 13),
)
"""A document of one theme of a table, and one of a theme of that table with its words shuffled."""
