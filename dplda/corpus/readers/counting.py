"""Documents, or counts of many words, to counts and intake; nothing of a text is kept but its words' counts."""

import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core.engine import row_blocks, rows_of
from dplda.core.errors import CorpusError, ReadError
from dplda.core.formatting import counted
from dplda.core.types import Counts
from dplda.corpus.count_matrix import Blocks, stacked
from dplda.corpus.files.file import Limits
from dplda.corpus.on_disk import CorpusWriter
from dplda.corpus.persons import Persons, Roll, author_named
from dplda.corpus.read_summary import Intake, Look
from dplda.corpus.readers.table import Document
from dplda.corpus.remarks import RemarkCounter
from dplda.corpus.words.tokenisation import STOPPED, Lexicon, Tokenisation
from dplda.corpus.words.vocabulary import most_frequent, number_of, strip_controls

_AT_ONCE = 1 << 22  # characters that wait until their words are counted
_PER_DOCUMENT = 20  # as many more: what a document costs besides

LEAST_WORDS = 3  # a document with fewer words of the vocabulary contributes zero to every moment


@dataclass(frozen=True, slots=True)
class Counted:
    """A file that has been read: its words and counts, shape (N, d), which are None where they went to a folder.

    Attributes:
        persons, texts: whose each document is, and a number of its text, shape (N,); None where nobody asked.
    """

    words: tuple[str, ...]
    counts: Counts | None
    intake: Intake
    persons: Persons | None = None
    texts: NDArray[np.uint64] | None = None


class DocumentCounter:
    """Counts words and takes note of what was unusual.

    Args:
        vocabulary: a fixed list; None counts all words but stop words.
        texts: whether each is to be known again by the number of its text.
        writer: where counts go, some documents at a time; None keeps them in memory.
    """

    def __init__(
        self,
        source: str,
        vocabulary: tuple[str, ...] | None,
        limits: Limits,
        tokenisation: Tokenisation,
        *,
        persons: bool = False,
        texts: bool = False,
        writer: CorpusWriter | None = None,
    ) -> None:
        self.n_read = 0
        self.remarks = RemarkCounter()
        self._source = source
        self._limits = limits
        self._fixed = vocabulary is not None
        self._tokenisation = tokenisation
        self._lexicon = Lexicon(tokenisation, vocabulary)
        self._writer, self._blocks = writer, Blocks(None if writer is None else writer.waiting)
        self._look = Look()
        self._roll = Roll() if persons else None
        self._texts = array("Q") if texts else None
        self._texts_seen: set[int] = set()  # hashes: 64 bits a document
        self._n_texts = self._n_truncated = self._n_control_removed = 0
        self._n_tokens = self._n_stopped = self._n_repeated = self._n_waiting = 0
        self._waiting: list[str] = []

    def add(self, document: Document) -> None:
        """Count one document."""
        self.n_read += 1
        if self.n_read > self._limits.max_documents:
            fix = "Split the file, or read it from Python with a higher Limits.max_documents."
            raise ReadError(
                self._source, f"more than {self._limits.max_documents:,} documents, the limit", fix
            )
        text = document.text
        if len(text) > self._limits.max_field_chars:
            most = f"more than {self._limits.max_field_chars:,} characters, the limit"
            fix = "Split that document, or raise Limits.max_field_chars in Python."
            raise ReadError(self._source, f"document {self.n_read:,} has {most}", fix)
        if self._roll is not None:
            self._note_person(self._roll, document.person or "")
        if self._texts is not None:
            self._texts.append(number_of(text))
        if text:
            self._n_texts += 1
            self._texts_seen.add(hash(text))
        text, n_removed = strip_controls(text)
        self._n_control_removed += n_removed
        if text and self._tokenisation.pattern is None:
            self._look.at(text)
        self._waiting.append(text)
        self._n_waiting += len(text) + _PER_DOCUMENT
        if self._n_waiting >= _AT_ONCE:
            self._close_block()

    def _note_person(self, roll: Roll, name: str) -> None:
        """Note whose the document that was read last is."""
        author = author_named(name)
        if not roll.add(author):
            fix = "Every document needs an author. Spell the same person's name the same way everywhere."
            raise ReadError(self._source, f"document {self.n_read:,} does not name its person", fix)
        if author.remark is not None:
            self.remarks.add(author.remark, f"document {self.n_read:,}")

    def add_counts(self, counts: Counts, listed: Sequence[str], n_repeated: int) -> None:
        """Count the documents of a matrix whose columns are words.

        A name is a word where it is one as text is read; columns whose names differ in case only are added up. A matrix
        keeps no order, so a document with too many words is thinned evenly over its counts.
        """
        self.n_read, self._n_repeated = counts.shape[0], n_repeated
        for row in row_blocks(self.n_read):
            block = rows_of(counts, row)
            parts = zip(block.indptr[:-1].tolist(), block.indptr[1:].tolist(), strict=True)
            filled = [(a, b) for a, b in parts if b > a]
            self._n_texts += len(filled)
            self._texts_seen.update(
                hash((block.indices[a:b].tobytes(), block.data[a:b].tobytes())) for a, b in filled
            )
        names = [name.lower() for name in listed] if self._tokenisation.lowercase else listed
        columns = [column for column, name in enumerate(names) if self._tokenisation.is_word(name)]
        codes = np.array([self._lexicon[names[column]] for column in columns], dtype=np.int32)
        of_words, self._n_truncated = _thinned(
            counts[:, columns], self._limits.max_words_per_document
        )
        for row in row_blocks(self.n_read):
            block = rows_of(of_words, row)
            document = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
            self._take(
                np.repeat(codes[block.indices], block.data),
                np.repeat(document, block.data),
                block.shape[0],
            )

    def finished(
        self,
        n_words: int | None,
        n_files: int = 1,
        n_files_dropped: int = 0,
        *,
        first_look: bool = False,
    ) -> Counted:
        """Counts over the vocabulary; nothing can be added any more.

        Args:
            first_look: takes ``n_words`` of a fixed list too, and documents without one word to count.
        """
        self._close_block()
        if self.n_read == 0:
            raise CorpusError(
                f"{self._source} holds no documents", "Give at least 3, each with some words."
            )
        met = self._lexicon.met
        frequency = self._blocks.frequency(len(met))
        if not (frequency.any() or first_look):
            raise _nothing_left(self._source, self.n_read, self._tokenisation, fixed=self._fixed)
        n_duplicates = self._n_texts - len(self._texts_seen)
        self._texts_seen.clear()  # what is not needed any more makes room for the counts
        self._lexicon.clear()
        every = self._fixed and not (first_look and n_words)
        chosen = (
            list(range(len(met)))
            if every
            else most_frequent(frequency, met, n_words or sys.maxsize)
        )
        kept: list[Counts] = []
        lengths = []
        for part in self._blocks.parts(np.array(chosen, dtype=np.intp), len(met)):
            lengths.append(part.sum(axis=1, dtype=np.int64))
            (kept.append if self._writer is None else self._writer.add)(part)
        words_in = np.concatenate(lengths)
        intake = Intake(
            n_read=self.n_read,
            n_short=int((words_in < LEAST_WORDS).sum()),
            n_truncated=self._n_truncated,
            n_duplicates=n_duplicates,
            n_control_removed=self._n_control_removed,
            n_tokens=self._n_tokens,
            n_tokens_kept=int(words_in.sum()),
            n_stopped=self._n_stopped,
            n_words_met=int((frequency > 0).sum()),
            n_files=n_files,
            n_repeated_entries=self._n_repeated,
            n_files_dropped=n_files_dropped,
            remarks=self.remarks.counted(),
            **self._look.found(),
        )
        return Counted(
            tuple(met[column] for column in chosen),
            stacked(kept, len(chosen)) if self._writer is None else None,
            intake,
            None if self._roll is None else self._roll.numbers(),
            None if self._texts is None else np.array(self._texts, dtype=np.uint64),
        )

    def _close_block(self) -> None:
        """Turn the texts waiting into counts of words: cut long documents, then leave out what is passed over."""
        numbers, lengths = self._lexicon.read(self._waiting)
        self._waiting, self._n_waiting = [], 0
        self._take(numbers, np.repeat(np.arange(lengths.size), lengths), lengths.size)

    def _take(
        self, codes: NDArray[np.int32], document: NDArray[np.integer], n_documents: int
    ) -> None:
        if len(self._lexicon.met) > self._limits.max_distinct_words and not self._fixed:
            problem = f"more than {self._limits.max_distinct_words:,} distinct words, the limit"
            fix = "Check that this is natural language, or give a fixed vocabulary."
            raise ReadError(self._source, problem, fix)
        lengths = np.bincount(document, minlength=n_documents)
        longest = self._limits.max_words_per_document
        if n_documents and lengths.max() > longest:
            self._n_truncated += int((lengths > longest).sum())
            first = (
                np.arange(codes.size) - np.repeat(np.cumsum(lengths) - lengths, lengths) < longest
            )
            codes, document = codes[first], document[first]
        self._n_tokens += codes.size
        self._n_stopped += int(np.count_nonzero(codes == STOPPED))
        taken = codes >= 0
        ends = np.zeros(n_documents + 1, dtype=np.int64)
        ends[1:] = np.cumsum(np.bincount(document[taken], minlength=n_documents))
        self._blocks.add(codes[taken], ends, len(self._lexicon.met))


