"""Memory that a fit needs, from public numbers, and a refusal if there is too little."""

import math
from bisect import bisect
from dataclasses import replace
from pathlib import Path

from dplda.core.engine import CHUNK_ROWS, workers
from dplda.core.errors import InputError
from dplda.core.types import Rows
from dplda.corpus.on_disk import FolderCounts
from dplda.methods.base.problem import ProblemSize
from dplda.spectral.eigenpairs import MAX_BLOCKS, block_width
from dplda.spectral.moments import MAX_BLOCK_ROWS

BYTES_PER_NUMBER = 8
NUMBERS_PER_DOCUMENT = 20  # lengths, weights, norms
PRIVATE_MATRICES = 7.5
"""Most (d, d) arrays in a private fit at once: averages, their releases, the solver's."""
THREAD_MATRICES = 2  # (d, d) arrays of a thread that counts pairs; one (k, k, k) for triples
FINAL_TENSORS = 4  # (k, k, k) arrays combined at the end
BYTES_PER_ENTRY = 24
"""Per count read from disk: value and column, as stored and as products take them."""
GIGABYTE = 1e9
MEGABYTE = 1e6


def peak_bytes(size: ProblemSize, *, is_private: bool, entries_per_document: float = 0.0) -> float:
    """Estimate the peak bytes of a fit without its documents' counts.

    Measured peaks are 0.4 to 0.9 of it.

    Args:
        size: public numbers of the fit.
        is_private: whether the pair moment is a matrix; else nothing grows with d².
        entries_per_document: mean number of distinct words in a document on disk; 0 for counts in
            memory.
    """
    d = size.n_words
    cubed_topics = float(size.n_topics) ** 3
    n_threads = workers()
    rows_of_threads = n_threads * min(size.n_documents, MAX_BLOCK_ROWS)
    block_columns = block_width(size.n_topics + 1, d)
    n_numbers = float(NUMBERS_PER_DOCUMENT) * size.n_documents
    n_numbers += (n_threads + FINAL_TENSORS) * cubed_topics
    n_numbers += rows_of_threads * 2 * block_columns
    n_numbers += rows_of_threads * entries_per_document * BYTES_PER_ENTRY / BYTES_PER_NUMBER
    if is_private:
        n_numbers += n_threads * min(size.n_documents, CHUNK_ROWS) * float(d)
        n_numbers += max(THREAD_MATRICES * n_threads + 1.5, PRIVATE_MATRICES) * float(d) ** 2
    else:
        n_numbers += 2.0 * MAX_BLOCKS * d * block_columns
    return BYTES_PER_NUMBER * n_numbers


def check_memory(
    size: ProblemSize, *, is_private: bool, counts: Rows | None = None, free: float | None = None
) -> None:
    """Refuse a fit that needs more memory than is free.

    Args:
        size: public numbers of the fit.
        is_private: as in ``peak_bytes``.
        counts: of the documents; None if unknown. Only counts on disk add to the need.
        free: bytes that the fit may use; None for what the system has free.

    Raises:
        InputError: it needs more. The message says how many words would fit, and proposes a fit
            without noise if that would fit.
    """
    entries_per_document = 0.0
    if isinstance(counts, FolderCounts):
        entries_per_document = counts.n_entries() / size.n_documents
    needed_bytes = peak_bytes(
        size, is_private=is_private, entries_per_document=entries_per_document
    )
    free_bytes = free_memory() if free is None else free
    if needed_bytes <= free_bytes:
        return
    most_words = 1 + bisect(
        range(2, size.n_words),
        free_bytes,
        key=lambda d: peak_bytes(
            replace(size, n_words=d),
            is_private=is_private,
            entries_per_document=entries_per_document,
        ),
    )
    alternative_phrase = ""
    noiseless_bytes = peak_bytes(size, is_private=False, entries_per_document=entries_per_document)
    if is_private and noiseless_bytes <= free_bytes:
        alternative_phrase = f", fit without noise, which needs {_format_bytes(noiseless_bytes)},"
    needed_text = _format_bytes(needed_bytes)
    raise InputError(
        "n_words",
        f"at most {most_words:,} for this fit in {_format_bytes(free_bytes)} of memory",
        f"{size.n_words:,}, which need {needed_text}",
        f"Choose fewer words{alternative_phrase} or use a machine with {needed_text} free.",
    )


def free_memory() -> float:
    """Bytes that the process can still use, here or in its control group; ∞ if unknown."""
    group_limit = _read_control_group("max")
    group_usage = _read_control_group("current")
    if group_usage < math.inf:
        group_limit -= group_usage
    return min(_read_meminfo("MemAvailable:"), group_limit)


def total_memory() -> float:
    """Bytes that the system has, or its control group, used or not; ∞ if unknown."""
    return min(_read_meminfo("MemTotal:"), _read_control_group("max"))


def _read_meminfo(label: str) -> float:
    """Bytes of one line of the system's table of memory; infinite where there is none."""
    for line in _read_text("/proc/meminfo").splitlines():
        words = line.split()
        if words[0] == label:
            return 1024.0 * int(words[1])
    return math.inf


def _read_control_group(name: str) -> float:
    text = _read_text(f"/sys/fs/cgroup/memory.{name}").strip()
    return float(text) if text.isdigit() else math.inf


def _read_text(path: str) -> str:
    """Read a small file of the system; empty if it cannot be read."""
    try:
        return Path(path).read_text("ascii")
    except OSError:  # another system
        return ""


def _format_bytes(n_bytes: float) -> str:
    """Write a number of bytes in GB, or in MB below a tenth of one."""
    if n_bytes >= 0.1 * GIGABYTE:
        return f"{n_bytes / GIGABYTE:.1f} GB"
    return f"{n_bytes / MEGABYTE:.1f} MB"
