"""Counter of documents' words: of a text nothing is kept but the counts of its words."""

import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core.errors import CorpusError, ReadError
from dplda.core.formatting import counted
from dplda.core.types import Counts
from dplda.corpus.count_matrix import Blocks, cut_documents, stack_counts, thin_documents
from dplda.corpus.files.file import Limits
from dplda.corpus.group_columns import FILE_COLUMN, GroupColumn, LabelRoll
from dplda.corpus.on_disk import CorpusWriter
from dplda.corpus.persons import PersonRoll, Persons, author_named
from dplda.corpus.read_summary import Intake, TextKindCounter
from dplda.corpus.readers.former_counts import FormerCounts, FormerRows
from dplda.corpus.readers.matrix_words import (
    ColumnNames,
    hash_filled_rows,
    list_words,
    read_column_names,
)
from dplda.corpus.readers.table import Document
from dplda.corpus.remarks import Remark, RemarkCounter
from dplda.corpus.words.cleaning import clean_text
from dplda.corpus.words.tokenisation import SHORT_STOP_WORD, STOPPED, Lexicon, Tokenisation
from dplda.corpus.words.vocabulary import fold_letters, most_frequent, number_of
from dplda.corpus.words.word_lists import WordList

_BLOCK_CHARACTERS = 1 << 22  # texts wait, up to so many characters, until their words are counted
_CHARACTERS_PER_DOCUMENT = 20  # overhead of a waiting document, as so many characters

MIN_WORDS = 3  # a document with fewer words of the vocabulary contributes zero to every moment


