"""Processes that end when they are asked to, or with whoever started them, even where that is killed: by a pipe."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


def follow(end: Callable[[], None]) -> None:
    """Have this process ended by a function once nobody holds the other end of its standard input any more."""
    threading.Thread(target=_wait, args=(end,), daemon=True).start()


@contextmanager
def stoppable() -> Iterator[None]:
    """Let a polite request to end do what Ctrl+C does, so that nothing is left behind; in the main thread alone."""

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
    while os.read(0, 1024):  # not sys.stdin, whose lock a thread at its end would hold for ever
        pass
    end()
