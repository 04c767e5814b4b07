"""Visitors who move ε at the same time, without browsers."""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.rerun import ROOT, Row, processor, resident
from benchmarks.visitor import Visitor, free_port

INTERACTIONS, THINKS = (
    200,
    (1.0, 4.0),
)  # of all visitors together; seconds that one looks before the next step
PAGE, LABEL = "explore", "Privacy budget"


def add_options(parser: argparse.ArgumentParser) -> None:
    """How many visitors."""
    parser.add_argument("--visitors", type=int, nargs="+", default=[8, 20])


class Mover(Visitor):
    """A visitor who moves ε, on the documents of the package.

    Args:
        port: of the dashboard.
        seed: of the noise.
    """

    def __init__(self, port: int, seed: int) -> None:
        super().__init__(port, PAGE, {"seed": str(seed)})
        self.run()
        (self._slider,) = (
            slider for label, slider in self.sliders.items() if label.startswith(LABEL)
        )
        self._at = list(self._slider.options).index("3")

    def step(self, way: int) -> float:
        """Move ε by one step, back where it ends; seconds as of a run."""
        options = list(self._slider.options)
        last = len(options) - 1
        self._at = min(max(self._at + way, 0), last) if 0 < self._at < last else abs(self._at - 1)
        moved = WidgetState(id=self._slider.id)
        moved.string_array_value.data.append(options[self._at])
        return self.run(moved)


def run(visitors: list[int]) -> Iterator[Row]:
    """One row a number of visitors, each with noise of their own or all with the same.

    ``median`` and ``nine in ten`` are seconds from a step of ε to the whole answer, by the clock of a machine whose
    ``load`` is given; ``processor`` is the milliseconds of processor time that a step cost.
    """
    for number in visitors:
        for own in (False, True):
            with _dashboard() as (port, pid):
                yield {"visitors": number, "noise": "own" if own else "shared"} | _measured(
                    port, pid, number, own=own
                )


def _measured(port: int, pid: int, number: int, *, own: bool) -> Row:
    steps = INTERACTIONS // number
    with ThreadPoolExecutor(number) as pool:
        crowd = list(pool.map(lambda seed: Mover(port, seed if own else 0), range(1, number + 1)))

        def walk(visitor: Mover, seed: int, steps: int) -> list[float]:
            random, seconds = np.random.default_rng(seed), []
            for _ in range(steps):
                time.sleep(random.uniform(*THINKS))
                seconds.append(visitor.step(int(random.choice((-1, 1, 1)))))
            return seconds

        begun, memory, seconds = processor(pid), [], []
        for share in (steps // 2, steps - steps // 2):
            found = pool.map(walk, crowd, range(number), [share] * number)
            seconds += [each for one in found for each in one]
            memory.append(resident(pid))
    for visitor in crowd:
        visitor.leave()
    return {
        "interactions": len(seconds),
        "errors": sum(visitor.failed for visitor in crowd),
        "median": round(statistics.median(seconds), 2),
        "nine in ten": round(statistics.quantiles(seconds, n=10)[-1], 2),
        "processor": round(1000 * (processor(pid) - begun) / len(seconds)),
        "megabytes half way": memory[0],
        "megabytes": memory[1],
        "load": round(os.getloadavg()[0], 1),
    }


@contextmanager
def _dashboard() -> Iterator[tuple[int, int]]:
    """The dashboard as ``dplda app`` starts it: its port, and its server's process."""
    port = free_port()
    command = [sys.executable, "-m", "dplda", "app", "--port", str(port), "--no-open"]
    app = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        assert app.stdout is not None
        app.stdout.readline()  # where it is, once it answers
        yield port, app.pid
    finally:
        app.send_signal(signal.SIGTERM)
        app.wait()
