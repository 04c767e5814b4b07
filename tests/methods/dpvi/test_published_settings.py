"""The paper's own settings: its accountant, its minibatches, and two readings of its clipping."""

from dataclasses import replace

import pytest

from dplda import topic_error
from dplda.core.errors import InputError
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.problem import Budget
from dplda.methods.dpvi.accounting import Accountant, SamplingSchedule, epsilon_of_schedule
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.settings import (
    PUBLISHED_SETTINGS,
    Clipping,
    VariationalSettings,
    clipping_scheme,
    default_settings,
)
from dplda.methods.dpvi.variational_methods import forecast_minibatches
from dplda.methods.registry import METHODS, parse_method
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Status
from tests.asking import called
from tests.tiny_corpora import topical_corpus

BY_DOCUMENT = "dp-vi/as published, each document"
INCLUDE_OR_EXCLUDE = Adjacency.ADD_OR_REMOVE_ONE
CORPUS = topical_corpus(2, n_documents=2500, n_words=30)


def schedule_at(epsilon: float, delta: float) -> SamplingSchedule:
    return PUBLISHED_SETTINGS.schedule(epsilon, delta, adjacency=INCLUDE_OR_EXCLUDE)


def fit(**changes):
    arguments = {"n_topics": 3, "alpha0": 1.0, "epsilon": 5.0, "delta": 1e-4}
    arguments["calibration"] = Calibration.PUBLISHED
    return called(run_variational, CORPUS, **arguments | changes)


def test_published_settings_give_the_noise_of_the_paper_at_its_epsilon() -> None:
    """One epoch of minibatches of a twentieth: σ = 1.24 at ε = 2.44 and δ = 1e-4."""
    schedule = schedule_at(2.44, 1e-4)
    assert (schedule.sampling_rate, schedule.steps) == (0.05, 20)
    assert schedule.noise_multiplier == pytest.approx(1.24, abs=0.005)


def test_published_noise_is_more_than_exact_accounting_asks_for() -> None:
    published = schedule_at(2.44, 1e-4)
    with_less_noise = replace(published, noise_multiplier=published.noise_multiplier / 1.3)
    exact_epsilon = epsilon_of_schedule(with_less_noise, delta=1e-4, adjacency=INCLUDE_OR_EXCLUDE)
    assert exact_epsilon < 2.44


@pytest.mark.parametrize(("epsilon", "rate"), [(1.0, 0.05), (0.1, 0.025), (0.01, 0.00625)])
def test_published_minibatches_are_halved_until_the_accountant_reaches_epsilon(
    epsilon: float, rate: float
) -> None:
    """One epoch in any case. The rate above is out of its reach."""
    schedule = schedule_at(epsilon, 1e-7)
    assert schedule.sampling_rate == rate
    assert schedule.steps * rate == pytest.approx(1.0)
    cost = epsilon_of_schedule(
        schedule, delta=1e-7, accountant=Accountant.CAPPED, adjacency=INCLUDE_OR_EXCLUDE
    )
    assert cost <= epsilon
    if rate < 0.05:
        wider = replace(PUBLISHED_SETTINGS, sampling_rate=2 * rate, halves_minibatches=False)
        with pytest.raises(InputError, match="within reach of this accountant"):
            wider.schedule(epsilon, 1e-7, adjacency=INCLUDE_OR_EXCLUDE)


def test_settings_without_halving_keep_their_minibatches() -> None:
    assert VariationalSettings().schedule(3.0, 1e-6).sampling_rate == 0.1


def test_published_method_runs_with_the_settings_of_the_paper() -> None:
    (release,) = fit(epsilon=2.44).releases
    assert (release.sampling_rate, release.steps) == (0.05, 20)
    assert release.noise_multiplier == pytest.approx(1.24, abs=0.005)
    assert release.sensitivity == pytest.approx(20 / (0.05 * 2500), rel=1e-6)  # a·N_max/S


def test_published_epsilon_counts_a_document_more_or_less() -> None:
    guarantee = fit().guarantee
    assert guarantee.adjacency is INCLUDE_OR_EXCLUDE
    assert any("one document more or less" in sentence for sentence in guarantee.rests_on)
    corrected = fit(calibration=Calibration.CORRECTED, delta=1e-6).guarantee
    assert corrected.adjacency is Adjacency.REPLACE_ONE


def test_reading_by_document_is_parsed_without_being_listed() -> None:
    method = parse_method(BY_DOCUMENT)
    assert BY_DOCUMENT not in METHODS
    assert method.key == BY_DOCUMENT
    assert method.status is Status.AS_PUBLISHED
    assert not method.is_recommended
    assert method.title != parse_method("dp-vi/as published").title


def test_noise_of_both_readings_is_the_same() -> None:
    """Only what is scaled down differs."""
    releases = [fit(settings=default_settings(scaling)).releases[0] for scaling in READINGS]
    assert releases[0].scale == releases[1].scale
    assert releases[0].steps == releases[1].steps


READINGS = (Calibration.PUBLISHED, parse_method(BY_DOCUMENT).spec.scaling)


@pytest.mark.parametrize("epsilon", [5.0, 10.0])
def test_reading_by_document_alone_leaves_topics_above_the_noise(epsilon: float) -> None:
    """As printed, the statistic of a whole minibatch is as small as one document's noise."""
    as_printed, by_document = (
        fit(settings=default_settings(scaling), epsilon=epsilon) for scaling in READINGS
    )
    truth = CORPUS.truth.topics
    assert topic_error(truth, as_printed.topics.words).l1_mean > 1.2
    assert topic_error(truth, by_document.topics.words).l1_mean < 0.4


def test_noise_keys_of_the_two_readings_differ() -> None:
    """Equal noise on different statistics of the same documents could be taken away."""
    keys = {default_settings(scaling).key_choices for scaling in READINGS}
    assert len(keys) == 2
    assert VariationalSettings().key_choices == (repr(VariationalSettings()),)


@pytest.mark.parametrize("clipping", Clipping)
def test_published_steps_never_count_words_first(clipping: Clipping) -> None:
    settings = replace(PUBLISHED_SETTINGS, clipping=clipping, word_steps=3)
    with pytest.raises(InputError, match="word_steps"):
        fit(settings=settings)


def test_published_scheme_by_document_bounds_every_document() -> None:
    settings = default_settings(parse_method(BY_DOCUMENT).spec.scaling)
    scheme = clipping_scheme(Calibration.PUBLISHED, settings)
    assert scheme.clips_documents
    assert not scheme.filters_noise
    assert scheme.clip_norm == settings.batch_bound * settings.longest


def test_forecast_of_a_tiny_epsilon_tells_the_minibatches_that_run() -> None:
    method = METHODS["dp-vi/as published"]
    noise = forecast_minibatches(method, Budget(0.1, 1e-7), 10_000, 100)
    assert noise.schedule.sampling_rate == 0.025
    assert noise.mean_batch_size == 250
