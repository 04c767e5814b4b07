"""Fits of documents on disk by ``dplda fit``, each in a process of its own: time, memory and error as N grows.

Documents are drawn some at a time, so that nothing here is larger than what is measured. Processor seconds count a
fit's worker processes; they and the seconds by the clock include the start of Python and the check of the files.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dplda.corpus import CorpusWriter, Label, Truth, VocabularySource
from dplda.corpus.simulation.simulate import draw_counts, draw_truth
from dplda.corpus.vocabulary_checks import numbered_words
from dplda.evaluation import topic_error

Row = dict[str, float | int | str]
SECTIONS = ("documents", "engines", "refined")
MEAN_LENGTH = 50
AT_ONCE = 100_000  # documents drawn
GROWING = (10_000, 100_000, 1_000_000, 3_000_000)
PLAIN = ("--engine", "threads")
PRIVATE = ("--configuration", "adaptive", "--epsilon", "1", *PLAIN)
MILLION = 1_000_000
ADDRESSES = 1 << 30  # bytes of address space that a fit of a million documents may take


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which sections, and where documents are kept."""
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=SECTIONS)
    parser.add_argument(
        "--folder", type=Path, help="for some 1.5 GB of documents (default: temporary)"
    )
    parser.add_argument(
        "--documents", nargs="+", type=int, default=GROWING, help="values of N that grow"
    )


def run(*, only: tuple[str, ...], folder: Path | None, documents: tuple[int, ...]) -> Iterator[Row]:
    """A row a fit; after those of growing N, the exponents."""
    with TemporaryDirectory(prefix="dplda-scale-", dir=folder) as whole:
        place = Path(whole) / "documents"
        if "documents" in only:
            yield from _growing(place, documents)
        if "engines" in only:
            truth = _drawn(place, 200_000, 1_000, 10)
            for engine in ("threads", "dask", "joblib", "serial"):
                for name, how in (("unnoised", ()), ("adaptive", PRIVATE[:4])):
                    yield {
                        "section": "engines",
                        "fit": name,
                        **_fitted(place, truth, "--engine", engine, *how),
                    }
        if "refined" in only:
            truth = _drawn(place, MILLION, 1_000, 10, mean_length=60)
            size = {"n_documents": MILLION, "stored_megabytes": round(_stored(place) / 1e6)}
            for name in ("refined", "adaptive", "unnoised"):
                how = ("--method", name, *(() if name == "unnoised" else PRIVATE[2:4]), *PLAIN)
                yield {
                    "section": "refined",
                    **size,
                    **_fitted(place, truth, *how, addresses=ADDRESSES),
                }


def _growing(place: Path, documents: tuple[int, ...]) -> Iterator[Row]:
    seconds = []
    for n in documents:
        truth = _drawn(place, n, 5_000, 50)
        row = _fitted(place, truth, *PLAIN)
        seconds.append(row["processor_seconds"])
        yield {"section": "documents", "n_documents": n, **row}
    logs = np.log(documents), np.log(seconds)
    yield {
        "section": "documents",
        "exponent": round(float(np.polyfit(*logs, 1)[0]), 3),
        "last_step": round(float((logs[1][-1] - logs[1][-2]) / (logs[0][-1] - logs[0][-2])), 3),
    }


def _stored(place: Path) -> int:
    return sum(path.stat().st_size for path in place.glob("*.i[48]"))


def _drawn(
    place: Path, n_documents: int, n_words: int, n_topics: int, *, mean_length: int = MEAN_LENGTH
) -> Truth:
    truth = draw_truth(n_words=n_words, n_topics=n_topics, alpha0=1.0, seed=0)
    rng, writer = np.random.default_rng(0), CorpusWriter(place)
    for start in range(0, n_documents, AT_ONCE):
        writer.add(
            draw_counts(truth, rng.poisson(mean_length, min(AT_ONCE, n_documents - start)), rng=rng)
        )
    writer.finished(numbered_words(n_words), Label.SIMULATED, "Simulated", VocabularySource.FIXED)
    return truth


def _fitted(place: Path, truth: Truth, *how: str, addresses: int | None = None) -> Row:
    """One fit by the command, in a process whose use of time and memory the system counts, perhaps within a limit."""
    out, k = place.parent / "topics.json", len(truth.topics)
    command = [
        sys.executable,
        "-m",
        "dplda",
        "fit",
        str(place),
        "-k",
        str(k),
        "--out",
        str(out),
        *how,
    ]
    if addresses is not None:
        command = ["sh", "-c", f'ulimit -v {addresses // 1024}; exec "$@"', "sh", *command]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak, (ended, status, used) = 0, os.wait4(process.pid, os.WNOHANG)
    while not ended:
        peak = max(peak, _peak(process.pid))
        time.sleep(0.05)
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
    seconds = time.perf_counter() - start
    if status:
        return {
            "how": " ".join(how),
            "status": status,
            "seconds": round(seconds, 1),
            "processor_seconds": np.nan,
        }
    place_of = {word: i for i, word in enumerate(numbered_words(truth.topics.shape[1]))}
    topics = [topic["words"] for topic in json.loads(out.read_text())["topics"] if topic["words"]]
    found = np.zeros((len(topics), len(place_of)))
    for row, words in zip(found, topics, strict=True):
        row[[place_of[word] for word in words]] = list(words.values())
    return {
        "how": " ".join(how),
        "seconds": round(seconds, 1),
        "processor_seconds": round(used.ru_utime + used.ru_stime, 1),
        "peak_megabytes": round(peak / 1e6),
        "found": len(topics),
        "error": round(float(topic_error(truth.topics, found).l1_mean), 4)
        if len(topics) == k
        else -1.0,
    }


def _peak(process: int) -> int:
    """Most bytes in memory so far; what the system counts until the end has the benchmark's own as its least."""
    lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)
