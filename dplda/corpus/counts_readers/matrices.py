"""Matrices of counts, a row for each document: UCI's bags of words, Matrix Market, SciPy's files.

And lists of words. A bag of words has three header lines, N, D and the number of entries; then
``document word count``, from 1.
"""

import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import io as scipy_io
from scipy import sparse

from dplda.core.errors import CorpusError, ReadError
from dplda.core.types import Counts
from dplda.corpus.counts import canonical_counts
from dplda.corpus.files.file import File
from dplda.corpus.files.zip_archives import read_bounded_zip
from dplda.corpus.words.vocabulary import strip_controls

ReportLine: TypeAlias = Callable[[str], None]

_BLOCK_LINES = 100_000
_MAX_COUNT = int(np.iinfo(np.int32).max)
_NUMBER = re.compile(r"[0-9]{1,10}")
_LINE = re.compile(r"[Ll]ine (\d+)")
_HEADER_CONTENTS = ("the number of documents", "the number of words", "the number of entries")
_BAG_FORMAT = (
    "Each line after the three of the header holds a document, a word and a count, as whole"
    " numbers from 1."
)
_USE_COUNTS = "Give whole counts, one row per document and one column per word."


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """A whole file of counts.

    Attributes:
        counts: shape (N, D).
        n_repeated: entries that were added to an earlier one for the same document and word.
    """

    counts: Counts
    n_repeated: int


def is_bag(name: str) -> bool:
    """Whether a file is named like UCI's bags of words: ``docword.txt``, ``docword.kos.txt.gz``."""
    unpacked_name = name.lower().removesuffix(".gz")
    return unpacked_name.startswith("docword") and unpacked_name.endswith(".txt")


def word_list_beside(path: Path) -> Path:
    """Path of the word list beside a file of counts: ``vocab`` in place of ``docword`` in its name.

    The packed one is taken if only that exists. For any other name it is ``vocab.txt``, whether or
    not it exists.
    """
    if not is_bag(path.name):
        return path.with_name("vocab.txt")
    list_name = re.sub(r"^docword(.*?)(\.gz)?$", r"vocab\1", path.name, flags=re.IGNORECASE)
    unpacked_path = path.with_name(list_name)
    packed_path = path.with_name(f"{list_name}.gz")
    if os.path.exists(packed_path) and not os.path.exists(unpacked_path):
        return packed_path
    return unpacked_path


def bag(file: File, say: ReportLine | None = None) -> Entries:
    """Read a bag of words; entries may come in any order, and documents without one are empty.

    Entries for the same document and word are added up, and ``n_repeated`` counts them.

    Args:
        file: the bag.
        say: called with a line on progress; None for nobody.

    Raises:
        ReadError: a header or an entry of another form, too large a table, or another number of
            entries than declared; with the line where one is at fault.
        CorpusError: the header declares no documents or words, or a sum is too large for a count.
    """
    numbered_lines = enumerate(file.lines(), start=1)
    n_documents, n_words, n_entries = _read_header(file, numbered_lines)
    _require_size(file, n_documents, n_words)
    shape = (n_documents, n_words)
    entry_rows = _read_entries(file, numbered_lines, shape, n_entries=n_entries, say=say)
    document_numbers, word_numbers, entry_counts = entry_rows.T
    matrix_indices = (document_numbers - 1, word_numbers - 1)
    entry_table = sparse.coo_array((entry_counts, matrix_indices), shape=shape)
    counts = canonical_counts(entry_table)
    return Entries(counts, n_entries - counts.nnz)


def _read_entries(
    file: File,
    lines: Iterator[tuple[int, str]],
    shape: tuple[int, int],
    *,
    n_entries: int,
    say: ReportLine | None,
) -> NDArray[np.int32]:
    """Read the entries that a header declares, shape (n_entries, 3); empty lines do not count.

    The columns are document, word and count; documents and words are numbered from 1.

    Args:
        file: the bag, for refusals.
        lines: the lines below its header, each with its number.
        shape: (N, d), which bounds the numbers of documents and words.
        n_entries: number of entries that the header declares.
        say: called with a line on progress; None for nobody.

    Raises:
        ReadError: an entry is not valid, or there are more or fewer.
    """
    filled_lines = ((line_number, line) for line_number, line in lines if line.strip())
    entry_blocks = [np.empty((0, 3), dtype=np.int32)]
    n_read = 0
    while numbered_lines := list(islice(filled_lines, _BLOCK_LINES)):
        line_numbers, line_texts = zip(*numbered_lines, strict=True)
        n_read += len(numbered_lines)
        if n_read > n_entries:
            problem = f"more entries than the {n_entries:,} declared"
            first_too_many = line_numbers[n_entries - n_read]
            raise ReadError(file.name, problem, _BAG_FORMAT, row=first_too_many)
        entry_block = _parse_lines(line_texts)
        _check_entries(file, entry_block, line_numbers, shape)
        entry_blocks.append(entry_block.astype(np.int32))
        if say is not None:
            say(f"Read {n_read:,} entries")
    if n_read < n_entries:
        problem = f"{n_read:,} entries where the header declares {n_entries:,}"
        raise ReadError(file.name, problem, "Is the file complete?")
    return np.concatenate(entry_blocks)


