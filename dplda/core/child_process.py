"""Child processes that exit with their parent, detected by end-of-file on standard input."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


def follow(end: Callable[[], None]) -> None:
    """Call a function, which ends this process, once the parent closes standard input or dies."""
    threading.Thread(target=_wait, args=(end,), daemon=True).start()


@contextmanager
def stoppable() -> Iterator[None]:
    """Make SIGTERM raise KeyboardInterrupt, so that a process cleans up before it ends; in the main thread only."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _wait(end: Callable[[], None]) -> None:
    while os.read(0, 1024):  # not sys.stdin: this thread would hold its lock forever
        pass
    end()
