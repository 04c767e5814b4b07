"""Reading 1 of letters, words and lists, kept so that releases made with it are found again.

It removed control, format and zero-width characters, brought letters to normal form C, asked for as
many letters in every script, knew only ' and ’ as apostrophes, and left entities of HTML unchanged.
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
    """Reading 1, for one definition of a word."""

    def __init__(self, tokenisation: "Tokenisation") -> None:
        super().__init__(lowercase=tokenisation.lowercase)
        self._tokenisation = tokenisation

    def clean(self, text: str) -> str:
        """The text in normal form C, without control and format characters."""
        return strip_controls(text).text

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """Split clean texts into runs of letters, matches of the pattern, or at white space.

        Runs that are too short are left out. Matches and pieces between white space all stay.

        Raises:
            InputError: the pattern takes far longer than usual.
        """
        if not self._tokenisation.cuts_into_letters:
            return self._tokenisation.split_without_letters(texts)
        least = self._tokenisation.least
        runs_of_texts = []
        for text in texts:
            cased_text = self.cased(text).replace("’", "'")
            runs_of_texts.append(_letter_runs(cased_text, least))
        return runs_of_texts

    def is_long_enough(self, word: str) -> bool:
        """Whether the word has enough characters, and at most 40.

        Runs of letters already have enough.
        """
        least = self._tokenisation.least
        if self._tokenisation.cuts_into_letters:
            least = 1
        return least <= len(word) <= MAX_WORD_LETTERS

    def stop_words(self) -> frozenset[str]:
        """The list as it was given, in lower case; for ``"english"`` the program's own list.

        Of a ``WordList`` the form that reading 1 took, and no words if it took none.
        """
        entries = self._tokenisation.stop_words
        if isinstance(entries, str):
            return stop_words()
        former_entries = entries
        if isinstance(entries, WordList):
            former_entries = entries.former or ()
        return frozenset(word.lower() for word in former_entries)

    def listed(self, candidates: Sequence[str]) -> tuple[str, ...] | None:
        """The vocabulary that this reading made of a list, in its order; None if it refused it.

        It refused a list if an entry, cleaned and cased, is no word, as an empty one is, or stands
        there twice. A list without entries gives ``()``.
        """
        clean_entries = [self.clean(candidate).strip() for candidate in candidates]
        words = tuple(self.cased(entry) for entry in clean_entries)
        are_distinct = len(set(words)) == len(words)
        if not are_distinct or not all(self.are_words(words)):
            return None
        return words


def _letter_runs(text: str, least: int) -> list[str]:
    """Runs of letters and marks with at least so many letters, in the order of the text.

    One letter is enough in scripts without spaces. With a straight apostrophe, English endings
    such as *'s* are left out, and negations such as *don't* as a whole.
    """
    if "'" in text:
        text = _CONTRACTION.sub(" ", _NEGATION.sub(" ", text))
    if text.isascii():
        return _ascii_run_pattern(least).findall(text)
    return _run_pattern(last_code_point(text), least).findall(text)


@functools.cache
def _ascii_run_pattern(least: int) -> re.Pattern[str]:
    """Pattern of a run of at least so many ASCII letters."""
    return re.compile(f"[A-Za-z]{{{least},}}")


@functools.cache
def _run_pattern(last: int, least: int) -> re.Pattern[str]:
    """Pattern of at least so many letters, each with any marks, up to a last code point.

    One letter of a script without spaces is enough.
    """
    letter_ranges = category_ranges(("Lu", "Ll", "Lt", "Lm", "Lo"), last)
    mark_ranges = category_ranges(("Mn", "Mc"), last)
    marked_letter = f"[{letter_ranges}][{mark_ranges}]*"
    if least <= 3:
        letters_before = marked_letter * (least - 1)
    else:
        letters_before = f"(?:{marked_letter}){{{least - 1}}}"
    return re.compile(
        f"(?:{letters_before}|(?={_UNSPACED}))[{letter_ranges}][{letter_ranges}{mark_ranges}]*"
    )