def _check_entries(
    file: File, block: NDArray[np.int64], line_numbers: Sequence[int], shape: tuple[int, int]
) -> None:
    """Refuse the first entry with a number out of range, by its line in the file.

    Args:
        file: the bag, for the refusal.
        block: document, word and count of each entry, shape (n, 3), each from 1.
        line_numbers: of the entries.
        shape: (N, d), the largest document and word.

    Raises:
        ReadError: a document, a word or a count is below 1 or too large.
    """
    n_documents, n_words = shape
    largest_entry = (n_documents, n_words, _MAX_COUNT)
    is_in_range = (block >= 1) & (block <= largest_entry)
    is_valid = is_in_range.all(axis=1)
    if is_valid.all():
        return
    problem = (
        f"not a document from 1 to {n_documents:,}, a word from 1 to {n_words:,} and a count from"
        f" 1 to {_MAX_COUNT:,}"
    )
    first_invalid = int(np.argmin(is_valid))
    line_number = line_numbers[first_invalid]
    raise ReadError(file.name, problem, _BAG_FORMAT, row=line_number)


def _read_header(file: File, lines: Iterator[tuple[int, str]]) -> tuple[int, int, int]:
    """Read numbers of documents, words and entries, one from each of the first three lines.

    Their size is not checked here.

    Raises:
        ReadError: a line is missing, or holds anything but one whole number of up to ten digits.
    """
    header_numbers: list[int] = []
    for line_number, needed_content in enumerate(_HEADER_CONTENTS, start=1):
        _, raw_line = next(lines, (line_number, ""))
        line = raw_line.strip()
        if not _NUMBER.fullmatch(line):
            problem = f"this line must hold {needed_content}, one whole number and nothing else"
            fix = (
                "A file of counts begins with three lines: documents, words, entries. Rename it if"
                " it is plain text."
            )
            raise ReadError(file.name, problem, fix, row=line_number)
        header_numbers.append(int(line))
    n_documents, n_words, n_entries = header_numbers
    return n_documents, n_words, n_entries


def _parse_lines(lines: Sequence[str]) -> NDArray[np.int64]:
    """Three whole numbers of each line, shape (n, 3); zeros for a line that does not hold them.

    The numbers may be out of range.

    Args:
        lines: at least one, and none of them empty, since an empty one may get no row.
    """
    try:
        block: NDArray[np.int64] = np.loadtxt(iter(lines), dtype=np.int64, comments=None, ndmin=2)
        if block.shape[1] != 3:
            raise ValueError
    except ValueError:  # its message would quote the line
        block = np.array([_numbers(line.split()) for line in lines])
    return block


def _numbers(fields: list[str]) -> list[int]:
    """Three whole numbers, or three zeros, which no valid line holds."""
    if len(fields) != 3 or not all(map(_NUMBER.fullmatch, fields)):
        return [0, 0, 0]
    return list(map(int, fields))


def matrix_market(file: File) -> Entries:
    """Read a Matrix Market file; whole numbers are read as real ones, so that none overflows.

    Entries for the same document and word are added up, and ``n_repeated`` counts them.

    Raises:
        ReadError: the file is no Matrix Market file, has complex or missing entries or entries that
            are no counts, or is too large; with the line if it is known.
        CorpusError: the header declares no documents or words.
    """
    file_content = file.whole()
    try:
        header = scipy_io.mminfo(io.BytesIO(file_content))
        n_documents, n_words, _, storage_form, entry_type, _ = header
        if entry_type == "complex":
            raise ReadError(file.name, "complex entries", _USE_COUNTS)
        _require_size(file, n_documents, n_words)
        if storage_form == "array" and n_documents * n_words > len(file_content):
            problem = "fewer entries than the header declares"
            raise ReadError(file.name, problem, "Is the file complete?")
        if entry_type.endswith("integer"):  # of which SciPy would drop the part after a point
            integer_type = re.compile(rb"(unsigned-)?integer", re.IGNORECASE)
            file_content = integer_type.sub(b"real", file_content, count=1)
        matrix = scipy_io.mmread(io.BytesIO(file_content))
    except CorpusError:
        raise
    except (ValueError, OverflowError, TypeError, OSError, MemoryError) as error:
        # SciPy's message quotes the line: only its number is taken.
        line_match = _LINE.search(str(error))
        line_number = int(line_match[1]) if line_match else None
        problem = "not a Matrix Market file, or one whose header or entries do not hold"
        raise ReadError(file.name, problem, _USE_COUNTS, row=line_number) from None
    return _as_entries(file, sparse.coo_array(matrix))


