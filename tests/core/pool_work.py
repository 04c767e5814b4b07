"""Work for the processes of a pool, in a file without pytest, whose import takes each process a quarter of a second."""

import os
import time

import numpy as np

from dplda.core.engine import Threads, _in_use
from dplda.core.errors import DpldaError
from dplda.core.types import Report
from dplda.core.worker_pool.worker import GLANCE

CANARY = "zanzibarcanary"


def doubled(value: np.ndarray, report: Report) -> np.ndarray:
    for share in (0.0, 0.5):
        report(share, "Doubling")
        time.sleep(2 * GLANCE)
    return 2 * value


def where(value: object, report: Report) -> tuple[int, int]:
    return os.getpid(), id(value)


def refuses(error: DpldaError, report: Report) -> None:
    raise error


def breaks(report: Report) -> None:
    raise KeyError(CANARY)


class Unreadable:
    def __reduce__(self) -> tuple[object, ...]:
        return int, ("no number",)


def gives(kind: str, report: Report) -> object:
    return Unreadable() if kind == "unreadable" else lambda: None


def lasts(listens: bool, report: Report) -> None:
    while True:
        report(0.5, "Working")
        while not listens:
            time.sleep(1)
        time.sleep(0.01)


def takes_a_while(report: Report) -> int:
    for _ in range(40):
        report(0.5, "Taking a while")
        time.sleep(0.01)
    return os.getpid()


def steps(report: Report) -> None:
    for line in "abcabc":
        for share in range(1000):
            report(share / 1000, line)


def threaded(report: Report) -> bool:
    return isinstance(_in_use.get(Threads()), Threads)
