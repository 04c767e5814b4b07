"""Sweeps in processes of their own, which are really killed. They end with this one: tests/core/test_worker_pool.py."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

from dplda.core.types import silent
from dplda.core.worker_pool import ProcessError
from dplda.corpus import Simulation
from dplda.experiments.storage.store import StoreError
from dplda.experiments.sweeps import Busy, JobState, Scheduler, Setting, Store, Sweep, job, run
from dplda.methods.registry import parse_method
from tests.experiments.sweeps import tiny_sweeps
from tests.experiments.sweeps.tiny_sweeps import lasting
from tests.yardstick import PATIENCE, slowness, waited_for


@pytest.fixture
def scheduler(tmp_path) -> Iterator[Scheduler]:
    scheduler = Scheduler(tmp_path / "sweeps")
    yield scheduler
    scheduler.close()


def large(n_documents: int = 1_000_000) -> Sweep:
    """One whose first step, drawing documents and counting pairs, takes many seconds."""
    simulation = Simulation(n_documents=n_documents, n_words=3000, n_topics=3, mean_length=30)
    return Sweep(
        (Setting("large", simulation, 3, 1.0),), (parse_method("adaptive"),), epsilons=(1.0,)
    )


def ended(running: job.SweepJob) -> JobState:
    """Its state, once it has ended or patience has."""
    running._thread.join(PATIENCE)
    return running.state


def test_job_started_anywhere_computes_what_a_run_computes(
    scheduler, tmp_path, monkeypatch
) -> None:
    """Its process finds the program in any folder, without help from an environment."""
    sweep = tiny_sweeps.sweep(corpora=2)
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("PYTHONPATH", "")
        elsewhere.chdir("/")
        elsewhere.setattr(sys, "executable", getattr(sys, "_base_executable", sys.executable))
        started = scheduler.start(sweep)
        assert ended(started) is JobState.DONE
    last_progress = started.progress
    assert (last_progress.fraction, started.seconds_left, last_progress.n_failed, started.note) == (
        1.0,
        0.0,
        0,
        "Done",
    )
    own_store = Store(sweep, tmp_path / "here")
    run(sweep, own_store)
    pd.testing.assert_frame_equal(lasting(started.store.frame()), lasting(own_store.frame()))
    assert started.progress.n_refused == (own_store.frame()["refused"] != "").sum()


def test_scheduler_with_a_running_job_refuses_another_sweep(scheduler) -> None:
    first_job = scheduler.start(large())
    assert first_job.state is JobState.RUNNING
    with pytest.raises(Busy, match=r"1 methods on large, 1 runs\. It is 0% done"):
        scheduler.start(tiny_sweeps.sweep())
    assert scheduler.start(large()) is first_job, "the same sweep again is the job that runs"
    first_job.cancel()
    assert scheduler.start(tiny_sweeps.sweep("unigram")).state is JobState.RUNNING


@pytest.mark.timing
@pytest.mark.parametrize(("note", "n"), [("large: documents", 300_000), ("Adaptive", 100_000)])
def test_cancel_answers_within_a_second_wherever_it_is(scheduler, note, n) -> None:
    running = scheduler.start(large(n))  # each step takes a second or more
    waited_for(lambda: note in running.note)
    time.sleep(0.3)
    assert running.state is JobState.RUNNING
    start = time.perf_counter()
    running.cancel()
    took = time.perf_counter() - start
    assert took < 1 * slowness()
    assert running.state is JobState.CANCELLED
    assert "Finished runs are kept" in running.note
    running.cancel()


def test_job_killed_at_any_moment_continues_with_its_kept_cells(scheduler, tmp_path) -> None:
    sweep = tiny_sweeps.sweep(repeats=3, settings=(tiny_sweeps.setting(n_documents=3000),))
    rng = np.random.default_rng(0)
    done_before = 0
    for _ in range(2):
        running = scheduler.start(sweep)
        waited_for(
            lambda running=running: (
                running.progress.n_done > 0 or running.state is not JobState.RUNNING
            )
        )
        time.sleep(rng.uniform(0, 0.15))
        with suppress(ProcessLookupError, IndexError):  # it has just ended
            os.kill(running._pool._busy[0].process.pid, signal.SIGKILL)
        ended(running)
        if running.state is JobState.DONE:
            break
        assert running.state is JobState.FAILED
        assert "Finished runs are kept" in running.note
        n_kept = len(running.store.rows())
        assert n_kept >= running.progress.n_done >= done_before  # all that it ever told of
        done_before = n_kept
    assert ended(scheduler.start(sweep)) is JobState.DONE
    undisturbed = Store(sweep, tmp_path / "undisturbed")
    run(sweep, undisturbed)
    pd.testing.assert_frame_equal(
        lasting(scheduler.job.store.frame()), lasting(undisturbed.frame())
    )


def test_job_whose_process_cannot_start_fails_with_the_reason(scheduler, monkeypatch) -> None:
    with monkeypatch.context() as broken:
        for executable, reason in (
            ("/bin/false", "was stopped"),
            ("/nowhere/python", "No such file"),
        ):
            broken.setattr(sys, "executable", executable)
            running = scheduler.start(tiny_sweeps.sweep("unigram"))
            assert ended(running) is JobState.FAILED
            assert reason in running.note


def test_job_whose_process_breaks_fails_with_the_reason(scheduler, tmp_path, monkeypatch) -> None:
    """What a pool says of one that breaks, tests/core/test_worker_pool.py."""
    monkeypatch.setattr(os, "nice", Mock())  # of this process
    with pytest.raises(StoreError, match="Restart the dashboard") as older:
        job._run_in_process(tiny_sweeps.sweep("unigram").to_toml(), tmp_path, "older", None, silent)
    for error, reason in (
        (ProcessError("KeyError"), "failed with KeyError. Finished"),
        (older.value, "Restart the dashb"),
    ):
        monkeypatch.setattr(job.Pool, "run", Mock(side_effect=error))
        running = scheduler.start(tiny_sweeps.sweep("unigram"))
        assert ended(running) is JobState.FAILED
        assert reason in running.note


@pytest.mark.timing
def test_job_of_a_sweep_larger_than_a_pipe_starts(scheduler) -> None:
    settings = tuple(tiny_sweeps.setting(f"setting number {number:062}") for number in range(900))
    sweep = tiny_sweeps.sweep("unigram", settings=settings)
    assert len(sweep.to_toml()) > 2 * 65_536
    start = time.perf_counter()
    running = scheduler.start(sweep)
    assert time.perf_counter() - start < 1 * slowness()
    waited_for(lambda: running.progress.n_done > 0)
