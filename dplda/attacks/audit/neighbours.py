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
    documents_of_person = np.ones(len(rows), dtype=np.int64)
    documents_of_person[0] = N_COPIES
    authors = np.repeat(np.arange(len(rows)), documents_of_person)
    corpus_of_documents = Corpus.from_counts(
        rows[authors], label=Label.PUBLIC, name="crafted neighbours", persons=authors
    )
    return corpus_of_documents if sabotage == BY_DOCUMENT else corpus_of_documents.by_person()


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
    documents = np.zeros((len(words), n_words), dtype=int)
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
    directions = np.zeros((n_words, 2))
    directions[:2, 0] = [np.sqrt(0.5), -np.sqrt(0.5)]
    directions[2:4, 1] = [0.6, 0.8]
    mean_words = np.zeros(n_words)
    mean_words[:2] = 0.25
    mean_words[2:4] = [0.3, -0.225]
    pair_moment = (directions * [0.01, 0.1]) @ directions.T
    pairs = pair_moment + Coefficients(1.0).a * np.outer(mean_words, mean_words)
    return Averages(mean_words, pairs, 1.0)


WORD_OR_OTHER: Pair = (
    np.array([repeated_word(0, 4, 10_000), repeated_word(0, 4, 0), repeated_word(0, 4, 0)]),
    np.array([repeated_word(1, 4, 10_000), repeated_word(0, 4, 0), repeated_word(0, 4, 0)]),
)
"""A pair whose only nonempty document says one word or another, often enough to be clipped.

Its parts are clipped everywhere: they are orthogonal and of full norm, the largest distance of
non-negative parts.
"""

BORNE_OUT_OR_NOT: Pair = tuple(  # type: ignore[assignment]
    np.array([first, repeated_word(12, 13), repeated_word(12, 13)])
    for first in (repeated_word(0, 13, 10_000), np.array([0, 0, 1, 0, 0, 0, 3, 1, 3, 0, 1, 0, 0]))
)
"""A long document of one theme, and one whose halves speak of a theme each; found by trying."""

FOR_OR_AGAINST_A_TABLE: Pair = tuple(  # type: ignore[assignment]
    np.array([200 * np.isin(np.arange(13), words), repeated_word(12, 13), repeated_word(12, 13)])
    for words in ([0, 1, 2, 3, 4, 5], [0, 5, 6, 7, 9, 11])
)
"""A document of one theme of a table, and one of a theme of that table with its words shuffled."""
