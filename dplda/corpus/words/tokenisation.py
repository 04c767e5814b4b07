"""Definition of a word for texts in any language, and words that are left out."""

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from itertools import chain, islice

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

_MAX_STOP_WORDS = 100_000
_MAX_REMEMBERED = 500_000  # words outside a fixed list, so that each is looked at once
PASSED_OVER = (
    -2
)  # code of a word outside a given vocabulary; it is not counted, like the next three
STOPPED = -3  # code of a stop word
LEFT_OUT = -4  # code of a word that is too short or too long
SHORT_STOP_WORD = -5  # code of a stop word that is too short


@dataclass(frozen=True, slots=True)
class Tokenisation:
    r"""Definition of a word.

    Attributes:
        pattern: a regular expression whose matches are the words, in lower case if ``lowercase``.
            None takes runs of letters in any script, with their marks, and cuts English
            contractions.
        lowercase: whether words that differ only in case are one.
        min_letters: length of the shortest word, 1 to 40 characters; the longest has 40. None takes
            3, or 1 if there is a pattern or words are already separated. Without a pattern it holds
            for alphabets: two letters that stand for a syllable (Hangul, Devanagari) count as
            three, and one letter is enough in scripts without spaces.
        stop_words: ``"english"``, or words to leave out of a vocabulary that is taken from the
            data, whatever their case.
        pre_tokenised: whether words are already separated by white space.

    Raises:
        InputError: a field is of the wrong type or out of its range, or the pattern cannot be used.

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
        """Refuse a bad pattern, a pattern for words that are parted already, and bad stop words.

        A plain list of stop words becomes a tuple.

        Raises:
            InputError: one of these, a field of another type, or a shortest word of less than 1 or
                over 40 letters.
        """
        checks.text("pattern", self.pattern, may_be_none=True)
        checks.flag("lowercase", self.lowercase)
        checks.flag("pre_tokenised", self.pre_tokenised)
        if self.min_letters is not None:
            checks.integer_between("min_letters", self.min_letters, 1, MAX_WORD_LETTERS)
        if self.pattern is not None:
            self._check_pattern(self.pattern)
        if not isinstance(self.stop_words, str) or self.stop_words != "english":
            self._check_stop_words()

    def _check_pattern(self, pattern: str) -> None:
        """Refuse a pattern for words that are parted already, and one that does not compile."""
        if self.pre_tokenised:
            raise InputError("pattern", "left out where words are parted already", "a pattern")
        compiled_pattern(pattern)

    def _check_stop_words(self) -> None:
        """Refuse anything but a list of at most 100,000 words; a plain list becomes a tuple.

        A ``WordList`` stays one.
        """
        entries: object = self.stop_words
        is_list = isinstance(entries, tuple | list)
        if not is_list:
            raise InputError("stop_words", "“english” or words", "something else")
        if not all(isinstance(word, str) for word in self.stop_words):
            raise InputError("stop_words", "“english” or words", "something else")
        n_entries = len(self.stop_words)
        if n_entries > _MAX_STOP_WORDS:
            raise InputError("stop_words", f"at most {_MAX_STOP_WORDS:,} words", f"{n_entries:,}")
        if isinstance(self.stop_words, WordList):
            return
        object.__setattr__(self, "stop_words", tuple(self.stop_words))

    @property
    def least(self) -> int:
        """Length of the shortest word, in characters."""
        if self.min_letters is not None:
            return self.min_letters
        return 3 if self.cuts_into_letters else 1

    @property
    def cuts_into_letters(self) -> bool:
        """Whether words are runs of letters: no pattern, and not separated already."""
        return self.pattern is None and not self.pre_tokenised

    @property
    def reading(self) -> "TodaysReading":
        """Today's reading of texts and lists."""
        return TodaysReading(self)

    @property
    def former_reading(self) -> FirstReading:
        """Reading 1 of the same texts and lists."""
        return FirstReading(self)

    def words(self, text: str) -> list[str]:
        """List the words of a text in order, stop words included."""
        reading = self.reading
        clean = reading.clean(text)
        return reading.words([clean])[0]

    def is_word(self, text: str) -> bool:
        """Whether a text is exactly one word."""
        return self.reading.are_words([text])[0]

    def split_without_letters(self, texts: Sequence[str]) -> list[list[str]]:
        """List the pattern's matches in clean texts, or the pieces between white space.

        With ``lowercase``, texts are put in lower case first. Short and long pieces stay.

        Raises:
            InputError: the pattern takes far longer than usual.
        """
        cased_texts = texts
        if self.lowercase:
            cased_texts = [text.lower() for text in texts]
        if self.pattern is None:
            return [text.split() for text in cased_texts]
        return find_words(self.pattern, cased_texts)


