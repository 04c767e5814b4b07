"""What a word is, for texts in any language: which characters make it, its case, how short, and what is left out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.corpus.words.cleaning import clean_text
from dplda.corpus.words.first_reading import FirstReading
from dplda.corpus.words.patterns import compiled_pattern, find_words
from dplda.corpus.words.reading import TextReading
from dplda.corpus.words.splitting import is_long_enough, letter_runs
from dplda.corpus.words.vocabulary import (
    MAX_WORD_LETTERS,
    MAX_WORDS,
    short_stop_words,
    stop_words,
)
from dplda.corpus.words.word_lists import WordList

_MOST_STOP_WORDS = 100_000
_MOST_REMEMBERED = 500_000  # words outside a fixed list, so that each is looked at once
PASSED_OVER, STOPPED, LEFT_OUT, SHORT_STOP_WORD = -2, -3, -4, -5
"""What is not counted: words outside a given vocabulary, stop words, words of a wrong length, stop words too short."""


@dataclass(frozen=True, slots=True)
class Tokenisation:
    r"""What a word is.

    Attributes:
        pattern: a regular expression, each match of which is a word, looked for in lower case where that is asked; None
            takes runs of letters in any script, with their marks, and cuts English contractions.
        lowercase: whether words that differ in case only are one.
        min_letters: the shortest word, 1 to 40 characters; None takes 3, or 1 where there is a pattern or the words are
            parted already. The longest has 40. Without a pattern it holds for alphabets: two letters that stand for a
            syllable (Hangul, Devanagari) count as three, and one letter is enough in scripts without spaces.
        stop_words: ``"english"``, or words to leave out where a vocabulary is taken from the data, whatever their case.
        pre_tokenised: whether words are parted already, by white space.

    Example:
        >>> from dplda.corpus import Tokenisation
        >>> Tokenisation().words("It's tea, l'eau, 100 % A4")
        ['tea', 'eau']
        >>> Tokenisation(pattern=r"\w+", lowercase=False).words("A4 Tea")
        ['A4', 'Tea']
        >>> Tokenisation(pre_tokenised=True).words("東京 は 大きい New_York")
        ['東京', 'は', '大きい', 'new_york']
    """

    pattern: str | None = None
    lowercase: bool = True
    min_letters: int | None = None
    stop_words: str | tuple[str, ...] = "english"
    pre_tokenised: bool = False

    def __post_init__(self) -> None:
        checks.text("pattern", self.pattern, may_be_none=True)
        checks.flag("lowercase", self.lowercase)
        checks.flag("pre_tokenised", self.pre_tokenised)
        if self.min_letters is not None:
            checks.integer_between("min_letters", self.min_letters, 1, MAX_WORD_LETTERS)
        if self.pattern is not None:
            if self.pre_tokenised:
                raise InputError("pattern", "left out where words are parted already", "a pattern")
            compiled_pattern(self.pattern)
        if not isinstance(self.stop_words, str) or self.stop_words != "english":
            listed: object = self.stop_words
            if not isinstance(listed, tuple | list) or not all(
                isinstance(word, str) for word in listed
            ):
                raise InputError("stop_words", "“english” or words", "something else")
            if len(listed) > _MOST_STOP_WORDS:
                raise InputError(
                    "stop_words", f"at most {_MOST_STOP_WORDS:,} words", f"{len(listed):,}"
                )
            if not isinstance(listed, WordList):
                object.__setattr__(self, "stop_words", tuple(listed))

    @property
    def least(self) -> int:
        """The shortest word, in characters."""
        if self.min_letters is not None:
            return self.min_letters
        return 3 if self.cuts_into_letters else 1

    @property
    def cuts_into_letters(self) -> bool:
        """Whether words are runs of letters, as they are unless somebody says otherwise."""
        return self.pattern is None and not self.pre_tokenised

    @property
    def reading(self) -> "TodaysReading":
        """How texts and lists are read today."""
        return TodaysReading(self)

    @property
    def former_reading(self) -> FirstReading:
        """How reading 1 takes the same texts and lists."""
        return FirstReading(self)

    def words(self, text: str) -> list[str]:
        """The words of a text, in their order and stop words included."""
        reading = self.reading
        return reading.words([reading.clean(text)])[0]

    def is_word(self, text: str) -> bool:
        """Whether a text is one word and nothing else."""
        return self.reading.are_words([text])[0]

    def split_otherwise(self, texts: Sequence[str]) -> list[list[str]]:
        """Pieces of clean texts where words are not runs of letters: matches of the pattern, or between white space."""
        cased = [text.lower() for text in texts] if self.lowercase else texts
        if self.pattern is None:
            return [text.split() for text in cased]
        return find_words(self.pattern, cased)


class TodaysReading(TextReading):
    """Reading 2, for a definition of a word."""

    def __init__(self, how: Tokenisation) -> None:
        super().__init__(lowercase=how.lowercase)
        self._how = how

    def clean(self, text: str) -> str:
        """The text in plain letters: see ``cleaning``."""
        return clean_text(text).text

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """Runs of letters, matches of the pattern, or what white space parts."""
        if not self._how.cuts_into_letters:
            return self._how.split_otherwise(texts)
        return [letter_runs(text, lowercase=self._how.lowercase) for text in texts]

    def is_long_enough(self, word: str) -> bool:
        """Whether it has as many letters as a word of its script, and not more than any word."""
        if self._how.cuts_into_letters:
            return is_long_enough(word, self._how.least)
        return self._how.least <= len(word) <= MAX_WORD_LETTERS

    def stop_words(self) -> frozenset[str]:
        """The listed words as texts are read; an entry that texts never read as one word stands for nothing."""
        if isinstance(self._how.stop_words, str):
            return stop_words()
        return frozenset(word.lower() for word in self._stop_words(self._how.stop_words) if word)

    def idle_stop_words(self) -> tuple[str, ...]:
        """Entries of the list of stop words that no word can match, though texts may hold some of their letters.

        Too short ones are not among them, nor contractions, which are left out of texts anyway.
        """
        entries = self._how.stop_words
        if isinstance(entries, str):
            return ()
        words = self._stop_words(entries)
        return tuple(entry for entry, word in zip(entries, words, strict=True) if word is None)

    def _stop_words(self, entries: Sequence[str]) -> list[str | None]:
        """The word that each entry leaves out; empty where texts leave it out anyway, None where it can match none."""
        cleaned = [self.clean(entry).strip() for entry in entries]
        found = zip(cleaned, self.split(cleaned), strict=True)
        return [self._only_word(entry, pieces) for entry, pieces in found]

    def _only_word(self, entry: str, pieces: Sequence[str]) -> str | None:
        """The one word that a clean entry is, or that is left of it where it is an English contraction."""
        is_cut = self._how.cuts_into_letters and ("'" in entry or "’" in entry)
        is_left_out = not any(map(self.is_long_enough, pieces))
        if is_left_out and (is_cut or not entry):
            return ""
        if not pieces:
            return None
        is_begin = entry.lower().startswith(pieces[0].lower())
        is_whole = len(pieces[0]) == len(entry) or is_cut
        return pieces[0] if len(pieces) == 1 and is_begin and is_whole else None


class Lexicon(dict[str, int]):
    """The column of each word, of a vocabulary or as they are met; or why it has none.

    Attributes:
        met: the words that have a column, in the order of columns.
        n_left_out: words read that were too short or too long, and no stop words.
    """

    def __init__(self, tokenisation: Tokenisation, vocabulary: Sequence[str] | None = None) -> None:
        self._reading, self._lowercase = tokenisation.reading, tokenisation.lowercase
        self._is_fixed = vocabulary is not None
        self._stop_words = self._reading.stop_words()
        is_english = stop_words() <= self._stop_words
        short = short_stop_words() if is_english else frozenset[str]()
        super().__init__()
        for word in self._stop_words | short:
            if not self._reading.is_long_enough(word):
                self[word] = SHORT_STOP_WORD
            elif word in self._stop_words:
                self[word] = STOPPED
        self.met = list(vocabulary or ())
        self.n_left_out = 0
        self.update((word, column) for column, word in enumerate(self.met))

    def read(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The columns of all words of some clean texts, or why they have none, and how many words each text has."""
        pieces = self._reading.split(texts)
        codes = np.fromiter(map(self.__getitem__, chain.from_iterable(pieces)), np.int32)
        lengths = np.fromiter(map(len, pieces), np.int64)
        is_word = codes > LEFT_OUT
        if not is_word.all():
            self.n_left_out += int(np.count_nonzero(codes == LEFT_OUT))
            documents = np.repeat(np.arange(lengths.size), lengths)
            lengths = np.bincount(documents[is_word], minlength=lengths.size)
            codes = codes[is_word]
        return codes, lengths

    def column(self, word: str) -> int:
        """The column of a word, which is given one if it has none."""
        column = self.get(word, PASSED_OVER)
        if column < 0:
            self.met.append(word)
            column = self[word] = len(self.met) - 1
        return column

    def __missing__(self, word: str) -> int:
        if not self._reading.is_long_enough(word):
            code = LEFT_OUT
            if not self._lowercase and self.get(word.lower()) == SHORT_STOP_WORD:
                code = SHORT_STOP_WORD
        elif not self._lowercase and word.lower() in self._stop_words:
            code = STOPPED
        elif self._is_fixed:
            code = PASSED_OVER
        else:
            return self.column(word)
        if len(self) < _MOST_REMEMBERED and len(word) <= MAX_WORD_LETTERS:
            self[word] = code
        return code


