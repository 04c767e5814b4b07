"""Memory that a fit needs, from public numbers, with a refusal before it starts if there is too little."""

import math
from bisect import bisect
from dataclasses import replace
from pathlib import Path

from dplda.core.engine import CHUNK_ROWS, workers
from dplda.core.errors import InputError
from dplda.core.types import Rows
from dplda.corpus.on_disk import FolderCounts
from dplda.methods.base.problem import ProblemSize
from dplda.spectral.eigenpairs import BLOCKS, block_width
from dplda.spectral.moments import LARGE_ROWS

NUMBER = 8  # bytes
A_DOCUMENT = 20  # numbers: lengths, weights, norms
KEPT = 7.5  # most (d, d) arrays in a private fit at once: averages, their releases, the solver's
A_THREAD = 2  # (d, d) arrays of a thread that counts pairs; one (k, k, k) for triples
SPECTRAL = 4  # (k, k, k) arrays combined at the end
READ = 24  # bytes per count read from disk: value and column, as stored and as products take them
GIGABYTE, MEGABYTE = 1e9, 1e6


def peak_bytes(shape: ProblemSize, *, private: bool, entries: float = 0.0) -> float:
    """Peak bytes of a fit without its documents' counts; measured peaks are 0.4 to 0.9 of it.

    ``private``: the pair moment is a matrix; else nothing grows with d². ``entries``: mean distinct words per document
    on disk.
    """
    d, k, n, threads = shape.n_words, shape.n_topics, shape.n_documents, workers()
    width = block_width(k + 1, d)
    numbers = (
        A_DOCUMENT * n
        + (threads + SPECTRAL) * float(k) ** 3
        + threads * min(n, LARGE_ROWS) * 2 * width
    )
    numbers += threads * min(n, LARGE_ROWS) * entries * READ / NUMBER
    if not private:
        return NUMBER * (numbers + 2.0 * BLOCKS * d * width)
    counted = threads * min(n, CHUNK_ROWS) * float(d)
    return NUMBER * (numbers + counted + max(A_THREAD * threads + 1.5, KEPT) * float(d) ** 2)


def check_memory(
    shape: ProblemSize, *, private: bool, counts: Rows | None = None, free: float | None = None
) -> None:
    """Refuses a fit that needs more than ``free`` bytes (None: what the system has free); ``counts`` may be on disk."""
    entries = counts.n_entries() / shape.n_documents if isinstance(counts, FolderCounts) else 0.0
    needed = peak_bytes(shape, private=private, entries=entries)
    free = free_memory() if free is None else free
    if needed <= free:
        return
    fewer = range(2, shape.n_words)
    most = 1 + bisect(
        fewer,
        free,
        key=lambda d: peak_bytes(replace(shape, n_words=d), private=private, entries=entries),
    )
    unnoised = peak_bytes(shape, private=False, entries=entries)
    without = (
        f", fit without noise, which needs {_gigabytes(unnoised)},"
        if private and unnoised <= free
        else ""
    )
    raise InputError(
        "n_words",
        f"at most {most:,} for this fit in {_gigabytes(free)} of memory",
        f"{shape.n_words:,}, which need {_gigabytes(needed)}",
        f"Choose fewer words{without} or use a machine with {_gigabytes(needed)} free.",
    )


def free_memory() -> float:
    """Bytes that the process can still use: the system's, or less under a control group; ∞ if unknown."""
    limit, used = _group("max"), _group("current")
    return min(_system("MemAvailable:"), limit - used if used < math.inf else limit)


def total_memory() -> float:
    """Bytes that the system has, or less under a control group, used or not; ∞ if unknown."""
    return min(_system("MemTotal:"), _group("max"))


def _system(name: str) -> float:
    lines = [line.split() for line in _text("/proc/meminfo").splitlines()]
    return next((1024.0 * int(line[1]) for line in lines if line[0] == name), math.inf)


def _group(what: str) -> float:
    text = _text(f"/sys/fs/cgroup/memory.{what}").strip()
    return float(text) if text.isdigit() else math.inf


def _text(path: str) -> str:
    try:
        return Path(path).read_text("ascii")
    except OSError:  # another system
        return ""


def _gigabytes(size: float) -> str:
    return f"{size / GIGABYTE:.1f} GB" if size >= 0.1 * GIGABYTE else f"{size / MEGABYTE:.1f} MB"