class TodaysReading(TextReading):
    """Reading 2, for one definition of a word."""

    def __init__(self, tokenisation: Tokenisation) -> None:
        super().__init__(lowercase=tokenisation.lowercase)
        self._tokenisation = tokenisation

    def clean(self, text: str) -> str:
        """The text in plain letters (``words.cleaning``)."""
        return clean_text(text).text

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """Split clean texts into runs of letters, matches of the pattern, or at white space."""
        definition = self._tokenisation
        if not definition.cuts_into_letters:
            return definition.split_without_letters(texts)
        return [letter_runs(text, lowercase=definition.lowercase) for text in texts]

    def is_long_enough(self, word: str) -> bool:
        """Whether the word has as many letters as a word of its script needs, and at most 40."""
        shortest = self._tokenisation.least
        if self._tokenisation.cuts_into_letters:
            return is_long_enough(word, shortest)
        return shortest <= len(word) <= MAX_WORD_LETTERS

    def stop_words(self) -> frozenset[str]:
        """The listed words as texts are read, in lower case; the program's list for ``"english"``.

        Entries that match no single word are left out.
        """
        entries = self._tokenisation.stop_words
        if isinstance(entries, str):
            return stop_words()
        forms = self._stop_word_forms(entries)
        return frozenset(word.lower() for word in forms if word)

    def idle_stop_words(self) -> tuple[str, ...]:
        """Stop words that can match no word, though texts may hold their letters.

        Entries that texts leave out anyway are not among them: short ones, and contractions.
        The words are as they were given, in their order. There are none for ``"english"``.
        """
        entries = self._tokenisation.stop_words
        if isinstance(entries, str):
            return ()
        forms = self._stop_word_forms(entries)
        forms_of_entries = zip(entries, forms, strict=True)
        return tuple(entry for entry, form in forms_of_entries if form is None)

    def _stop_word_forms(self, entries: Sequence[str]) -> list[str | None]:
        """Word that each entry leaves out: "" if texts lack it anyway, None if it matches none."""
        clean_entries = [self.clean(entry).strip() for entry in entries]
        pieces_of_entries = self.split(clean_entries)
        split_entries = zip(clean_entries, pieces_of_entries, strict=True)
        return [self._only_word(entry, pieces) for entry, pieces in split_entries]

    def _only_word(self, entry: str, pieces: Sequence[str]) -> str | None:
        """The one word that a clean entry is, or that is left of an English contraction.

        A word has to begin the entry, and to be all of it unless it is a contraction.

        Args:
            entry: of a list of words, cleaned.
            pieces: its parts, as a text would be split.

        Returns:
            The word; "" for an entry that texts leave out anyway, as it is empty or a contraction
            of short pieces; None for one that can match no word.
        """
        has_apostrophe = "'" in entry or "’" in entry
        is_contraction = has_apostrophe and self._tokenisation.cuts_into_letters
        has_short_pieces_only = not any(map(self.is_long_enough, pieces))
        if has_short_pieces_only and (is_contraction or not entry):
            return ""
        if len(pieces) != 1:
            return None
        word = pieces[0]
        if not entry.lower().startswith(word.lower()):
            return None
        is_whole_entry = len(word) == len(entry)
        if not (is_whole_entry or is_contraction):
            return None
        return word


