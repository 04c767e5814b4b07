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
from dplda.corpus.count_matrix import Blocks, stacked, thinned
from dplda.corpus.files.file import Limits
from dplda.corpus.group_columns import FILE_COLUMN, GroupColumn, LabelRoll
from dplda.corpus.on_disk import CorpusWriter
from dplda.corpus.persons import Persons, Roll, author_named
from dplda.corpus.read_summary import Intake, Look
from dplda.corpus.readers.former_counts import FormerCounts, FormerRows
from dplda.corpus.readers.table import Document
from dplda.corpus.remarks import Remark, RemarkCounter
from dplda.corpus.words.cleaning import clean_text
from dplda.corpus.words.tokenisation import SHORT_STOP_WORD, STOPPED, Lexicon, Tokenisation
from dplda.corpus.words.vocabulary import fold_letters, most_frequent, number_of
from dplda.corpus.words.word_lists import WordList

_AT_ONCE = 1 << 22  # characters that wait until their words are counted
_PER_DOCUMENT = 20  # as many more: what a document costs besides

LEAST_WORDS = 3  # a document with fewer words of the vocabulary contributes zero to every moment


@dataclass(frozen=True, slots=True)
class Counted:
    """A file that has been read: its words and counts, shape (N, d), which are None where they went to a folder.

    Attributes:
        persons, texts: whose each document is, and a number of its text, shape (N,); None where nobody asked.
        former: the same as reading 1 has it; None where nobody asked.
        group_columns: labels of documents, for each column that was asked for.
    """

    words: tuple[str, ...]
    counts: Counts | None
    intake: Intake
    persons: Persons | None = None
    texts: NDArray[np.uint64] | None = None
    former: FormerCounts | None = None
    group_columns: tuple[GroupColumn, ...] = ()


