"""Counts of reading 1 beside those of today.

Until the end only documents that differ are counted twice.
"""

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.core.types import Counts
from dplda.corpus.count_matrix import Blocks, stack_counts
from dplda.corpus.persons import PersonRoll, Persons, author_named_formerly
from dplda.corpus.readers.matrix_words import list_words
from dplda.corpus.words.cleaning import keeps_words
from dplda.corpus.words.splitting import SYLLABLE_LETTER, UNSPACED_LETTER
from dplda.corpus.words.tokenisation import PASSED_OVER, STOPPED, Lexicon, Tokenisation
from dplda.corpus.words.vocabulary import most_frequent, number_of
from dplda.corpus.words.word_lists import WordList

_OF_OTHER_LENGTH = re.compile(f"{SYLLABLE_LETTER.pattern}|{UNSPACED_LETTER.pattern}")


@dataclass(frozen=True, slots=True)
class FormerCounts:
    """Words and counts of reading 1.

    Attributes:
        words: the ``d`` words, in column order.
        counts: shape (N, d).
        texts: reading 1's numbers of the texts, shape (N,).
        persons: its person of each document, shape (N,); None if not asked for.
    """

    words: tuple[str, ...]
    counts: Counts
    texts: NDArray[np.uint64]
    persons: Persons | None = None


class FormerCodes(dict[str, int]):
    """Column of each word of reading 1, among the columns of today's lexicon and some more.

    A word without a column has a negative code, which says why; a word that is asked for the first
    time gets its column or code then.

    Args:
        tokenisation: definition of a word.
        lexicon: today's, which gets a column for each word that only reading 1 knows.
        vocabulary: a fixed list; None gives a column to all words but stop words.

    Attributes:
        stop_words: words that reading 1 leaves out.
    """

    def __init__(
        self, tokenisation: Tokenisation, lexicon: Lexicon, vocabulary: WordList | None
    ) -> None:
        """Give each word of reading 1's fixed list its column.

        It is today's if the word has one today, else a new one at the end of the lexicon.
        Stop words in the list get a column too. Without a fixed list, no word has a column yet.
        """
        self._lexicon = lexicon
        self._is_fixed = vocabulary is not None
        self.stop_words = tokenisation.former_reading.stop_words()
        super().__init__()
        former_list: Sequence[str] = ()
        if vocabulary is not None:
            former_list = vocabulary.former or ()
        for word in former_list:
            todays_code = lexicon.get(word, PASSED_OVER)
            self._give_column(word, todays_code)

    def __missing__(self, word: str) -> int:
        if self._is_fixed:
            return PASSED_OVER
        if word.lower() in self.stop_words:
            return STOPPED
        todays_code = self._lexicon[word]
        return self._give_column(word, todays_code)

    def _give_column(self, word: str, todays_code: int) -> int:
        """Note and return today's column of a word, or a new one if it has none today.

        A new column is added to today's lexicon.
        """
        column = todays_code
        if column < 0:
            column = len(self._lexicon.met)
            self._lexicon.met.append(word)
        self[word] = column
        return column


