"""Limits on time, as multiples of a fixed piece of work that is timed beside what they limit; and waiting.

A limit is stated in seconds of one idle machine. Elsewhere, or when other programs run, the work takes longer, and the
limit is longer by the same factor. Tests with such limits are marked ``timing``: they run last, and alone.
"""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

T = TypeVar("T")
PATIENCE = 240  # seconds, for what a machine with other work may take its time for

USUAL = 0.010  # seconds that the work takes on that machine


def slowness() -> float:
    """By what factor things take longer here and now than on the machine that limits are stated for."""
    return statistics.median(_seconds() for _ in range(7)) / USUAL


def waited_for(condition: Callable[[], T]) -> T:
    """What a condition gives, once that is something."""
    end = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < end, "not after four minutes"
        time.sleep(0.002)
    return value


def alive(pid: int) -> bool:
    """Whether a process is there and has not ended unheard."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _seconds() -> float:
    """Of work such as the project's own: a loop, a sort, a dictionary."""
    start = time.perf_counter()
    sum(n * n % 7 for n in range(150_000))
    np.sort(np.random.default_rng(0).random(120_000))
    {str(n): n for n in range(30_000)}
    return time.perf_counter() - start
