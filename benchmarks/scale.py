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
    """A row a fit; after those of growing N, the exponents.

    Args:
        only: sections.
        folder: where documents are kept meanwhile; None for the system's temporary one.
        documents: values of N that grow.
    """
    with TemporaryDirectory(prefix="dplda-scale-", dir=folder) as temporary_folder:
        corpus_folder = Path(temporary_folder) / "documents"
        if "documents" in only:
            yield from _grow_documents(corpus_folder, documents)
        if "engines" in only:
            truth = _draw_documents(corpus_folder, 200_000, 1_000, 10)
            for engine in ("threads", "dask", "joblib", "serial"):
                for name, options in (("unnoised", ()), ("adaptive", PRIVATE[:4])):
                    row = _measure_fit(corpus_folder, truth, "--engine", engine, *options)
                    yield {"section": "engines", "fit": name, **row}
        if "refined" in only:
            truth = _draw_documents(corpus_folder, MILLION, 1_000, 10, mean_length=60)
            stored_megabytes = round(_stored_bytes(corpus_folder) / 1e6)
            for name in ("refined", "adaptive", "unnoised"):
                budget_options = () if name == "unnoised" else PRIVATE[2:4]
                options = ("--method", name, *budget_options, *PLAIN)
                yield {
                    "section": "refined",
                    "n_documents": MILLION,
                    "stored_megabytes": stored_megabytes,
                    **_measure_fit(corpus_folder, truth, *options, address_bytes=ADDRESSES),
                }


def _grow_documents(corpus_folder: Path, documents: tuple[int, ...]) -> Iterator[Row]:
    """A row for each N, then the exponent over all N and that of the last step."""
    seconds = []
    for n_documents in documents:
        truth = _draw_documents(corpus_folder, n_documents, 5_000, 50)
        row = _measure_fit(corpus_folder, truth, *PLAIN)
        seconds.append(row["processor_seconds"])
        yield {"section": "documents", "n_documents": n_documents, **row}
    log_documents = np.log(documents)
    log_seconds = np.log(seconds)
    last_step = np.diff(log_seconds)[-1] / np.diff(log_documents)[-1]
    yield {
        "section": "documents",
        "exponent": round(float(np.polyfit(log_documents, log_seconds, 1)[0]), 3),
        "last_step": round(float(last_step), 3),
    }


def _stored_bytes(corpus_folder: Path) -> int:
    return sum(path.stat().st_size for path in corpus_folder.glob("*.i[48]"))


def _draw_documents(
    corpus_folder: Path,
    n_documents: int,
    n_words: int,
    n_topics: int,
    *,
    mean_length: int = MEAN_LENGTH,
) -> Truth:
    """Write simulated documents into a folder, some at a time."""
    truth = draw_truth(n_words=n_words, n_topics=n_topics, alpha0=1.0, seed=0)
    rng = np.random.default_rng(0)
    writer = CorpusWriter(corpus_folder)
    for start in range(0, n_documents, AT_ONCE):
        lengths = rng.poisson(mean_length, min(AT_ONCE, n_documents - start))
        writer.add(draw_counts(truth, lengths, rng=rng))
    writer.finished(numbered_words(n_words), Label.SIMULATED, "Simulated", VocabularySource.FIXED)
    return truth


def _measure_fit(
    corpus_folder: Path, truth: Truth, *options: str, address_bytes: int | None = None
) -> Row:
    """One fit by the command, in a process whose use of time and memory the system counts.

    Args:
        corpus_folder: documents that are fitted.
        truth: what they were drawn from.
        options: of the command.
        address_bytes: limit of its address space; None for none.
    """
    topics_file = corpus_folder.parent / "topics.json"
    n_topics = len(truth.topics)
    command = [sys.executable, "-m", "dplda", "fit", str(corpus_folder)]
    command += ["-k", str(n_topics), "--out", str(topics_file), *options]
    if address_bytes is not None:
        limited = f'ulimit -v {address_bytes // 1024}; exec "$@"'
        command = ["sh", "-c", limited, "sh", *command]
    started_at = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak_bytes = 0
    ended_id, status, usage = os.wait4(process.pid, os.WNOHANG)
    while not ended_id:
        peak_bytes = max(peak_bytes, _peak(process.pid))
        time.sleep(0.05)
        ended_id, status, usage = os.wait4(process.pid, os.WNOHANG)
    seconds = time.perf_counter() - started_at
    if status:
        return {
            "how": " ".join(options),
            "status": status,
            "seconds": round(seconds, 1),
            "processor_seconds": np.nan,
        }
    topics = _read_topics(topics_file, truth.topics.shape[1])
    error = -1.0
    if len(topics) == n_topics:
        error = round(float(topic_error(truth.topics, topics).l1_mean), 4)
    return {
        "how": " ".join(options),
        "seconds": round(seconds, 1),
        "processor_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_megabytes": round(peak_bytes / 1e6),
        "found": len(topics),
        "error": error,
    }


def _read_topics(path: Path, n_words: int) -> np.ndarray:
    """Topics of a file that have words, (number of topics, d)."""
    column_of_word = {word: column for column, word in enumerate(numbered_words(n_words))}
    entries = json.loads(path.read_text())["topics"]
    words_of_topics = [entry["words"] for entry in entries if entry["words"]]
    topics = np.zeros((len(words_of_topics), n_words))
    for topic, words in zip(topics, words_of_topics, strict=True):
        topic[[column_of_word[word] for word in words]] = list(words.values())
    return topics


def _peak(process: int) -> int:
    """Most bytes in memory so far; what the system counts until the end has the benchmark's own as its least."""
    lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)
