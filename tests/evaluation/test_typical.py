"""Documents of a topic."""

import numpy as np
import pytest

from dplda import simulate
from dplda.core.errors import InputError
from dplda.evaluation.typical import find_typical_documents
from tests.tiny_corpora import corpus_of

TOPICS = np.array([[0.5, 0.5, 0, 0, 0], [0, 0, 0.5, 0.5, 0]])
PARTS = np.array([0.5, 0.5])


def test_words_are_laid_to_the_topic_that_has_them() -> None:
    corpus = corpus_of([[9, 3, 0, 0, 0], [0, 0, 20, 4, 2], [5, 0, 7, 0, 0], [0, 0, 0, 0, 3]])
    first_document, second = find_typical_documents(corpus.counts, TOPICS, PARTS, topic=1)
    assert (first_document.document, second.document) == (1, 2)
    assert first_document.share > 0.95
    assert [
        (explained_word.word, explained_word.times, explained_word.topic)
        for explained_word in first_document.words
    ] == [
        (2, 20, 1),
        (3, 4, 1),
        (4, 2, None),
    ]
    assert [explained_word.topic for explained_word in second.words] == [1, 0]


def test_documents_of_a_true_topic_are_made_of_it() -> None:
    corpus = simulate(n_documents=500, n_words=60, n_topics=3, alpha0=0.3, mean_length=50, seed=2)
    for topic in range(3):
        documents_found = find_typical_documents(
            corpus.counts, corpus.truth.topics, corpus.truth.alpha / 0.3, topic=topic
        )
        assert len(documents_found) == 5
        assert min(typical_document.share for typical_document in documents_found) > 0.8
        for typical_document in documents_found:
            row = corpus.counts[[typical_document.document]].toarray()[0]
            assert {
                explained_word.word: explained_word.times
                for explained_word in typical_document.words
            } == {w: row[w] for w in np.flatnonzero(row)}


def test_topic_without_documents_has_none() -> None:
    corpus = corpus_of([[3, 0, 0, 0, 0], [0, 3, 0, 0, 0], [0, 4, 0, 0, 0]])
    assert find_typical_documents(corpus.counts, TOPICS, PARTS, topic=1) == ()
    with pytest.raises(InputError):
        find_typical_documents(corpus.counts, TOPICS, PARTS, topic=2)
