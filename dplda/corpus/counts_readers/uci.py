"""UCI bag of words: three header lines, N, D and the number of entries; then ``document word count``, from 1."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from dplda.core.errors import CorpusError, ReadError
from dplda.core.types import Counts
from dplda.corpus.counts import canonical_counts
from dplda.corpus.files.decoding import TextSource
from dplda.corpus.files.limits import Limits

Say: TypeAlias = Callable[[str], None]

_LINES_AT_ONCE = 100_000
_LARGEST = int(np.iinfo(np.int32).max)
_WELL_FORMED = re.compile(r"(?:[0-9]{1,10} [0-9]{1,10} [0-9]{1,10}\n)*")
_NUMBER = re.compile(r"[0-9]{1,10}")
_HEADER = ("the number of documents", "the number of words", "the number of entries")
_FORMAT = "Each line after the three of the header holds a document, a word and a count, as whole numbers from 1."


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """A whole file of counts.

    Attributes:
        counts: shape (N, D), over all words of the file.
        n_repeated: entries for a document and word that had one already; their counts were added.
    """

    counts: Counts
    n_repeated: int


def is_named(name: str) -> bool:
    """Whether a file is named like those of the UCI repository: ``docword.txt``, ``docword.kos.txt.gz``."""
    plain = name.lower().removesuffix(".gz")
    return plain.startswith("docword") and plain.endswith(".txt")


def word_list_beside(path: Path) -> Path:
    """Where the word list of a file is looked for: ``vocab`` for ``docword`` in its name, packed or not."""
    renamed = re.sub("^docword", "vocab", path.name, flags=re.IGNORECASE)
    plain = path.with_name(re.sub(r"\.gz$", "", renamed, flags=re.IGNORECASE))
    packed = plain.with_name(plain.name + ".gz")
    return packed if os.path.exists(packed) and not os.path.exists(plain) else plain


def read(source: TextSource, say: Say | None = None) -> Entries:
    """Read a file of counts; entries may come in any order, and documents without one are empty.

    In memory it takes some 12 bytes an entry and as much again several times while they are sorted; the text is read
    in blocks. ``limits`` bound the bytes, documents and words.

    Raises:
        ReadError: a header that is not three whole numbers or does not hold, or a line that is not three whole
            numbers in range, with its number.
        CorpusError: no documents or no words.
    """
    lines = source.lines()
    header = _header(source, lines)
    n_documents, n_words, n_entries = header
    parts = [np.empty((0, 3), dtype=np.int32)]
    n_read = 0
    for block, rows in _blocks(source.name, lines):
        _require_range(source.name, block, rows, header)
        n_read += len(block)
        if n_read > n_entries:
            row = int(rows[len(block) - (n_read - n_entries)])
            raise ReadError(source.name, f"more entries than the {n_entries:,} declared", _FORMAT, row=row)
        parts.append(block.astype(np.int32))
        if say is not None:
            say(f"Read {n_read:,} entries")
    if n_read < n_entries:
        raise ReadError(
            source.name, f"{n_read:,} entries where the header declares {n_entries:,}", "Is the file complete?"
        )
    document, word, count = np.concatenate(parts).T
    counts = canonical_counts(coo_array((count, (document - 1, word - 1)), shape=(n_documents, n_words)))
    return Entries(counts, n_read - counts.nnz)


def require_size(
    name: str, limits: Limits, n_documents: int, n_words: int, rows: tuple[int | None, int | None] = (None, None)
) -> None:
    """Refuse a table of counts that is empty or larger than the limits, before anything of its size is made.

    Args:
        n_documents: ``N`` as the file declares it.
        n_words: ``D``, words likewise.

    Raises:
        CorpusError: no documents or no words.
        ReadError: more than the limits.
    """
    for row, n_declared, limit, what in (
        (rows[0], n_documents, limits.max_documents, "documents"),
        (rows[1], n_words, limits.max_distinct_words, "words"),
    ):
        if n_declared <= 0:
            raise CorpusError(f"{name} declares no {what}", "Give at least 3 documents and 2 words.")
        if n_declared > limit:
            fix = "Split the file, or read it from Python with higher Limits."
            raise ReadError(name, f"more than {limit:,} {what}, the limit", fix, row=row)


def _header(source: TextSource, lines: Iterator[str]) -> list[int]:
    """Documents, words and entries, as declared."""
    found = []
    for row, what in enumerate(_HEADER, start=1):
        line = next(lines, "").strip()
        if not _NUMBER.fullmatch(line):
            fix = "A file of counts begins with three lines: documents, words, entries. Rename it if it is plain text."
            raise ReadError(source.name, f"{what} must stand here, a whole number alone", fix, row=row)
        found.append(int(line))
    require_size(source.name, source.limits, found[0], found[1], rows=(1, 2))
    return found


def _blocks(name: str, lines: Iterator[str]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Entries, shape (n, 3), with the numbers of their lines, shape (n,)."""
    row = len(_HEADER) + 1
    while block := list(islice(lines, _LINES_AT_ONCE)):
        if not block[-1].endswith("\n"):
            block[-1] += "\n"
        text = "".join(block)
        if _WELL_FORMED.fullmatch(text):
            entries = np.fromstring(text, dtype=np.int64, sep=" ").reshape(-1, 3)
            yield entries, np.arange(row, row + len(block))
        else:
            careful = [(number, _entry(name, line, number)) for number, line in enumerate(block, row) if line.strip()]
            flat = np.fromiter(chain.from_iterable(entry for _, entry in careful), dtype=np.int64)
            yield flat.reshape(-1, 3), np.array([number for number, _ in careful], dtype=np.int64)
        row += len(block)


def _entry(name: str, line: str, row: int) -> tuple[int, int, int]:
    """One line as three numbers, or what is wrong with it."""
    fields = line.split()
    if len(fields) != 3:
        raise ReadError(name, f"{len(fields)} fields where 3 are needed", _FORMAT, row=row)
    for field in fields:
        if not _NUMBER.fullmatch(field):
            raise ReadError(name, f"a number that is {_kind(field)}", _FORMAT, row=row)
    document, word, count = map(int, fields)
    return document, word, count


def _kind(field: str) -> str:
    try:
        value = float(field)
    except ValueError:
        return "no number"
    if not np.isfinite(value):
        return "NaN or infinite"
    if value < 0:
        return "negative"
    return "fractional" if value != int(value) else "not written in at most 10 digits"


def _require_range(name: str, entries: NDArray[np.int64], rows: NDArray[np.int64], header: list[int]) -> None:
    kinds = ("a document", "a word", "a count")
    for what, largest, column in zip(kinds, (*header[:2], _LARGEST), entries.T, strict=True):
        bad = (column < 1) | (column > largest)
        if bad.any():
            row = int(rows[np.argmax(bad)])
            raise ReadError(name, f"{what} outside 1 to {largest:,}", _FORMAT, row=row)
