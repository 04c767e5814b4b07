"""Reading in a process that can be killed, since a hostile file may take for ever or all memory.

A process does one piece of work after the other, so that many small documents start it once. It
ends after a while without work, with the process that asks, and when it takes more processor time
than it may.
"""

import math
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from dplda.core.types import Report, silent
from dplda.core.worker_pool import Pool, ProcessError

if sys.platform != "win32":  # where the limit by the clock is all there is
    import resource

MAX_MEMORY = 2**32  # bytes of address space
MAX_SECONDS = 3600  # of processor time
NO_MEMORY = "MemoryError"
POOL = Pool(64, tries=1, patience=0.0, idle=60.0, quiet=True)

V = TypeVar("V")


class TooSlowError(Exception):
    """The work took more seconds than it may."""


class TooMuchProcessorTimeError(TooSlowError):
    """The work took more processor time than it may."""


class Measured(NamedTuple, Generic[V]):
    """Result of some work.

    Attributes:
        value: what the work returned.
        seconds: processor seconds that it took.
    """

    value: V
    seconds: float


def run_in_process(
    work: Callable[..., V], watch: Report = silent, *, reports: bool = False, seconds: int = 0
) -> V:
    """Run some work in a process and return its value.

    The process may use ``MAX_MEMORY`` bytes of address space; its processor time is limited to
    ``seconds`` too, and to an hour without them.

    Args:
        work: function that can be pickled.
        watch: called in this thread, many times a second, with the work's progress; may raise to
            give up.
        reports: whether the work takes a ``report`` argument to tell its progress.
        seconds: limit by the clock; 0 for none.

    Raises:
        DpldaError: what the work refuses.
        TooSlowError: the work took longer, or too much processor time.
        ProcessError: the work failed with an error that is none of dplda's, such as a lack of
            memory, or the process ended before it.
    """
    return run_measured(work, watch, reports=reports, seconds=seconds).value


def run_measured(
    work: Callable[..., V],
    watch: Report = silent,
    *,
    reports: bool = False,
    seconds: int = 0,
    processor_seconds: float = math.inf,
    added_memory: int = MAX_MEMORY,
) -> Measured[V]:
    """Run some work as ``run_in_process`` does, and measure the processor time that it takes.

    Further arguments as for ``run_in_process``; processor time is limited to ``seconds`` too, and
    to an hour without them.

    Args:
        processor_seconds: limit on processor time, rounded up to a whole second.
        added_memory: bytes of address space that it may take beyond those of the process.

    Raises:
        TooMuchProcessorTimeError: the work took more processor time. Further errors as of
            ``run_in_process``, as for too much elapsed time.
    """
    deadline = time.monotonic() + (seconds or math.inf)
    processor_limit = math.ceil(min(seconds or MAX_SECONDS, max(0.0, processor_seconds)))

    def watch_clock(share: float, line: str) -> None:
        if time.monotonic() > deadline:
            raise TooSlowError
        watch(share, line)

    try:
        result: Measured[V] = POOL.run(
            _run_limited, work, reports, processor_limit, added_memory, report=watch_clock
        )
    except ProcessError as error:
        if error.signal and error.signal == getattr(signal, "SIGXCPU", None):
            raise TooMuchProcessorTimeError from None
        raise
    return result


def _run_limited(
    work: Callable[..., V], reports: bool, seconds: int, added_memory: int, report: Report
) -> Measured[V]:
    """Run some work in this process within limits, and measure the processor time that it takes.

    The limit on processor time is lifted once the work has ended well; that on memory stays.

    Args:
        work: function to call; with ``report=`` if it ``reports``.
        reports: whether it takes ``report``.
        seconds: limit on processor time.
        added_memory: bytes of address space that it may take beyond those of the process.
        report: to tell its progress.
    """
    _limit_this_process(seconds, added_memory)
    start_processor_seconds = time.process_time()
    value: V = work(report=report) if reports else work()
    processor_seconds = time.process_time() - start_processor_seconds
    _lift_limit_on_processor_time()
    return Measured(value, processor_seconds)


def _limit_this_process(seconds: int, added_memory: int) -> None:
    """Limit processor time and memory from now on, and lower this process's priority.

    Past the limit of time the system kills the process. On Windows nothing is limited here.

    Args:
        seconds: of processor time, from now on.
        added_memory: bytes of address space beyond those in use.
    """
    if sys.platform != "win32":
        os.nice(max(0, 5 - os.nice(0)))
        _set_limit(resource.RLIMIT_CPU, int(time.process_time()) + seconds + 1)
        _set_limit(resource.RLIMIT_AS, min(MAX_MEMORY, _address_space() + added_memory))


def _lift_limit_on_processor_time() -> None:
    """Let the process live until its next work sets a limit; that of memory stays."""
    if sys.platform != "win32":
        _set_limit(resource.RLIMIT_CPU, resource.RLIM_INFINITY)


if sys.platform != "win32":

    def _address_space() -> int:
        """Bytes of address space of this process.

        The largest allowed if the system does not tell.
        """
        try:
            pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        except OSError:
            return MAX_MEMORY
        return pages * resource.getpagesize()

    def _set_limit(kind: int, limit: int) -> None:
        """Set a soft limit of this process, at most its hard limit."""
        hard_limit = resource.getrlimit(kind)[1]
        if hard_limit != resource.RLIM_INFINITY:
            limit = hard_limit if limit == resource.RLIM_INFINITY else min(limit, hard_limit)
        resource.setrlimit(kind, (limit, hard_limit))
