"""Reading 1, kept so that what was released of it is found again: what it took for letters, words and lists.

It removed control, format and zero-width characters, brought letters to normal form C, asked for as many letters in every
script, knew ' and ’ alone as apostrophes, and left entities of HTML as they stood.
"""

import functools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dplda.corpus.words.reading import TextReading
from dplda.corpus.words.vocabulary import (
    MAX_WORD_LETTERS,
    category_ranges,
    last_code_point,
    stop_words,
    strip_controls,
)
from dplda.corpus.words.word_lists import WordList

if TYPE_CHECKING:
    from dplda.corpus.words.tokenisation import Tokenisation

_UNSPACED = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"
_NEGATION = re.compile(r"\b\w+n't\b", re.IGNORECASE)
_CONTRACTION = re.compile(r"'(?:s|ll|re|ve|d|m)\b", re.IGNORECASE)


class FirstReading(TextReading):
    """Reading 1, for a definition of a word."""

    def __init__(self, how: "Tokenisation") -> None:
        super().__init__(lowercase=how.lowercase)
        self._how = how

    def clean(self, text: str) -> str:
        """The text in normal form C, without control and format characters."""
        return strip_controls(text).text

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """Runs of at least so many letters, matches of the pattern, or what white space parts."""
        if self._how.cuts_into_letters:
            cased = [self.cased(text).replace("’", "'") for text in texts]
            return [_runs_of_letters(text, self._how.least) for text in cased]
        return self._how.split_otherwise(texts)

    def is_long_enough(self, word: str) -> bool:
        """Whether it has so many characters; runs of letters are long enough as they are found."""
        least = 1 if self._how.cuts_into_letters else self._how.least
        return least <= len(word) <= MAX_WORD_LETTERS

    def stop_words(self) -> frozenset[str]:
        """The list as it was given, in lower case; of a file, everything that white space parts."""
        listed = self._how.stop_words
        if isinstance(listed, str):
            return stop_words()
        given = (listed.former or ()) if isinstance(listed, WordList) else listed
        return frozenset(word.lower() for word in given)

    def listed(self, candidates: Sequence[str]) -> tuple[str, ...] | None:
        """A list written down beforehand, as this reading took it; None where it refused the list."""
        words = tuple(self.cased(self.clean(candidate).strip()) for candidate in candidates)
        is_accepted = len(set(words)) == len(words) and all(self.are_words(words))
        return words if is_accepted else None


def _runs_of_letters(text: str, least: int) -> list[str]:
    """Runs of letters and marks, of at least so many letters, or one where a script has no spaces."""
    if "'" in text:
        text = _CONTRACTION.sub(" ", _NEGATION.sub(" ", text))
    if text.isascii():
        return _ascii_run(least).findall(text)
    return _run(last_code_point(text), least).findall(text)


@functools.cache
def _ascii_run(least: int) -> re.Pattern[str]:
    return re.compile(f"[A-Za-z]{{{least},}}")


@functools.cache
def _run(last: int, least: int) -> re.Pattern[str]:
    """So many letters or more, each with any marks, of characters up to a code point."""
    letters = category_ranges(("Lu", "Ll", "Lt", "Lm", "Lo"), last)
    marks = category_ranges(("Mn", "Mc"), last)
    one = f"[{letters}][{marks}]*"
    before = one * (least - 1) if least <= 3 else f"(?:{one}){{{least - 1}}}"
    return re.compile(f"(?:{before}|(?={_UNSPACED}))[{letters}][{letters}{marks}]*")
