"""What a fit will need of memory, from its public numbers, and a refusal before it begins where there is too little."""

import math
from bisect import bisect
from dataclasses import replace
from pathlib import Path

from dplda.core.engine import CHUNK_ROWS, workers
from dplda.core.errors import InputError
from dplda.core.types import Rows
from dplda.corpus.on_disk import FolderCounts
from dplda.methods.configurations.sizes import Shape
from dplda.spectral.eigenpairs import BLOCKS, block_width
from dplda.spectral.moments import LARGE_ROWS

NUMBER = 8  # bytes
A_DOCUMENT = 20  # numbers: lengths, weights, norms
KEPT = 7.5  # (d, d) arrays that a private fit holds at once, at most: averages, what is released of them, a solver's
A_THREAD = 2  # (d, d) arrays that a thread holds while it counts pairs; one of (k, k, k) while it counts triples
SPECTRAL = 4  # (k, k, k) arrays that are put together at the end
READ = 24  # bytes of a count that is read from disk: itself, its column, both as the checks and a product take them
GIGABYTE, MEGABYTE = 1e9, 1e6


def price(shape: Shape, *, private: bool, entries: float = 0.0) -> float:
    """Bytes that a fit may need at its peak, beside its documents' counts; measured peaks are 0.4 to 0.9 of it.

    Args:
        private: whether the pair moment is a matrix, as noise asks for; else nothing grows with d².
        entries: mean number of distinct words a document, of documents that are read from disk.
    """
    d, k, n, threads = shape.n_words, shape.n_topics, shape.n_documents, workers()
    width = block_width(k + 1, d)
    numbers = A_DOCUMENT * n + (threads + SPECTRAL) * float(k) ** 3 + threads * min(n, LARGE_ROWS) * 2 * width
    numbers += threads * min(n, LARGE_ROWS) * entries * READ / NUMBER
    if not private:
        return NUMBER * (numbers + 2.0 * BLOCKS * d * width)
    counted = threads * min(n, CHUNK_ROWS) * float(d)
    return NUMBER * (numbers + counted + max(A_THREAD * threads + 1.5, KEPT) * float(d) ** 2)


def check_memory(shape: Shape, *, private: bool, counts: Rows | None = None, free: float | None = None) -> None:
    """Refuses a fit that would not fit into so many bytes, or into what is free; ``counts`` may lie on disk."""
    entries = counts.n_entries() / shape.n_documents if isinstance(counts, FolderCounts) else 0.0
    needed = price(shape, private=private, entries=entries)
    free = free_memory() if free is None else free
    if needed <= free:
        return
    fewer = range(2, shape.n_words)
    most = 1 + bisect(fewer, free, key=lambda d: price(replace(shape, n_words=d), private=private, entries=entries))
    unnoised = price(shape, private=False, entries=entries)
    without = f", fit without noise, which needs {_gigabytes(unnoised)}," if private and unnoised <= free else ""
    raise InputError(
        "n_words",
        f"at most {most:,} for this fit in {_gigabytes(free)} of memory",
        f"{shape.n_words:,}, which need {_gigabytes(needed)}",
        f"Choose fewer words{without} or take a machine with {_gigabytes(needed)} free.",
    )


def free_memory() -> float:
    """Bytes that the process may still take: the system's, or less where a control group says so; ∞ where not known."""
    limit, used = _group("max"), _group("current")
    return min(_system("MemAvailable:"), limit - used if used < math.inf else limit)


def whole_memory() -> float:
    """Bytes that the system has, or less where a control group says so; whatever is in use. ∞ where not known."""
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
