"""Work in processes of a pool: the same values, whoever is killed, and nothing left on disk or in memory."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from threading import Event, Thread

import numpy as np
import pytest

from dplda.core.errors import DpldaError, InputError, NoFiniteNoise
from dplda.core.types import Report
from dplda.core.worker_pool import Pool, ProcessError, Shared
from dplda.core.worker_pool import shared as shared_values
from dplda.core.worker_pool.worker import GLANCE
from tests.core.pool_work import (
    CANARY,
    breaks,
    doubled,
    gives,
    lasts,
    refuses,
    steps,
    takes_a_while,
    threaded,
    where,
)
from tests.yardstick import alive, waited_for

SOON = 60.0


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    pool = Pool(2)
    yield pool
    pool.close()


@contextmanager
def occupied(pool: Pool) -> Iterator[None]:
    """One process works meanwhile."""
    started, leave = Event(), Event()

    def watch(share: float, line: str) -> None:
        if line == "Working":
            started.set()
        if leave.is_set():
            raise InterruptedError

    def works() -> None:
        with suppress(InterruptedError):
            pool.run(lasts, True, report=watch)

    busy = Thread(target=works)
    busy.start()
    try:
        assert started.wait(SOON)
        yield
    finally:
        leave.set()
        busy.join()


def killed_at_first(pool: Pool, times: int) -> Report:
    """Kills the process at work when it first speaks, some times."""
    killed: list[int] = []

    def report(share: float, line: str) -> None:
        (worker,) = pool._busy
        pid = worker.process.pid
        if line == "Doubling" and pid not in killed and len(killed) < times:
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    return report


def test_run_whose_process_is_killed_once_is_repeated_quietly(pool, capfd, monkeypatch) -> None:
    monkeypatch.setattr(pool, "_tries", 2)
    value = Shared(np.arange(5))
    assert pool.run(doubled, value, report=killed_at_first(pool, 1)).tolist() == [0, 2, 4, 6, 8]
    assert capfd.readouterr() == ("", "")


def test_run_whose_process_is_killed_each_time_is_given_up(pool, monkeypatch) -> None:
    monkeypatch.setattr(pool, "_tries", 2)
    value = Shared(np.arange(5))
    with pytest.raises(ProcessError, match="stopped each time"):
        pool.run(doubled, value, report=killed_at_first(pool, 2))


def test_idle_process_that_is_killed_is_replaced(pool) -> None:
    value = Shared(np.arange(5))
    os.kill(pool.run(where, value)[0], signal.SIGKILL)  # while nobody asks
    assert pool.run(doubled, value).tolist() == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("maps", [True, False])
def test_shared_value_is_read_only_where_it_is_mapped(monkeypatch, maps) -> None:
    monkeypatch.setattr(shared_values, "_MAPS", maps and shared_values._MAPS)
    large = {"counts": np.arange(100_000), "none": np.zeros(0), "words": ("tea",)}
    shared = Shared(large)
    assert (len(pickle.dumps(shared)) < 500) == shared_values._MAPS
    unpickled = pickle.loads(pickle.dumps(shared))
    assert unpickled["counts"].tolist() == large["counts"].tolist()
    assert unpickled["counts"].flags.writeable is False or not shared_values._MAPS


@pytest.mark.parametrize("maps", [True, False])
def test_shared_value_is_opened_once_by_a_process(pool, monkeypatch, maps) -> None:
    monkeypatch.setattr(shared_values, "_MAPS", maps and shared_values._MAPS)
    large = {"counts": np.arange(100_000), "none": np.zeros(0), "words": ("tea",)}
    shared = Shared(large)
    assert len({pool.run(where, shared) for _ in range(3)}) == 1


def test_work_goes_where_its_values_are(pool) -> None:
    values = (Shared(np.zeros(3)), Shared(np.ones(3)))
    first_process = pool.run(where, values[0])[0]
    with occupied(pool):
        second = pool.run(where, values[1])[0]
    for _ in range(2):
        assert pool.run(where, values[0])[0] == first_process
        assert pool.run(where, values[1])[0] == second


def test_error_of_our_own_in_a_process_comes_back_as_itself(pool) -> None:
    for error in (
        NoFiniteNoise("σk"),
        InputError("k", "2 or more", "1", "Take 2."),
        DpldaError("no"),
    ):
        with pytest.raises(type(error)) as raised:
            pool.run(refuses, error)
        assert (str(raised.value), vars(raised.value)) == (str(error), vars(error))


def test_unforeseen_error_in_a_process_comes_back_without_its_words(pool, capfd) -> None:
    with pytest.raises(ProcessError, match="KeyError") as unforeseen:
        pool.run(breaks)
    assert CANARY not in str(unforeseen.value)
    assert unforeseen.value.__context__ is None
    assert CANARY not in "".join(capfd.readouterr())


@pytest.mark.parametrize("kind", ["unreadable", "unpicklable"])
def test_pool_result_that_cannot_be_pickled_is_an_error(pool, kind) -> None:
    with pytest.raises(ProcessError):
        pool.run(gives, kind)
    assert pool.run(doubled, 2) == 4


def test_interrupted_run_ends_only_a_process_that_does_not_listen() -> None:
    pool = Pool(1, patience=5.0)

    def gives_up(share: float, line: str) -> None:
        if line == "Working":
            raise InterruptedError

    pid = pool.run(where, None)[0]
    with pytest.raises(InterruptedError):
        pool.run(lasts, True, report=gives_up)
    assert pool.run(where, None)[0] == pid
    with pytest.raises(InterruptedError):
        pool.run(lasts, False, report=gives_up)
    waited_for(lambda: not alive(pid))


def test_run_beside_other_work_has_one_thread(pool) -> None:
    assert pool.run(threaded)
    with occupied(pool):
        assert not pool.run(threaded)


def test_run_without_a_free_process_waits(pool) -> None:
    def leaves(share: float, line: str) -> None:
        if line == "Waiting for other work":
            raise ZeroDivisionError

    with occupied(pool), occupied(pool), pytest.raises(ZeroDivisionError):
        pool.run(doubled, 1, report=leaves)


def test_shared_value_that_is_forgotten_is_in_no_process(pool) -> None:
    secret, other_value = Shared(np.arange(3)), Shared(np.arange(4))
    pid = pool.run(where, secret)[0]
    pool.forget(other_value.key)
    assert pool.run(where, secret)[0] == pid
    pool.forget(secret.key)
    waited_for(lambda: not alive(pid))


def test_busy_process_with_a_forgotten_value_ends_when_it_is_done(pool) -> None:
    secret = Shared(np.arange(3))
    processes_seen: list[int] = []

    def forgets(share: float, line: str) -> None:
        if not processes_seen:
            processes_seen.append(pool._busy[0].process.pid)
            pool.forget(secret.key)

    assert pool.run(doubled, secret, report=forgets).tolist() == [0, 2, 4]
    waited_for(lambda: not alive(processes_seen[0]))


def test_retire_ends_idle_processes_now() -> None:
    pool = Pool(2)
    pid = pool.run(where, None)[0]
    pool.retire()
    waited_for(lambda: not alive(pid))
    assert pool.run(where, None)[0] != pid


def test_retire_lets_a_busy_process_finish() -> None:
    pool, processes_seen = Pool(1), []

    def retires(share: float, line: str) -> None:
        if not processes_seen:
            processes_seen.append(pool._busy[0].process.pid)
            pool.retire()

    assert pool.run(doubled, 2, report=retires) == 4
    waited_for(lambda: not alive(processes_seen[0]))


def test_processes_end_with_whoever_asks_even_where_that_is_killed() -> None:
    script = (
        "import time; from dplda.core.worker_pool import Pool; from tests.core.pool_work import lasts\n"
        "pool = Pool(1)\n"
        "def report(share, line):\n"
        "    if line == 'Working': print(pool._busy[0].process.pid, flush=True); time.sleep(600)\n"
        "pool.run(lasts, False, report=report)"
    )
    asks = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    with asks:
        assert asks.stdout is not None
        pid = int(asks.stdout.readline())
        assert alive(pid)
        asks.kill()
    waited_for(lambda: not alive(pid))


def test_progress_of_a_run_tells_every_step_in_few_lines(pool) -> None:
    lines_told = []
    pool.run(steps, report=lambda share, line: lines_told.append(line))
    assert (
        "".join(
            line
            for line_before, line in pairwise(["", *lines_told])
            if line not in (line_before, "Starting")
        )
        == "abcabc"
    )
    assert len(lines_told) < 100


@pytest.mark.parametrize(
    ("urgent", "served"),
    [((0, 1, 2, 3), [0, 1, 2, 3]), ((1, 3), [1, 3, 0, 2])],
    ids=["all urgent", "some urgent"],
)
def test_pool_line_serves_urgent_work_first_else_by_arrival(
    urgent: tuple[int, ...], served: list[int]
) -> None:
    pool, order, line = Pool(1), [], []

    def ask(number: int) -> None:
        pool.run(
            where,
            number,
            report=lambda *progress: number in line or line.append(number),
            is_urgent=number in urgent,
        )
        order.append(number)

    with occupied(pool):
        waiting = [Thread(target=ask, args=(number,)) for number in range(4)]
        for number, thread in enumerate(waiting):
            thread.start()
            while number not in line:
                time.sleep(GLANCE / 5)
    for thread in waiting:
        thread.join(SOON)
    pool.close()
    assert line == [0, 1, 2, 3]
    assert order == served


def test_unhurried_work_with_urgent_work_waiting_pauses_until_that_is_done(
    pool, monkeypatch
) -> None:
    monkeypatch.setattr(pool, "_size", 1)
    order: list[str] = []

    def ask_urgently() -> None:
        pool.run(where, None)
        order.append("urgent")

    urgent = Thread(target=ask_urgently)

    def report(share: float, line: str) -> None:
        if line == "Taking a while" and not urgent.ident:
            urgent.start()

    pool.run(takes_a_while, report=report, is_urgent=False)
    order.append("unhurried")
    urgent.join(SOON)
    assert order == ["urgent", "unhurried"]


def test_paused_work_that_nobody_waits_for_ends_without_its_process(pool, monkeypatch) -> None:
    monkeypatch.setattr(pool, "_size", 1)
    process_id = pool.run(takes_a_while)
    urgent = occupied(pool)

    def report(share: float, line: str) -> None:
        if pool._paused:
            raise InterruptedError
        if line == "Taking a while":
            urgent.__enter__()

    with pytest.raises(InterruptedError):
        pool.run(takes_a_while, report=report, is_urgent=False)
    urgent.__exit__(None, None, None)
    assert not pool._paused
    assert alive(process_id)
