"""Documents to counts and intake, one document at a time; nothing of a text is kept but its words' counts."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray

from dplda.core.errors import CorpusError, ReadError
from dplda.core.formatting import counted
from dplda.core.types import Counts
from dplda.corpus.count_matrix import Blocks
from dplda.corpus.counts import WordCounts
from dplda.corpus.files.limits import Limits
from dplda.corpus.on_disk import CorpusWriter
from dplda.corpus.persons import Persons, Roll
from dplda.corpus.read_summary import Intake
from dplda.corpus.readers.document import Document
from dplda.corpus.readers.looks import Look
from dplda.corpus.words.lexicon import STOPPED, Lexicon
from dplda.corpus.words.same_text import number_of
from dplda.corpus.words.tokenisation import Tokenisation
from dplda.corpus.words.vocabulary import most_frequent, strip_controls

_AT_ONCE = 1 << 22  # characters that wait until their words are counted
_ROWS_AT_ONCE = 1 << 14
_PER_DOCUMENT = 20  # as many more: what a document costs besides

LEAST_WORDS = 3
"""A document with fewer words of the vocabulary contributes zero to every moment."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A file that has been read.

    Attributes:
        persons: whose each document is, shape (N,); None where nobody asked.
        texts: a number of each document's text, shape (N,); likewise.
    """

    table: WordCounts
    intake: Intake
    persons: Persons | None = None
    texts: NDArray[np.uint64] | None = None


class DocumentCounter:
    """Counts words and takes note of what was unusual.

    Args:
        vocabulary: a fixed list; None counts all words but stop words.
        texts: whether each is to be known again by the number of its text.
        file: where counts wait until the vocabulary is known, as for ``Blocks``; None keeps them in memory.
    """

    def __init__(
        self,
        source: str,
        vocabulary: tuple[str, ...] | None,
        limits: Limits,
        tokenisation: Tokenisation | None = None,
        *,
        persons: bool = False,
        texts: bool = False,
        file: IO[bytes] | None = None,
    ) -> None:
        self.n_read = 0
        self._source = source
        self._limits = limits
        self._fixed = vocabulary is not None
        self._tokenisation = tokenisation or Tokenisation()
        self._lexicon = Lexicon(self._tokenisation, vocabulary)
        self._blocks = Blocks(file)
        self._look = Look()
        self._roll = Roll() if persons else None
        self._texts = array("Q") if texts else None
        self._texts_seen: set[int] = set()  # hashes: 64 bits a document
        self._n_texts = self._n_truncated = self._n_control_removed = self._n_tokens = self._n_stopped = 0
        self._waiting: list[str | Sequence[str]] = []
        self._n_waiting = 0

    def add(self, document: Document) -> None:
        """Count one document.

        Raises:
            ReadError: more documents or more distinct words than the limits allow; a document of nobody, where
                somebody was asked for.
        """
        self.n_read += 1
        if self.n_read > self._limits.max_documents:
            raise ReadError(
                self._source,
                f"more than {self._limits.max_documents:,} documents, the limit",
                "Split the file, or read it from Python with a higher Limits.max_documents.",
            )
        if self._roll is not None and not self._roll.add(document.person or ""):
            raise ReadError(
                self._source,
                f"document {self.n_read:,} does not say whose it is",
                "Every document needs a person; the same one wherever it is the same.",
            )
        text = document.text
        if self._texts is not None:
            self._texts.append(number_of(text))
        if text:
            self._n_texts += 1
            self._texts_seen.add(hash(text if isinstance(text, str) else tuple(text)))
        if isinstance(text, str):
            cleaned = strip_controls(text)
            self._n_control_removed += cleaned.n_removed
            text = cleaned.text
            if text and self._tokenisation.pattern is None:
                self._look.at(text)
        self._waiting.append(text)
        self._n_waiting += len(text) + _PER_DOCUMENT
        if self._n_waiting >= _AT_ONCE:
            self._close_block()

    def finished(self, n_words: int, n_files: int = 1, n_files_dropped: int = 0) -> Counted:
        """Counts over the vocabulary; nothing can be added any more.

        Raises:
            CorpusError: there are no documents, or not one word to count.
        """
        columns, words = self._chosen(n_words)
        counts = self._blocks.counts(columns, self._n_met, last=True)
        intake = self._intake(_lengths(counts), n_files, n_files_dropped)
        persons = None if self._roll is None else self._roll.numbers()
        texts = None if self._texts is None else np.array(self._texts, dtype=np.uint64)
        return Counted(WordCounts(counts, words), intake, persons, texts)

    def written(
        self, writer: CorpusWriter, n_words: int, n_files: int = 1, n_files_dropped: int = 0
    ) -> tuple[tuple[str, ...], Intake]:
        """The same into a folder: the words in column order, and what was met; persons stay behind."""
        columns, words = self._chosen(n_words)
        lengths = []
        for part in self._blocks.parts(columns, self._n_met):
            writer.add(part)
            lengths.append(part.sum(axis=1, dtype=np.int64))
        return words, self._intake(np.concatenate(lengths), n_files, n_files_dropped)

    def _chosen(self, n_words: int) -> tuple[NDArray[np.intp], tuple[str, ...]]:
        """The columns of the vocabulary, and its words."""
        self._close_block()
        if self.n_read == 0:
            raise CorpusError(f"{self._source} holds no documents", "Give at least 3, each with some words.")
        met = tuple(self._lexicon.columns)
        frequency = self._blocks.frequency(len(met))
        if not frequency.any():
            what = "word of the vocabulary" if self._fixed else _any_word(self._tokenisation)
            fix = "the encoding, the text column and the language"
            raise CorpusError(
                f"Nothing is left of the {counted(self.n_read, 'document')} in {self._source}: they hold no {what}",
                f"Give another vocabulary, or check {fix}." if self._fixed else f"Check {fix}.",
            )
        self._n_met, self._n_words_met = len(met), int((frequency > 0).sum())
        self._n_duplicates = self._n_texts - len(self._texts_seen)
        self._texts_seen.clear()  # what is not needed any more makes room for the counts
        self._lexicon.forget()
        chosen = list(range(len(met))) if self._fixed else most_frequent(frequency, met, n_words)
        return np.array(chosen, dtype=np.intp), tuple(met[column] for column in chosen)

    def _intake(self, lengths: NDArray[np.int64], n_files: int, n_files_dropped: int) -> Intake:
        return Intake(
            n_read=self.n_read,
            n_short=int((lengths < LEAST_WORDS).sum()),
            n_truncated=self._n_truncated,
            n_duplicates=self._n_duplicates,
            n_control_removed=self._n_control_removed,
            n_tokens=self._n_tokens,
            n_tokens_kept=int(lengths.sum()),
            n_stopped=self._n_stopped,
            n_words_met=self._n_words_met,
            n_files=n_files,
            n_files_dropped=n_files_dropped,
            **self._look.found(),
        )

    def _close_block(self) -> None:
        """Turn the texts waiting into counts of words: cut long documents, then leave out what is passed over."""
        n_documents = len(self._waiting)
        codes, document = self._lexicon.read(self._waiting)
        self._waiting, self._n_waiting = [], 0
        if len(self._lexicon.columns) > self._limits.max_distinct_words and not self._fixed:
            raise ReadError(
                self._source,
                f"more than {self._limits.max_distinct_words:,} distinct words, the limit",
                "Check that this is natural language, or give a fixed vocabulary.",
            )
        lengths = np.bincount(document, minlength=n_documents)
        longest = self._limits.max_words_per_document
        if n_documents and lengths.max() > longest:
            self._n_truncated += int((lengths > longest).sum())
            first = np.arange(codes.size) - np.repeat(np.cumsum(lengths) - lengths, lengths) < longest
            codes, document = codes[first], document[first]
        self._n_tokens += codes.size
        self._n_stopped += int(np.count_nonzero(codes == STOPPED))
        taken = codes >= 0
        ends = np.zeros(n_documents + 1, dtype=np.int64)
        ends[1:] = np.cumsum(np.bincount(document[taken], minlength=n_documents))
        self._blocks.add(codes[taken], ends, len(self._lexicon.columns))


def _lengths(counts: Counts) -> NDArray[np.int64]:
    """Words of each document, some documents at a time: a sum in 64 bits takes a copy as large."""
    rows = range(0, counts.shape[0], _ROWS_AT_ONCE)
    parts = [counts[row : row + _ROWS_AT_ONCE].sum(axis=1, dtype=np.int64) for row in rows]
    return np.concatenate(parts)


def _any_word(tokenisation: Tokenisation) -> str:
    least = tokenisation.least
    letters = "letters" if tokenisation.pattern is None and not tokenisation.pre_tokenised else "characters"
    return f"word of {least} or more {letters} but stop words"
