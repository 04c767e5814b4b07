"""Non-private inference and the unigram model."""

from unittest.mock import Mock

import numpy as np
import pytest

from dplda import Corpus, topic_error
from dplda.core.errors import CorpusError, InputError
from dplda.corpus import Label
from dplda.methods.problem import Budget, Problem
from dplda.methods.registry import parse_method
from dplda.methods.resources import Resources
from dplda.methods.variational import variational as without_noise
from dplda.methods.variational.accounting import Accountant
from dplda.methods.variational.private_variational import run_variational
from dplda.methods.variational.settings import VariationalSettings
from dplda.methods.variational.variational import unigram, variational
from tests.tiny_corpora import corpus_of, random_rows, topical_corpus

QUICK = VariationalSettings(sampling_rate=0.2, epochs=2.0, accountant=Accountant.CLASSIC)
CORPUS = topical_corpus(5, n_documents=2000)


def test_it_finds_the_topics_of_a_simulated_corpus() -> None:
    found = variational(CORPUS, Problem(3, 1.0))
    assert topic_error(CORPUS.truth.topics, found.words).l1_mean < 0.1
    np.testing.assert_allclose(found.words.sum(axis=1), 1)
    np.testing.assert_allclose(found.alpha, 1 / 3)
    assert found.mean_words.sum() == pytest.approx(1)


def test_a_prior_above_one_is_used_as_given(monkeypatch) -> None:
    """α0 = 1000: documents that mix all topics alike, of which hardly anything can be learnt."""
    monkeypatch.setattr(without_noise, "VISITS", CORPUS.n_documents)
    found = variational(CORPUS, Problem(3, 1000.0))
    np.testing.assert_allclose(found.alpha, 1000 / 3)
    assert np.all(np.isfinite(found.words))


@pytest.mark.parametrize(
    "run",
    [
        lambda resources: variational(CORPUS, Problem(3, 1.0), resources),
        lambda resources: run_variational(CORPUS, Problem(3, 1.0), Budget(5.0, 1e-6), resources, settings=QUICK),
    ],
)
def test_progress_is_told_and_can_give_up(run, monkeypatch) -> None:
    monkeypatch.setattr(without_noise, "VISITS", 2 * CORPUS.n_documents)
    told: list[float] = []
    run(Resources(report=lambda fraction, step: told.append(fraction)))
    assert told == sorted(told)
    assert told[0] == 0
    assert told[-1] < 1
    with pytest.raises(KeyboardInterrupt):
        run(Resources(report=Mock(side_effect=KeyboardInterrupt)))


def test_more_topics_than_words_are_refused() -> None:
    with pytest.raises(InputError, match="n_topics"):
        variational(CORPUS, Problem(CORPUS.n_words + 1, 1.0))


def test_every_topic_of_the_unigram_model_is_the_average_of_word_frequencies() -> None:
    rows = np.array([[3, 0, 1], [0, 2, 2], [1, 1, 1], [0, 1, 0]])  # the last is too short to count
    by_hand = (np.array([3, 0, 1]) / 4 + np.array([0, 2, 2]) / 4 + np.array([1, 1, 1]) / 3) / 3
    np.testing.assert_allclose(unigram(corpus_of(rows), 2), [by_hand, by_hand])


def test_the_unigram_model_is_the_mean_that_the_spectral_method_sees() -> None:
    rows = random_rows(0, n_documents=40, n_words=8, longest=9)
    corpus = Corpus.from_counts(rows, label=Label.PUBLIC, name="x")
    seen = parse_method("unnoised").fit(corpus, Problem(2, 1.0), Budget(), Resources(0)).topics.mean_words
    np.testing.assert_allclose(unigram(corpus, 3), np.tile(seen, (3, 1)))


def test_a_unigram_model_of_nothing_is_refused() -> None:
    with pytest.raises(CorpusError, match="three words"):
        unigram(corpus_of(np.eye(4, dtype=int)), 2)
    with pytest.raises(InputError, match="n_topics"):
        unigram(CORPUS, 0)
