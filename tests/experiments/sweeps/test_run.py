"""A sweep in this process: what it shares, keeps, skips and refuses."""

import sys
from collections import Counter
from dataclasses import replace
from unittest.mock import Mock

import pandas as pd
import pytest

from dplda.evaluation import topic_error
from dplda.experiments.specs.spec import noise_seed
from dplda.experiments.sweeps import Embedded, FileSource, Setting, Store, prepared, run
from dplda.methods import unigram
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain import spectral_methods
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.configurations.plan import Plan
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.registry import METHODS
from dplda.privacy.noise.sources import NoNoise
from tests.experiments.sweeps import tiny_sweeps

EVERY = (
    "unnoised",
    "unigram",
    "adaptive",
    "config-1/as published",
    "config-4",
    "dp-vi",
    "dp-vi/as published",
)
EPSILONS = (0.5, 2.0)  # the larger ε, the longer it takes to find the noise of minibatches


@pytest.fixture(scope="module")
def done(tmp_path_factory) -> Store:
    sweep = tiny_sweeps.sweep(*EVERY, corpora=2, epsilons=EPSILONS)
    store = Store(sweep, tmp_path_factory.mktemp("store"))
    run(sweep, store)
    return store


def test_run_gives_each_cell_a_number_or_a_reason(done) -> None:
    frame = done.frame()
    assert len(frame) == done.sweep.n_cells
    assert (frame["failed"] == "").all()
    assert (frame["l1_sum"].notna() ^ (frame["refused"] != "")).all()
    assert (frame["refused"] != "").any(), "this sweep is to show refusals"
    assert frame["l1_sum"].dropna().between(0, 4).all()
    assert frame["perplexity"].isna().all()


