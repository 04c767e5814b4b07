"""Reading: megabytes of JSON lines per processor second, words taken from the data, and memory beside what is kept.

English text is not part of the package: ``DPLDA_READING`` names a file of JSON lines, which is read over and over as if
it were half a gigabyte; without it the docstrings of installed packages are, which are shorter and repeat their words.
Memory is the largest resident set of a process that does nothing else, less what it had before.
"""

import io
import json
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.docstrings.prose import prose
from benchmarks.docstrings.sources import docstrings, packages, source_files
from dplda.corpus import Label, Limits, load

VARIABLE = "DPLDA_READING"
N_BYTES = 500_000_000
ROUNDS = 3

Row = dict[str, str | int | float]


class Again(io.RawIOBase):
    """A file that begins again at its end, so many times."""

    def __init__(self, content: bytes, times: int) -> None:
        super().__init__()
        self._content, self._left = io.BytesIO(content), times - 1

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        """The next bytes."""
        n_bytes = self._content.readinto(buffer)
        if not n_bytes and self._left:
            self._left -= 1
            self._content.seek(0)
            return self._content.readinto(buffer)
        return n_bytes


def run() -> Iterator[Row]:
    """A row for each round, in a process of its own."""
    named = os.environ.get(VARIABLE)
    for _ in range(ROUNDS):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            yield pool.apply(_read, (named,))


def _read(named: str | None) -> Row:
    content = Path(named).read_bytes() if named else _own_text()
    load(
        ("warm.jsonl", io.BytesIO(b'{"text": "green tea with milk"}\n' * 9)), label=Label.PUBLIC
    )  # libraries loaded
    times = -(-N_BYTES // len(content))
    file = io.BufferedReader(Again(content, times))
    before, began = _resident(), time.process_time()
    limits = Limits(max_bytes=2 * N_BYTES, max_documents=10_000_000)
    counts = load(("text.jsonl", file), text="text", label=Label.PUBLIC, limits=limits).counts
    seconds, most = time.process_time() - began, _resident() - before
    kept = counts.data.nbytes + counts.indices.nbytes + counts.indptr.nbytes
    return {
        "text": "docstrings" if named is None else Path(named).name,
        "n_documents": counts.shape[0],
        "megabytes": times * len(content) / 1e6,
        "megabytes_per_cpu_second": times * len(content) / seconds / 1e6,
        "kept_megabytes": kept / 1e6,
        "peak_over_kept": most / kept,
    }


def _own_text() -> bytes:
    files = (file for package in packages() for file in source_files(package))
    texts = (prose(text) for file in files for text in docstrings(file))
    return "".join(json.dumps({"text": text}) + "\n" for text in texts).encode()


def _resident() -> int:
    """Largest resident set so far, bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