class Lexicon(dict[str, int]):
    """Column of each word, of a fixed vocabulary or in the order in which words are met.

    A word without a column has a negative code that says why. A word that is asked for the first
    time gets its column or code then.

    Args:
        tokenisation: definition of a word.
        vocabulary: a fixed list; None gives a column to every word that is met, but to no stop
            word.

    Attributes:
        met: words that have a column, in the order of columns.
        n_left_out: words read that were too short or too long, and no stop words.
    """

    def __init__(self, tokenisation: Tokenisation, vocabulary: Sequence[str] | None = None) -> None:
        """Give stop words their codes, then the words of a vocabulary the first columns.

        A stop word that is in the vocabulary gets its column, not a code.

        A stop word below the least length has a code of its own, so that it is not counted as left
        out. English short words get it too if the stop words hold all English ones.
        """
        self._reading = tokenisation.reading
        self._lowercase = tokenisation.lowercase
        self._is_fixed = vocabulary is not None
        self._stop_words = self._reading.stop_words()
        english_stop_words = stop_words()
        short_words: frozenset[str] = frozenset()
        if english_stop_words <= self._stop_words:
            short_words = short_stop_words()
        super().__init__()
        for word in self._stop_words | short_words:
            if not self._reading.is_long_enough(word):
                self[word] = SHORT_STOP_WORD
            elif word in self._stop_words:
                self[word] = STOPPED
        self.met = list(vocabulary or ())
        self.n_left_out = 0
        for column, word in enumerate(self.met):
            self[word] = column

    def read(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Look up the words of clean texts; a new word gets its column or code.

        Pieces that are too short or too long are left out, and counted unless they are stop words.

        Returns:
            Columns or negative codes of the words, text after text; and the number of words of each
            text.
        """
        pieces_of_texts = self._reading.split(texts)
        all_pieces = chain.from_iterable(pieces_of_texts)
        piece_codes = np.fromiter(map(self.__getitem__, all_pieces), np.int32)
        n_pieces = np.fromiter(map(len, pieces_of_texts), np.int64)
        is_word = piece_codes > LEFT_OUT
        if is_word.all():
            return piece_codes, n_pieces
        is_left_out = piece_codes == LEFT_OUT
        self.n_left_out += int(np.count_nonzero(is_left_out))
        n_texts = n_pieces.size
        text_of_piece = np.repeat(np.arange(n_texts), n_pieces)
        text_of_word = text_of_piece[is_word]
        text_lengths = np.bincount(text_of_word, minlength=n_texts)
        return piece_codes[is_word], text_lengths

    def column(self, word: str) -> int:
        """Column of a word, which gets a new one if it has none, even if it had a negative code."""
        column = self.get(word, PASSED_OVER)
        if column < 0:
            column = len(self.met)
            self.met.append(word)
            self[word] = column
        return column

    def __missing__(self, word: str) -> int:
        """Code of a word that is met for the first time; without a fixed list a new column.

        Negative codes go to words that are too short, to stop words in another case where case
        counts, and to words off a fixed list. Only so many negative codes are remembered.
        """
        case_counts = not self._lowercase
        lower_word = word.lower()
        code = LEFT_OUT
        if not self._reading.is_long_enough(word):
            if case_counts and self.get(lower_word) == SHORT_STOP_WORD:
                code = SHORT_STOP_WORD
        elif case_counts and lower_word in self._stop_words:
            code = STOPPED
        elif self._is_fixed:
            code = PASSED_OVER
        else:
            return self.column(word)
        self._remember(word, code)
        return code

    def _remember(self, word: str, code: int) -> None:
        """Keep the negative code of a word, unless it is too long or too many are kept."""
        if len(self) < _MAX_REMEMBERED and len(word) <= MAX_WORD_LETTERS:
            self[word] = code


def fixed_list(candidates: Iterable[str], tokenisation: Tokenisation | None = None) -> WordList:
    """Check a vocabulary that was written down beforehand: 2 to 1,000,000 distinct words.

    Words that only today's reading takes for one, such as ``oﬃce`` and ``office``, are listed once.
    A ``WordList`` keeps its list of reading 1; of other candidates that list is made here.

    Args:
        candidates: the words.
        tokenisation: definition of a word; None for the default.

    Raises:
        InputError: no list of words, too few or too many, or an entry that is no word or repeats
            one; the message gives its position, from 1, and not the entry.
    """
    definition = tokenisation or Tokenisation()
    todays_reading = definition.reading
    limit_text = f"a list of 2 to {MAX_WORDS:,} words"
    if isinstance(candidates, str):
        raise InputError("vocabulary", limit_text, "one text")
    try:
        entries = list(islice(candidates, MAX_WORDS + 1))  # a list may have no end
        if len(entries) > MAX_WORDS:
            n_entries = len(candidates) if isinstance(candidates, Sized) else len(entries)
            raise InputError("vocabulary", limit_text, f"{n_entries:,} words")
        clean_entries = [todays_reading.clean(entry).strip() for entry in entries]
    except (TypeError, AttributeError):
        raise InputError("vocabulary", "a list of words", "something else") from None
    if len(entries) < 2:
        raise InputError("vocabulary", limit_text, f"{len(entries):,} words")
    words = [todays_reading.cased(entry) for entry in clean_entries]
    if isinstance(candidates, WordList):
        former_list = candidates.former
    else:
        former_list = definition.former_reading.listed(entries)
    distinct_words = _distinct_words(entries, words, definition)
    if len(distinct_words) < 2:
        raise InputError("vocabulary", limit_text, "1 word in two spellings")
    return WordList(distinct_words, former_list)


def _distinct_words(
    entries: Sequence[str], words: Sequence[str], definition: Tokenisation
) -> list[str]:
    """List each word once, in order; a word may have entries that reading 1 tells apart.

    Args:
        entries: as they were written down.
        words: the same as they are read today.
        definition: of a word.

    Raises:
        InputError: an entry is no word, or is for both readings the same as the first entry of its
            word; names its position, counted from 1.
    """
    former_reading = definition.former_reading
    former_form_of: dict[str, str] = {}
    is_word = definition.reading.are_words(words)
    named_words = zip(entries, words, is_word, strict=True)
    for position, (entry, word, entry_is_word) in enumerate(named_words, start=1):
        if not entry_is_word:
            raise _no_word_error(position, definition)
        clean_entry = former_reading.clean(entry).strip()
        former_form = former_reading.cased(clean_entry)
        if former_form_of.get(word) == former_form:
            got_text = f"a repetition in position {position:,}"
            raise InputError("vocabulary", "a list of distinct words", got_text)
        former_form_of.setdefault(word, former_form)
    return list(former_form_of)


def _no_word_error(position: int, definition: Tokenisation) -> InputError:
    """Error for an entry of a list that is no single word; names its position, from 1."""
    lengths_text = f"{definition.least} to {MAX_WORD_LETTERS} letters"
    limit_text = f"a list of single words of {lengths_text}"
    got_text = f"something else in position {position:,}"
    advice = "Unless told otherwise, digits, spaces and punctuation part words."
    return InputError("vocabulary", limit_text, got_text, advice)


def released_list(words: Sequence[str], tokenisation: Tokenisation | None = None) -> WordList:
    """The fixed list of a continued release, as texts are read today and as reading 1 took it.

    A list that is valid today is checked as ``fixed_list`` does. One of reading 1 may hold entries
    that are no words today, or one word in two spellings; today's part leaves such entries out.

    Args:
        words: the released list.
        tokenisation: definition of a word; None for the default.
    """
    definition = tokenisation or Tokenisation()
    try:
        return fixed_list(words, definition)
    except InputError:
        return _released_words(words, definition)


def _released_words(words: Sequence[str], definition: Tokenisation) -> WordList:
    """A released list of reading 1: the entries that are words today once, and all entries."""
    todays_reading = definition.reading
    clean_words = [todays_reading.clean(word) for word in words]
    cased_words = [todays_reading.cased(word) for word in clean_words]
    is_word = todays_reading.are_words(cased_words)
    kept_words = [word for word, is_kept in zip(cased_words, is_word, strict=True) if is_kept]
    distinct_words = dict.fromkeys(kept_words)
    return WordList(distinct_words, former=words)
