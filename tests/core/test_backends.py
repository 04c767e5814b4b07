"""Every engine computes the same fit to the last bit; a worker that is killed changes nothing; noise stays at home."""

import logging
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import numpy as np
import pytest
from joblib import parallel_config

import dplda
from dplda.core import backends
from dplda.core.backends import Dask, computing_with
from dplda.core.engine import using
from dplda.core.errors import InputError, ReadError
from dplda.corpus import StoredCorpus, store
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.whole_number_statistics import WholeNumberStatistics
from dplda.methods.registry import parse_method
from dplda.spectral.corpus_statistics import StatisticsCache
from dplda.spectral.cumulants import Coefficients

CORPUS = dplda.simulate(
    n_documents=10_000, n_words=50, n_topics=3, alpha0=1.0, mean_length=12, seed=0
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> StoredCorpus:
    return store(CORPUS, tmp_path_factory.mktemp("kept"))


@pytest.fixture(scope="module")
def client() -> Iterator[object]:
    """Of two workers of one thread each, processes with a nanny each; imported here, as it takes its time."""
    import dask
    from distributed import Client, LocalCluster

    settings = {"distributed.worker.multiprocessing-method": "forkserver"}
    quiet = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
    with (
        dask.config.set(settings),
        LocalCluster(n_workers=2, threads_per_worker=1, **quiet) as cluster,
        Client(cluster, set_as_default=False) as connected,
    ):
        yield connected


def fitted(corpus, method: str, **runtime_arguments) -> FitResult:
    return parse_method(method).fit(
        corpus, Problem(3, 1.0), Budget(1.0, 1e-7), Runtime(**runtime_arguments)
    )


def same(result: FitResult, expected: FitResult) -> bool:
    """Bit by bit, releases and all."""
    values = zip(result.releases, expected.releases, strict=True)
    return np.array_equal(result.topics.words, expected.topics.words) and all(
        np.array_equal(a.value, b.value) for a, b in values
    )


def test_fit_with_any_backend_equals_that_with_threads(kept: StoredCorpus) -> None:
    for method in ("unnoised", "adaptive", "refined"):
        expected = fitted(CORPUS, method)
        with computing_with("serial"):
            assert same(fitted(kept, method), expected)
        with computing_with("joblib"):
            for backend in ("threading", "sequential"):
                with parallel_config(backend=backend):
                    assert same(fitted(kept, method), expected)
    with computing_with("joblib"):
        assert same(fitted(kept, "refined"), expected), "in its own processes"


def test_engine_with_a_worker_killed_midway_gives_the_same_sum(client, kept: StoredCorpus) -> None:
    """While pairs are counted, with what it counts and what it holds; its nanny starts another."""
    expected = fitted(CORPUS, "refined")
    killed: list[int] = []
    with using(Dask(client)):
        first_process, second = client.run(os.getpid).values()

        def report(fraction: float, step: str) -> None:
            if step == "counting pairs of words" and fraction > 0.1 and not killed:
                os.kill(first_process, signal.SIGKILL)
                killed.append(first_process)

        assert same(fitted(kept, "adaptive", report=report), fitted(CORPUS, "adaptive"))
        assert killed
        assert same(fitted(kept, "refined"), expected)
        client.wait_for_workers(2, timeout=120)
        remaining_processes = client.run(os.getpid).values()
        assert second in remaining_processes
        assert first_process not in remaining_processes
        loaded = client.run(
            lambda: "dplda.privacy.noise.sources" in __import__("sys").modules
        ).values()
        assert not any(loaded), "noise is no business of a worker"


def test_whole_sums_are_counted_by_workers_too(client, kept: StoredCorpus) -> None:
    """The sums that exact noise is added to; no route asks for them elsewhere than here."""
    directions = np.random.default_rng(0).standard_normal((50, 2))

    def everything(sums: StatisticsCache) -> list[np.ndarray]:
        statistics = WholeNumberStatistics(sums, Coefficients(1.0), keep_short=True)
        averages, tensor = statistics.averages(0.1), statistics.triple_average(0.1, directions, 1.0)
        return [
            fixed_point_sum.numbers
            for fixed_point_sum in (averages.words, averages.pairs, averages.mass, tensor)
        ]

    expected = everything(StatisticsCache(CORPUS.counts))
    with using(Dask(client)):
        for a, b in zip(everything(StatisticsCache(kept.counts)), expected, strict=True):
            np.testing.assert_array_equal(a, b)


def test_error_at_a_worker_is_raised_here(client, tmp_path: Path) -> None:
    missing = store(CORPUS, tmp_path / "kept")
    missing.counts.folder.rename(tmp_path / "elsewhere")
    refusal = pytest.raises(ReadError, match="No such file")
    with using(Dask(client)), refusal:
        fitted(missing, "unnoised")


@pytest.mark.parametrize(
    ("name", "scheduler", "refused_part"),
    [
        ("spark", None, "engine must be serial, threads, joblib, dask"),
        ("threads", "tcp://127.0.0.1:8786", "scheduler must be left out"),
        ("dask", "nowhere://", "scheduler must be the address"),
        ("dask", "tcp://127.0.0.1:1", "scheduler must be the address"),
    ],
)
def test_unknown_engine_is_refused(name, scheduler, refused_part, monkeypatch) -> None:
    monkeypatch.setattr(backends, "PATIENCE", 0.2)
    with pytest.raises(InputError, match=refused_part), computing_with(name, scheduler):
        pass


@pytest.fixture
def lost(client) -> Iterator[object]:
    """The client while its cluster has no worker."""
    client.cluster.scale(0)
    while client.scheduler_info()["workers"]:
        time.sleep(0.05)
    yield client
    client.cluster.scale(2)
    client.wait_for_workers(2, timeout=120)


@pytest.mark.timeout(120)
def test_engine_without_workers_ends_after_the_limit(lost) -> None:
    lost.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "no_workers_timeout", 2.0))
    with pytest.raises(InputError, match="the workers of dask"):
        list(Dask(lost).map(abs, [-1, -2]))
    lost.run_on_scheduler(
        lambda dask_scheduler: setattr(dask_scheduler, "no_workers_timeout", None)
    )


@pytest.mark.timeout(120)
def test_dask_with_a_late_worker_passes_on_its_values_or_error(lost) -> None:
    Timer(2.0, lost.cluster.scale, args=(1,)).start()
    assert list(Dask(lost).map(abs, [-1, -2, -3, -4])) == [1, 2, 3, 4]
    with pytest.raises(TypeError):
        list(Dask(lost).map(abs, ["tea"]))