@dataclass(frozen=True, slots=True)
class CountedDocuments:
    """Documents that have been read, as counts over a vocabulary.

    Attributes:
        words: the ``d`` words, in column order.
        counts: shape (N, d); None if they went to a folder.
        intake: summary of what was read.
        persons: the person of each document, shape (N,); None if not asked for.
        texts: a number for each document's text, shape (N,); None if not asked for.
        former: the same documents as reading 1 reads them; None if not asked for.
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
    """Counts words of documents, and records what was unusual.

    Args:
        source: name of the files, for refusals.
        vocabulary: a fixed list; None counts all words but stop words.
        limits: largest numbers of documents, characters and words.
        tokenisation: definition of a word.
        persons: whether every document must name its author.
        labels: names of the columns of labels, in the order in which documents have them.
        files: names of files or folders, one of which is each document's last label; empty for
            none.
        texts: whether to keep a number for each document's text.
        former: whether to also count documents that reading 1 reads differently; needs counts in
            memory.
        writer: folder for the counts, written some documents at a time; None keeps them in memory.

    Attributes:
        n_read: documents read so far.
        remarks: remarks made so far.
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
        """Begin with no documents; words of a fixed vocabulary get the first columns.

        The column of files is the last one of labels. With a writer, counts wait in its temporary
        file.
        """
        self.n_read = 0
        self.remarks = RemarkCounter()
        self._source = source
        self._limits = limits
        self._is_fixed = vocabulary is not None
        self._tokenisation = tokenisation
        self._lexicon = Lexicon(tokenisation, vocabulary)
        self._n_listed = len(self._lexicon.met)
        self._former: FormerRows | None = None
        if former:
            max_words = limits.max_words_per_document
            self._former = FormerRows(tokenisation, self._lexicon, vocabulary, max_words)
        self._writer = writer
        self._blocks = Blocks(None if writer is None else writer.waiting)
        self._text_kinds = TextKindCounter()
        self._person_roll = PersonRoll() if persons else None
        self._label_rolls = [LabelRoll(name) for name in labels]
        if files:
            self._label_rolls.append(LabelRoll(FILE_COLUMN, files))
        self._n_addresses = 0  # documents whose person is named by an address
        self._texts = array("Q") if texts else None
        self._text_hashes: set[int] = set()  # 64 bits a document
        self._n_texts = 0  # documents that are not empty
        self._n_truncated = 0
        self._n_control_removed = 0
        self._n_entities = 0
        self._n_tokens = 0
        self._n_stopped = 0
        self._n_repeated = 0
        self._waiting_texts: list[str] = []
        self._n_waiting_characters = 0

    def add(self, document: Document) -> None:
        """Count the next document; its words are counted later, together with those of others.

        Its author, labels and number of text are recorded at once, as is a hash that finds
        duplicates.

        Raises:
            ReadError: a limit is passed, or the document does not name its author.
        """
        self.n_read += 1
        self._refuse_too_many(document)
        if self._person_roll is not None:
            self._record_person(self._person_roll, document.person or "")
        for label_roll, label in zip(self._label_rolls, document.labels, strict=True):
            label_roll.add(label)
        if document.text:
            self._n_texts += 1
            self._text_hashes.add(hash(document.text))
        cleaned_text, n_control_removed, n_entities = clean_text(document.text)
        self._n_control_removed += n_control_removed
        self._n_entities += n_entities
        self._record_text_number(document.text, cleaned_text)
        if cleaned_text and self._tokenisation.pattern is None:
            self._text_kinds.add(cleaned_text)
        self._waiting_texts.append(cleaned_text)
        self._n_waiting_characters += len(cleaned_text) + _CHARACTERS_PER_DOCUMENT
        if self._n_waiting_characters >= _BLOCK_CHARACTERS:
            self._count_waiting()

    def _refuse_too_many(self, document: Document) -> None:
        """Refuse more documents than allowed, and a document of too many characters."""
        max_documents = self._limits.max_documents
        if self.n_read > max_documents:
            fix = "Split the file, or read it from Python with a higher Limits.max_documents."
            raise ReadError(self._source, f"more than {max_documents:,} documents, the limit", fix)
        max_characters = self._limits.max_field_chars
        if len(document.text) > max_characters:
            problem = (
                f"document {self.n_read:,} has more than {max_characters:,} characters, the limit"
            )
            fix = "Split that document, or raise Limits.max_field_chars in Python."
            raise ReadError(self._source, problem, fix)

    def _record_text_number(self, text: str, clean: str) -> None:
        """Keep the number of a text, and pass the text to reading 1, if these are asked for.

        The number is a hash (``number_of``). Reading 1 gets 0 if no numbers are kept.
        """
        text_number = 0
        if self._texts is not None:
            text_number = number_of(fold_letters(clean))
            self._texts.append(text_number)
        if self._former is not None:
            self._former.add(text, clean, number=text_number, place=len(self._waiting_texts))

    def _record_person(self, person_roll: PersonRoll, name: str) -> None:
        """Record the author of the last document, with a remark if there is one.

        Also counts whether an address names the author, and keeps the name for reading 1.

        Raises:
            ReadError: the name is blank.
        """
        author_identity = author_named(name)
        if not person_roll.add(author_identity):
            problem = f"document {self.n_read:,} does not name its person"
            fix = (
                "Every document needs an author. Spell the same person's name the same way"
                " everywhere."
            )
            raise ReadError(self._source, problem, fix)
        if self._former is not None:
            self._former.add_person(name)
        if author_identity.remark is not None:
            self.remarks.add(author_identity.remark, f"document {self.n_read:,}")
        self._n_addresses += author_identity.has_address

    def add_counts(self, counts: Counts, column_names: Sequence[str], n_repeated: int) -> None:
        """Count the documents of a matrix whose columns are words, and record equal documents.

        A name counts as a word if it is one in text; columns of one word are summed. Counts of
        other names are left out; their number is recorded, without short stop words. A matrix keeps
        no order, so a document with too many words is thinned evenly over its counts. If reading 1
        is wanted too, it counts the same matrix.

        Args:
            counts: shape (N, D).
            column_names: the ``D`` names.
            n_repeated: entries of the file for the same document and word.

        Raises:
            ReadError: more distinct words were met than allowed.
        """
        self.n_read = counts.shape[0]
        self._n_repeated = n_repeated
        row_hashes = list(hash_filled_rows(counts))
        self._n_texts += len(row_hashes)
        self._text_hashes.update(row_hashes)
        columns = read_column_names(self._tokenisation.reading, column_names)
        codes = np.array([self._lexicon[word] for word in columns.words])
        self._record_left_out(counts, columns)
        max_length = self._limits.max_words_per_document
        word_counts, self._n_truncated = thin_documents(counts[:, columns.is_word], max_length)
        if self._former is not None:
            self._add_former_counts(self._former, counts, column_names, columns, codes)
        for block in list_words(word_counts, codes):
            self._count_codes(block.codes, block.document_of_word, block.n_documents)

    def _record_left_out(self, counts: Counts, columns: ColumnNames) -> None:
        """Add the occurrences in columns that are no words to the lexicon's ``n_left_out``.

        Short stop words do not count.
        """
        columns_left_out = [
            column
            for column, name in columns.other_names
            if self._lexicon.get(name) != SHORT_STOP_WORD
        ]
        column_numbers = np.array(columns_left_out, dtype=np.intp)
        n_words = counts[:, column_numbers].sum(dtype=np.int64)
        self._lexicon.n_left_out += int(n_words)

    def _add_former_counts(
        self,
        former: FormerRows,
        counts: Counts,
        column_names: Sequence[str],
        todays_columns: ColumnNames,
        todays_codes: NDArray[np.integer],
    ) -> None:
        """Keep a matrix as reading 1 counts it, unless it takes the columns as today's does.

        Args:
            former: keeps the rows of reading 1.
            counts: shape (N, D).
            column_names: the ``D`` names.
            todays_columns: the same names as they are read today.
            todays_codes: today's code of each word among the names.
        """
        columns = read_column_names(self._tokenisation.former_reading, column_names)
        codes = former.codes_of(columns.words)
        has_same_words = np.array_equal(columns.is_word, todays_columns.is_word)
        if has_same_words and np.array_equal(codes, todays_codes):
            return
        max_length = self._limits.max_words_per_document
        former_counts, _ = thin_documents(counts[:, columns.is_word], max_length)
        former.replace_all(former_counts, codes)

    def finished(
        self,
        n_words: int | None,
        n_files: int = 1,
        n_files_dropped: int = 0,
        *,
        first_look: bool = False,
    ) -> CountedDocuments:
        """Choose the vocabulary and return all counts over it; nothing can be added any more.

        With a writer the counts go to its folder, and the result has None in their place.

        Args:
            n_words: largest number of words to take from the data; None takes all.
            n_files: files read, for the summary.
            n_files_dropped: files skipped, for the summary.
            first_look: whether only the most frequent ``n_words`` are taken of a fixed list too,
                and documents without one word to count are accepted. A fixed list is taken whole
                otherwise.

        Raises:
            CorpusError: there are no documents, or none has a word to count.
            ReadError: there are too many distinct words, or the folder cannot be written to.
        """
        self._count_waiting()
        words_met = self._lexicon.met
        document_frequency = self._blocks.frequency(len(words_met))
        self._check_something_left(document_frequency, first_look=first_look)
        self._remark_on_names_among_addresses()
        n_duplicates = self._n_texts - len(self._text_hashes)
        self._text_hashes.clear()  # makes room for the counts
        self._lexicon.clear()
        if self._is_fixed and not (first_look and n_words):
            chosen_columns = list(range(self._n_listed))
        else:
            chosen_columns = most_frequent(document_frequency, words_met, n_words or sys.maxsize)
        counts, lengths, former_reading = self._count_columns(chosen_columns, n_words)
        intake = Intake(
            n_read=self.n_read,
            n_short=int((lengths < MIN_WORDS).sum()),
            n_truncated=self._n_truncated,
            n_duplicates=n_duplicates,
            n_control_removed=self._n_control_removed,
            n_tokens=self._n_tokens,
            n_tokens_kept=int(lengths.sum()),
            n_stopped=self._n_stopped,
            n_words_met=int((document_frequency > 0).sum()),
            n_files=n_files,
            n_repeated_entries=self._n_repeated,
            n_files_dropped=n_files_dropped,
            remarks=self.remarks.counted(),
            n_left_out=self._lexicon.n_left_out,
            n_entities=self._n_entities,
            idle_stop_words=self._tokenisation.reading.idle_stop_words(),
            looks_html=self._text_kinds.looks_html,
            looks_mail=self._text_kinds.looks_mail,
            looks_unspaced=self._text_kinds.looks_unspaced,
        )
        persons = None if self._person_roll is None else self._person_roll.numbers()
        texts = None if self._texts is None else np.array(self._texts, dtype=np.uint64)
        return CountedDocuments(
            words=tuple(words_met[column] for column in chosen_columns),
            counts=counts,
            intake=intake,
            persons=persons,
            texts=texts,
            former=former_reading,
            group_columns=tuple(label_roll.column() for label_roll in self._label_rolls),
        )

    def _check_something_left(self, frequency: NDArray[np.int64], *, first_look: bool) -> None:
        """Refuse to finish without documents, and (but for a first look) without a counted word."""
        if self.n_read == 0:
            raise CorpusError(
                f"{self._source} holds no documents", "Give at least 3, each with some words."
            )
        if not (frequency.any() or first_look):
            raise _nothing_left_error(
                self._source, self.n_read, self._tokenisation, fixed=self._is_fixed
            )

    def _remark_on_names_among_addresses(self) -> None:
        """Add a remark if some persons are named by an address and others are not."""
        if 0 < self._n_addresses < self.n_read:
            n_names = self.n_read - self._n_addresses
            self.remarks.add(Remark.NAME_AMONG_ADDRESSES, n=n_names)

    def _count_columns(
        self, columns: list[int], n_words: int | None
    ) -> tuple[Counts | None, NDArray[np.int64], FormerCounts | None]:
        """Gather the counts of all documents over the chosen columns, or write them to the folder.

        Args:
            columns: columns of the vocabulary.
            n_words: largest number of words that reading 1 may take from the data; None for all.

        Returns:
            Counts, or None if they went to the folder; number of words in each document; and the
            counts of reading 1, or None if not asked for or not in memory.
        """
        former_columns = columns
        former_differs = False
        if self._former is not None:
            former_columns = self._former.columns(self._blocks, columns, n_words)
            former_differs = self._former.differs or former_columns != columns
        all_columns = list(dict.fromkeys((*columns, *former_columns)))
        n_columns = len(columns)
        column_numbers = np.array(all_columns, dtype=np.intp)
        n_words_met = len(self._lexicon.met)
        todays_parts: list[Counts] = []
        former_parts: list[Counts] = []
        lengths_by_part = []
        for part in self._blocks.parts(column_numbers, n_words_met):
            todays_part = part
            if len(all_columns) > n_columns:
                todays_part = part[:, :n_columns]
            lengths_by_part.append(todays_part.sum(axis=1, dtype=np.int64))
            if self._writer is None:
                todays_parts.append(todays_part)
            else:
                self._writer.add(todays_part)
            if former_differs:
                former_parts.append(part)
        lengths = np.concatenate(lengths_by_part)
        if self._writer is not None:
            return None, lengths, None
        counts = stack_counts(todays_parts, n_columns)
        if self._former is None:
            return counts, lengths, None
        former_counts = counts
        if former_differs:
            former_counts = self._former.counts(former_parts, all_columns, former_columns)
        former_reading = self._former.with_words(former_columns, former_counts)
        return counts, lengths, former_reading

    def _count_waiting(self) -> None:
        """Count the words of the waiting texts; reading 1 compares its own if it is asked for."""
        codes, lengths = self._lexicon.read(self._waiting_texts)
        self._waiting_texts = []
        self._n_waiting_characters = 0
        if self._former is not None:
            self._former.compare(codes, lengths)
        n_documents = lengths.size
        document_of_word = np.repeat(np.arange(n_documents), lengths)
        self._count_codes(codes, document_of_word, n_documents)

    def _count_codes(
        self, codes: NDArray[np.int32], document_of_word: NDArray[np.integer], n_documents: int
    ) -> None:
        """Count a block of words: cut long documents, then leave out words without a column.

        Stop words and other words without a column count toward the limit of a document.

        Args:
            codes: column of each word, document after document, or a negative code if it has none.
            document_of_word: from 0 in this block.
            n_documents: documents in the block.

        Raises:
            ReadError: more distinct words were met than allowed, without a fixed list.
        """
        self._refuse_too_many_words()
        max_length = self._limits.max_words_per_document
        codes, document_of_word, n_long = cut_documents(
            codes, document_of_word, n_documents, max_length
        )
        self._n_truncated += n_long
        self._n_tokens += codes.size
        is_stopped = codes == STOPPED
        self._n_stopped += int(np.count_nonzero(is_stopped))
        has_column = codes >= 0
        document_of_counted = document_of_word[has_column]
        n_counted = np.bincount(document_of_counted, minlength=n_documents)
        row_ends = np.zeros(n_documents + 1, dtype=np.int64)
        row_ends[1:] = np.cumsum(n_counted)
        n_words_met = len(self._lexicon.met)
        self._blocks.add(codes[has_column], row_ends, n_words_met)

    def _refuse_too_many_words(self) -> None:
        """Refuse more distinct words than allowed, unless the list of words is fixed."""
        max_words = self._limits.max_distinct_words
        if self._is_fixed or len(self._lexicon.met) <= max_words:
            return
        problem = f"more than {max_words:,} distinct words, the limit"
        fix = "Check that this is natural language, or give a fixed vocabulary."
        raise ReadError(self._source, problem, fix)


def _nothing_left_error(
    source: str, n_documents: int, tokenisation: Tokenisation, *, fixed: bool
) -> CorpusError:
    """Error for documents without one word to count: which words are missing, and what to check.

    For a fixed list it also advises to give another.
    """
    if fixed:
        missing_phrase = "word of the vocabulary"
    else:
        length_unit = "letters" if tokenisation.cuts_into_letters else "characters"
        missing_phrase = f"word of {tokenisation.least} or more {length_unit} but stop words"
    n_documents_text = counted(n_documents, "document")
    problem = (
        f"Nothing is left of the {n_documents_text} in {source}: they hold no {missing_phrase}"
    )
    things_phrase = (
        "the encoding, the text column and the language; of counts, that the words belong to them."
    )
    advice = "Give another vocabulary, or check" if fixed else "Check"
    return CorpusError(problem, f"{advice} {things_phrase}")
