"""Visitors who move ε at the same time, on one process and on several behind the sticky proxy, without browsers."""

import argparse
import http.client
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from benchmarks.rerun import ROOT, Row, processor, resident
from dplda import launch

INTERACTIONS, THINKS = 200, (1.0, 4.0)  # of all visitors together; seconds that one looks before the next step
PAGE, LABEL = "topics", "Privacy loss"
COOKIE = re.compile(r"dplda=[^;]+")


def add_options(parser: argparse.ArgumentParser) -> None:
    """How many visitors, and processes."""
    parser.add_argument("--visitors", type=int, nargs="+", default=[8, 20])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])


class Visitor:
    """One session on the documents of the package: what a browser sends and waits for.

    Args:
        port: of the dashboard.
        seed: of the noise.
    """

    def __init__(self, port: int, seed: int) -> None:
        self._query, self._options, self._slider = urlencode({"seed": seed}), [], ""
        first = http.client.HTTPConnection(launch.HOST, port, timeout=120)
        first.request("GET", "/")
        answer = first.getresponse()
        given = COOKIE.search(answer.getheader("Set-Cookie") or "")
        answer.read()
        self._line: ClientConnection = connect(
            f"ws://{launch.HOST}:{port}/_stcore/stream",
            subprotocols=["streamlit"],
            additional_headers={"Cookie": given.group()} if given else None,
            max_size=None,
            ping_interval=None,
            open_timeout=120,
        )
        self.failed = False
        self.run()
        self._at = self._options.index("3")

    def run(self, epsilon: str = "") -> float:
        """Ask for a run, at another ε if one is named; seconds until all of it has arrived."""
        asked = BackMsg()
        asked.rerun_script.query_string, asked.rerun_script.page_name = self._query, PAGE
        if epsilon:
            state = asked.rerun_script.widget_states.widgets.add()
            state.id = self._slider
            state.string_array_value.data.append(epsilon)
        start = time.perf_counter()
        self._line.send(asked.SerializeToString())
        while True:
            told = ForwardMsg()
            told.ParseFromString(self._line.recv(timeout=300))
            kind = told.WhichOneof("type")
            if kind == "delta" and told.delta.new_element.WhichOneof("type") == "slider":
                slider = told.delta.new_element.slider
                if slider.label.startswith(LABEL):
                    self._slider, self._options = slider.id, list(slider.options)
            elif kind == "delta" and told.delta.new_element.WhichOneof("type") == "exception":
                self.failed = True
            elif kind == "page_info_changed":
                self._query = told.page_info_changed.query_string
            elif kind == "script_finished":
                return time.perf_counter() - start

    def step(self, way: int) -> float:
        """Move ε by one step; back where it ends."""
        last = len(self._options) - 1
        self._at = min(max(self._at + way, 0), last) if 0 < self._at < last else abs(self._at - 1)
        return self.run(self._options[self._at])

    def leave(self) -> None:
        """Close the tab."""
        self._line.close()


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
        crowd = list(pool.map(lambda seed: Visitor(port, seed if own else 0), range(1, number + 1)))

        def walk(visitor: Visitor, seed: int, steps: int) -> list[float]:
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
