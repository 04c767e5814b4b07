"""Hostile inputs of ``tests/hostile``, each on about three doors: how many come in, are refused, and fail.

A run fails that takes more than 10 processor seconds, 30 s or 1 GB, ends in a raw traceback or a status of its
own, says a word of a document, leaves temporary files, or takes a parameter that makes no sense.
"""

import argparse
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

from tests.hostile.runner import Outcome, trials, tried

PROCESSES = 2

Row = dict[str, str | int | float]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which inputs."""
    kinds = sorted({trial.kind for trial in trials()})
    parser.add_argument("--only", choices=kinds, help="inputs of one kind")


def run(only: str | None = None) -> Iterator[Row]:
    """A row for every failure, as soon as it is seen, then one for each kind of input with its counts."""
    outcomes = []
    for it in sample([i for i, trial in enumerate(trials()) if only in (None, trial.kind)]):
        outcomes.append(it)
        if it.failed:
            yield {"failure": f"{it.kind}: {it.what}", **asdict(it)}
    for kind in dict.fromkeys(it.kind for it in outcomes):
        yield _counts(kind, [it for it in outcomes if it.kind == kind])
    yield _counts("all", outcomes)


def sample(numbers: list[int]) -> Iterator[Outcome]:
    """What came of inputs, by their numbers; each process that tries some has everything imported before it forks."""
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        for found in pool.imap(tried, numbers):
            yield from found


def _counts(kind: str, outcomes: list[Outcome]) -> Row:
    return {
        "kind": kind,
        "inputs": len({(it.kind, it.what) for it in outcomes}),
        "runs": len(outcomes),
        "failures": sum(it.failed for it in outcomes),
        "slowest_seconds": max(it.seconds for it in outcomes),
        "most_megabytes": round(max(it.bytes for it in outcomes) / 1e6),
        **Counter(it.came for it in outcomes),
    }
