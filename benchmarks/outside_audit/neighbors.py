"""Pairs of datasets that differ in one document, or in all documents of a person."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

import dplda
from dplda.corpus import Corpus, Label, VocabularySource
from dplda.corpus.counts import canonical_counts
from dplda.methods.refined.prior.prior_files import load_english_prior

N_DOCUMENTS = 240
N_WORDS = 12
N_TOPICS = 3
N_OWN = 3  # documents of the replaced person; everyone else has one
AMONG_ALIKE = "one word, another word, among five alike"
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Neighbors:
    """Two datasets, the second with another first document.

    Attributes:
        name: what is replaced by what.
        rows: word counts of both, shape (N, d) each.
    """

    name: str
    rows: tuple[Rows, Rows]

    def corpora(self, unit: str, *, label: Label = Label.PUBLIC) -> tuple[Corpus, Corpus]:
        """Both as corpora over words of the English table.

        Args:
            unit: ``document``; or ``person`` for an author who wrote ``N_OWN`` copies of the first document, all
                replaced; or ``documents of persons`` for the same without putting a person's documents together.
            label: of the corpora.
        """
        corpus, neighbor_corpus = (_corpus(rows, unit, label) for rows in self.rows)
        return corpus, neighbor_corpus


def _corpus(rows: Rows, unit: str, label: Label) -> Corpus:
    """One side as a corpus; the person of the first document has written it ``N_OWN`` times."""
    words = english_words(rows.shape[1])
    if unit == "document":
        return _corpus_of_counts(rows, words, label, None)
    authors = np.repeat(np.arange(len(rows)), np.where(np.arange(len(rows)) == 0, N_OWN, 1))
    documents = _corpus_of_counts(rows[authors], words, label, authors)
    return documents.by_person() if unit == "person" else documents


def _corpus_of_counts(
    rows: Rows, words: tuple[str, ...], label: Label, authors: NDArray[np.int64] | None
) -> Corpus:
    """A corpus over a fixed word list, with or without authors."""
    source = VocabularySource.FIXED
    counts = canonical_counts(rows)
    return Corpus(counts, words, label, "neighbors", source, persons=authors)


@cache
def english_words(n_words: int) -> tuple[str, ...]:
    """Words that lead the topics of the English table, one topic after the other."""
    prior = load_english_prior(N_TOPICS)
    leading = np.argsort(-prior.ratios / np.sum(prior.ratios, axis=0), axis=1)[:, :n_words]
    words = dict.fromkeys(prior.words[column] for column in leading.T.ravel())
    return tuple(words)[:n_words]


def pairs(seed: int = 0) -> Iterator[Neighbors]:
    """Extreme documents in place of another, among documents with topics and among a few alike."""
    documents_with_topics = dplda.simulate(
        n_documents=N_DOCUMENTS,
        n_words=N_WORDS,
        n_topics=N_TOPICS,
        alpha0=1.0,
        mean_length=40,
        seed=seed,
    ).counts.toarray()
    documents_with_topics[-1] = 1  # so that no word is one document's alone
    one_word = _repeated(0, 10_000)
    other_word = _repeated(1, 10_000)
    nothing = np.zeros(N_WORDS, np.int64)
    everything = np.ones(N_WORDS, np.int64)
    yield _pair("one word, another word", documents_with_topics, one_word, other_word)
    yield _pair("one word, nothing", documents_with_topics, one_word, nothing)
    yield _pair("every word, one word", documents_with_topics, everything, other_word)
    yield _pair(
        "a document, another",
        documents_with_topics,
        documents_with_topics[1],
        documents_with_topics[2],
    )
    equal_documents = np.tile(_repeated(2, 3), (5, 1))
    yield _pair(AMONG_ALIKE, equal_documents, one_word, other_word)


def _pair(name: str, common_documents: Rows, document: Rows, other_document: Rows) -> Neighbors:
    sides = (common_documents.astype(np.int64), common_documents.astype(np.int64))
    sides[0][0] = document
    sides[1][0] = other_document
    return Neighbors(name, sides)


def _repeated(word: int, times: int) -> Rows:
    document = np.zeros(N_WORDS, dtype=np.int64)
    document[word] = times
    return document
