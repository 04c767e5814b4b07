"""Corpus in a folder: counts are read a few rows at a time, so that it may exceed memory.

Three files hold the arrays of the counts in canonical CSR, as little-endian whole numbers one after
the other and
nothing else: ``ends.i8`` (N + 1 of them, from 0), ``columns.i4`` and ``counts.i4``. ``corpus.json``
holds the rest, and ``digest`` in it is that of the same corpus in memory. It is written last:
without it a folder is not finished.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.core.engine import row_blocks
from dplda.core.errors import InputError, ReadError
from dplda.core.safe_open import file_name, opened, refusal, text_of
from dplda.core.types import Counts
from dplda.corpus.corpus import Corpus, Label, VocabularySource, corpus_digest
from dplda.corpus.counts import is_canonical, read_only_counts
from dplda.corpus.read_summary import Intake
from dplda.corpus.vocabulary_checks import check_shape

HEADER, ENDS, COLUMNS, COUNTS = "corpus.json", "ends.i8", "columns.i4", "counts.i4"
FORMAT = "dplda documents 1"
PIECE_BYTES = 1 << 22  # read at once for a digest
_WRITE_AGAIN = "Write it again from the documents."


@dataclass(frozen=True, slots=True)
class FolderCounts:
    """Counts in a folder, checked when read, since compiled code and sensitivities rely on them.

    Attributes:
        folder: where the three files of the counts are.
        shape: (N, d).
    """

    folder: Path
    shape: tuple[int, int]

    def rows(self, rows: slice, /) -> Counts:
        """Read consecutive rows into memory, as read-only canonical CSR.

        Args:
            rows: with a start and a stop, neither negative; its step is ignored.

        Raises:
            ReadError: a file cannot be read, is too short, or holds no canonical counts.
        """
        n_rows = rows.stop - rows.start
        n_words = self.shape[1]
        row_ends = self._read(ENDS, "<i8", rows.start, n_rows + 1)
        first_entry = int(row_ends[0])
        n_entries = int(row_ends[-1]) - first_entry
        ends_descend = np.any(np.diff(row_ends) < 0)
        if first_entry < 0 or ends_descend or n_entries > n_rows * n_words:
            raise self._damaged(ENDS)
        word_columns = self._read_entries(COLUMNS, first_entry, n_entries)
        counts = self._read_entries(COUNTS, first_entry, n_entries)
        index_type = np.int32 if n_entries < 2**31 else np.int64
        indptr: NDArray[np.integer] = (row_ends - first_entry).astype(index_type)
        shape = (n_rows, n_words)
        block = csr_array((counts, word_columns, indptr), shape=shape)
        if not is_canonical(block):
            raise self._damaged(COLUMNS if np.all(counts > 0) else COUNTS)
        return read_only_counts(counts, word_columns, indptr, shape)

    def _read_entries(self, name: str, first: int, n_entries: int) -> NDArray[np.int32]:
        """Read one file's numbers of some entries, of 32 bits in this machine's order."""
        entries = self._read(name, "<i4", first, n_entries)
        return entries.astype(np.int32, copy=False)

    def n_entries(self) -> int:
        """Number of counts above zero, read from the last row end."""
        n_documents = self.shape[0]
        last_end = self._read(ENDS, "<i8", n_documents, 1)
        return int(last_end[0])

    def digest(self, vocabulary: tuple[str, ...]) -> str:
        """``Corpus.digest`` of the same documents; reads every file once."""
        arrays = (self._pieces(name) for name in (ENDS, COLUMNS, COUNTS))
        return corpus_digest(self.shape, arrays, vocabulary)

    def _read(self, name: str, number_type: str, start: int, n_numbers: int) -> NDArray[np.integer]:
        """Read numbers of a file from the ``start``-th on.

        A file that ends too early is refused.
        """
        n_bytes_before = start * np.dtype(number_type).itemsize
        with opened(self.folder / name) as file:
            file.seek(n_bytes_before)
            numbers: NDArray[np.integer] = np.fromfile(file, dtype=number_type, count=n_numbers)
        if len(numbers) < n_numbers:
            raise self._damaged(name)
        return numbers

    def _pieces(self, name: str) -> Iterator[bytes]:
        """Yield the bytes of a file, at most ``PIECE_BYTES`` at a time."""
        with opened(self.folder / name) as file:
            while piece := file.read(PIECE_BYTES):
                yield piece

    def _damaged(self, name: str) -> ReadError:
        """Error for a file that does not hold what was written."""
        file_phrase = f"{file_name(self.folder)}/{name}"
        return ReadError(file_phrase, "this is not what was written", _WRITE_AGAIN)


@dataclass(frozen=True, slots=True, eq=False)
class StoredCorpus:
    """Documents in a folder, with the attributes and digest of the same ``Corpus`` in memory.

    Attributes:
        counts: shape (N, d), read from the folder row by row.
        vocabulary: the ``d`` distinct words, in column order.
        label: declared origin; it decides whether exact results may be shown.
        name: what the corpus is called on pages and in files.
        vocabulary_source: origin of the words.
        digest: SHA-256 of the same corpus in memory, in hexadecimal.
        intake: summary of what was read, if the corpus was just made of text; a folder does not
            keep it.

    Example:
        >>> import tempfile
        >>> from dplda.corpus import StoredCorpus, python_docs, store
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     stored = store(python_docs(n_words=30, n_documents=500), folder)
        ...     is_same = StoredCorpus.open(folder).digest == stored.digest
        ...     stored.n_documents, stored.n_words, is_same
        (500, 30, True)
    """

    counts: FolderCounts
    vocabulary: tuple[str, ...]
    label: Label
    name: str
    vocabulary_source: VocabularySource
    digest: str
    intake: Intake | None = None
    of_persons: ClassVar[bool] = False
    selection: ClassVar[None] = None
    unit: ClassVar[str] = "document"

    @classmethod
    def open(cls, folder: str | Path) -> "StoredCorpus":
        """Open a corpus that ``CorpusWriter`` wrote; reads every file once and compares the digest.

        Raises:
            ReadError: the folder cannot be read, or does not hold what was written.
            CorpusError: there are fewer than 3 documents or 2 words.
        """
        folder = Path(folder)
        try:
            header_fields = json.loads(text_of(folder / HEADER))
            if header_fields["format"] != FORMAT:
                raise ValueError
            corpus = cls(
                counts=FolderCounts(
                    folder, (int(header_fields["n_documents"]), int(header_fields["n_words"]))
                ),
                vocabulary=tuple(str(word) for word in header_fields["vocabulary"]),
                label=Label(header_fields["label"]),
                vocabulary_source=VocabularySource(header_fields["vocabulary_source"]),
                name=str(header_fields["name"]),
                digest=str(header_fields["digest"]),
            )
        except (ValueError, KeyError, TypeError, InputError):
            problem = "not the header of a corpus in a folder, or one of another version"
            raise ReadError(f"{file_name(folder)}/{HEADER}", problem, _WRITE_AGAIN) from None
        check_shape(corpus.counts.shape, corpus.vocabulary)
        if corpus.counts.digest(corpus.vocabulary) != corpus.digest:
            raise ReadError(file_name(folder), "its files are not what was written", _WRITE_AGAIN)
        return corpus

    @property
    def n_documents(self) -> int:
        """Number of documents, ``N``, short and empty ones included."""
        return self.counts.shape[0]

    @property
    def n_words(self) -> int:
        """Size of the vocabulary, ``d``."""
        return self.counts.shape[1]

    def in_memory(self) -> Corpus:
        """Read the whole corpus into memory.

        Raises:
            ReadError: a file cannot be read, or does not hold what was written.
        """
        counts = self.counts.rows(slice(0, self.n_documents))
        return Corpus(
            counts,
            self.vocabulary,
            self.label,
            self.name,
            self.vocabulary_source,
            intake=self.intake,
        )


AnyCorpus: TypeAlias = Corpus | StoredCorpus


class CorpusWriter:
    """Writes a corpus to a folder, some documents at a time.

    The folder is made if there is none; files of a corpus that it holds are deleted at once.

    Args:
        folder: where to write.

    Attributes:
        waiting: temporary file for counts over a vocabulary that is not known yet.

    Raises:
        ReadError: the folder cannot be written to.

    Example:
        >>> import tempfile
        >>> from dplda.corpus import CorpusWriter, Label, VocabularySource
        >>> from scipy.sparse import csr_array
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     writer = CorpusWriter(folder)
        ...     for rows in ([[2, 1], [0, 3]], [[1, 1]]):
        ...         writer.add(csr_array(rows, dtype="int32"))
        ...     words, source = ["tea", "milk"], VocabularySource.FIXED
        ...     writer.finished(words, Label.PUBLIC, "cups", source).n_documents
        3
    """

    def __init__(self, folder: str | Path) -> None:
        """Make the folder, delete a corpus that is in it, and open empty files.

        Raises:
            ReadError: the folder cannot be written to.
        """
        self._folder = Path(folder)
        self._n_documents = self._n_entries = 0
        self._files: list[BinaryIO] = []
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for corpus_file_name in (HEADER, ENDS, COLUMNS, COUNTS):
                (self._folder / corpus_file_name).unlink(missing_ok=True)
            self._files.extend(
                (self._folder / corpus_file_name).open("xb")
                for corpus_file_name in (ENDS, COLUMNS, COUNTS)
            )
            self._files[0].write(np.zeros(1, dtype="<i8").data)
            self.waiting = TemporaryFile(dir=folder)  # noqa: SIM115 - close() closes it
        except (OSError, ValueError) as error:
            raise self._unwritable(error) from None

    def add(self, block: Counts) -> None:
        """Append documents in canonical CSR: sorted, duplicates summed, no stored zero.

        Nothing of this is checked here. Columns and counts are written as numbers of 32 bits.

        Raises:
            ReadError: the files cannot be written to, because the disk is full, say.
        """
        row_ends = block.indptr[1:].astype("<i8") + self._n_entries
        arrays = (
            np.ascontiguousarray(row_ends, dtype="<i8"),
            np.ascontiguousarray(block.indices, dtype="<i4"),
            np.ascontiguousarray(block.data, dtype="<i4"),
        )
        try:
            for file, array in zip(self._files, arrays, strict=True):
                file.write(array.data)
        except OSError as error:
            raise self._unwritable(error) from None
        self._n_documents += block.shape[0]
        self._n_entries += len(block.data)

    def close(self) -> None:
        """Close the files; before ``finished`` they are no corpus."""
        for file in (*self._files, self.waiting):
            file.close()

    def finished(
        self,
        vocabulary: Sequence[str],
        label: Label,
        name: str,
        source: VocabularySource,
        intake: Intake | None = None,
    ) -> StoredCorpus:
        """Close the files, read them once to check them, and write the header of the corpus.

        After a refusal the files are closed, and the folder has no header, so it does not open.

        Args:
            vocabulary: words in column order.
            label: declared origin.
            name: what the corpus is called on pages and in files.
            source: origin of the words.
            intake: summary of what was read; it is passed to the result and not written.

        Raises:
            CorpusError: fewer than 3 documents or 2 words, or words that do not fit the columns.
            ReadError: a file cannot be written, or does not hold what was written.
        """
        words = tuple(vocabulary)
        shape = (self._n_documents, len(words))
        try:
            self.close()
            check_shape(shape, words)
            counts = FolderCounts(self._folder, shape)
            for row_slice in row_blocks(shape[0]):
                counts.rows(row_slice)
            digest = counts.digest(words)
            header_fields = {
                "format": FORMAT,
                "n_documents": shape[0],
                "n_words": shape[1],
                "n_entries": self._n_entries,
                "label": label,
                "name": name,
                "vocabulary_source": source,
                "digest": digest,
                "vocabulary": words,
            }
            (self._folder / HEADER).write_text(json.dumps(header_fields, indent=1) + "\n", "ascii")
        except OSError as error:
            raise self._unwritable(error) from None
        return StoredCorpus(counts, words, label, name, source, digest, intake)

    def _unwritable(self, error: Exception) -> ReadError:
        """Error for a folder that cannot be written to."""
        return refusal(error, self._folder, "Choose another folder.")


def store(corpus: Corpus, folder: str | Path) -> StoredCorpus:
    """Write a corpus in memory to a folder; persons, truth and labels are not written.

    Args:
        corpus: its rows are documents.
        folder: made if there is none; a corpus in it is replaced.

    Raises:
        InputError: rows are persons, or words were selected privately: a folder does not keep the
            guarantee that this is part of.
        ReadError: the folder cannot be written to.

    Example:
        >>> import tempfile
        >>> from dplda.corpus import python_docs, store
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     stored = store(python_docs(n_words=50, n_documents=20), folder)
        ...     stored.counts.rows(slice(0, 2)).shape
        (2, 50)
    """
    if corpus.of_persons or corpus.selection is not None:
        raise InputError(
            "corpus", "of documents, over words that were not selected privately", "another one"
        )
    writer = CorpusWriter(folder)
    for row_slice in row_blocks(corpus.n_documents):
        writer.add(corpus.counts[row_slice])
    return writer.finished(
        corpus.vocabulary, corpus.label, corpus.name, corpus.vocabulary_source, corpus.intake
    )
