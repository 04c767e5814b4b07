"""What a word is, which words are left out, and which of them make a vocabulary."""

import functools
import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda import _check
from dplda.errors import InputError

MAX_WORD_LETTERS = 40
"""Longer runs of letters are encodings, not words, and are skipped."""

MAX_WORDS = 1_000_000
"""The longest fixed list accepted."""

_KEPT_CONTROLS = "\t\n\v\f\r\x85\u2028\u2029"  # white space, which parts words
_ASCII_WORD = re.compile(r"[a-z]{3,}")
_NEGATION = re.compile(r"\b\w+n't\b")
_CONTRACTION = re.compile(r"'(?:s|ll|re|ve|d|m)\b")
_BASIC_PLANE = 0xFFFF
_BEYOND_BASIC_PLANE = re.compile("[\U00010000-\U0010ffff]")


@functools.cache
def stop_words() -> frozenset[str]:
    """English words that carry no topic, as scikit-learn lists them, of three or more letters."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # here, as it takes a second to import

    return frozenset(word for word in ENGLISH_STOP_WORDS if len(word) >= 3)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without control characters.

    Attributes:
        text: in Unicode normal form C.
        n_removed: how many characters were taken out.
    """

    text: str
    n_removed: int


def strip_controls(text: str) -> Cleaned:
    """Take control, bidirectional-override and zero-width characters out of a text, and count them.

    Args:
        text: any text. White space is kept, even where Unicode files it under controls.

    Returns:
        The text in Unicode normal form C without them, and how many there were.
    """
    if text.isascii() and text.isprintable():
        return Cleaned(text, 0)
    clean, n_removed = _controls().subn("", text)
    return Cleaned(unicodedata.normalize("NFC", clean), n_removed)


def words(text: str) -> list[str]:
    """Split a text into lower-case words of 3 to 40 letters, in any script, with their combining marks.

    Digits and punctuation part words; English contractions are cut (``it's`` is ``it``) or, with a negation,
    left out. Scripts written without spaces are not segmented.

    Args:
        text: as ``strip_controls`` returns it.

    Returns:
        The words in their order, stop words included.
    """
    lowered = text.lower().replace("’", "'")
    if "'" in lowered:
        if "n't" in lowered:
            lowered = _NEGATION.sub(" ", lowered)
        lowered = _CONTRACTION.sub(" ", lowered)
    found = _word_pattern(lowered).findall(lowered)
    return [word for word in found if len(word) <= MAX_WORD_LETTERS]


def most_frequent(document_frequency: NDArray[np.int64], candidates: Sequence[str], n_words: int) -> list[int]:
    """Choose the words that occur in most documents.

    Args:
        document_frequency: in how many documents each of the ``D`` candidates occurs, shape (D,).
        candidates: the ``D`` distinct words.
        n_words: ``d``, how many to keep, at least 1.

    Returns:
        Positions of at most ``d`` candidates, by falling number of documents and alphabetically where equal.
        Words of no document are never chosen.

    Raises:
        InputError: ``n_words`` below 1.
    """
    _check.integer_at_least("n_words", n_words, 1)
    least = 1
    if n_words < len(candidates):
        least = max(least, int(np.partition(document_frequency, -n_words)[-n_words]))
    in_reach = np.flatnonzero(document_frequency >= least).tolist()
    ranked = sorted(in_reach, key=lambda position: (-document_frequency[position], candidates[position]))
    return ranked[:n_words]


def fixed_list(candidates: Iterable[str]) -> tuple[str, ...]:
    """Check a vocabulary that was written down beforehand.

    Args:
        candidates: 2 to 1,000,000 distinct words, each of them one word as ``words`` understands it.

    Returns:
        The words in their order, lower-cased and in normal form C.

    Raises:
        InputError: too few, too many, repeated, or not words; positions count from 1.
    """
    what = "vocabulary"
    listed = tuple(strip_controls(word).text.strip().lower() for word in candidates)
    if not 2 <= len(listed) <= MAX_WORDS:
        raise InputError(what, f"a list of 2 to {MAX_WORDS:,} words", f"{len(listed):,} words")
    seen: set[str] = set()
    for position, word in enumerate(listed, start=1):
        if words(word) != [word]:
            raise InputError(
                what,
                f"a list of single words of 3 to {MAX_WORD_LETTERS} letters",
                f"something else in position {position:,}",
                "Digits, spaces and punctuation part words.",
            )
        if word in seen:
            raise InputError(what, "a list of distinct words", f"a repetition in position {position:,}")
        seen.add(word)
    return listed


def _word_pattern(text: str) -> re.Pattern[str]:
    """Choose the cheapest expression that is right for the characters of a text."""
    if text.isascii():
        return _ASCII_WORD
    return _word(sys.maxunicode if _BEYOND_BASIC_PLANE.search(text) else _BASIC_PLANE)


@functools.cache
def _controls() -> re.Pattern[str]:
    controls = _ranges(("Cc", "Cf"), sys.maxunicode, leave=_KEPT_CONTROLS)
    return re.compile(f"[{controls}]")


@functools.cache
def _word(last: int) -> re.Pattern[str]:
    """Three letters or more, each with any marks, of characters up to a code point.

    Sets of characters are looked up in a table up to the end of the basic plane, and searched beyond it.
    """
    letters, marks = _ranges(("Lu", "Ll", "Lt", "Lm", "Lo"), last), _ranges(("Mn", "Mc"), last)
    letter, mark, any_of_both = f"[{letters}]", f"[{marks}]", f"[{letters}{marks}]"
    return re.compile(f"{letter}{mark}*{letter}{mark}*{letter}{any_of_both}*")


def _ranges(categories: tuple[str, ...], last: int, leave: str = "") -> str:
    """Write the characters of some Unicode categories as ranges of a regular expression's set."""
    written: list[str] = []
    start: int | None = None
    for code in range(last + 2):
        character = chr(min(code, last))
        inside = code <= last and unicodedata.category(character) in categories and character not in leave
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            written.append(f"{re.escape(chr(start))}-{re.escape(chr(code - 1))}")
            start = None
    return "".join(written)