def fixed_list(candidates: Iterable[str], tokenisation: Tokenisation | None = None) -> WordList:
    """A vocabulary that was written down beforehand, 2 to 1,000,000 distinct words: checked, as text is read.

    Words that only today's reading takes for one, such as ``oﬃce`` and ``office``, are listed once.
    """
    what = "vocabulary"
    how = tokenisation or Tokenisation()
    reading = how.reading
    former_reading = how.former_reading
    try:
        given = list(candidates)
        cleaned = [reading.cased(reading.clean(word).strip()) for word in given]
    except (TypeError, AttributeError):
        raise InputError(what, "a list of words", "something else") from None
    if not 2 <= len(given) <= MAX_WORDS:
        raise InputError(what, f"a list of 2 to {MAX_WORDS:,} words", f"{len(given):,} words")
    former = candidates.former if isinstance(candidates, WordList) else former_reading.listed(given)
    forms: dict[str, str] = {}
    for position, (word, is_word) in enumerate(
        zip(cleaned, reading.are_words(cleaned), strict=True), start=1
    ):
        if not is_word:
            limit = f"a list of single words of {how.least} to {MAX_WORD_LETTERS} letters"
            fix = "Unless told otherwise, digits, spaces and punctuation part words."
            raise InputError(what, limit, f"something else in position {position:,}", fix)
        form = former_reading.cased(former_reading.clean(given[position - 1]).strip())
        if forms.get(word, form) == form and word in forms:
            raise InputError(
                what, "a list of distinct words", f"a repetition in position {position:,}"
            )
        forms.setdefault(word, form)
    if len(forms) < 2:
        raise InputError(what, f"a list of 2 to {MAX_WORDS:,} words", "1 word in two spellings")
    return WordList(forms, former)


def released_list(words: Sequence[str], tokenisation: Tokenisation | None = None) -> WordList:
    """The fixed list of a release that is continued: as texts are read today, and as it stands for reading 1.

    A list of reading 1 may hold what today is no word, or one word in two spellings; today's part lacks those.
    """
    how = tokenisation or Tokenisation()
    try:
        return fixed_list(words, how)
    except InputError:
        reading = how.reading
        cleaned = [reading.cased(reading.clean(word)) for word in words]
        is_word = reading.are_words(cleaned)
        read = (word for word, it in zip(cleaned, is_word, strict=True) if it)
        return WordList(dict.fromkeys(read), former=words)
