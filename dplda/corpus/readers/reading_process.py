"""Reading in a process that can be killed: a hostile file may take for ever, or all memory, and stops nobody else.

A process answers one question after the other, so that many small documents start it once. It ends where nobody asked
for a while, with the process that asks, or where it takes more processor time than it may.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from typing import TypeVar

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


def asked(
    work: Callable[..., V], watch: Report = silent, *, reports: bool = False, seconds: int = 0
) -> V:
    """The value of some work in a process; errors as of ``Pool.run``, and ``TooSlowError``.

    Args:
        watch: told in this thread, many times a second, how far it is; may raise to give up.
        reports: whether the work takes a ``report``, to say so.
        seconds: that it may take; 0 for no limit.
    """
    until = time.monotonic() + (seconds or float("inf"))

    def look(share: float, line: str) -> None:
        if time.monotonic() > until:
            raise TooSlowError
        watch(share, line)

    try:
        made: V = POOL.run(_limited, work, reports, seconds or MOST_SECONDS, report=look)
        return made
    except ProcessError as error:
        if error.signal and error.signal == getattr(signal, "SIGXCPU", None):
            raise TooSlowError from None
        raise


def _limited(work: Callable[..., V], reports: bool, seconds: int, report: Report) -> V:
    if sys.platform != "win32":
        os.nice(max(0, 5 - os.nice(0)))  # pages come first
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime) + seconds + 1
        for what, limit in ((resource.RLIMIT_CPU, most), (resource.RLIMIT_AS, MOST_MEMORY)):
            hard = resource.getrlimit(what)[1]
            resource.setrlimit(
                what, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard)
            )
    made: V = work(report=report) if reports else work()
    return made
