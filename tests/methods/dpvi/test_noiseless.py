"""Variational inference without noise."""

from unittest.mock import Mock

import numpy as np
import pytest

from dplda import topic_error
from dplda.core.errors import InputError
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.dpvi import noiseless as without_noise
from dplda.methods.dpvi.accounting import Accountant
from dplda.methods.dpvi.noiseless import fit_noiseless_variational
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.settings import VariationalSettings
from tests.tiny_corpora import topical_corpus

QUICK = VariationalSettings(sampling_rate=0.2, epochs=2.0, accountant=Accountant.CLASSIC)
CORPUS = topical_corpus(5, n_documents=2000)


def test_noiseless_variational_finds_the_topics_of_a_simulated_corpus() -> None:
    topics = fit_noiseless_variational(CORPUS, Problem(3, 1.0))
    assert topic_error(CORPUS.truth.topics, topics.words).l1_mean < 0.1
    np.testing.assert_allclose(topics.words.sum(axis=1), 1)
    np.testing.assert_allclose(topics.alpha, 1 / 3)
    assert topics.mean_words.sum() == pytest.approx(1)


def test_noiseless_variational_uses_a_prior_above_one_as_given(monkeypatch) -> None:
    """α0 = 1000: documents that mix all topics alike, of which hardly anything can be learnt."""
    monkeypatch.setattr(without_noise, "N_VISITS", CORPUS.n_documents)
    topics = fit_noiseless_variational(CORPUS, Problem(3, 1000.0))
    np.testing.assert_allclose(topics.alpha, 1000 / 3)
    assert np.all(np.isfinite(topics.words))


@pytest.mark.parametrize(
    "run",
    [
        lambda resources: fit_noiseless_variational(CORPUS, Problem(3, 1.0), resources),
        lambda resources: run_variational(
            CORPUS, Problem(3, 1.0), Budget(5.0, 1e-6), resources, settings=QUICK
        ),
    ],
)
def test_progress_of_a_variational_run_rises_from_zero(run, monkeypatch) -> None:
    monkeypatch.setattr(without_noise, "N_VISITS", 2 * CORPUS.n_documents)
    progress: list[float] = []
    run(Runtime(report=lambda fraction, step: progress.append(fraction)))
    assert progress == sorted(progress)
    assert progress[0] == 0
    assert progress[-1] < 1


@pytest.mark.parametrize(
    "run",
    [
        lambda resources: fit_noiseless_variational(CORPUS, Problem(3, 1.0), resources),
        lambda resources: run_variational(
            CORPUS, Problem(3, 1.0), Budget(5.0, 1e-6), resources, settings=QUICK
        ),
    ],
)
def test_progress_that_raises_ends_the_variational_run(run, monkeypatch) -> None:
    monkeypatch.setattr(without_noise, "N_VISITS", 2 * CORPUS.n_documents)
    with pytest.raises(KeyboardInterrupt):
        run(Runtime(report=Mock(side_effect=KeyboardInterrupt)))


def test_noiseless_variational_with_more_topics_than_words_is_refused() -> None:
    with pytest.raises(InputError, match="n_topics"):
        fit_noiseless_variational(CORPUS, Problem(CORPUS.n_words + 1, 1.0))
