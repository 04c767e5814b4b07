"""Matrices of counts, rows documents: bags of words of UCI, Matrix Market, what SciPy saved; and the list of words.

A bag of words has three header lines, N, D and the number of entries; then ``document word count``, from 1.
"""

import io
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np
from scipy import io as scipy_io
from scipy import sparse

from dplda.core.errors import CorpusError, ReadError
from dplda.core.types import Counts
from dplda.corpus.counts import canonical_counts
from dplda.corpus.files.file import File
from dplda.corpus.files.zip_archives import read_bounded_zip
from dplda.corpus.words.vocabulary import strip_controls

Say: TypeAlias = Callable[[str], None]

_LINES_AT_ONCE = 100_000
_LARGEST = int(np.iinfo(np.int32).max)
_NUMBER = re.compile(r"[0-9]{1,10}")
_LINE = re.compile(r"[Ll]ine (\d+)")
_HEADER = ("the number of documents", "the number of words", "the number of entries")
_FORMAT = "Each line after the three of the header holds a document, a word and a count, as whole numbers from 1."
_FIX = "Give whole counts, one row per document and one column per word."


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """A whole file of counts, shape (N, D), and how many entries were added to one for the same document and word."""

    counts: Counts
    n_repeated: int


def is_bag(name: str) -> bool:
    """Whether a file is named like those of the UCI repository: ``docword.txt``, ``docword.kos.txt.gz``."""
    plain = name.lower().removesuffix(".gz")
    return plain.startswith("docword") and plain.endswith(".txt")


def word_list_beside(path: Path) -> Path:
    """Path of a file's word list: ``vocab`` in place of ``docword`` in its name, packed or not."""
    if not is_bag(path.name):
        return path.with_name("vocab.txt")
    plain = path.with_name(
        re.sub(r"^docword(.*?)(\.gz)?$", r"vocab\1", path.name, flags=re.IGNORECASE)
    )
    packed = plain.with_name(plain.name + ".gz")
    return packed if os.path.exists(packed) and not os.path.exists(plain) else plain


def bag(file: File, say: Say | None = None) -> Entries:
    """Read a bag of words; entries may come in any order, and documents without one are empty."""
    lines = enumerate(file.lines(), start=1)
    header: list[int] = []
    for number, what in enumerate(_HEADER, start=1):
        line = next(lines, (number, ""))[1].strip()
        if not _NUMBER.fullmatch(line):
            fix = "A file of counts begins with three lines: documents, words, entries. Rename it if it is plain text."
            raise ReadError(
                file.name,
                f"this line must hold {what}, one whole number and nothing else",
                fix,
                row=number,
            )
        header.append(int(line))
    n_documents, n_words, n_entries = header
    _require_size(file, n_documents, n_words)
    filled = ((row, line) for row, line in lines if line.strip())
    parts, n_read = [np.empty((0, 3), dtype=np.int32)], 0
    while block := list(islice(filled, _LINES_AT_ONCE)):
        rows, texts = zip(*block, strict=True)
        n_read += len(block)
        if n_read > n_entries:
            problem = f"more entries than the {n_entries:,} declared"
            raise ReadError(file.name, problem, _FORMAT, row=rows[n_entries - n_read])
        try:
            read = np.loadtxt(iter(texts), dtype=np.int64, comments=None, ndmin=2)
            if read.shape[1] != 3:
                raise ValueError
        except ValueError:  # which quotes the line
            read = np.array([_numbers(line.split()) for line in texts])
        good = ((read >= 1) & (read <= (n_documents, n_words, _LARGEST))).all(axis=1)
        if not good.all():
            problem = f"not a document from 1 to {n_documents:,}, a word from 1 to {n_words:,} and a count from 1"
            raise ReadError(
                file.name, f"{problem} to {_LARGEST:,}", _FORMAT, row=rows[int(np.argmin(good))]
            )
        parts.append(read.astype(np.int32))
        if say is not None:
            say(f"Read {n_read:,} entries")
    if n_read < n_entries:
        problem = f"{n_read:,} entries where the header declares {n_entries:,}"
        raise ReadError(file.name, problem, "Is the file complete?")
    document, word, count = np.concatenate(parts).T
    counts = canonical_counts(
        sparse.coo_array((count, (document - 1, word - 1)), shape=(n_documents, n_words))
    )
    return Entries(counts, n_read - counts.nnz)


