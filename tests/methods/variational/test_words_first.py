"""Minibatches of private variational inference that count words alone: how many, what they release, what they give."""

import dataclasses
import math

import numpy as np
import pytest

from dplda import topic_error
from dplda.core.errors import InputError
from dplda.evaluation import completion_perplexity
from dplda.methods.configurations.variant import Calibration
from dplda.methods.problem import Budget
from dplda.methods.shrinkage.words_first import weighed
from dplda.methods.variational import minibatch_run
from dplda.methods.variational.accounting import Accountant, Schedule
from dplda.methods.variational.minibatch_noise import minibatch_noise
from dplda.methods.variational.minibatch_run import STATISTIC, WORDS, MinibatchRun, part_of_one_document, word_steps_of
from dplda.methods.variational.private_variational import VariationalRun, run_variational
from dplda.methods.variational.settings import VariationalSettings, scheme_of
from dplda.privacy import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.keys import SeedKey
from dplda.privacy.noise.sources import NoNoise, SimulatedNoise
from dplda.privacy.release import Status
from tests.asking import called
from tests.methods.variational.shown import Shown
from tests.privacy.sources import ScaledNoise, TamperedNoise
from tests.statistical.laws import ENOUGH, follows, unit_scale
from tests.tiny_corpora import corpus_of, counts_of, only, topical_corpus

CORPUS = topical_corpus(2, n_documents=800, n_words=30)
K, STEPS, DELTA = 3, 10, 1e-6
QUICK = VariationalSettings(sampling_rate=0.2, epochs=2.0, accountant=Accountant.CLASSIC)
ONE_STEP = dataclasses.replace(QUICK, sampling_rate=1.0, epochs=1.0, word_steps=1)
UNBOUNDED = dataclasses.replace(ONE_STEP, words_bound=1e9, longest=10**9)


def ran(documents=CORPUS, **changes) -> VariationalRun:
    given = {"n_topics": K, "alpha0": 1.0, "epsilon": 5.0, "delta": DELTA, "settings": QUICK}
    return called(run_variational, documents, **given | changes)


def counting(word_steps: int | None) -> VariationalSettings:
    return dataclasses.replace(QUICK, word_steps=word_steps)


def chosen(settings: VariationalSettings, calibration: Calibration = Calibration.CORRECTED, mu: float = 1.0) -> int:
    scheme = scheme_of(calibration, settings)
    return word_steps_of(settings, scheme, n_documents=2000, n_words=1000, mu=mu)


@pytest.mark.parametrize(("mu", "expected"), [(1.0, 30), (0.5, 48), (2.0, 12), (1e-3, 60), (1e3, 0), (math.inf, 0)])
def test_how_many_count_words_follows_from_public_numbers(mu: float, expected: int) -> None:
    """Of 60 minibatches, 2,000 documents and 1,000 words: ν = 1/μ, by hand."""
    assert chosen(VariationalSettings(), mu=mu) == expected


AS_PRINTED = [({}, Calibration.PUBLISHED), ({"truncate_each_step": True}, Calibration.CORRECTED)]


@pytest.mark.parametrize(("printed", "calibration"), AS_PRINTED)
def test_where_minibatches_are_as_printed_none_counts_words_and_asking_for_some_is_refused(
    printed: dict[str, bool], calibration: Calibration
) -> None:
    settings = [VariationalSettings(**printed, word_steps=word_steps) for word_steps in (None, 0, 1, 60)]
    assert [chosen(each, calibration, mu=0.01) for each in settings[:2]] == [0, 0]
    for refused in settings[2:]:
        with pytest.raises(InputError, match="word_steps"):
            chosen(refused, calibration)
    with pytest.raises(InputError, match="word_steps"):
        ran(calibration=calibration, settings=dataclasses.replace(QUICK, **printed, word_steps=1))


def test_the_first_and_last_numbers_of_word_steps_are_allowed_and_no_others() -> None:
    for allowed in (0, STEPS):
        assert counting(allowed).word_steps == allowed
    for refused in (-1, STEPS + 1, 2.5):
        with pytest.raises(InputError, match="word_steps"):
            counting(refused)


