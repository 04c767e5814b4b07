"""Visitors who move ε at the same time, without browsers."""

import argparse
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.rerun import ROOT, TICKS, Row, processor, resident
from benchmarks.visitor import Step, Visitor, free_port

N_STEPS = 100  # of all visitors together
SECONDS_TO_LOOK = (1.0, 4.0)  # at a picture, before the next step
GOAL = 2.0  # seconds within which 95 of 100 steps should have their picture
PAGE = "explore"
VIEWS = ("configurations", "topics")  # the one that Explore opens on, and the slowest one
LABEL = "Privacy budget"
FIRST_EPSILON = "3"
WARM_SECONDS = 3.0  # between the server's start and the first visitor


def add_options(parser: argparse.ArgumentParser) -> None:
    """How many visitors, on which views, and how many steps they make."""
    parser.add_argument("--visitors", type=int, nargs="+", default=[20])
    parser.add_argument("--views", nargs="+", choices=VIEWS, default=list(VIEWS))
    parser.add_argument("--steps", type=int, default=N_STEPS, help="of all visitors together")


class Mover(Visitor):
    """A visitor who moves ε on one view, on the documents that Explore opens with.

    Args:
        port: of the dashboard.
        view: of Explore.
        seed: of the noise.

    Attributes:
        first: time of the first answer.
    """

    def __init__(self, port: int, view: str, seed: int) -> None:
        super().__init__(port, PAGE, {"view": view, "seed": str(seed)})
        self.first = self.ask(seconds_to_look=0.0)
        (self._slider,) = (
            slider for label, slider in self.sliders.items() if label.startswith(LABEL)
        )
        self._position = list(self._slider.options).index(FIRST_EPSILON)

    def move(self, direction: int, seconds_to_look: float) -> Step:
        """Move ε by one stop, back where the stops end, and look at the picture."""
        last_position = len(self._slider.options) - 1
        if 0 < self._position < last_position:
            self._position += direction
        else:
            self._position = abs(self._position - 1)
        moved_slider = WidgetState(id=self._slider.id)
        moved_slider.string_array_value.data.append(self._slider.options[self._position])
        return self.ask(moved_slider, seconds_to_look=seconds_to_look)


@dataclass(frozen=True, slots=True)
class _ProcessorUse:
    """Processor time of the machine and of the dashboard so far, in seconds.

    Attributes:
        clock: time of the reading.
        machine: used by all processes.
        dashboard: used by the server and its processes.
        benchmark: used by this process.
    """

    clock: float
    machine: float
    dashboard: float
    benchmark: float

    @classmethod
    def read(cls, pid: int) -> "_ProcessorUse":
        """Read all of it now."""
        (total, *_) = Path("/proc/stat").read_text("utf-8").splitlines()
        user, nice, system, _idle, _waiting, *interrupts = map(int, total.split()[1:8])
        return cls(
            clock=time.monotonic(),
            machine=(user + nice + system + sum(interrupts)) / TICKS,
            dashboard=processor(pid),
            benchmark=time.process_time(),
        )

    def cores_of_others(self, start: "_ProcessorUse") -> float:
        """Cores that other programs kept busy since ``start``, on average."""
        own_seconds = self.dashboard - start.dashboard + self.benchmark - start.benchmark
        return max(0.0, self.machine - start.machine - own_seconds) / (self.clock - start.clock)


def run(visitors: list[int], views: list[str], steps: int) -> Iterator[Row]:
    """One row for each number of visitors, view, and noise: the same for all, or each their own.

    ``median`` to ``19 in 20`` are seconds from a step of ε until its picture is drawn, and ``within
    2 s`` says which share of the steps took no longer. A picture may be a first look at some of the
    documents, and have no error bars: all that follows while the visitor looks at it, and
    ``completed`` says at which share of the steps (in percent) it did before they moved on.
    ``first`` is the slowest of the first pictures, which all ask for at once. ``processor`` is the
    milliseconds of processor time that a step cost, later work included. ``others`` is the number
    of cores that other programs kept busy meanwhile.
    """
    for n_visitors in visitors:
        for view in views:
            for has_own_noise in (False, True):
                with _dashboard() as (port, pid):
                    time.sleep(WARM_SECONDS)
                    yield {
                        "view": view,
                        "visitors": n_visitors,
                        "noise": "own" if has_own_noise else "shared",
                    } | _measure(port, pid, view, n_visitors, steps, has_own_noise=has_own_noise)


def _measure(
    port: int, pid: int, view: str, n_visitors: int, n_steps: int, *, has_own_noise: bool
) -> Row:
    """Let visitors arrive, and then walk, all at the same time."""

    def arrive(seed: int) -> Mover:
        return Mover(port, view, seed if has_own_noise else 0)

    def walk(visitor: Mover, seed: int) -> list[Step]:
        random = np.random.default_rng(seed)
        steps = []
        time.sleep(random.uniform(*SECONDS_TO_LOOK))
        for _ in range(n_steps // n_visitors):
            seconds_to_look = random.uniform(*SECONDS_TO_LOOK)
            direction = int(random.choice((-1, 1, 1)))
            moved_at = time.monotonic()
            step = visitor.move(direction, seconds_to_look)
            steps.append(step)
            looked_until = moved_at + step.picture + seconds_to_look
            time.sleep(max(0.0, looked_until - time.monotonic()))
        return steps

    seeds = range(1, n_visitors + 1)
    with ThreadPoolExecutor(n_visitors) as pool:
        crowd = list(pool.map(arrive, seeds))
        start = _ProcessorUse.read(pid)
        steps = [step for walked in pool.map(walk, crowd, seeds) for step in walked]
        end = _ProcessorUse.read(pid)
    for visitor in crowd:
        visitor.leave()
    return {
        "steps": len(steps),
        "errors": sum(visitor.failed for visitor in crowd),
        **_summarize([step.picture for step in steps]),
        "completed": round(100 * sum(step.whole is not None for step in steps) / len(steps)),
        "first": round(max(visitor.first.picture for visitor in crowd), 2),
        "processor": round(1000 * (end.dashboard - start.dashboard) / len(steps)),
        "megabytes": resident(pid),
        "others": round(end.cores_of_others(start), 1),
    }


def _summarize(seconds: Sequence[float]) -> Row:
    """Quantiles of times, and the share within the goal in percent."""
    twentieths = statistics.quantiles(seconds, n=20)
    n_within_goal = sum(step_seconds <= GOAL for step_seconds in seconds)
    return {
        "median": round(statistics.median(seconds), 2),
        "nine in ten": round(twentieths[17], 2),
        "19 in 20": round(twentieths[18], 2),
        f"within {GOAL:g} s": round(100 * n_within_goal / len(seconds)),
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
