"""A corpus in a folder: counts that are read a few rows at a time, so that it may be larger than memory.

Three files hold the arrays of the counts in canonical CSR, as little-endian whole numbers one after the other and
nothing else: ``ends.i8`` (N + 1 of them, from 0), ``columns.i4`` and ``counts.i4``. ``corpus.json`` says the rest, and
``digest`` in it is that of the same corpus in memory. It is written last: a folder without it is not finished.
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
from dplda.corpus.corpus import Corpus, Label, VocabularySource, check_shape, digest_of
from dplda.corpus.counts import frozen, is_canonical
from dplda.corpus.read_summary import Intake

HEADER, ENDS, COLUMNS, COUNTS = "corpus.json", "ends.i8", "columns.i4", "counts.i4"
FORMAT = "dplda documents 1"
PIECE = 1 << 22  # bytes read at once where only their digest is asked for
_DAMAGED = "Write it again from the documents."


@dataclass(frozen=True, slots=True)
class FolderCounts:
    """Counts of a folder; what is read is checked, as compiled code follows it and sensitivities rest on it."""

    folder: Path
    shape: tuple[int, int]

    def rows(self, rows: slice, /) -> Counts:
        """Consecutive rows, in memory."""
        n, d = rows.stop - rows.start, self.shape[1]
        ends = self._read(ENDS, "<i8", rows.start, n + 1)
        first, last = int(ends[0]), int(ends[-1])
        if first < 0 or np.any(np.diff(ends) < 0) or last - first > n * d:
            raise self._damaged(ENDS)
        columns, counts = (
            self._read(name, "<i4", first, last - first).astype(np.int32, copy=False)
            for name in (COLUMNS, COUNTS)
        )
        indptr: NDArray[np.integer] = (ends - first).astype(
            np.int32 if last - first < 2**31 else np.int64
        )
        if not is_canonical(csr_array((counts, columns, indptr), shape=(n, d))):
            raise self._damaged(COLUMNS if np.all(counts > 0) else COUNTS)
        return frozen(counts, columns, indptr, (n, d))

    def n_entries(self) -> int:
        """How many counts there are above zero."""
        return int(self._read(ENDS, "<i8", self.shape[0], 1)[0])

    def digest(self, vocabulary: tuple[str, ...]) -> str:
        """``Corpus.digest`` of the same documents; every file is read once."""
        return digest_of(
            self.shape, (self._pieces(name) for name in (ENDS, COLUMNS, COUNTS)), vocabulary
        )

    def _read(self, name: str, kind: str, start: int, count: int) -> NDArray[np.integer]:
        with opened(self.folder / name) as file:
            file.seek(start * np.dtype(kind).itemsize)
            found: NDArray[np.integer] = np.fromfile(file, dtype=kind, count=count)
        if len(found) < count:
            raise self._damaged(name)
        return found

    def _pieces(self, name: str) -> Iterator[bytes]:
        with opened(self.folder / name) as file:
            while piece := file.read(PIECE):
                yield piece

    def _damaged(self, name: str) -> ReadError:
        return ReadError(
            f"{file_name(self.folder)}/{name}", "this is not what was written", _DAMAGED
        )


@dataclass(frozen=True, slots=True, eq=False)
class StoredCorpus:
    """Documents that lie in a folder; attributes and digest are those of the same ``Corpus`` in memory.

    Example:
        >>> import tempfile
        >>> from dplda.corpus import StoredCorpus, python_docs, store
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     kept = store(python_docs(n_words=30, n_documents=500), folder)
        ...     kept.n_documents, kept.n_words, StoredCorpus.open(folder).digest == kept.digest
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
        """A corpus that ``CorpusWriter`` wrote; its files are read once."""
        folder = Path(folder)
        try:
            header = json.loads(text_of(folder / HEADER))
            if header["format"] != FORMAT:
                raise ValueError
            counts = FolderCounts(folder, (int(header["n_documents"]), int(header["n_words"])))
            words = tuple(str(word) for word in header["vocabulary"])
            label, source = Label(header["label"]), VocabularySource(header["vocabulary_source"])
            name, digest = str(header["name"]), str(header["digest"])
        except (ValueError, KeyError, TypeError, InputError):
            problem = "not the header of a corpus in a folder, or one of another version"
            raise ReadError(f"{file_name(folder)}/{HEADER}", problem, _DAMAGED) from None
        check_shape(counts.shape, words)
        if counts.digest(words) != digest:
            raise ReadError(file_name(folder), "its files are not what was written", _DAMAGED)
        return cls(counts, words, label, name, source, digest)

    @property
    def n_documents(self) -> int:
        """``N``, documents, short and empty ones included."""
        return self.counts.shape[0]

    @property
    def n_words(self) -> int:
        """``d``, words of the vocabulary."""
        return self.counts.shape[1]

    def in_memory(self) -> Corpus:
        """The same corpus, all of it at once."""
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
    """Writes a corpus to a folder, which it makes or empties, some documents at a time.

    Example:
        >>> import tempfile
        >>> from dplda.corpus import CorpusWriter, Label, VocabularySource
        >>> from scipy.sparse import csr_array
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     writer = CorpusWriter(folder)
        ...     for rows in ([[2, 1], [0, 3]], [[1, 1]]):
        ...         writer.add(csr_array(rows, dtype="int32"))
        ...     writer.finished(["tea", "milk"], Label.PUBLIC, "cups", VocabularySource.FIXED).n_documents
        3
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._n_documents = self._n_entries = 0
        self._files: list[BinaryIO] = []
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for name in (HEADER, ENDS, COLUMNS, COUNTS):
                (self._folder / name).unlink(missing_ok=True)
            self._files.extend((self._folder / name).open("xb") for name in (ENDS, COLUMNS, COUNTS))
            self._files[0].write(np.zeros(1, dtype="<i8").data)
            self.waiting = TemporaryFile(dir=folder)  # noqa: SIM115 - for counts over a vocabulary not known yet
        except (OSError, ValueError) as error:
            raise self._unwritable(error) from None

    def add(self, block: Counts) -> None:
        """Append documents, in canonical CSR: sorted, duplicates summed, no stored zero."""
        ends = block.indptr[1:].astype("<i8") + self._n_entries
        try:
            for file, array in zip(self._files, (ends, block.indices, block.data), strict=True):
                file.write(
                    np.ascontiguousarray(array, dtype="<i8" if array is ends else "<i4").data
                )
        except OSError as error:
            raise self._unwritable(error) from None
        self._n_documents += block.shape[0]
        self._n_entries += len(block.data)

    def close(self) -> None:
        """Let go of the files; without ``finished`` they are no corpus."""
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
        """The corpus; nothing can be added any more."""
        words = tuple(vocabulary)
        shape = (self._n_documents, len(words))
        try:
            self.close()
            check_shape(shape, words)
            counts = FolderCounts(self._folder, shape)
            for rows in row_blocks(shape[0]):
                counts.rows(rows)
            digest = counts.digest(words)
            header = {
                "format": FORMAT,
                "n_documents": shape[0],
                "n_words": shape[1],
                "n_entries": self._n_entries,
            }
            header |= {
                "label": label,
                "name": name,
                "vocabulary_source": source,
                "digest": digest,
                "vocabulary": words,
            }
            (self._folder / HEADER).write_text(json.dumps(header, indent=1) + "\n", "ascii")
        except OSError as error:
            raise self._unwritable(error) from None
        return StoredCorpus(counts, words, label, name, source, digest, intake)

    def _unwritable(self, error: Exception) -> ReadError:
        return refusal(error, self._folder, "Choose another folder.")


def store(corpus: Corpus, folder: str | Path) -> StoredCorpus:
    """A corpus in memory, written to a folder; persons and truth stay behind.

    One of persons, or of words that were selected privately, is refused: a folder does not keep what they promise.

    Example:
        >>> import tempfile
        >>> from dplda.corpus import python_docs, store
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store(python_docs(n_words=50, n_documents=20), folder).counts.rows(slice(0, 2)).shape
        (2, 50)
    """
    if corpus.of_persons or corpus.selection is not None:
        raise InputError(
            "corpus", "of documents, over words that were not selected privately", "another one"
        )
    writer = CorpusWriter(folder)
    for rows in row_blocks(corpus.n_documents):
        writer.add(corpus.counts[rows])
    return writer.finished(
        corpus.vocabulary, corpus.label, corpus.name, corpus.vocabulary_source, corpus.intake
    )
