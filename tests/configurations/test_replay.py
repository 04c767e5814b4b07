"""Everything after a release is a function of releases: a neighbour fed with the same answers gives the same topics."""

import numpy as np
import pytest

from dplda import Corpus
from dplda.corpus import Label
from tests.configurations.replay import recorded, replayed
from tests.tiny_corpora import only, topical_corpus

CORPUS = topical_corpus(0, n_documents=400)
FIT, RECORDER = recorded(CORPUS, epsilon=300.0, n_topics=3, seed=5)


def neighbour(document: np.ndarray) -> Corpus:
    rows = CORPUS.counts.toarray()
    rows[7] = document
    return Corpus.from_counts(rows, label=Label.PUBLIC, name="neighbour")


@pytest.mark.parametrize(
    "document",
    [only(0, CORPUS.n_words, 10_000), np.zeros(CORPUS.n_words, dtype=int), np.ones(CORPUS.n_words, dtype=int)],
    ids=["one word", "empty", "every word"],
)
def test_a_neighbour_with_the_same_answers_gives_the_same_fit_bit_by_bit(document: np.ndarray) -> None:
    found, seen = replayed(neighbour(document), RECORDER.answers, n_topics=3, seed=5)
    # the route was shown other values, so the comparison means something
    assert np.sum(seen.pair_norms != RECORDER.seen.pair_norms) == 1
    assert not np.array_equal(seen.averages.pairs, RECORDER.seen.averages.pairs)
    assert not np.array_equal(seen.tensor, RECORDER.seen.tensor)
    np.testing.assert_array_equal(found.whitening.whitener, FIT.whitening.whitener)
    np.testing.assert_array_equal(found.whitening.spectrum, FIT.whitening.spectrum)
    assert seen.ceiling == RECORDER.seen.ceiling
    np.testing.assert_array_equal(found.components.eigenvalues, FIT.components.eigenvalues)
    np.testing.assert_array_equal(found.topics.words, FIT.topics.words)
    np.testing.assert_array_equal(found.topics.alpha, FIT.topics.alpha)
    np.testing.assert_array_equal(found.topics.mean_words, FIT.topics.mean_words)


def test_a_document_changes_only_its_own_norms() -> None:
    """The counts behind a clip level move by one because one norm changes: given the directions, for triples too."""
    _, seen = replayed(neighbour(only(0, CORPUS.n_words, 10_000)), RECORDER.answers, n_topics=3, seed=5)
    assert np.sum(seen.triple_norms != RECORDER.seen.triple_norms) == 1


def test_no_document_is_above_the_ceiling_of_the_search() -> None:
    assert np.all(RECORDER.seen.triple_norms <= RECORDER.seen.ceiling)
    assert np.all(RECORDER.seen.pair_norms <= np.sqrt(0.5) * (1 + 1e-15))


def test_watching_a_fit_does_not_change_it() -> None:
    again, _ = replayed(CORPUS, RECORDER.answers, n_topics=3, seed=5)
    np.testing.assert_array_equal(again.topics.words, FIT.topics.words)
