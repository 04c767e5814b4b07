"""Reading in a process of its own, with limits of its own, whose ends are errors of ours."""

import os
import signal
import sys

import pytest

from dplda.core.errors import ReadError
from dplda.core.worker_pool import ProcessError, reading_process
from dplda.core.worker_pool.reading_process import TooSlowError, run_in_process


def busy() -> None:
    """Holds the interpreter, as a bad expression does."""
    sum(range(10**12))


def core_dumps() -> int:
    import resource

    return resource.getrlimit(resource.RLIMIT_CORE)[0]


def refusing() -> None:
    raise ReadError("a.txt", "bad", "Mend it.", row=3)


def failing() -> None:
    raise KeyError("canary")


def dying() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_ends_are_errors_of_ours() -> None:
    with pytest.raises(ReadError, match=r"a.txt, row 3: bad. Mend it."):
        run_in_process(refusing)
    for work, name in ((failing, "KeyError"), (dying, "")):
        with pytest.raises(ProcessError) as ended:
            run_in_process(work)
        assert ended.value.name == name
    with pytest.raises(TooSlowError):
        run_in_process(busy, seconds=1)


@pytest.mark.skipif(sys.platform == "win32", reason="no core dumps there")
def test_reading_process_writes_no_core_dump() -> None:
    assert run_in_process(core_dumps) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on processor time there")
def test_reading_process_without_a_parent_ends_itself(monkeypatch) -> None:
    """By the processor time that the system counts."""
    monkeypatch.setattr(reading_process, "MAX_SECONDS", 1)
    with pytest.raises(TooSlowError):
        run_in_process(busy)
