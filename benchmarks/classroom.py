"""A class walks through every lesson on one server: seconds from a click to the whole answer, of real sessions."""

import os
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np

from benchmarks.rerun import PORT, Row, server
from benchmarks.visitor import Visitor
from dplda.core import assets
from dplda.lessons import read_lesson

STUDENTS, THINKS = 20, (1.0, 4.0)  # seconds that somebody looks at a step before the next click
ANSWER, NEXT = "Show me without a guess", "Next"


def run() -> Iterator[Row]:
    """One row a lesson, draws shared or everybody's own, all clicking in the same instant or each in their own time.

    Seconds are of a whole step: from "Show me" to the whole reveal, and from "Next" to the question behind it; ``load``
    is that of the machine, the class on it.
    """
    lessons = [read_lesson(path) for path in sorted((assets.folder() / "lessons").glob("*.toml"))]
    with server():
        for own in (False, True):
            for together in (True, False):
                for number, lesson in enumerate(lessons, start=1):
                    steps = _walk(number, len(lesson.steps), own=own, together=together)
                    yield {
                        "lesson": lesson.name,
                        "students": STUDENTS,
                        "draws": "own" if own else "shared",
                        "clicks": "together" if together else "each in their own time",
                        "median": round(statistics.median(steps), 2),
                        "nine in ten": round(statistics.quantiles(steps, n=10)[-1], 2),
                        "worst": round(max(steps), 2),
                        "load": round(os.getloadavg()[0], 1),
                    }


def _walk(lesson: int, n_steps: int, *, own: bool, together: bool) -> list[float]:
    """Seconds of every step of every student."""
    barrier, address = (
        Barrier(STUDENTS),
        {"lesson": str(lesson), "step": "1"} | ({"draw": "own"} if own else {}),
    )

    def walk(number: int) -> list[float]:
        student, random, seconds = (
            Visitor(PORT, "learn", address),
            np.random.default_rng(number),
            [],
        )
        student.run()
        for step in range(n_steps):
            barrier.wait() if together else time.sleep(random.uniform(*THINKS))
            revealed = student.click(ANSWER)
            last = step == n_steps - 1
            if not last:
                barrier.wait() if together else time.sleep(random.uniform(*THINKS))
            seconds.append(revealed + (0.0 if last else student.click(NEXT)))
        student.leave()
        return seconds

    with ThreadPoolExecutor(STUDENTS) as pool:
        return [each for found in pool.map(walk, range(STUDENTS)) for each in found]
