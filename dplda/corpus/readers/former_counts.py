"""Counts as reading 1 had them, beside those of today: only of documents that it read otherwise, until the end."""

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.core.engine import row_blocks, rows_of
from dplda.core.types import Counts
from dplda.corpus.count_matrix import Blocks, stacked
from dplda.corpus.words.cleaning import keeps_words
from dplda.corpus.words.splitting import SYLLABLE_LETTER, UNSPACED_LETTER
from dplda.corpus.words.tokenisation import PASSED_OVER, STOPPED, Lexicon, Tokenisation
from dplda.corpus.words.vocabulary import most_frequent, number_of
from dplda.corpus.words.word_lists import WordList

_OF_OTHER_LENGTH = re.compile(f"{SYLLABLE_LETTER.pattern}|{UNSPACED_LETTER.pattern}")


@dataclass(frozen=True, slots=True)
class FormerCounts:
    """The words and counts of reading 1, shape (N, d), and its numbers of the texts."""

    words: tuple[str, ...]
    counts: Counts
    texts: NDArray[np.uint64]


class FormerCodes(dict[str, int]):
    """The column of each word of reading 1, in the columns of today's lexicon and some more; or why it has none."""

    def __init__(
        self, tokenisation: Tokenisation, lexicon: Lexicon, vocabulary: WordList | None
    ) -> None:
        self._lexicon, self._is_fixed = lexicon, vocabulary is not None
        self.stop_words = tokenisation.former_reading.stop_words()
        super().__init__()
        for word in () if vocabulary is None else vocabulary.former or ():
            self._give_column(word, lexicon.get(word, PASSED_OVER))

    def __missing__(self, word: str) -> int:
        if self._is_fixed:
            return PASSED_OVER
        if word.lower() in self.stop_words:
            return STOPPED
        return self._give_column(word, self._lexicon[word])

    def _give_column(self, word: str, column_of_today: int) -> int:
        """Today's column of a word, or one of its own where it is none today."""
        column = column_of_today
        if column < 0:
            column = len(self._lexicon.met)
            self._lexicon.met.append(word)
        self[word] = column
        return column


