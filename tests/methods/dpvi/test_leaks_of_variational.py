"""What the proof of private variational inference needs beyond noise: only releases see documents, each one bounded."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from dplda.methods.dpvi import minibatch_run
from dplda.methods.dpvi.accounting import (
    Accountant,
    SamplingSchedule,
    epsilon_of_schedule,
    noise_multiplier_for,
)
from dplda.methods.dpvi.e_step import exponentiated_expectation
from dplda.methods.dpvi.minibatch_run import document_sensitivity
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.methods.refined.documents import documents as full_batch
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Status
from tests.asking import called
from tests.methods.dpvi.contributions import Inference, statistic
from tests.methods.dpvi.shown import Shown
from tests.methods.refined.test_documents import EXTREMES, D, K
from tests.tiny_corpora import corpus_of, random_rows, repeated_word

ROWS = 4096
QUICK = VariationalSettings(
    sampling_rate=0.25, epochs=1.0, offset=2.0, accountant=Accountant.CLASSIC, word_steps=0
)
INFERENCE = Inference(0.2, 0.5, 20, longest=200)
TOPICS = exponentiated_expectation(np.random.default_rng(0).gamma(1.0, 20.0, (K, D)) + 0.1)


def fit(documents, **changes):
    arguments = {"n_topics": K, "alpha0": 1.0, "epsilon": 5.0, "delta": 1e-6, "settings": QUICK}
    return called(run_variational, documents, **arguments | changes)


def taken(
    monkeypatch: pytest.MonkeyPatch, rows: np.ndarray, seeds: range, settings: VariationalSettings
) -> np.ndarray:
    """Which documents are in each minibatch, shape (minibatches, N), each known by a word of its own."""
    masks: list[np.ndarray] = []
    honest = minibatch_run.Documents

    def watched(counts, *arguments, **options):
        masks.append(np.asarray(counts[:, : len(rows)].sum(axis=0)) > 0)
        return honest(counts, *arguments, **options)

    monkeypatch.setattr(minibatch_run, "Documents", watched)
    marked = np.hstack([np.eye(len(rows), dtype=int), rows])
    for seed in seeds:
        fit(corpus_of(marked), seed=seed, settings=settings)
    return np.array(masks)


@pytest.mark.parametrize("word_steps", [0, 40])
def test_minibatch_takes_documents_independently_of_size(
    monkeypatch: pytest.MonkeyPatch, word_steps: int
) -> None:
    """Documents are sorted by a private size before they are drawn, which must not change the law.

    2,000 minibatches of 6 documents of different sizes: chances within five standard deviations of 1/4, and so the
    chances of pairs of 1/16, of one document in two minibatches that follow each other likewise; false alarms 1e-5.
    """
    rows = np.tril(np.ones((6, 6), dtype=int))[[3, 0, 5, 1, 4, 2]]
    masks = taken(
        monkeypatch, rows, range(50), replace(QUICK, epochs=10.0, word_steps=word_steps)
    ).astype(float)
    n = len(masks)
    assert n == 2000

    def allowed(chance: float) -> float:
        return 5 * math.sqrt(chance * (1 - chance) / n)

    together, later = masks.T @ masks / n, masks[1:].T @ masks[:-1] / (n - 1)
    np.testing.assert_allclose(np.diag(together), 0.25, atol=allowed(0.25))
    np.testing.assert_allclose(together[~np.eye(6, dtype=bool)], 1 / 16, atol=allowed(1 / 16))
    np.testing.assert_allclose(later, 1 / 16, atol=allowed(1 / 16) * 1.2)


def test_minibatch_is_divided_by_its_expected_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Words shown times S are the words drawn, whole numbers for short documents without any bound."""
    watched = Shown(monkeypatch)
    rows = np.tile(repeated_word(1, D, 3), (40, 1))
    settings = VariationalSettings(
        sampling_rate=0.25, epochs=3.0, bound=1e9, accountant=Accountant.CLASSIC
    )
    fit(corpus_of(rows), settings=settings, noise=NoNoise())
    documents = np.array([value.sum() for value in watched.shown]) * 10 / 3
    np.testing.assert_allclose(documents, np.round(documents), atol=1e-9)
    assert len(set(np.round(documents))) > 3


@pytest.mark.parametrize("place", [0, ROWS - 1, 2 * ROWS + 7])
def test_statistic_of_other_documents_is_unmoved_by_a_replaced_one(
    place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sum changes by the two parts and rounding, though blocks and widths of the others shift."""
    monkeypatch.setattr(full_batch, "DOCUMENTS_AT_ONCE", ROWS)
    rows = random_rows(3, n_documents=2 * ROWS + 50, n_words=D, longest=60, shortest=0)
    for replacement in EXTREMES:
        changed_rows = rows.astype(np.int64)
        changed_rows[place] = replacement
        sums = []
        for version in (rows, changed_rows):
            by_width = csr_array(
                version[np.argsort(np.count_nonzero(version, axis=1), kind="stable")]
            )
            sum_of_all = statistic(by_width, TOPICS, INFERENCE, bound=1.0)
            own_part = statistic(csr_array(version[[place]]), TOPICS, INFERENCE, bound=1.0)
            sums.append(sum_of_all - own_part)
        covered = (
            document_sensitivity(n_documents=len(rows), clip_norm=1.0, mean_batch_size=1.0) - 1
        )
        assert np.linalg.norm(sums[0] - sums[1]) <= covered


@pytest.mark.parametrize("accountant", Accountant)
def test_run_of_any_accountant_claims_at_least_the_replacement_cost(
    accountant: Accountant,
) -> None:
    """The schedule's own ε, asked again by loss distributions, is at most the one claimed."""
    settings = VariationalSettings(sampling_rate=0.02, epochs=0.1, accountant=accountant)
    fitted_run = fit(
        corpus_of(random_rows(1, n_documents=50, n_words=D, longest=9)),
        settings=settings,
        epsilon=1.0,
    )
    assert fitted_run.guarantee.status is Status.PROVEN
    schedule = settings.schedule(1.0, 1e-6)
    assert schedule.sampling_rate == fitted_run.releases[0].sampling_rate == 0.02
    assert all(
        release.noise_multiplier >= schedule.noise_multiplier for release in fitted_run.releases
    )
    assert (
        epsilon_of_schedule(schedule, delta=fitted_run.guarantee.delta)
        <= fitted_run.guarantee.epsilon
        == 1.0
    )


def test_noise_multiplier_for_many_steps_stays_on_the_private_side() -> None:
    """6,000 steps: ε as computed jitters by 3e-7 from one σ to the next."""
    sigma = noise_multiplier_for(epsilon=1.0, delta=1e-7, sampling_rate=0.001, steps=6000)
    assert epsilon_of_schedule(SamplingSchedule(sigma, 0.001, 6000), delta=1e-7) <= 1.0