def _numbers(fields: list[str]) -> list[int]:
    """Three whole numbers, or three zeros, which no line may hold."""
    if len(fields) != 3 or not all(map(_NUMBER.fullmatch, fields)):
        return [0, 0, 0]
    return list(map(int, fields))


def matrix_market(file: File) -> Entries:
    """Read a Matrix Market file; errors say the line or row where it is known."""
    content = file.whole()
    try:
        n_documents, n_words, _, form, field, _ = scipy_io.mminfo(io.BytesIO(content))
        if field == "complex":
            raise ReadError(file.name, "complex entries", _FIX)
        _require_size(file, n_documents, n_words)
        if form == "array" and n_documents * n_words > len(content):
            raise ReadError(
                file.name, "fewer entries than the header declares", "Is the file complete?"
            )
        if field.endswith("integer"):  # of which SciPy would take the part before a point
            content = re.sub(
                rb"(unsigned-)?integer", b"real", content, count=1, flags=re.IGNORECASE
            )
        matrix = scipy_io.mmread(io.BytesIO(content))
    except CorpusError:
        raise
    except (ValueError, OverflowError, TypeError, OSError, MemoryError) as error:
        line = _LINE.search(
            str(error)
        )  # SciPy quotes the line too: its number is taken, its words are not
        problem = "not a Matrix Market file, or one whose header or entries do not hold"
        raise ReadError(file.name, problem, _FIX, row=int(line[1]) if line else None) from None
    return _entries(file, sparse.coo_array(matrix))


def npz(file: File) -> Entries:
    """Read what ``scipy.sparse.save_npz`` wrote; nothing in it is executed."""
    content = read_bounded_zip(file)
    try:
        matrix = sparse.load_npz(io.BytesIO(content))  # pickles are refused
        n_documents, n_words = matrix.shape
        if isinstance(
            matrix, sparse.csr_array | sparse.csc_array | sparse.csr_matrix | sparse.csc_matrix
        ):
            matrix.check_format(full_check=True)  # before compiled code follows its pointers
        elif not isinstance(matrix, sparse.coo_array | sparse.coo_matrix):
            raise ValueError
        listed = sparse.coo_array(matrix)
    except Exception:  # zip, zlib, NumPy and SciPy raise two dozen kinds
        problem = "not a sparse matrix that SciPy saved as CSR, CSC or COO, or a damaged one"
        raise ReadError(file.name, problem, "Write it with scipy.sparse.save_npz.") from None
    _require_size(file, n_documents, n_words)
    return _entries(file, listed)


def _entries(file: File, stored: sparse.coo_array) -> Entries:
    try:
        counts = canonical_counts(stored)
    except CorpusError as error:
        raise ReadError(file.name, error.problem, error.fix) from None
    return Entries(counts, int(stored.nnz - sparse.csr_array(stored).nnz))


def _require_size(file: File, n_documents: int, n_words: int) -> None:
    """Refuse a table of counts that is empty or larger than the limits, before anything of its size is made."""
    most_documents, most_words = file.limits.max_documents, file.limits.max_distinct_words
    for n_declared, most, what in (
        (n_documents, most_documents, "documents"),
        (n_words, most_words, "words"),
    ):
        if n_declared <= 0:
            raise CorpusError(
                f"{file.name} declares no {what}", "Give at least 3 documents and 2 words."
            )
        if n_declared > most:
            fix = "Split the file, or read it from Python with higher Limits."
            raise ReadError(file.name, f"more than {most:,} {what}, the limit", fix)


def word_list(file: File, n_words: int) -> list[str]:
    """Read the file beside a matrix of counts: one word a line, the first line naming word 1."""
    listed = [strip_controls(line.strip()).text for line in file.lines()]
    while listed and not listed[-1]:
        listed.pop()
    if "" in listed:
        fix = "Put one word on each line."
        raise ReadError(
            file.name, "an empty line where a word is needed", fix, row=listed.index("") + 1
        )
    if len(listed) != n_words:
        problem = f"{'more' if len(listed) > n_words else 'fewer'} words than the {n_words:,} that the counts declare"
        raise ReadError(file.name, problem, "Give the word list that belongs to these counts.")
    first = {word: row for row, word in reversed(list(enumerate(listed, start=1)))}
    if again := next((row for row, word in enumerate(listed, start=1) if first[word] < row), None):
        raise ReadError(
            file.name, "a word that is listed before", "List each word once.", row=again
        )
    return listed