@pytest.mark.parametrize("word_steps", [0, 1, 4, STEPS])
def test_words_are_counted_first_and_topics_have_the_rest_of_the_schedule(word_steps: int) -> None:
    """Shape, steps, noise over bound, and what is claimed, which is the same whatever is counted."""
    found, printed = ran(settings=counting(word_steps)).fit, ran(settings=counting(0)).fit
    words = (WORDS.words, word_steps, (1, 30), 2 / 160)
    topics = (STATISTIC.words, STEPS - word_steps, (K, 30), 5 / 160)
    assert [(r.quantity, r.steps, r.shape) for r in found.releases] == [e[:3] for e in (words, topics) if e[1]]
    for release, (_, _, _, part) in zip(found.releases, [e for e in (words, topics) if e[1]], strict=True):
        assert part <= release.sensitivity == pytest.approx(part, rel=1e-6)
        assert release.scale >= found.noise_multiplier * part
        assert release.sampling_rate == found.schedule.sampling_rate == 0.2
    assert (found.schedule, found.guarantee) == (printed.schedule, printed.guarantee)
    assert found.guarantee.status is Status.PROVEN


def test_a_run_counts_as_many_as_public_numbers_say() -> None:
    expected = round(STEPS * (share := (60 / (800 * gaussian.mu_for(0.5, DELTA))) ** 2) / (1 + share))
    assert 0 < expected < STEPS
    assert [release.steps for release in ran(epsilon=0.5).fit.releases] == [expected, STEPS - expected]


def test_what_is_foretold_is_what_is_drawn() -> None:
    found, settings = ran(epsilon=0.5).fit, QUICK
    foretold = minibatch_noise(
        Budget(0.5, DELTA),
        800,
        30,
        scheme=scheme_of(Calibration.CORRECTED, settings),
        settings=settings,
    )
    words, topics = found.releases
    assert (foretold.word_steps, foretold.settings.words_bound) == (words.steps, 2.0)
    assert (foretold.words_scale, foretold.scale) == pytest.approx((words.scale, topics.scale), rel=1e-12)


def test_without_noise_none_counts_words_unless_settings_say_so() -> None:
    quiet = ran(noise=NoNoise(), epsilon=0.5).fit
    assert [(release.quantity, release.steps) for release in quiet.releases] == [(STATISTIC.words, STEPS)]
    asked = ran(noise=NoNoise(), settings=counting(4)).fit
    assert [release.steps for release in asked.releases] == [4, 6]


@pytest.mark.parametrize("word_steps", [4, STEPS])
@pytest.mark.parametrize("factor", [0.0, 2.0])
def test_the_noise_of_every_step_reaches_the_topics(factor: float, word_steps: int) -> None:
    settings = counting(word_steps)
    honest = ran(noise=TamperedNoise(0), settings=settings).fit.topics
    for step in range(STEPS):
        assert np.any(ran(noise=TamperedNoise(0, {step: factor}), settings=settings).fit.topics != honest)


def test_noise_on_words_has_the_declared_law_and_a_scale_that_is_off_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every step's noise over the scale of the release: false alarms 1e-4, misses of 10 % below 1e-6 (laws.py)."""
    counts = topical_corpus(2, n_documents=200, n_words=100).counts
    settings = dataclasses.replace(QUICK, sampling_rate=0.02, epochs=1.2, word_steps=60)
    for factor in (1.0, 0.9, 1.1):
        watched = Shown(monkeypatch)
        (release,) = ran(counts, settings=settings, noise=ScaledNoise(3, factor)).fit.releases
        standardised = watched.noise() / release.scale
        assert standardised.size > ENOUGH
        assert follows(standardised) if factor == 1 else not unit_scale(standardised)


def test_one_document_moves_counted_words_by_their_bound_and_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removed: by 2/S, attained; replaced by a document without a word in common: by √2·2/S, attained."""
    watched, rows = Shown(monkeypatch), CORPUS.counts[:40].toarray()
    for document in (only(3, 30, 60), np.zeros(30, dtype=int), only(8, 30, 60)):
        rows[7] = document
        ran(counts_of(rows), settings=ONE_STEP)
    whole, removed, replaced = watched.shown
    assert whole.shape == (1, 30)
    allowed = part_of_one_document(n_documents=40, bound=2.0, expected=40)
    assert 0.999999 * allowed <= np.linalg.norm(whole - removed) <= allowed
    assert 0.999999 * math.sqrt(2) * allowed <= np.linalg.norm(whole - replaced) <= math.sqrt(2) * allowed


@pytest.mark.parametrize("bound", [0.5, 2.0, 40.0])
def test_what_is_shown_is_the_mean_of_counts_each_scaled_down_to_the_bound(
    bound: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand, document by document."""
    watched, rows = Shown(monkeypatch), CORPUS.counts[:60].toarray()
    settings = dataclasses.replace(ONE_STEP, words_bound=bound)
    found = ran(counts_of(rows), settings=settings)
    norms = np.linalg.norm(rows, axis=1)
    expected = sum(row * min(1, bound / norm) for row, norm in zip(rows, norms, strict=True)) / 60
    np.testing.assert_allclose(watched.shown[0][0], expected, rtol=1e-9)
    assert found.clipped == np.mean(norms > bound)


