"""The dashboard's server, which writes down what fits cost it: ``python -m benchmarks.timed_server FILE app.py``.

A line a fit: the name of the thread that ran it, and the processor time of that thread and of those that sum for it;
a line for the intervals of its topics likewise. Pages and messages are not in it.
"""

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from streamlit.web import cli

from dplda.methods.base.error_bars import Uncertainty
from dplda.methods.registry import METHODS
from dplda.ui.server.process import put_right

P = ParamSpec("P")
R = TypeVar("R")
INSIDE = threading.local()


def _timed(work: Callable[P, R], file: Path) -> Callable[P, R]:
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if getattr(INSIDE, "fit", False):
            return work(*args, **kwargs)
        INSIDE.fit, before = True, _processor()
        try:
            return work(*args, **kwargs)
        finally:
            INSIDE.fit = False
            with file.open("a") as lines:
                lines.write(f"{threading.current_thread().name} {_processor() - before:.4f}\n")

    return run


def _processor() -> float:
    """Seconds of processor time of this thread and of those that sum for it."""
    sums = [thread for thread in threading.enumerate() if thread.name.startswith("dplda-sum")]
    clocks = [
        time.pthread_getcpuclockid(thread.ident) for thread in sums if thread.ident is not None
    ]
    return time.thread_time() + sum(map(time.clock_gettime, clocks))


def main() -> None:
    """Times fits, and serves."""
    file = Path(sys.argv[1])
    for method in METHODS.values():
        object.__setattr__(method, "fit", _timed(method.fit, file))
    Uncertainty.interval = _timed(Uncertainty.interval, file)  # type: ignore[method-assign]
    put_right()
    cli.main(["run", *sys.argv[2:]])


if __name__ == "__main__":
    main()
