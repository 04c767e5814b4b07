"""Releases: sixty kills and what is left of them, the price of a charge in time, and how long a release takes.

Charges and files are checked after processes that charge and write without end were killed at random moments. A
release is timed whole, charge, noise and file included, by the clock and in processor seconds; beside it stands the
same run with simulated noise, and the mean distance of either one's topics to the truth (L1, from 0 to 2).
"""

import multiprocessing
import os
import signal
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

from dplda import simulate
from dplda.core.errors import DpldaError
from dplda.corpus import Corpus, Label
from dplda.corpus.corpus import VocabularySource
from dplda.experiments.settings import Settings
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.registry import parse_method
from dplda.release.folder import Folder, FolderError
from dplda.release.kept import find_again
from dplda.release.ledger import Ledger, noted_in
from dplda.release.make import release
from dplda.release.released_file import SUFFIX, read_file
from dplda.release.request import Request

KILLS, CHARGES = 60, 200
RACES, RACERS, SAME = (
    10,
    8,
    3,
)  # every so many kills, so many processes; kills in a row of the same documents
N_DOCUMENTS, ALPHA0, MEAN_LENGTH = 100_000, 0.5, 60.0
SIZES = ((1000, 10), (2000, 10))  # d and k

Row = dict[str, str | int | float]


def run() -> Iterator[Row]:
    """A row for kills, one for charges, one for each release."""
    with tempfile.TemporaryDirectory() as path:
        yield _kills(Path(path) / "kills")
        yield _charges(Path(path) / "charges")
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
                yield _timed(corpus, method, n_topics, Path(path) / f"{method}{n_words}")


def _kills(path: Path) -> Row:
    rng, fork = np.random.default_rng(0), multiprocessing.get_context("fork")
    for number in range(KILLS):
        name = number // SAME if number % RACES else KILLS
        racers = 1 if number % RACES else RACERS
        processes = [fork.Process(target=_without_end, args=(path, name)) for _ in range(racers)]
        for process in processes:
            process.start()
        time.sleep(0.1 + 1.5 * rng.random())
        for process in processes:
            if process.pid is not None:
                os.kill(process.pid, signal.SIGKILL)
            process.join()
    folder = Folder(path)
    find_again(folder)
    ledger = Ledger(folder)
    paid = [noted_in(entry) for entry in ledger.entries() if entry.kind == "charged"]
    charged, asked = [each["receipt"] for each in paid], [each["request"] for each in paid]
    files = [read_file(file) for file in path.glob(f"*{SUFFIX}")]
    parents = [one.resumable.parent for one in files if one.resumable is not None]
    written = {one.charge for one in files}
    kept = [request for request, receipt in zip(asked, charged, strict=True) if receipt in written]
    return {
        "section": "kills",
        "kills": KILLS,
        "charges": len(charged),
        "files": len(written),
        "continued": sum(parent is not None for parent in parents),
        "files_without_charge": len(written - set(charged)),
        "parents_without_charge": sum(
            parent is not None and parent.charge not in charged for parent in parents
        ),
        "kept_twice": len(kept) - len(set(kept)),
        "charges_without_file": len(charged) - len(written),
        "faults": len(ledger.faults()),
    }


def _letters(seed: int) -> Corpus:
    known = simulate(
        n_documents=2000, n_words=100, n_topics=3, alpha0=0.5, mean_length=50, seed=seed
    )
    return Corpus(
        known.counts, known.vocabulary, Label.SENSITIVE, "letters", VocabularySource.FIXED
    )


def _without_end(path: Path, number: int) -> None:
    """Declares a budget, releases, and continues; whoever is killed in between leaves the rest to the next."""
    name, corpus = f"mail {number}", _letters(number)
    with suppress(DpldaError):
        Ledger(Folder(path)).declare(name, epsilon=1000.0, delta=1e-3)
    method, since = parse_method("private-unigram"), None
    for step in range(1, 1000):
        settings = Settings(method, Problem(3, 0.5), Budget(0.1 * step, 1e-6))
        while True:
            with suppress(FolderError):  # another is at it
                since = release(
                    corpus, Request(name, "letters", settings, since=since), Folder(path)
                ).artefact
                break


def _charges(path: Path) -> Row:
    ledger, taken = _declared(path), []
    for _ in range(CHARGES):
        begun = time.perf_counter()
        ledger.charge("mail", epsilon=1e-6, delta=0.0, detail="")
        taken.append(1000 * (time.perf_counter() - begun))
    return {
        "section": "charges",
        "charges": CHARGES,
        "median_ms": statistics.median(taken),
        "most_ms": max(taken),
    }


def _timed(corpus: Corpus, method: str, n_topics: int, path: Path) -> Row:
    _declared(path)
    settings = Settings(parse_method(method), Problem(n_topics, ALPHA0), Budget(1.0, 1e-7))
    begun, worked = time.perf_counter(), time.process_time()
    explored = settings.method.fit(
        corpus, settings.problem, settings.budget, Runtime(settings.seed)
    ).topics
    explored_in, explored_work = time.perf_counter() - begun, time.process_time() - worked
    begun, worked = time.perf_counter(), time.process_time()
    released = release(
        corpus, Request("mail", "simulated documents", settings), Folder(path)
    ).artefact
    return {
        "section": "releases",
        "method": method,
        "n_documents": N_DOCUMENTS,
        "n_words": corpus.n_words,
        "n_topics": n_topics,
        "epsilon": settings.budget.epsilon,
        "released_s": time.perf_counter() - begun,
        "explored_s": explored_in,
        "released_cpu_s": time.process_time() - worked,
        "explored_cpu_s": explored_work,
        "released_error": _error(corpus, released.words),
        "explored_error": _error(corpus, explored.words[: explored.resolved]),
    }


def _declared(path: Path) -> Ledger:
    ledger = Ledger(Folder(path))
    ledger.declare("mail", epsilon=1000.0, delta=1e-3)
    return ledger


def _error(corpus: Corpus, words: np.ndarray) -> float:
    assert corpus.truth is not None
    distances = np.abs(words[:, None, :] - corpus.truth.topics[None]).sum(axis=2)
    return float(distances[linear_sum_assignment(distances)].mean())