def test_where_all_minibatches_count_words_every_topic_is_the_word_distribution() -> None:
    for settings in (counting(STEPS), ONE_STEP):
        found = ran(settings=settings).fit
        np.testing.assert_array_equal(found.topics, np.tile(found.topics[0], (K, 1)))
        np.testing.assert_allclose(found.mean_words, found.topics[0], rtol=1e-12)
    exact = np.asarray(CORPUS.counts.sum(axis=0)) / CORPUS.counts.sum()
    np.testing.assert_allclose(ran(settings=UNBOUNDED, noise=NoNoise()).fit.topics[0], exact, atol=1e-12)


def test_topics_are_learned_after_words_as_if_these_had_not_been_counted() -> None:
    """The first step that asks for topics has the first step's rate, which forgets the start."""
    run = a_run(NoNoise())
    for _ in range(4):
        run.count()
    run.learn(np.ones((K, 6000)))
    np.testing.assert_allclose(run.parameters, QUICK.topic_prior + 10 / (10 * 0.2), rtol=1e-12)


def a_run(source=None, n_words: int = 6000, n_documents: int = 10) -> MinibatchRun:
    """One whose documents say three words each, and the others none."""
    schedule, scheme = Schedule(1.0, 0.2, STEPS), scheme_of(Calibration.CORRECTED, QUICK)
    counts = corpus_of(np.eye(n_documents, n_words, dtype=int) * 3).counts
    mechanisms = Mechanisms(source or SimulatedNoise(SeedKey(3)))
    return MinibatchRun(counts, K, 1.0, QUICK, schedule, scheme, mechanisms, np.random.default_rng(0), 0)


def test_noise_gathered_over_steps_is_the_one_that_both_readings_are_weighed_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """6,000 words of which 10 are ever said: 5 % is five standard deviations of a standard deviation."""
    run, given = a_run(), []
    monkeypatch.setattr(minibatch_run, "weighed", lambda *readings: given.append(readings) or weighed(*readings))
    for _ in range(20):
        run.count()
    for _ in range(20):
        run.learn(np.full((K, 6000), 0.1))
    assert run.shrunk.shape == (K, 6000)
    (readings,) = given
    for reading in readings:
        assert np.std(reading.words[10:]) == pytest.approx(reading.noise, rel=0.05)


def test_a_run_that_released_more_often_than_its_schedule_says_claims_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = MinibatchRun.count
    monkeypatch.setattr(MinibatchRun, "count", lambda self: (honest(self), honest(self)))
    with pytest.raises(RuntimeError, match="more was released"):
        ran(settings=counting(1))


def test_words_counted_with_less_noise_than_was_accounted_for_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Mechanisms.minibatch_matrix

    def stingy(mechanisms: Mechanisms, label, value, *, noise_multiplier: float, **given):
        factor = 0.9 if label is WORDS else 1.0
        return honest(mechanisms, label, value, noise_multiplier=factor * noise_multiplier, **given)

    monkeypatch.setattr(Mechanisms, "minibatch_matrix", stingy)
    ran(settings=counting(0))
    with pytest.raises(RuntimeError, match="exceed the schedule"):
        ran(settings=counting(1))


def test_under_much_noise_topics_and_what_they_predict_are_better_with_words_first() -> None:
    """400 documents over 200 words at ε = 1, ten draws with and without.

    Mean differences of L1 errors and of perplexities are five of their standard errors above 0, which differences
    without a sign pass once in 2,500 times (Student's law, nine degrees of freedom).
    """
    corpus = topical_corpus(2, n_documents=900, n_words=200)
    train, test = corpus.counts[:400], corpus.counts[400:]
    found = np.empty((10, 2, 2))
    for seed in range(10):
        for i, word_steps in enumerate((None, 0)):
            settings = dataclasses.replace(QUICK, epochs=4.0, word_steps=word_steps)
            fit = ran(train, epsilon=1.0, seed=seed, settings=settings).fit
            error = topic_error(corpus.truth.topics, fit.topics).l1_mean
            given = {"test": test, "mean_words": fit.mean_words, "seed": 0}
            found[seed, i] = error, completion_perplexity(fit.topics, fit.alpha, **given)
    gained = found[:, 1] - found[:, 0]
    assert np.all(np.mean(gained, axis=0) > 5 * np.std(gained, axis=0, ddof=1) / math.sqrt(10))
