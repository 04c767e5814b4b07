"""Minibatches of private variational inference that count words alone: how many, what they release, what they give."""

import dataclasses
import math

import numpy as np
import pytest

from dplda import topic_error
from dplda.core.errors import InputError
from dplda.evaluation import completion_perplexity
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method import FitResult
from dplda.methods.denoising.word_frequencies import inverse_variance_mean
from dplda.methods.dpvi import minibatch_run
from dplda.methods.dpvi.accounting import Accountant
from dplda.methods.dpvi.minibatch_run import STATISTIC, WORDS, MinibatchRun, choose_word_steps
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.settings import VariationalSettings, clipping_scheme
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Status
from tests.asking import called
from tests.methods.dpvi.contributions import quiet_run
from tests.methods.dpvi.shown import Shown
from tests.privacy.sources import TamperedNoise
from tests.tiny_corpora import corpus_of, topical_corpus

CORPUS = topical_corpus(2, n_documents=800, n_words=30)
K, STEPS, DELTA = 3, 10, 1e-6
QUICK = VariationalSettings(sampling_rate=0.2, epochs=2.0, accountant=Accountant.CLASSIC)
ONE_STEP = dataclasses.replace(QUICK, sampling_rate=1.0, epochs=1.0, word_steps=1)
UNBOUNDED = dataclasses.replace(ONE_STEP, words_bound=1e9, longest=10**9)


def ran(documents=CORPUS, **changes) -> FitResult:
    arguments = {"n_topics": K, "alpha0": 1.0, "epsilon": 5.0, "delta": DELTA, "settings": QUICK}
    return called(run_variational, documents, **arguments | changes)


def counting(word_steps: int | None) -> VariationalSettings:
    return dataclasses.replace(QUICK, word_steps=word_steps)


def chosen(
    settings: VariationalSettings, calibration: Calibration = Calibration.CORRECTED, mu: float = 1.0
) -> int:
    scheme = clipping_scheme(calibration, settings)
    return choose_word_steps(settings, scheme, n_documents=2000, n_words=1000, mu=mu)


@pytest.mark.parametrize(
    ("mu", "expected"), [(1.0, 30), (0.5, 48), (2.0, 12), (1e-3, 60), (1e3, 0), (math.inf, 0)]
)
def test_word_steps_follow_from_public_numbers(mu: float, expected: int) -> None:
    """Of 60 minibatches, 2,000 documents and 1,000 words: ν = 1/μ, by hand."""
    assert chosen(VariationalSettings(), mu=mu) == expected


def test_word_steps_of_the_published_calibration_are_refused() -> None:
    settings = [VariationalSettings(word_steps=word_steps) for word_steps in (None, 0, 1, 60)]
    assert [chosen(setting, Calibration.PUBLISHED, mu=0.01) for setting in settings[:2]] == [0, 0]
    for refused_settings in settings[2:]:
        with pytest.raises(InputError, match="word_steps"):
            chosen(refused_settings, Calibration.PUBLISHED)
    with pytest.raises(InputError, match="word_steps"):
        ran(calibration=Calibration.PUBLISHED, settings=dataclasses.replace(QUICK, word_steps=1))


@pytest.mark.parametrize("word_steps", [0, 1, 4, STEPS])
def test_word_steps_leave_topics_the_rest_of_the_schedule(word_steps: int) -> None:
    """Shape, steps, noise over bound, and what is claimed, which is the same whatever is counted."""
    fitted_run, printed = ran(settings=counting(word_steps)), ran(settings=counting(0))
    schedule = counting(word_steps).schedule(5.0, DELTA)
    words = (WORDS.words, word_steps, (1, 30), 2 / 160)
    topics = (STATISTIC.words, STEPS - word_steps, (K, 30), 5 / 160)
    assert [(r.quantity, r.steps, r.shape) for r in fitted_run.releases] == [
        e[:3] for e in (words, topics) if e[1]
    ]
    for release, (_, _, _, part) in zip(
        fitted_run.releases, [e for e in (words, topics) if e[1]], strict=True
    ):
        assert part <= release.sensitivity == pytest.approx(part, rel=1e-6)
        assert release.scale >= schedule.noise_multiplier * part
        assert release.sampling_rate == schedule.sampling_rate == 0.2
    assert (schedule, fitted_run.guarantee) == (counting(0).schedule(5.0, DELTA), printed.guarantee)
    assert fitted_run.guarantee.status is Status.PROVEN


