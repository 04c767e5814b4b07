"""Shipped fits are numbers: those that the code draws today, from which a method works out what pages show."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import teaching
from dplda.corpus import Corpus
from dplda.experiments.experiment import Experiment
from dplda.experiments.storage import shipped_fits
from dplda.experiments.storage.shipped_fits import RecordedFit
from dplda.methods.base.method import FitResult
from dplda.ui.state import cache, first_visit, link

REFRESH = "run `python -m benchmarks teaching`: Explore opens with these numbers"
FIRST_FITS = first_visit.first_fits()
SHIPPED_FITS = first_visit.shipped_experiments()


@pytest.fixture(scope="module")
def few_documents() -> Corpus:
    """Like those that Explore opens with, and fewer."""
    return replace(link.TEACHING, n_documents=2000).draw()


@pytest.fixture(scope="module")
def teaching_corpus() -> Corpus:
    return link.TEACHING.draw()


@pytest.fixture(scope="module")
def private_settings() -> Experiment:
    return next(settings for settings, noise in FIRST_FITS if noise is None)


@pytest.fixture(scope="module")
def recorded(few_documents, private_settings) -> RecordedFit:
    return shipped_fits.record_fit(few_documents, private_settings, noise=True)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(shipped_fits, "FOLDER", tmp_path)
    return tmp_path


@pytest.fixture
def written(recorded, few_documents, private_settings, folder) -> Path:
    return shipped_fits.write_recorded_fit(recorded, few_documents, private_settings, noise=True)


def numbers(result: FitResult) -> list[object]:
    """Every number that pages show of a fit."""
    evidence, uncertainty, state = result.evidence, result.uncertainty, result.state
    topics = (result.topics.words, result.topics.alpha, result.topics.mean_words)
    gains = (evidence.gain_nats, evidence.length, evidence.by_topic, evidence.gain_noise)
    bars = (
        ()
        if uncertainty is None
        else (uncertainty.unshrunk_topics, uncertainty.noise_std, uncertainty.topic_shares)
    )
    state_values = (
        ()
        if state is None
        else (state.noisy_word_counts, state.steps.running_mean, state.start.topics)
    )
    drawn_values = [(release.name, release.scale, release.value) for release in result.releases]
    return [
        np.asarray(value_list).tolist() for value_list in (*topics, *gains, *bars, *state_values)
    ] + [(name, scale, np.asarray(value).tolist()) for name, scale, value in drawn_values]


@pytest.mark.parametrize(("settings", "no_noise"), FIRST_FITS, ids=["noiseless", "private"])
def test_shipped_fits_drawn_anew_are_the_same_numbers(settings, no_noise, teaching_corpus) -> None:
    noise = no_noise is None
    shipped = shipped_fits.read_recorded_fit(teaching_corpus, settings, noise=noise)
    assert shipped is not None, REFRESH
    drawn_anew = shipped_fits.record_fit(teaching_corpus, settings, noise=noise)
    assert teaching.agrees(shipped, drawn_anew), REFRESH
    loaded = shipped_fits.load_shipped_fit(teaching_corpus, settings, noise=noise)
    assert loaded is not None, REFRESH


def test_shipped_fits_at_every_stop_are_found_as_the_page_asks(teaching_corpus) -> None:
    asked_experiments = [
        link.read({"epsilon": link.epsilon_text(epsilon)}) for epsilon in link.EPSILONS
    ]
    missing_stops = []
    for experiment in asked_experiments:
        as_float = replace(experiment.budget, epsilon=float(experiment.budget.epsilon))
        fit_found = cache.find_fit(
            cache.Caches(), teaching_corpus, replace(experiment, budget=as_float), None
        )
        if fit_found is None or fit_found.uncertainty.known_error_std is None:
            missing_stops.append(experiment.budget.epsilon)
    assert missing_stops == [], REFRESH


def test_shipped_fit_that_several_ask_for_at_once_is_read_once(
    written, few_documents, private_settings, monkeypatch
) -> None:
    n_readings = []

    def read_slowly(*arguments, **options):
        n_readings.append(1)
        time.sleep(0.2)  # so that all ask before the first one is done
        return shipped_fits.load_shipped_fit(*arguments, **options)

    monkeypatch.setattr(cache, "load_shipped_fit", read_slowly)
    shared = cache.Caches()

    def find(_visitor: int) -> FitResult | None:
        return cache.find_fit(shared, few_documents, private_settings, None)

    with ThreadPoolExecutor(4) as visitors:
        found_fits = list(visitors.map(find, range(4)))
    assert len(n_readings) == 1
    assert found_fits[0] is not None
    assert all(found_fit is found_fits[0] for found_fit in found_fits)


def test_shipped_fits_hold_arrays_without_code() -> None:
    paths = list(shipped_fits.FOLDER.iterdir())
    assert {path.suffix for path in paths} == {".npz"}
    assert len(paths) == len(SHIPPED_FITS)
    for path in paths:
        with np.load(path, allow_pickle=False) as arrays:
            assert all(array.dtype.kind in "fU" for array in dict(arrays).values())


@pytest.mark.parametrize(("settings", "no_noise"), FIRST_FITS, ids=["noiseless", "private"])
def test_replayed_fit_equals_the_fit_to_the_bit(settings, no_noise, few_documents) -> None:
    noise = no_noise is None
    recorded = shipped_fits.record_fit(few_documents, settings, noise=noise)
    replayed = shipped_fits.replay_fit(recorded, few_documents, settings, noise=noise)
    fitted = cache.make_and_keep_fit(
        cache.Caches(), few_documents, settings, no_noise, None, lambda share, line: None
    )
    assert numbers(replayed) == numbers(fitted)
    assert replayed.guarantee == fitted.guarantee


def test_written_fit_reads_back_the_same(
    written, recorded, few_documents, private_settings
) -> None:
    reread_fit = shipped_fits.read_recorded_fit(few_documents, private_settings, noise=True)
    assert [answer.quantity for answer in reread_fit.answers] == [
        answer.quantity for answer in recorded.answers
    ]
    for reread_answer, recorded_answer in zip(reread_fit.answers, recorded.answers, strict=True):
        np.testing.assert_array_equal(reread_answer.coordinates, recorded_answer.coordinates)
    np.testing.assert_array_equal(reread_fit.deviation, recorded.deviation)


def test_loaded_fit_has_its_error_bars(written, recorded, few_documents, private_settings) -> None:
    loaded = shipped_fits.load_shipped_fit(few_documents, private_settings, noise=True)
    np.testing.assert_array_equal(loaded.uncertainty.known_error_std, recorded.deviation)


def test_shipped_fit_of_other_documents_or_settings_is_none(
    recorded, few_documents, private_settings
) -> None:
    other_documents = replace(link.TEACHING, n_documents=2001).draw()
    other_seed = replace(private_settings, seed=1)
    other_delta = replace(private_settings.budget, delta=1.04e-7)  # 1e-07 in the name of the file
    assert shipped_fits.load_shipped_fit(other_documents, private_settings, noise=True) is None
    for settings in (other_seed, replace(private_settings, budget=other_delta)):
        assert shipped_fits.load_shipped_fit(few_documents, settings, noise=True) is None
    assert shipped_fits.load_shipped_fit(few_documents, private_settings, noise=False) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda answers: answers[:-1],
        lambda answers: (*answers, answers[-1]),
        lambda answers: answers[::-1],
        lambda answers: (replace(answers[0], scale=answers[0].scale * 1.001), *answers[1:]),
        lambda answers: (replace(answers[0], coordinates=np.ones(3)), *answers[1:]),
    ],
    ids=["too few", "too many", "another order", "another scale", "another shape"],
)
def test_answers_to_other_questions_are_refused(
    change, recorded, few_documents, private_settings, folder
) -> None:
    changed_fit = replace(recorded, answers=change(recorded.answers))
    shipped_fits.write_recorded_fit(changed_fit, few_documents, private_settings, noise=True)
    assert shipped_fits.load_shipped_fit(few_documents, private_settings, noise=True) is None


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x80\x05]\x94."])
def test_shipped_fit_in_a_damaged_file_is_none(
    content, written, few_documents, private_settings
) -> None:
    written.write_bytes(content)
    assert shipped_fits.load_shipped_fit(few_documents, private_settings, noise=True) is None


def test_agreement_ends_beyond_rounding(recorded) -> None:
    first_answer, *other_answers = recorded.answers
    largest = np.max(np.abs(first_answer.coordinates))

    def moved_by(share: float) -> RecordedFit:
        moved_answer = replace(first_answer, coordinates=first_answer.coordinates + share * largest)
        return replace(recorded, answers=(moved_answer, *other_answers))

    assert teaching.agrees(moved_by(1e-6), recorded)
    assert not teaching.agrees(moved_by(1e-4), recorded)


def test_agreement_ends_where_error_bars_are_of_another_length(recorded) -> None:
    assert teaching.agrees(replace(recorded, deviation=1.3 * recorded.deviation), recorded)
    for factor in (1.6, 0.6):
        longer = replace(recorded, deviation=factor * recorded.deviation)
        assert not teaching.agrees(longer, recorded)
    assert not teaching.agrees(replace(recorded, deviation=None), recorded)


def test_teaching_writes_anew_only_fits_that_differ(
    folder, few_documents, private_settings, monkeypatch
) -> None:
    monkeypatch.setattr(link, "TEACHING", replace(link.TEACHING, n_documents=2000))
    monkeypatch.setattr(
        first_visit, "shipped_experiments", first_visit.first_fits
    )  # two are quicker
    (folder / "left-over.npz").write_bytes(b"")
    assert [row["written"] for row in teaching.run()] == ["True", "True"]
    assert len(list(folder.iterdir())) == len(FIRST_FITS)
    recorded = shipped_fits.read_recorded_fit(few_documents, private_settings, noise=True)
    first_answer, *other_answers = recorded.answers
    moved_answer = replace(first_answer, coordinates=first_answer.coordinates * 1.01)
    changed_fit = replace(recorded, answers=(moved_answer, *other_answers))
    shipped_fits.write_recorded_fit(changed_fit, few_documents, private_settings, noise=True)
    assert sorted(row["written"] for row in teaching.run()) == ["False", "True"]
