"""Some 550 hostile inputs on about three doors each: how many come in, how many are refused, and how many fail.

A run fails that takes more than 10 s or 1 GB, ends in a raw traceback or a status of its own, says a word of a
document, leaves temporary files, or takes a parameter that makes no sense. Chance makes those of ``random-files``.
"""

import argparse
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

from benchmarks.hostile.trying import Outcome, failures, trials, tried

PROCESSES = 2

Row = dict[str, str | int | float]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which inputs."""
    kinds = sorted({trial.kind for trial in trials()})
    parser.add_argument("--only", choices=kinds, help="inputs of one kind")


def run(only: str | None = None) -> Iterator[Row]:
    """A row for each kind of input with its counts, then one for every failure."""
    outcomes = sample([i for i, trial in enumerate(trials()) if only in (None, trial.kind)])
    for kind in dict.fromkeys(it.kind for it in outcomes):
        yield _counts(kind, [it for it in outcomes if it.kind == kind])
    yield _counts("all", outcomes)
    for it in failures(outcomes):
        yield {"failure": f"{it.kind}: {it.what}", **asdict(it)}


def sample(numbers: list[int]) -> list[Outcome]:
    """What came of inputs, by their numbers; each process that tries some has everything imported before it forks."""
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        return [it for found in pool.imap(tried, numbers) for it in found]


def _counts(kind: str, outcomes: list[Outcome]) -> Row:
    return {
        "kind": kind,
        "inputs": len({(it.kind, it.what) for it in outcomes}),
        "runs": len(outcomes),
        "failures": len(list(failures(outcomes))),
        "slowest_seconds": max(it.seconds for it in outcomes),
        "most_megabytes": round(max(it.bytes for it in outcomes) / 1e6),
        **Counter(it.came for it in outcomes),
    }