class FormerRows:
    """Rows of counts of documents that reading 1 reads differently, and its numbers of all texts.

    Args:
        tokenisation: definition of a word.
        lexicon: today's, which gets a column for each word that only reading 1 knows.
        vocabulary: a fixed list; None counts all words but stop words.
        max_words: ``L_max``, number of a document's words that count.
    """

    def __init__(
        self,
        tokenisation: Tokenisation,
        lexicon: Lexicon,
        vocabulary: WordList | None,
        max_words_per_document: int,
    ) -> None:
        """Begin with no texts, and decide whether all of them are compared.

        So it is if today's stop words are not all among those of reading 1.
        """
        self._reading = tokenisation.former_reading
        self._cuts_into_letters = tokenisation.cuts_into_letters
        self._lexicon = lexicon
        self._max_words = max_words_per_document
        self._vocabulary = vocabulary
        self._codes = FormerCodes(tokenisation, lexicon, vocabulary)
        todays_stop_words = tokenisation.reading.stop_words()
        self._has_same_stop_words = todays_stop_words == self._codes.stop_words
        self._compares_all = not todays_stop_words <= self._codes.stop_words
        self._texts = array("Q")
        self._waiting_texts: list[tuple[int, str]] = []  # place in block, text cleaned by reading 1
        self._differing_documents: list[int] = []
        self._rows = Blocks()
        self._n_compared = 0
        self._person_roll = PersonRoll()

    def add_person(self, name: str) -> None:
        """Record the author of the next document as reading 1 names it.

        Args:
            name: as it came; not blank.
        """
        former_identity = author_named_formerly(name)
        self._person_roll.add(former_identity)

    def add(self, text: str, clean: str, *, number: int, place: int) -> None:
        """Keep reading 1's number of a text, and the text for ``compare`` if words may differ.

        The number is today's for an ASCII text that today's reading leaves as it came, else that
        of the text as it came. A text that is sure to have the same words is not compared.

        Args:
            text: as it came.
            clean: as it is read today.
            number: today's number of the text.
            place: its place in the block that is compared next.
        """
        is_unchanged = text.isascii() and text is clean
        former_number = number if is_unchanged else number_of(text)
        self._texts.append(former_number)
        if self._compares_all or not self._is_sure_to_agree(text, clean):
            former_clean = self._reading.clean(text)
            self._waiting_texts.append((place, former_clean))

    def compare(self, codes: NDArray[np.int32], lengths: NDArray[np.int64]) -> None:
        """Keep rows of the waiting texts whose words differ from today's; forget all waiting texts.

        Kept rows are cut at the largest number of words.

        Args:
            codes: columns of today's words, for the block's documents one after another.
            lengths: number of words in each document, shape (n,).
        """
        row_bounds = np.concatenate([[0], np.cumsum(lengths)])
        former_texts = [text for _, text in self._waiting_texts]
        words_of_texts = self._reading.words(former_texts)
        differing_rows: list[NDArray[np.int32]] = []
        waiting_words = zip(self._waiting_texts, words_of_texts, strict=True)
        for (place, _), words in waiting_words:
            former_row = self.codes_of(words)
            row_start = row_bounds[place]
            row_end = row_bounds[place + 1]
            todays_row = codes[row_start:row_end]
            if np.array_equal(former_row, todays_row):
                continue
            document_number = self._n_compared + place
            self._differing_documents.append(document_number)
            differing_rows.append(former_row[: self._max_words])
        self._add_rows(differing_rows)
        self._waiting_texts = []
        self._n_compared += lengths.size

    def replace_all(self, counts: Counts, codes: NDArray[np.int32]) -> None:
        """Keep all rows of a matrix of counts, as those of all documents, each of which differs.

        It is for a counter without rows: earlier ones would stay in front of these.

        Args:
            counts: shape (N, D).
            codes: column or negative code of each of its words, shape (D,).
        """
        n_documents = counts.shape[0]
        self._differing_documents = list(range(n_documents))
        for block in list_words(counts, codes):
            n_words = np.bincount(block.document_of_word, minlength=block.n_documents)
            row_bounds = np.cumsum(n_words)[:-1]
            self._add_rows(np.split(block.codes, row_bounds))

    def codes_of(self, words: Sequence[str]) -> NDArray[np.int32]:
        """Columns of some words; a negative code for a word without one."""
        codes = map(self._codes.__getitem__, words)
        return np.fromiter(codes, np.int32)

    def _add_rows(self, rows: Sequence[NDArray[np.int32]]) -> None:
        """Count the words of the next documents that differ, without words that have no column.

        Args:
            rows: column or negative code of each word, an array for each document; not cut here to
                ``max_words``.
        """
        if not rows:
            return
        columns_of_rows = [row[row >= 0] for row in rows]
        n_words_of_rows = map(len, columns_of_rows)
        ends = np.cumsum([0, *n_words_of_rows])
        n_words_met = len(self._lexicon.met)
        self._rows.add(np.concatenate(columns_of_rows), ends, n_words_met)

    def columns(
        self, todays_blocks: Blocks, todays_columns: list[int], n_words: int | None
    ) -> list[int]:
        """Columns of reading 1's vocabulary: the words of the fixed list, or the most frequent.

        They are today's if reading 1 refuses the fixed list. Without a list they are today's if
        nothing differs, or if reading 1 finds fewer than two words.

        Args:
            todays_blocks: today's counts of all documents.
            todays_columns: columns of today's vocabulary.
            n_words: largest number of words to take from the data; None for all.
        """
        if self._vocabulary is not None:
            listed_words = self._vocabulary.former
            if listed_words is None:
                return todays_columns
            return [self._codes[word] for word in listed_words]
        if not self._differing_documents and self._has_same_stop_words:
            return todays_columns
        former_columns = self._most_frequent_columns(todays_blocks, n_words)
        if len(former_columns) < 2:
            return todays_columns
        return former_columns

    def _most_frequent_columns(self, todays_blocks: Blocks, n_words: int | None) -> list[int]:
        """Columns of the words in most documents, as reading 1 reads them, without stop words.

        They come by falling number of documents, alphabetically if equal. Words that reading 1
        finds in no document are left out.

        Args:
            todays_blocks: today's counts of all documents.
            n_words: largest number of words; None for all.
        """
        words_met = self._lexicon.met
        n_met = len(words_met)
        differing_documents = np.array(self._differing_documents, dtype=np.int64)
        replaced_frequency = todays_blocks.frequency_in(differing_documents, n_met)
        document_frequency = todays_blocks.frequency(n_met) - replaced_frequency
        document_frequency += self._rows.frequency(n_met)
        for column, word in enumerate(words_met):
            if word.lower() in self._codes.stop_words:
                document_frequency[column] = 0
        return most_frequent(document_frequency, words_met, n_words or n_met)

    def counts(
        self, todays_parts: list[Counts], part_columns: Sequence[int], columns: Sequence[int]
    ) -> Counts:
        """Counts of reading 1, shape (N, d): today's, with rows of documents that differ replaced.

        Args:
            todays_parts: today's counts of all documents; the list is emptied to free memory.
            part_columns: columns that the parts have.
            columns: columns of the result, all among ``part_columns``.
        """
        n_columns = len(columns)
        place_of_column = {column: place for place, column in enumerate(part_columns)}
        places_in_parts = [place_of_column[column] for column in columns]
        former_parts = [part[:, places_in_parts] for part in todays_parts]
        todays_counts = stack_counts(former_parts, n_columns)
        todays_parts.clear()
        if not self._differing_documents:
            return todays_counts
        column_numbers = np.array(columns, dtype=np.intp)
        n_words_met = len(self._lexicon.met)
        row_parts = list(self._rows.parts(column_numbers, n_words_met))
        former_rows = stack_counts(row_parts, n_columns)
        differing_documents = np.array(self._differing_documents)
        return _with_rows(todays_counts, differing_documents, former_rows)

    def with_words(self, columns: Sequence[int], counts: Counts) -> FormerCounts:
        """Join counts of reading 1 with the words of their columns, and its texts and persons.

        Persons are None if none were recorded.

        Args:
            columns: of its vocabulary, in the lexicon.
            counts: shape (N, d).
        """
        words = tuple(self._lexicon.met[column] for column in columns)
        persons = self._person_roll.numbers()
        return FormerCounts(
            words=words,
            counts=counts,
            texts=self.texts,
            persons=persons if persons.size else None,
        )

    @property
    def differs(self) -> bool:
        """Whether reading 1 finds other words in any document."""
        return bool(self._differing_documents)

    @property
    def texts(self) -> NDArray[np.uint64]:
        """Reading 1's numbers of the texts, shape (N,)."""
        return np.array(self._texts, dtype=np.uint64)

    def _is_sure_to_agree(self, text: str, clean: str) -> bool:
        """Whether both readings are sure to find the same words.

        False means that they may differ. An ASCII text is sure only if ``clean`` is the same
        object, and a text of words that are not cut into letters only if ``clean`` is equal.
        """
        if not self._cuts_into_letters:
            return text == clean
        if text.isascii():
            return text is clean
        if not keeps_words(text, clean):
            return False
        return _OF_OTHER_LENGTH.search(clean) is None


def _with_rows(counts: Counts, row_numbers: NDArray[np.integer], new_rows: Counts) -> Counts:
    """Counts with some of their rows replaced.

    Args:
        counts: shape (N, d).
        row_numbers: distinct numbers of the rows to replace, shape (n,).
        new_rows: shape (n, d), in the order of ``row_numbers``.
    """
    n_documents = counts.shape[0]
    n_replaced = row_numbers.size
    is_kept = np.ones(n_documents, dtype=np.int32)
    is_kept[row_numbers] = 0
    ones = np.ones(n_replaced, dtype=np.int32)
    coordinates = (row_numbers, np.arange(n_replaced))
    placement_matrix = csr_array((ones, coordinates), shape=(n_documents, n_replaced))
    placed_rows = placement_matrix @ new_rows
    kept_counts = csr_array(counts.multiply(is_kept[:, None]))
    return csr_array(kept_counts + placed_rows)