class DocumentCounter:
    """Counts words and takes note of what was unusual.

    Args:
        vocabulary: a fixed list; None counts all words but stop words.
        labels: names of the columns of labels, in the order in which documents have them.
        files: names of files or folders, one of which is each document's last label; empty for none.
        texts: whether each is to be known again by the number of its text.
        former: whether to count what reading 1 read otherwise, too; not where counts go to a folder.
        writer: where counts go, some documents at a time; None keeps them in memory.
    """

    def __init__(
        self,
        source: str,
        vocabulary: WordList | None,
        limits: Limits,
        tokenisation: Tokenisation,
        *,
        persons: bool = False,
        labels: Sequence[str] = (),
        files: Sequence[str] = (),
        texts: bool = False,
        former: bool = False,
        writer: CorpusWriter | None = None,
    ) -> None:
        self.n_read = 0
        self.remarks = RemarkCounter()
        self._source = source
        self._limits = limits
        self._fixed = vocabulary is not None
        self._tokenisation = tokenisation
        self._lexicon = Lexicon(tokenisation, vocabulary)
        self._n_listed = len(self._lexicon.met)
        self._former = (
            FormerRows(tokenisation, self._lexicon, vocabulary, limits.max_words_per_document)
            if former
            else None
        )
        self._writer, self._blocks = writer, Blocks(None if writer is None else writer.waiting)
        self._look = Look()
        self._roll = Roll() if persons else None
        self._label_rolls = [LabelRoll(name) for name in labels]
        if files:
            self._label_rolls.append(LabelRoll(FILE_COLUMN, files))
        self._n_addresses = 0  # documents whose person is named by an address
        self._texts = array("Q") if texts else None
        self._texts_seen: set[int] = set()  # hashes: 64 bits a document
        self._n_texts = self._n_truncated = self._n_control_removed = self._n_entities = 0
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
        if len(document.text) > self._limits.max_field_chars:
            most = f"more than {self._limits.max_field_chars:,} characters, the limit"
            fix = "Split that document, or raise Limits.max_field_chars in Python."
            raise ReadError(self._source, f"document {self.n_read:,} has {most}", fix)
        if self._roll is not None:
            self._note_person(self._roll, document.person or "")
        for label_roll, label in zip(self._label_rolls, document.labels, strict=True):
            label_roll.add(label)
        if document.text:
            self._n_texts += 1
            self._texts_seen.add(hash(document.text))
        text, n_removed, n_entities = clean_text(document.text)
        self._n_control_removed += n_removed
        self._n_entities += n_entities
        number = 0
        if self._texts is not None:
            number = number_of(fold_letters(text))
            self._texts.append(number)
        if self._former is not None:
            place = len(self._waiting)
            self._former.add(document.text, text, number=number, place=place)
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
        self._n_addresses += author.has_address

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
        reading = self._tokenisation.reading
        names = [reading.cased(reading.clean(name)) for name in listed]
        is_word = np.array(reading.are_words(names))
        codes = np.array([self._lexicon[names[column]] for column in np.flatnonzero(is_word)])
        is_left_out = [
            not it and self._lexicon.get(name) != SHORT_STOP_WORD
            for it, name in zip(is_word, names, strict=True)
        ]
        self._lexicon.n_left_out += int(counts[:, is_left_out].sum(dtype=np.int64))
        of_words, self._n_truncated = thinned(
            counts[:, is_word], self._limits.max_words_per_document
        )
        if self._former is not None:
            self._add_former_counts(counts, listed, is_word, codes)
        for row in row_blocks(self.n_read):
            block = rows_of(of_words, row)
            document = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
            self._take(
                np.repeat(codes[block.indices], block.data),
                np.repeat(document, block.data),
                block.shape[0],
            )

    def _add_former_counts(
        self,
        counts: Counts,
        listed: Sequence[str],
        is_word: NDArray[np.bool_],
        codes: NDArray[np.integer],
    ) -> None:
        """Count the same matrix as reading 1 took the names of its columns, where that is no matter of course."""
        assert self._former is not None
        reading = self._tokenisation.former_reading
        names = [reading.cased(reading.clean(name)) for name in listed]
        was_word = np.array(reading.are_words(names))
        former_codes = self._former.codes_of([names[it] for it in np.flatnonzero(was_word)])
        if np.array_equal(was_word, is_word) and np.array_equal(former_codes, codes):
            return
        of_words, _ = thinned(counts[:, was_word], self._limits.max_words_per_document)
        self._former.replace_all(of_words, former_codes)

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
        if 0 < self._n_addresses < self.n_read:
            n_names = self.n_read - self._n_addresses
            self.remarks.add(Remark.NAME_AMONG_ADDRESSES, n=n_names)
        n_duplicates = self._n_texts - len(self._texts_seen)
        self._texts_seen.clear()  # what is not needed any more makes room for the counts
        self._lexicon.clear()
        chosen = (
            list(range(self._n_listed))
            if self._fixed and not (first_look and n_words)
            else most_frequent(frequency, met, n_words or sys.maxsize)
        )
        counts, lengths, former = self._over(chosen, n_words)
        intake = Intake(
            n_read=self.n_read,
            n_short=int((lengths < LEAST_WORDS).sum()),
            n_truncated=self._n_truncated,
            n_duplicates=n_duplicates,
            n_control_removed=self._n_control_removed,
            n_tokens=self._n_tokens,
            n_tokens_kept=int(lengths.sum()),
            n_stopped=self._n_stopped,
            n_words_met=int((frequency > 0).sum()),
            n_files=n_files,
            n_repeated_entries=self._n_repeated,
            n_files_dropped=n_files_dropped,
            remarks=self.remarks.counted(),
            n_left_out=self._lexicon.n_left_out,
            n_entities=self._n_entities,
            idle_stop_words=self._tokenisation.reading.idle_stop_words(),
            **self._look.found(),
        )
        return Counted(
            tuple(met[column] for column in chosen),
            counts,
            intake,
            None if self._roll is None else self._roll.numbers(),
            None if self._texts is None else np.array(self._texts, dtype=np.uint64),
            former,
            tuple(label_roll.column() for label_roll in self._label_rolls),
        )

    def _over(
        self, chosen: list[int], n_words: int | None
    ) -> tuple[Counts | None, NDArray[np.int64], FormerCounts | None]:
        """The counts over the chosen columns, words of each document in them, and what reading 1 makes of both."""
        met, former_columns, differs = self._lexicon.met, chosen, False
        if self._former is not None:
            former_columns = self._former.columns(self._blocks, chosen, n_words)
            differs = self._former.differs or former_columns != chosen
        columns = list(dict.fromkeys((*chosen, *former_columns)))
        kept: list[Counts] = []
        former_kept: list[Counts] = []
        lengths = []
        for part in self._blocks.parts(np.array(columns, dtype=np.intp), len(met)):
            today = part[:, : len(chosen)] if len(columns) > len(chosen) else part
            lengths.append(today.sum(axis=1, dtype=np.int64))
            (kept.append if self._writer is None else self._writer.add)(today)
            if differs:
                former_kept.append(part)
        counts = stacked(kept, len(chosen)) if self._writer is None else None
        former = None
        if self._former is not None and counts is not None:
            former = FormerCounts(
                words=tuple(met[column] for column in former_columns),
                counts=self._former.counts(former_kept, columns, former_columns)
                if differs
                else counts,
                texts=self._former.texts,
            )
        return counts, np.concatenate(lengths), former

    def _close_block(self) -> None:
        """Turn the texts waiting into counts of words: cut long documents, then leave out what is passed over."""
        codes, lengths = self._lexicon.read(self._waiting)
        self._waiting, self._n_waiting = [], 0
        if self._former is not None:
            self._former.compare(codes, lengths)
        self._take(codes, np.repeat(np.arange(lengths.size), lengths), lengths.size)

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