@pytest.mark.parametrize(("present", "nearest"), [(8.0, 8.0), (3.0, 8.0), (0.9, 0.5), (None, 0.5)])
def test_run_of_every_method_starts_at_the_present_epsilon(tmp_path, present, nearest) -> None:
    sweep = tiny_sweeps.sweep("unigram", "adaptive", "config-4", epsilons=(0.5, 8.0))
    store, notes = Store(sweep, tmp_path), []
    run(sweep, store, lambda progress: notes.append(progress.note), first_epsilon=present)
    at = [note.split("ε = ")[1].split(",")[0] for note in notes if "ε = " in note]
    first_epsilons = at[: len(at) // 2] if present else at[:2]
    assert set(first_epsilons) == {f"{nearest:g}"}


def test_order_of_computing_changes_no_number(tmp_path) -> None:
    sweep = tiny_sweeps.sweep("unigram", "adaptive", corpora=2)
    stores = [Store(sweep, tmp_path / name) for name in ("usual", "other")]
    run(sweep, stores[0])
    run(sweep, stores[1], first_epsilon=8.0)
    usual, other_order = (tiny_sweeps.lasting(store.frame()) for store in stores)
    pd.testing.assert_frame_equal(usual, other_order)


def test_numbers_are_those_of_a_fit_by_hand(done) -> None:
    sweep = done.sweep
    frame = done.frame()
    source = replace(sweep.settings[0].source, seed=1)
    corpus = source.draw()
    seed = noise_seed(sweep, corpus=1, repeat=1)
    plan = Plan("adaptive", EPSILONS[1], sweep.delta)
    spectral = fit_spectral(corpus, plan, Problem(2, 1.0), Runtime(seed))
    variational = run_variational(
        corpus, Problem(2, 1.0), Budget(EPSILONS[1], sweep.delta), Runtime(seed)
    )
    for method, topics in (
        ("adaptive", spectral.topics.words),
        ("dp-vi", variational.topics.words),
    ):
        is_the_cell = (frame["method"] == f"{method}/corrected") & (frame["epsilon"] == EPSILONS[1])
        (row,) = frame[is_the_cell & (frame["corpus"] == 1) & (frame["repeat"] == 1)].to_dict(
            "records"
        )
        error = topic_error(corpus.truth.topics, topics)
        assert (row["l1_sum"], row["l1_mean"], row["l2_mean"]) == (
            error.l1_sum,
            error.l1_mean,
            error.l2_mean,
        )
        assert row["noise_seed"] == seed


def test_run_of_a_finished_sweep_computes_no_cell(done, monkeypatch) -> None:
    frame_before, module = done.frame(), sys.modules[run.__module__]
    for name in ("measure", "PreparedCorpus"):
        monkeypatch.setattr(
            module, name, lambda *_: pytest.fail("a finished cell was computed again")
        )
    last_progress = run(done.sweep, done)
    assert last_progress.n_done == last_progress.n_cells
    pd.testing.assert_frame_equal(frame_before, done.frame())


def test_shared_work_is_done_once(tmp_path, monkeypatch) -> None:
    calls, known_method = Counter(), METHODS["dp-vi/corrected"]
    monkeypatch.setitem(
        METHODS, known_method.key, replace(known_method, fit=_counted(calls, known_method, "fit"))
    )
    sweep = tiny_sweeps.sweep(
        "unnoised", "adaptive", "dp-vi", epsilons=EPSILONS, repeats=3, corpora=2
    )
    for module, name in ((prepared, "read_source"), (spectral_methods, "run_chain")):
        monkeypatch.setattr(module, name, _counted(calls, module, name))
    run(sweep, Store(sweep, tmp_path))
    # for each of 2 corpora: one draw; 1 + 2·3 spectral fits; one noiseless for each of two ε; 2·3 DP-VI runs, one more
    drawing_calls, spectral_fits, variational_fits = (
        ("read_source", False),
        ("run_chain", False),
        ("fit", False),
    )
    assert calls == {
        drawing_calls: 2,
        spectral_fits: 14,
        ("run_chain", True): 4,
        variational_fits: 12,
        ("fit", True): 2,
    }


def _counted(calls: Counter[tuple[str, bool]], module: object, name: str):
    function = getattr(module, name)

    def counted(*arguments, **options):
        quiet = any(
            isinstance(argument, Runtime) and isinstance(argument.noise, NoNoise)
            for argument in arguments
        )
        calls[name, quiet] += 1
        return function(*arguments, **options)

    return counted


def test_failed_cell_is_stored_by_error_name_until_tried_again(tmp_path, monkeypatch) -> None:
    sweep = tiny_sweeps.sweep("unnoised", "unigram")
    store = Store(sweep, tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr(
            unigram,
            "average_word_frequencies",
            Mock(side_effect=ValueError("canary word of a document")),
        )
        last_progress = run(sweep, store)
    assert (last_progress.n_failed, last_progress.n_refused, last_progress.n_done) == (1, 0, 2)
    assert list(store.frame()["failed"]) == ["", "ValueError"]
    assert b"canary" not in store.path.read_bytes()
    last_progress = run(sweep, store)
    assert (last_progress.n_failed, last_progress.n_done) == (0, 2)
    assert list(store.frame()["failed"]) == ["", ""]


def test_documents_without_truth_are_scored_on_those_held_out(tmp_path) -> None:
    path = tiny_sweeps.write_documents(tmp_path / "fruit.txt", n_documents=200)
    settings = (
        Setting("file", FileSource(str(path), "public", n_words=8), 2, 0.1),
        Setting("docs", Embedded(n_words=100, n_documents=500), 3, 1.0),
    )
    sweep = replace(tiny_sweeps.sweep("unnoised", "unigram", settings=settings), held_out=0.25)
    store = Store(sweep, tmp_path)
    run(sweep, store)
    frame = store.frame().set_index(["setting", "method"])
    assert frame["l1_sum"].isna().all()
    assert frame[["perplexity", "npmi"]].notna().all(axis=None)
    assert frame.loc["file", "n_documents"].eq(150).all()
    two_subjects = frame.loc["file"]
    assert two_subjects.loc["unnoised", "perplexity"] < 4.5, "four words in either subject"
    assert two_subjects.loc["unigram", "perplexity"] == pytest.approx(8, rel=0.02)
    assert two_subjects.loc["unnoised", "npmi"] > two_subjects.loc["unigram", "npmi"]


def test_methods_get_the_budget_of_their_setting(tmp_path, monkeypatch) -> None:
    plans_seen = []
    real = spectral_methods.fit_spectral

    def watched(corpus, plan, problem, resources):
        if resources.noise is None:
            plans_seen.append(plan)
        return real(corpus, plan, problem, resources)

    monkeypatch.setattr(spectral_methods, "fit_spectral", watched)
    own_setting = replace(tiny_sweeps.setting("own"), epsilons=(7.0,), delta=1e-3)
    names = ("shared-moment/corrected",)
    base = tiny_sweeps.sweep(
        *names, settings=(tiny_sweeps.setting(), own_setting), epsilons=(2.0,), repeats=1
    )
    quantities = base.methods[0].quantities
    split = tuple((name, 1 / len(quantities)) for name in quantities)
    sweep = replace(base, splits=((names[0], split),))
    run(sweep, Store(sweep, tmp_path))
    assert [(plan.epsilon, plan.delta, plan.split) for plan in plans_seen] == [
        (2.0, 1e-7, split),
        (7.0, 1e-3, split),
    ]
    assert {plan.calibration for plan in plans_seen} == {Calibration.CORRECTED}
