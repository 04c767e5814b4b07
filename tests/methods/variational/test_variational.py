"""Non-private inference and the unigram model."""

import numpy as np
import pytest

from dplda import Corpus, topic_error
from dplda.core.errors import CorpusError, InputError
from dplda.corpus import Label
from dplda.methods.variational.unigram import unigram
from dplda.methods.variational.variational import variational
from dplda.privacy.release import Status
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.statistics import ExactMoments
from tests.tiny_corpora import only, random_rows, topical_corpus

CORPUS = topical_corpus(5, n_documents=2000)


def test_it_finds_the_topics_of_a_simulated_corpus() -> None:
    found = variational(CORPUS, n_topics=3, alpha0=1.0)
    assert topic_error(CORPUS.truth.topics, found.topics).l1_mean < 0.1
    np.testing.assert_allclose(found.topics.sum(axis=1), 1)
    np.testing.assert_allclose(found.alpha, 1 / 3)
    assert found.mean_words.sum() == pytest.approx(1)


def test_a_prior_above_one_is_used_as_given() -> None:
    """α0 = 1000: documents that mix all topics alike, of which hardly anything can be learnt."""
    found = variational(CORPUS, n_topics=3, alpha0=1000.0, epochs=1)
    np.testing.assert_allclose(found.alpha, 1000 / 3)
    assert np.all(np.isfinite(found.topics))


def test_it_claims_nothing_and_released_nothing() -> None:
    found = variational(CORPUS, n_topics=3, alpha0=1.0, epochs=1)
    assert found.guarantee.status is Status.NOT_PRIVATE
    assert found.guarantee.in_words() == "Not private: no noise was added."
    assert (found.releases, found.schedule, found.noise_multiplier) == ((), None, None)


def test_a_seed_fixes_it_and_more_passes_change_it() -> None:
    one, again, other, longer = (
        variational(CORPUS.counts[:300], n_topics=3, alpha0=1.0, seed=seed, epochs=epochs).topics
        for seed, epochs in ((1, 1), (1, 1), (2, 1), (1, 2))
    )
    np.testing.assert_array_equal(one, again)
    assert np.all(one != other)
    assert np.any(one != longer)


def test_progress_is_told_and_can_give_up() -> None:
    told: list[float] = []
    variational(CORPUS, n_topics=3, alpha0=1.0, epochs=2, report=lambda fraction, step: told.append(fraction))
    assert told == sorted(told)
    assert told[0] == 0
    assert told[-1] < 1

    def give_up(fraction: float, step: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        variational(CORPUS, n_topics=3, alpha0=1.0, report=give_up)


@pytest.mark.parametrize("bad", [{"n_topics": 1}, {"alpha0": -1.0}, {"seed": -1}, {"epochs": 0}, {"topic_prior": 0.0}])
def test_what_cannot_be_is_refused(bad: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(bad))):
        variational(CORPUS, **{"n_topics": 3, "alpha0": 1.0} | bad)


def test_empty_and_short_documents_do_no_harm() -> None:
    rows = np.vstack([CORPUS.counts[:100].toarray(), np.zeros((3, 30), dtype=int), only(2, 30, 1)])
    assert np.all(np.isfinite(variational(rows, n_topics=3, alpha0=1.0, epochs=1).topics))


def test_every_topic_of_the_unigram_model_is_the_average_of_word_frequencies() -> None:
    rows = np.array([[3, 0, 1], [0, 2, 2], [1, 1, 1], [0, 1, 0]])  # the last is too short to count
    by_hand = (np.array([3, 0, 1]) / 4 + np.array([0, 2, 2]) / 4 + np.array([1, 1, 1]) / 3) / 3
    np.testing.assert_allclose(unigram(rows, 2), [by_hand, by_hand])


def test_the_unigram_model_is_the_mean_that_the_spectral_method_sees() -> None:
    rows = random_rows(0, n_documents=40, n_words=8, longest=9)
    corpus = Corpus.from_counts(rows, label=Label.PUBLIC, name="x")
    mean = ExactMoments(corpus.counts, Coefficients(1.0), keep_short=False).mean_words()
    np.testing.assert_allclose(unigram(corpus, 3), np.tile(mean, (3, 1)))


def test_a_unigram_model_of_nothing_is_refused() -> None:
    with pytest.raises(CorpusError, match="three words"):
        unigram(np.eye(4, dtype=int), 2)
    with pytest.raises(InputError, match="n_topics"):
        unigram(CORPUS, 0)
