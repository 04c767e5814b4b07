"""Releases: the price of a charge in time, and how long a release takes.

A release is timed whole, charge, noise,
journal and file included, by the clock and in processor seconds; beside it stands the same run with simulated noise,
and the mean distance of either one's topics to the truth (L1, from 0 to 2).
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.rerun import Row
from dplda import simulate
from dplda.corpus import Corpus
from dplda.experiments.experiment import Experiment, HeldDocuments, fit
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.registry import parse_method_spec
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow.perform import release
from dplda.release.workflow.request import Request

SECTIONS = ("charges", "releases")
CHARGES = 200
N_DOCUMENTS = 100_000
ALPHA0 = 0.5
MEAN_LENGTH = 60.0
SIZES = ((1000, 10), (2000, 10))  # d and k


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which sections are measured."""
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=SECTIONS)


def run(sections: Sequence[str]) -> Iterator[Row]:
    """A row for charges, one for each release."""
    with tempfile.TemporaryDirectory() as path:
        if "charges" in sections:
            yield _time_charges(Path(path) / "charges")
        if "releases" not in sections:
            return
        for n_words, n_topics in SIZES:
            corpus = simulate(
                n_documents=N_DOCUMENTS,
                n_words=n_words,
                n_topics=n_topics,
                alpha0=ALPHA0,
                mean_length=MEAN_LENGTH,
                seed=0,
            )
            for method in ("adaptive", "refined"):
                folder = Path(path) / f"{method}{n_words}"
                yield _time_release(corpus, method, n_topics, folder)


def _time_charges(path: Path) -> Row:
    """Milliseconds of charges to one ledger: median and longest."""
    ledger = _declare_budget(path)
    milliseconds = []
    for _ in range(CHARGES):
        started_at = time.perf_counter()
        ledger.charge("mail", epsilon=1e-6, delta=0.0, detail="")
        milliseconds.append(1000 * (time.perf_counter() - started_at))
    return {
        "section": "charges",
        "charges": CHARGES,
        "median_ms": statistics.median(milliseconds),
        "most_ms": max(milliseconds),
    }


def _time_release(corpus: Corpus, method: str, n_topics: int, path: Path) -> Row:
    """Time a release, and the same run with simulated noise before it."""
    _declare_budget(path)
    experiment = Experiment(
        corpus=HeldDocuments(),
        method=parse_method_spec(method),
        problem=Problem(n_topics, ALPHA0),
        budget=Budget(1.0, 1e-7),
    )
    started_at = time.perf_counter()
    cpu_at_start = time.process_time()
    explored_topics = fit(experiment, corpus).topics
    explored_seconds = time.perf_counter() - started_at
    explored_cpu_seconds = time.process_time() - cpu_at_start
    started_at = time.perf_counter()
    cpu_at_start = time.process_time()
    request = Request("mail", "simulated documents", experiment)
    artefact = release(corpus, request, Folder(path)).artefact
    released_seconds = time.perf_counter() - started_at
    released_cpu_seconds = time.process_time() - cpu_at_start
    resolved_topics = explored_topics.words[: explored_topics.resolved]
    return {
        "section": "releases",
        "method": method,
        "n_documents": N_DOCUMENTS,
        "n_words": corpus.n_words,
        "n_topics": n_topics,
        "epsilon": experiment.budget.epsilon,
        "released_s": released_seconds,
        "explored_s": explored_seconds,
        "released_cpu_s": released_cpu_seconds,
        "explored_cpu_s": explored_cpu_seconds,
        "released_error": _error(corpus, artefact.topics),
        "explored_error": _error(corpus, resolved_topics),
    }


def _declare_budget(path: Path) -> Ledger:
    ledger = Ledger(Folder(path))
    ledger.declare("mail", epsilon=1000.0, delta=1e-3)
    return ledger


def _error(corpus: Corpus, words: np.ndarray) -> float:
    assert corpus.truth is not None
    distances = np.abs(words[:, None, :] - corpus.truth.topics[None]).sum(axis=2)
    return float(distances[linear_sum_assignment(distances)].mean())