def npz(file: File) -> Entries:
    """Read a file that ``scipy.sparse.save_npz`` wrote; nothing in it is executed.

    Entries for the same document and word are added up, and ``n_repeated`` counts them.

    Raises:
        ReadError: no such file, a damaged one, a format other than CSR, CSC or COO, entries that
            are no counts, or too large a table.
        CorpusError: there are no documents or no words.
    """
    file_content = read_bounded_zip(file)
    compressed_types = (sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.csc_matrix)
    try:
        matrix = sparse.load_npz(io.BytesIO(file_content))  # pickles are refused
        n_documents, n_words = matrix.shape
        if isinstance(matrix, compressed_types):
            matrix.check_format(full_check=True)  # before compiled code follows its pointers
        elif not isinstance(matrix, sparse.coo_array | sparse.coo_matrix):
            raise ValueError
        listed_entries = sparse.coo_array(matrix)
    except Exception:  # zip, zlib, NumPy and SciPy raise two dozen kinds
        problem = "not a sparse matrix that SciPy saved as CSR, CSC or COO, or a damaged one"
        raise ReadError(file.name, problem, "Write it with scipy.sparse.save_npz.") from None
    _require_size(file, n_documents, n_words)
    return _as_entries(file, listed_entries)


def _as_entries(file: File, stored: sparse.coo_array) -> Entries:
    """Add up the entries for the same document and word, and count the repeated ones.

    Raises:
        ReadError: entries are no counts.
    """
    try:
        counts = canonical_counts(stored)
    except CorpusError as error:
        raise ReadError(file.name, error.problem, error.fix) from None
    n_distinct = sparse.csr_array(stored).nnz
    return Entries(counts, int(stored.nnz - n_distinct))


def _require_size(file: File, n_documents: int, n_words: int) -> None:
    """Refuse a table of counts that is empty or too large, before anything of its size is made.

    Args:
        file: for refusals; its limits are those that count.
        n_documents: as declared, perhaps negative.
        n_words: as declared, perhaps negative.

    Raises:
        CorpusError: there are no documents or no words.
        ReadError: there are more than the limits of the file.
    """
    for n_declared, limit, unit in (
        (n_documents, file.limits.max_documents, "documents"),
        (n_words, file.limits.max_distinct_words, "words"),
    ):
        if n_declared <= 0:
            problem = f"{file.name} declares no {unit}"
            raise CorpusError(problem, "Give at least 3 documents and 2 words.")
        if n_declared > limit:
            fix = "Split the file, or read it from Python with higher Limits."
            raise ReadError(file.name, f"more than {limit:,} {unit}, the limit", fix)


def word_list(file: File, n_words: int) -> list[str]:
    """Read the list beside a file of counts: one word a line, the first line naming word 1.

    Spaces around a word and control characters are removed. Empty lines at the end do not count.

    Args:
        file: the list.
        n_words: number of words that the counts declare.

    Raises:
        ReadError: an empty line, a word that is listed twice, or another number of words.
    """
    stripped_lines = [line.strip() for line in file.lines()]
    words = [strip_controls(line).text for line in stripped_lines]
    while words and not words[-1]:
        words.pop()
    if "" in words:
        problem = "an empty line where a word is needed"
        row = words.index("") + 1
        raise ReadError(file.name, problem, "Put one word on each line.", row=row)
    if len(words) != n_words:
        comparison = "more" if len(words) > n_words else "fewer"
        problem = f"{comparison} words than the {n_words:,} that the counts declare"
        raise ReadError(file.name, problem, "Give the word list that belongs to these counts.")
    seen_words: set[str] = set()
    for line_number, word in enumerate(words, start=1):
        if word in seen_words:
            problem = "a word that is listed before"
            raise ReadError(file.name, problem, "List each word once.", row=line_number)
        seen_words.add(word)
    return words
