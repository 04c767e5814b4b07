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
    for outcome in sample([i for i, trial in enumerate(trials()) if only in (None, trial.kind)]):
        outcomes.append(outcome)
        if outcome.failed:
            yield {"failure": f"{outcome.kind}: {outcome.what}", **asdict(outcome)}
    for kind in dict.fromkeys(outcome.kind for outcome in outcomes):
        yield _counts(kind, [outcome for outcome in outcomes if outcome.kind == kind])
    yield _counts("all", outcomes)


def sample(numbers: list[int]) -> Iterator[Outcome]:
    """Outcomes of inputs by their numbers.

    Each process that tries some has everything imported before it forks.

    Args:
        numbers: places in ``trials()``.
    """
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        for outcomes in pool.imap(tried, numbers):
            yield from outcomes


def _counts(kind: str, outcomes: list[Outcome]) -> Row:
    """Numbers of inputs, runs and failures of one kind, and the largest use of time and memory."""
    return {
        "kind": kind,
        "inputs": len({(outcome.kind, outcome.what) for outcome in outcomes}),
        "runs": len(outcomes),
        "failures": sum(outcome.failed for outcome in outcomes),
        "slowest_seconds": max(outcome.seconds for outcome in outcomes),
        "most_megabytes": round(max(outcome.bytes for outcome in outcomes) / 1e6),
        **Counter(outcome.came for outcome in outcomes),
    }
