"""Reading in a process that can be killed: a hostile file may take for ever, or all memory, and stops nobody else.

A process answers one question after the other, so that many small documents start it once. It ends where nobody asked
for a while, with the process that asks, or where it takes more processor time than it may.
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

MOST_MEMORY = 2**32  # bytes of address space
MOST_SECONDS = 3600  # of processor time
NO_MEMORY = "MemoryError"
POOL = Pool(64, tries=1, patience=0.0, idle=60.0, quiet=True)

V = TypeVar("V")


class TooSlowError(Exception):
    """It took more than the seconds it may."""


class TooMuchProcessorTimeError(TooSlowError):
    """It took more of the processor's time than it may."""


class Measured(NamedTuple, Generic[V]):
    """The value of some work, and the processor seconds that it took."""

    value: V
    seconds: float


def asked(
    work: Callable[..., V], watch: Report = silent, *, reports: bool = False, seconds: int = 0
) -> V:
    """The value of some work in a process; errors as of ``Pool.run``, and ``TooSlowError``.

    Args:
        watch: told in this thread, many times a second, how far it is; may raise to give up.
        reports: whether the work takes a ``report``, to say so.
        seconds: that it may take; 0 for no limit.
    """
    return measured(work, watch, reports=reports, seconds=seconds).value


def measured(
    work: Callable[..., V],
    watch: Report = silent,
    *,
    reports: bool = False,
    seconds: int = 0,
    processor_seconds: float = math.inf,
    added_memory: int = MOST_MEMORY,
) -> Measured[V]:
    """``asked``, with the processor time that the work took.

    Args:
        processor_seconds: that it may take, to the next second.
        added_memory: bytes of address space that it may take beyond those of the process; on Linux alone.
    """
    until = time.monotonic() + (seconds or math.inf)
    most = math.ceil(min(seconds or MOST_SECONDS, max(0.0, processor_seconds)))

    def look(share: float, line: str) -> None:
        if time.monotonic() > until:
            raise TooSlowError
        watch(share, line)

    try:
        made: Measured[V] = POOL.run(_limited, work, reports, most, added_memory, report=look)
        return made
    except ProcessError as error:
        if error.signal and error.signal == getattr(signal, "SIGXCPU", None):
            raise TooMuchProcessorTimeError from None
        raise


def _limited(
    work: Callable[..., V], reports: bool, seconds: int, added_memory: int, report: Report
) -> Measured[V]:
    if sys.platform != "win32":
        os.nice(max(0, 5 - os.nice(0)))  # pages come first
        _set_limit(resource.RLIMIT_CPU, int(time.process_time()) + seconds + 1)
        _set_limit(resource.RLIMIT_AS, min(MOST_MEMORY, _address_space() + added_memory))
    started = time.process_time()
    made: V = work(report=report) if reports else work()
    taken = time.process_time() - started
    if sys.platform != "win32":  # the next work sets its own limit, and must live to do so
        _set_limit(resource.RLIMIT_CPU, resource.RLIM_INFINITY)
    return Measured(made, taken)


if sys.platform != "win32":

    def _address_space() -> int:
        """Bytes of address space of this process; on systems that do not tell, the most that it may have."""
        try:
            pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        except OSError:
            return MOST_MEMORY
        return pages * resource.getpagesize()

    def _set_limit(what: int, limit: int) -> None:
        """Set a limit of this process, as far as the system lets it be raised."""
        hard = resource.getrlimit(what)[1]
        if hard != resource.RLIM_INFINITY:
            limit = hard if limit == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(what, (limit, hard))