@pytest.mark.parametrize("word_steps", [0, 4, STEPS])
@pytest.mark.parametrize("factor", [0.0, 2.0])
def test_noise_of_every_step_reaches_the_topics(factor: float, word_steps: int) -> None:
    settings = counting(word_steps)
    honest = ran(noise=TamperedNoise(0), settings=settings).topics.words
    for step in range(STEPS):
        assert np.any(
            ran(noise=TamperedNoise(0, {step: factor}), settings=settings).topics.words != honest
        )


@pytest.mark.parametrize("bound", [0.5, 2.0, 40.0])
def test_word_step_shows_the_mean_of_clipped_counts(
    bound: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand, document by document."""
    watched, rows = Shown(monkeypatch), CORPUS.counts[:60].toarray()
    settings = dataclasses.replace(ONE_STEP, words_bound=bound)
    called(run_variational, corpus_of(rows), n_topics=K, epsilon=5.0, settings=settings)
    norms = np.linalg.norm(rows, axis=1)
    expected = sum(row * min(1, bound / norm) for row, norm in zip(rows, norms, strict=True)) / 60
    np.testing.assert_allclose(watched.shown[0][0], expected, rtol=1e-9)


def test_word_steps_alone_give_every_topic_the_word_frequencies() -> None:
    for settings in (counting(STEPS), ONE_STEP):
        topics = ran(settings=settings).topics
        np.testing.assert_array_equal(topics.words, np.tile(topics.words[0], (K, 1)))
        np.testing.assert_allclose(topics.mean_words, topics.words[0], rtol=1e-12)
    exact = np.asarray(CORPUS.counts.sum(axis=0)) / CORPUS.counts.sum()
    np.testing.assert_allclose(
        ran(settings=UNBOUNDED, noise=NoNoise()).topics.words[0], exact, atol=1e-12
    )


def test_topics_are_learned_after_words_as_if_these_had_not_been_counted() -> None:
    """The first step that asks for topics has the first step's rate, which forgets the start."""
    run = quiet_run(QUICK, 6000, NoNoise())
    for _ in range(4):
        run.count_words()
    run.learn_from_sum(np.ones((K, 6000)))
    np.testing.assert_allclose(run.parameters, QUICK.topic_prior + 10 / (10 * 0.2), rtol=1e-12)


def test_noise_gathered_over_steps_is_the_one_that_both_readings_are_weighed_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """6,000 words of which 10 are ever said: 5 % is five standard deviations of a standard deviation."""
    run, readings_of_run = quiet_run(QUICK, 6000), []
    monkeypatch.setattr(
        minibatch_run,
        "inverse_variance_mean",
        lambda *readings: readings_of_run.append(readings) or inverse_variance_mean(*readings),
    )
    for _ in range(20):
        run.count_words()
    for _ in range(20):
        run.learn_from_sum(np.full((K, 6000), 0.1))
    assert run.denoised_parameters.shape == (K, 6000)
    (readings,) = readings_of_run
    for reading in readings:
        assert np.std(reading.counts[10:]) == pytest.approx(reading.noise_std, rel=0.05)


def test_word_steps_beyond_the_schedule_raise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = MinibatchRun.count_words
    monkeypatch.setattr(MinibatchRun, "count_words", lambda self: (honest(self), honest(self)))
    with pytest.raises(RuntimeError, match="more was released"):
        ran(settings=counting(1))


def test_word_steps_under_much_noise_improve_the_topics() -> None:
    """400 documents over 200 words at ε = 1, ten draws with and without.

    Mean differences of L1 errors and of perplexities are five of their standard errors above 0, which differences
    without a sign pass once in 2,500 times (Student's law, nine degrees of freedom).
    """
    corpus = topical_corpus(2, n_documents=900, n_words=200)
    train, test = corpus_of(corpus.counts[:400].toarray()), corpus.counts[400:]
    errors = np.empty((10, 2, 2))
    for seed in range(10):
        for i, word_steps in enumerate((None, 0)):
            settings = dataclasses.replace(QUICK, epochs=4.0, word_steps=word_steps)
            fit = ran(train, epsilon=1.0, seed=seed, settings=settings).topics
            error = topic_error(corpus.truth.topics, fit.words).l1_mean
            test_arguments = {"test": test, "mean_words": fit.mean_words, "seed": 0}
            errors[seed, i] = error, completion_perplexity(fit.words, fit.alpha, **test_arguments)
    improvements = errors[:, 1] - errors[:, 0]
    assert np.all(
        np.mean(improvements, axis=0) > 5 * np.std(improvements, axis=0, ddof=1) / math.sqrt(10)
    )
