"""Visitors who move ε at the same time, on one process and on several behind the sticky proxy, without browsers."""

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
from pathlib import Path

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.rerun import ROOT, Row, processor, resident
from benchmarks.visitor import Visitor
from dplda import launch

INTERACTIONS, THINKS = 200, (1.0, 4.0)  # of all visitors together; seconds that one looks before the next step
PAGE, LABEL = "topics", "Privacy loss"


def add_options(parser: argparse.ArgumentParser) -> None:
    """How many visitors, and processes."""
    parser.add_argument("--visitors", type=int, nargs="+", default=[8, 20])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])


class Mover(Visitor):
    """A visitor who moves ε, on the documents of the package.

    Args:
        port: of the dashboard.
        seed: of the noise.
    """

    def __init__(self, port: int, seed: int) -> None:
        super().__init__(port, PAGE, {"seed": str(seed)})
        self.run()
        (self._slider,) = (slider for label, slider in self.sliders.items() if label.startswith(LABEL))
        self._at = list(self._slider.options).index("3")

    def step(self, way: int) -> float:
        """Move ε by one step, back where it ends; seconds as of a run."""
        options = list(self._slider.options)
        last = len(options) - 1
        self._at = min(max(self._at + way, 0), last) if 0 < self._at < last else abs(self._at - 1)
        moved = WidgetState(id=self._slider.id)
        moved.string_array_value.data.append(options[self._at])
        return self.run(moved)


def run(visitors: list[int], workers: list[int]) -> Iterator[Row]:
    """One row a number of visitors and of processes, each with noise of their own or all with the same.

    ``median`` and ``nine in ten`` are seconds from a step of ε to the whole answer, by the clock of a machine whose
    ``load`` is given; ``processor`` is the milliseconds of processor time that a step cost all processes together.
    """
    for count in workers:
        for number in visitors:
            for own in (False, True):
                with _dashboard(count) as (port, pids):
                    yield {"visitors": number, "processes": count, "noise": "own" if own else "shared"} | _measured(
                        port, pids, number, own=own
                    )


def _measured(port: int, pids: list[int], number: int, *, own: bool) -> Row:
    steps = INTERACTIONS // number
    with ThreadPoolExecutor(number) as pool:
        crowd = list(pool.map(lambda seed: Mover(port, seed if own else 0), range(1, number + 1)))

        def walk(visitor: Mover, seed: int, steps: int) -> list[float]:
            random, seconds = np.random.default_rng(seed), []
            for _ in range(steps):
                time.sleep(random.uniform(*THINKS))
                seconds.append(visitor.step(int(random.choice((-1, 1, 1)))))
            return seconds

        begun, memory, seconds = sum(map(processor, pids)), [], []
        for share in (steps // 2, steps - steps // 2):
            found = pool.map(walk, crowd, range(number), [share] * number)
            seconds += [each for one in found for each in one]
            memory.append(sum(map(resident, pids)))
    for visitor in crowd:
        visitor.leave()
    return {
        "interactions": len(seconds),
        "errors": sum(visitor.failed for visitor in crowd),
        "median": round(statistics.median(seconds), 2),
        "nine in ten": round(statistics.quantiles(seconds, n=10)[-1], 2),
        "processor": round(1000 * (sum(map(processor, pids)) - begun) / len(seconds)),
        "megabytes half way": memory[0],
        "megabytes": memory[1],
        "load": round(os.getloadavg()[0], 1),
    }


@contextmanager
def _dashboard(count: int) -> Iterator[tuple[int, list[int]]]:
    """The dashboard as ``dplda app`` starts it: its port, and its processes but for the one that waits for them."""
    port = launch.free_port()
    command = [sys.executable, "-m", "dplda", "app", "--port", str(port), "--no-open", "--workers", str(count)]
    app = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        launch.wait_until_healthy(app, port)
        children = Path(f"/proc/{app.pid}/task/{app.pid}/children").read_text().split()
        yield port, list(map(int, children))
    finally:
        app.send_signal(signal.SIGTERM)
        app.wait()
