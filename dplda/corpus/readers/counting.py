"""Documents to counts and intake, one document at a time; nothing of a text is kept but its words' counts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.corpus.counts import WordCounts
from dplda.corpus.intake import Intake
from dplda.corpus.persons import Persons, Roll
from dplda.corpus.readers.document import Document
from dplda.corpus.readers.limits import Limits
from dplda.corpus.tally import WordTally
from dplda.corpus.vocabulary import most_frequent, stop_words, strip_controls, words
from dplda.errors import CorpusError, ReadError
from dplda.shown import counted

LEAST_WORDS = 3
"""A document with fewer words of the vocabulary contributes zero to every moment."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A file that has been read.

    Attributes:
        table: counts over the vocabulary.
        intake: what was met on the way.
        persons: whose each document is, shape (N,); None where nobody asked.
    """

    table: WordCounts
    intake: Intake
    persons: Persons | None = None


class DocumentCounter:
    """Counts words and takes note of what was unusual.

    Args:
        source: name of the file, for messages.
        vocabulary: a fixed list; None counts all words but English stop words.
        limits: bounds on documents and words.
        persons: whether each document must say whose it is.

    Attributes:
        n_read: documents so far.
    """

    def __init__(
        self, source: str, vocabulary: tuple[str, ...] | None, limits: Limits, *, persons: bool = False
    ) -> None:
        self.n_read = 0
        self._source = source
        self._limits = limits
        self._fixed = vocabulary is not None
        self._stop_words: frozenset[str] = frozenset() if self._fixed else stop_words()
        self._tally = WordTally(vocabulary)
        self._roll = Roll() if persons else None
        self._texts_seen: set[int] = set()  # hashes: 64 bits a document
        self._n_texts = self._n_truncated = self._n_control_removed = self._n_tokens = 0

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
        if document.text:
            self._n_texts += 1
            self._texts_seen.add(hash(document.text))
        cleaned = strip_controls(document.text)
        self._n_control_removed += cleaned.n_removed
        found = words(cleaned.text)
        longest = self._limits.max_words_per_document
        if len(found) > longest:
            self._n_truncated += 1
            found = found[:longest]
        self._n_tokens += len(found)
        self._tally.add(word for word in found if word not in self._stop_words)
        if self._tally.n_words > self._limits.max_distinct_words and not self._fixed:
            raise ReadError(
                self._source,
                f"more than {self._limits.max_distinct_words:,} distinct words, the limit",
                "Check that this is natural language, or give a fixed vocabulary.",
            )

    def table(self, n_words: int) -> WordCounts:
        """Counts over the vocabulary.

        Args:
            n_words: how many words to keep where the vocabulary is not fixed.

        Returns:
            Every document in its order, short ones too.

        Raises:
            CorpusError: there are no documents, or not one word to count.
        """
        if self.n_read == 0:
            raise CorpusError(f"{self._source} holds no documents", "Give at least 3, each with some words.")
        frequency = self._tally.document_frequency()
        if not frequency.any():
            what = "word of the vocabulary" if self._fixed else "word of 3 or more letters but stop words"
            raise CorpusError(
                f"Nothing is left of the {counted(self.n_read, 'document')} in {self._source}: they hold no {what}",
                "Check the encoding, the text column and the language.",
            )
        if self._fixed:
            return WordCounts(self._tally.counts(), self._tally.words)
        met = self._tally.words
        columns = most_frequent(frequency, met, n_words)
        return WordCounts(self._tally.counts(columns), tuple(met[column] for column in columns))

    def persons(self) -> Persons | None:
        """Whose each document is, shape (N,); None where nobody asked."""
        return None if self._roll is None else self._roll.numbers()

    def intake(self, table: WordCounts) -> Intake:
        """What was met.

        Args:
            table: as ``table`` returned it.
        """
        lengths: NDArray[np.int64] = table.counts.sum(axis=1, dtype=np.int64)
        return Intake(
            n_read=self.n_read,
            n_short=int((lengths < LEAST_WORDS).sum()),
            n_truncated=self._n_truncated,
            n_duplicates=self._n_texts - len(self._texts_seen),
            n_control_removed=self._n_control_removed,
            n_tokens=self._n_tokens,
            n_tokens_kept=int(lengths.sum()),
            n_words_met=int((self._tally.document_frequency() > 0).sum()),
        )