class FormerRows:
    """Documents that reading 1 reads otherwise than today's: their rows of counts, and the numbers of all texts.

    Args:
        lexicon: today's, which gets a column for each word that only reading 1 knows.
        vocabulary: a fixed list; None counts all words but stop words.
        max_words: ``L_max``, words of a document that are looked at.
    """

    def __init__(
        self,
        tokenisation: Tokenisation,
        lexicon: Lexicon,
        vocabulary: WordList | None,
        max_words: int,
    ) -> None:
        self._reading = tokenisation.former_reading
        self._cuts_into_letters = tokenisation.cuts_into_letters
        self._lexicon, self._max_words, self._vocabulary = lexicon, max_words, vocabulary
        self._codes = FormerCodes(tokenisation, lexicon, vocabulary)
        stop_words_of_today = tokenisation.reading.stop_words()
        self._has_same_stop_words = stop_words_of_today == self._codes.stop_words
        self._compares_all = not stop_words_of_today <= self._codes.stop_words
        self._texts = array("Q")
        self._waiting: list[tuple[int, str]] = []  # place in the block, text as reading 1 cleans it
        self._documents: list[int] = []  # that differ
        self._rows = Blocks()
        self._n_compared = 0

    def add(self, text: str, clean: str, *, number: int, place: int) -> None:
        """Take a text, as it came and as it is read today.

        Args:
            number: today's number of the text.
            place: its place in the block that is read next.
        """
        self._texts.append(number if text.isascii() and text is clean else number_of(text))
        if self._compares_all or not self._is_sure_to_agree(text, clean):
            self._waiting.append((place, self._reading.clean(text)))

    def compare(self, codes: NDArray[np.int32], lengths: NDArray[np.int64]) -> None:
        """Keep the rows of the block's documents whose words differ from today's.

        Args:
            codes: columns of today's words, document after document.
            lengths: words of each document, shape (n,).
        """
        ends = np.concatenate([[0], np.cumsum(lengths)])
        words = self._reading.words([text for _, text in self._waiting])
        rows: list[NDArray[np.int32]] = []
        for (place, _), found in zip(self._waiting, words, strict=True):
            row = self.codes_of(found)
            if not np.array_equal(row, codes[ends[place] : ends[place + 1]]):
                self._documents.append(self._n_compared + place)
                rows.append(row[: self._max_words])
        self._add_rows(rows)
        self._waiting = []
        self._n_compared += lengths.size

    def replace_all(self, counts: Counts, codes: NDArray[np.int32]) -> None:
        """Keep all rows of a file of counts, whose columns have these codes."""
        self._documents = list(range(counts.shape[0]))
        for rows in row_blocks(counts.shape[0]):
            block = rows_of(counts, rows)
            ends = np.concatenate([[0], np.cumsum(block.data, dtype=np.int64)])[block.indptr[1:-1]]
            self._add_rows(np.split(np.repeat(codes[block.indices], block.data), ends))

    def codes_of(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The columns of some words, or why they have none."""
        return np.fromiter(map(self._codes.__getitem__, words), np.int32)

    def _add_rows(self, rows: Sequence[NDArray[np.int32]]) -> None:
        """Count the words of the next documents that differ."""
        if rows:
            columns = [row[row >= 0] for row in rows]
            ends = np.cumsum([0, *map(len, columns)])
            self._rows.add(np.concatenate(columns), ends, len(self._lexicon.met))

    def columns(self, today: Blocks, chosen: list[int], n_words: int | None) -> list[int]:
        """The columns of reading 1's vocabulary; today's where that reading refuses the list or finds no words.

        Args:
            today: the counts of today, all of them.
            chosen: the columns of today's vocabulary.
            n_words: how many words to take from the data; None for all.
        """
        if self._vocabulary is not None:
            listed = self._vocabulary.former
            return chosen if listed is None else [self._codes[word] for word in listed]
        met = self._lexicon.met
        replaced = np.array(self._documents, dtype=np.int64)
        if not self._documents and self._has_same_stop_words:
            return chosen
        frequency = today.frequency(len(met)) - today.frequency_in(replaced, len(met))
        frequency += self._rows.frequency(len(met))
        for column, word in enumerate(met):
            if word.lower() in self._codes.stop_words:
                frequency[column] = 0
        found = most_frequent(frequency, met, n_words or len(met))
        return found if len(found) > 1 else chosen

    def counts(
        self, today: list[Counts], columns_of_today: Sequence[int], columns: Sequence[int]
    ) -> Counts:
        """The counts over some columns, shape (N, d).

        Args:
            today: all documents as they are read today, in parts, which are let go of.
            columns_of_today: the columns that these have, the others among them.
        """
        place = {column: number for number, column in enumerate(columns_of_today)}
        places = [place[column] for column in columns]
        whole = stacked([part[:, places] for part in today], len(columns))
        today.clear()
        if not self._documents:
            return whole
        chosen = np.array(columns, dtype=np.intp)
        rows = stacked(list(self._rows.parts(chosen, len(self._lexicon.met))), len(columns))
        n_documents, documents = whole.shape[0], np.array(self._documents)
        is_kept = np.ones(n_documents, dtype=bool)
        is_kept[documents] = False
        shape = (n_documents, documents.size)
        ones = np.ones(documents.size, dtype=np.int32)
        placed = csr_array((ones, (documents, np.arange(documents.size))), shape=shape)
        kept = csr_array(whole.multiply(is_kept[:, None].astype(np.int32)))
        return csr_array(kept + placed @ rows)

    @property
    def differs(self) -> bool:
        """Whether the words of some document differ."""
        return bool(self._documents)

    @property
    def texts(self) -> NDArray[np.uint64]:
        """Reading 1's numbers of the texts, shape (N,)."""
        return np.array(self._texts, dtype=np.uint64)

    def _is_sure_to_agree(self, text: str, clean: str) -> bool:
        """Whether both readings find the same words: the same letters, in scripts of the same least length."""
        if not self._cuts_into_letters:
            return text == clean
        if text.isascii():
            return text is clean
        return keeps_words(text, clean) and _OF_OTHER_LENGTH.search(clean) is None
