"""What a word is, for texts in any language: which characters make it, its case, how short, and what is left out."""

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.corpus.words.vocabulary import (
    MAX_WORD_LETTERS,
    MAX_WORDS,
    stop_words,
    strip_controls,
    words,
)

_MOST_STOP_WORDS = 100_000
PASSED_OVER, STOPPED = -2, -3
"""Words that are not counted: those outside a given vocabulary, and stop words."""


@dataclass(frozen=True, slots=True)
class Tokenisation:
    r"""What a word is.

    Attributes:
        pattern: a regular expression, each match of which is a word, looked for in lower case where that is asked; None
            takes runs of letters in any script, with their marks, and cuts English contractions.
        lowercase: whether words that differ in case only are one.
        min_letters: the shortest word, 1 to 40 characters; None takes 3, or 1 where there is a pattern or the words are
            parted already. The longest has 40. Without a pattern, scripts without spaces have words of one letter too.
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
        if self.min_letters is not None:
            checks.integer_between("min_letters", self.min_letters, 1, MAX_WORD_LETTERS)
        if self.pattern is not None:
            if self.pre_tokenised:
                raise InputError("pattern", "left out where words are parted already", "a pattern")
            _compiled(self.pattern)
        if self.stop_words != "english":
            listed: object = self.stop_words
            if not isinstance(listed, tuple | list) or not all(
                isinstance(word, str) for word in listed
            ):
                raise InputError("stop_words", "“english” or words", "something else")
            if len(listed) > _MOST_STOP_WORDS:
                raise InputError(
                    "stop_words", f"at most {_MOST_STOP_WORDS:,} words", f"{len(listed):,}"
                )
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

    def words(self, text: str) -> list[str]:
        """The words, in their order and stop words included, of a text as ``vocabulary.strip_controls`` returns it."""
        if self.cuts_into_letters:
            return words(text, self.least, lowercase=self.lowercase)
        cased = text.lower() if self.lowercase else text
        found = cased.split()
        if self.pattern is not None:
            found = [match.group() for match in _compiled(self.pattern).finditer(cased)]
        return [word for word in found if self._is_long_enough(word)]

    def is_word(self, text: str) -> bool:
        """Whether a text is one word and nothing else."""
        if not self.pre_tokenised:
            return self.words(text) == [text]
        cased = text.lower() if self.lowercase else text
        return self._is_long_enough(text) and " ".join(strip_controls(cased).text.split()) == text

    def left_out(self) -> frozenset[str]:
        """The stop words, in lower case."""
        if self.stop_words == "english":
            return stop_words()
        return frozenset(word.lower() for word in self.stop_words)

    def _is_long_enough(self, word: str) -> bool:
        return self.least <= len(word) <= MAX_WORD_LETTERS


class Lexicon(dict[str, int]):
    """The column of each word, of a vocabulary or as they are met; or why it has none."""

    def __init__(self, tokenisation: Tokenisation, vocabulary: Sequence[str] | None = None) -> None:
        self._left_out, self._tokenisation, self._fixed = (
            tokenisation.left_out(),
            tokenisation,
            vocabulary is not None,
        )
        super().__init__(dict.fromkeys(self._left_out, STOPPED))
        self.met = list(vocabulary or ())
        self.update((word, column) for column, word in enumerate(self.met))

    def read(self, texts: Iterable[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The numbers of all words of some texts, and how many each has."""
        read = list(map(self._tokenisation.words, texts))
        numbers = np.fromiter(map(self.__getitem__, chain.from_iterable(read)), np.int32)
        return numbers, np.fromiter(map(len, read), np.int64)

    def __missing__(self, word: str) -> int:
        if not self._tokenisation.lowercase and word.lower() in self._left_out:
            return STOPPED
        if self._fixed:
            return PASSED_OVER
        self.met.append(word)
        return self.setdefault(word, len(self.met) - 1)


def fixed_list(
    candidates: Iterable[str], tokenisation: Tokenisation | None = None
) -> tuple[str, ...]:
    """A vocabulary that was written down beforehand, 2 to 1,000,000 distinct words: checked, as text is read."""
    what, how = "vocabulary", tokenisation or Tokenisation()
    try:
        cleaned = [strip_controls(word).text.strip() for word in candidates]
    except (TypeError, AttributeError):
        raise InputError(what, "a list of words", "something else") from None
    listed = tuple(word.lower() if how.lowercase else word for word in cleaned)
    if not 2 <= len(listed) <= MAX_WORDS:
        raise InputError(what, f"a list of 2 to {MAX_WORDS:,} words", f"{len(listed):,} words")
    seen: set[str] = set()
    for position, word in enumerate(listed, start=1):
        if not how.is_word(word):
            limit = f"a list of single words of {how.least} to {MAX_WORD_LETTERS} letters"
            fix = "Unless told otherwise, digits, spaces and punctuation part words."
            raise InputError(what, limit, f"something else in position {position:,}", fix)
        if word in seen:
            raise InputError(
                what, "a list of distinct words", f"a repetition in position {position:,}"
            )
        seen.add(word)
    return listed


@functools.lru_cache(maxsize=16)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError, TypeError):
        fix = r"\w+, say, for letters and digits."
        raise InputError("pattern", "a regular expression", "something else", fix) from None
