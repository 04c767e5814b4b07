"""The unigram, private and not."""

import numpy as np
import pytest

from dplda.core.errors import CorpusError, InputError
from dplda.corpus import Corpus
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.documents.documents import Documents
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.registry import METHODS
from dplda.privacy.accounting import gaussian
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Status
from dplda.spectral.topics import Topics
from tests.asking import private_unigram
from tests.tiny_corpora import corpus_of, topical_corpus

CORPUS = topical_corpus(1, n_documents=1500, n_words=12)


def without_noise(corpus: Corpus, k: int = 2) -> Topics:
    return METHODS["unigram"].fit(corpus, Problem(k, 1.0), Budget(), Runtime(0)).topics


def test_unigram_topics_are_the_average_of_word_frequencies() -> None:
    rows = np.array([[3, 0, 1], [0, 2, 2], [1, 1, 1], [0, 1, 0]])  # the last is too short to count
    by_hand = (np.array([3, 0, 1]) / 4 + np.array([0, 2, 2]) / 4 + np.array([1, 1, 1]) / 3) / 3
    np.testing.assert_allclose(without_noise(corpus_of(rows)).words, [by_hand, by_hand])


def test_unigram_of_too_short_documents_or_no_topics_is_refused() -> None:
    with pytest.raises(CorpusError, match="three words"):
        without_noise(corpus_of(np.eye(4, dtype=int)))
    with pytest.raises(InputError, match="n_topics"):
        without_noise(CORPUS, 0)


def test_private_unigram_spends_the_whole_budget_on_clipped_counts() -> None:
    fitted_run = private_unigram(CORPUS, Budget(1.0, 1e-6))
    (release,) = fitted_run.releases
    assert release.mu <= gaussian.mu_for(1.0, 1e-6) * (1 + 1e-12)
    assert release.mu == pytest.approx(gaussian.mu_for(1.0, 1e-6))
    assert release.sensitivity >= np.sqrt(2) * RefinedConstants().clip_norm
    assert release.scale >= release.sensitivity / gaussian.mu_for(1.0, 1e-6)
    assert fitted_run.guarantee.status is Status.PROVEN
    assert fitted_run.guarantee.epsilon == 1.0
    budget = Budget(8.0, 1e-6)
    (forecast,) = METHODS["private-unigram"].forecast_noise(Problem(3, 1.0), budget, 1500, 12)
    (made_release,) = private_unigram(CORPUS, budget).releases
    for name in ("sensitivity", "shape", "edge"):
        assert getattr(forecast, name) == getattr(made_release, name)
    assert forecast.law == made_release.mechanism
    assert (
        forecast.scales[0][0]
        == forecast.scales[0][1]
        == pytest.approx(made_release.scale, rel=1e-12)
    )
    assert (forecast.share, forecast.times) == ((1.0, 1.0), 1)


def test_private_unigram_without_noise_is_the_mean_of_clipped_documents() -> None:
    counts = Documents(CORPUS.counts, 1).sum_word_counts(clip_norm=RefinedConstants().clip_norm)
    fitted_run = private_unigram(CORPUS, Budget(1.0, 1e-7), Runtime(noise=NoNoise()))
    np.testing.assert_allclose(fitted_run.topics.mean_words, counts / np.sum(counts), atol=1e-9)
    assert fitted_run.guarantee.status is Status.NOT_PRIVATE


def test_private_unigram_error_falls_with_epsilon() -> None:
    counts = Documents(CORPUS.counts, 1).sum_word_counts(clip_norm=RefinedConstants().clip_norm)
    noisy = (
        private_unigram(CORPUS, Budget(epsilon, 1e-7), Runtime(1)) for epsilon in (0.001, 0.03, 1.0)
    )
    errors = [np.sum(np.abs(run.topics.mean_words - counts / np.sum(counts))) for run in noisy]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.05