def _thinned(counts: Counts, longest: int) -> tuple[Counts, int]:
    """Documents thinned to ``longest`` words, one in so many of them in a row, and how many documents that were.

    Every count keeps its share of the document, up to one word; no column is favoured by where it stands.
    """
    lengths = counts.sum(axis=1, dtype=np.int64)
    n_long = int((lengths > longest).sum())
    if not n_long:
        return counts, 0
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    upto = np.concatenate([[0], np.cumsum(counts.data, dtype=np.int64)])
    room, length = np.minimum(lengths, longest)[row], lengths[row]
    wide = (
        object if int(lengths.max()) > np.iinfo(np.int64).max // longest else np.int64
    )  # which products would leave
    last, first = ((end - upto[counts.indptr[row]]).astype(wide) for end in (upto[1:], upto[:-1]))
    thin = counts.copy()
    thin.data = (last * room // length - first * room // length).astype(np.int32)
    return thin, n_long


def _nothing_left(
    source: str, n_documents: int, tokenisation: Tokenisation, *, fixed: bool
) -> CorpusError:
    """The refusal of documents without one word to count."""
    letters = "letters" if tokenisation.cuts_into_letters else "characters"
    what = (
        "word of the vocabulary"
        if fixed
        else f"word of {tokenisation.least} or more {letters} but stop words"
    )
    problem = f"Nothing is left of the {counted(n_documents, 'document')} in {source}: they hold no {what}"
    fix = (
        "the encoding, the text column and the language; of counts, that the words belong to them."
    )
    return CorpusError(
        problem, f"Give another vocabulary, or check {fix}" if fixed else f"Check {fix}"
    )
