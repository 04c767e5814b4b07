"""Reading in a process of its own: it ends when nobody waits, is used again, and its ends are errors of ours."""

import os
import signal
import subprocess
import sys
import time

import pytest

from dplda.core.errors import ReadError
from dplda.core.worker_pool import ProcessError
from dplda.corpus.readers import reading_process
from dplda.corpus.readers.reading_process import TooSlowError, asked


def identity() -> int:
    return os.getpid()


def busy(report=None) -> None:
    """Holds the interpreter, as a bad expression does."""
    if report is not None:
        report(0.5, "begun")
    sum(range(10**12))


def waiting() -> None:
    time.sleep(600)


def hungry() -> int:
    return len(bytearray(2**33))


def core_dumps() -> int:
    import resource

    return resource.getrlimit(resource.RLIMIT_CORE)[0]


def refusing() -> None:
    raise ReadError("a.txt", "bad", "Mend it.", row=3)


def failing() -> None:
    raise KeyError("canary")


def dying() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_process_is_used_again_and_missed_where_it_has_ended() -> None:
    first = asked(identity)
    assert first not in (os.getpid(), None)
    assert asked(identity) == first
    (worker,) = reading_process.POOL._idle
    worker.process.kill()
    worker.process.wait()
    assert asked(identity) not in (first, os.getpid())


def test_it_is_killed_when_nobody_waits_any_more() -> None:
    """Also where what it does never looks up."""
    started, seen = [], []

    def leaves(share: float, line: str) -> None:
        seen.append((share, line))
        started[:] = reading_process.POOL._busy
        if line == "begun":
            raise InterruptedError

    before = time.monotonic()
    with pytest.raises(InterruptedError):
        asked(busy, leaves, reports=True)
    assert time.monotonic() - before < 20
    assert seen[-1] == (0.5, "begun")
    assert not is_alive(started[0].process.pid)
    assert started[0] not in reading_process.POOL._idle


def test_ends_are_errors_of_ours() -> None:
    with pytest.raises(ReadError, match=r"a.txt, row 3: bad. Mend it."):
        asked(refusing)
    for work, name in ((failing, "KeyError"), (dying, "")):
        with pytest.raises(ProcessError) as ended:
            asked(work)
        assert ended.value.name == name
    with pytest.raises(TooSlowError):
        asked(busy, seconds=1)


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on memory there")
def test_it_takes_no_more_memory_than_it_may() -> None:
    with pytest.raises(ProcessError, match=reading_process.NO_MEMORY):
        asked(hungry)


@pytest.mark.skipif(sys.platform == "win32", reason="no core dumps there")
def test_where_it_crashes_no_memory_is_written_to_disk() -> None:
    assert asked(core_dumps) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on processor time there")
def test_it_ends_itself_where_nobody_is_left_to_end_it(monkeypatch) -> None:
    """By the processor time that the system counts."""
    monkeypatch.setattr(reading_process, "MOST_SECONDS", 1)
    with pytest.raises(TooSlowError):
        asked(busy)


def test_it_ends_with_the_process_that_asks() -> None:
    """However that ends."""
    code = "from tests.corpus.readers.test_reading_process import *; print(asked(identity), flush=True); asked(waiting)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as asking:
        pid = int(asking.stdout.readline())
        assert is_alive(pid)
        asking.kill()
    until = time.monotonic() + 20
    while is_alive(pid):
        assert time.monotonic() < until
        time.sleep(0.05)
