"""Runs of letters in a clean text, and the shortest run that is a word in its script."""

import functools
import re
import sys
import unicodedata
from itertools import chain

from dplda.corpus.words.vocabulary import (
    MAX_WORD_LETTERS,
    category_ranges,
)

UNSPACED_LETTER = re.compile(
    "[\u0e00-\u0fff"  # Thai, Lao; Tibetan, whose words are syllables between dots
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Burmese
    "\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\uaa80-\uaadf"  # Khmer, Tai
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]"  # Han
)
"""Letters of scripts without spaces between words, where one letter may be a word."""

SYLLABLE_LETTER = re.compile(
    "[\uac00-\ud7a3"  # Hangul
    "\u0780-\u07bf\u0900-\u0dff\ua8e0-\ua8ff\U00011000-\U000114df"  # Thaana, scripts of India
    "\u1200-\u139f\u2d80-\u2ddf\uab00-\uab2f"  # Ethiopic
    "\u13a0-\u167f\u18b0-\u18ff\uab70-\uabbf"  # Cherokee, syllabics of Canada
    "\u1700-\u177f\u1900-\u194f\u1a00-\u1a1f\u1b00-\u1c4f"  # of the Philippines, Indonesia, Nepal
    "\ua000-\ua48f\ua500-\ua63f\ua6a0-\ua6ff\ua800-\ua82f\ua840-\ua8df\ua900-\ua9df\uaa00-\uaa5f"
    "\uaae0-\uaaff\uabc0-\uabff]"  # Yi, Vai, Bamum, Java, Cham, Manipur
)
"""Letters that stand for a syllable, two of which say as much as three of an alphabet."""

_LETTERS = ("Lu", "Ll", "Lt", "Lm", "Lo")
_MARKS = ("Mn", "Mc")
_LIKELY_LETTERS_BEYOND = "\U00010000-\U0001efff\U00020000-\U0010ffff"
_BEYOND_BASIC_PLANE = re.compile("[\U00010000-\U0010ffff]")
_LETTERS_ONLY = bytes(
    code if chr(code).isalpha() and code < 128 else ord(" ") for code in range(256)
)
_LOWERCASE_LETTERS_ONLY = _LETTERS_ONLY.lower()
_CONTRACTION = re.compile(r"'(s|ll|re|ve|d|m|t)\b", re.IGNORECASE)


def letter_runs(text: str, *, lowercase: bool) -> list[str]:
    """List runs of letters in any script, with combining marks, in order and of any length.

    Digits and punctuation separate them. English contractions are cut (``it's`` becomes ``it``) or,
    with a negation, left out.

    Args:
        text: a clean text.
        lowercase: whether runs come in lower case.
    """
    if text.isascii():
        uncontracted_text = text
        if "'" in text:
            uncontracted_text = without_contractions(text)
        table = _LETTERS_ONLY
        if lowercase:
            table = _LOWERCASE_LETTERS_ONLY
        return uncontracted_text.encode().translate(table).decode().split()
    cased_text = text.lower() if lowercase else text
    cased_text = cased_text.replace("’", "'")
    if "'" in cased_text:
        cased_text = without_contractions(cased_text)
    runs = _likely_runs().findall(cased_text)
    if _BEYOND_BASIC_PLANE.search(cased_text) is None:
        return runs
    return _exact_runs(runs)


def without_contractions(text: str) -> str:
    """Replace English endings after a straight apostrophe, with it, by a space.

    A space replaces the whole word of a negation such as *don't*. An ending in *t* that makes no
    negation stays.
    """
    pieces: list[str] = []
    piece_start = 0
    for ending in _CONTRACTION.finditer(text):
        cut_start = ending.start()
        if ending[1] in "tT":
            cut_start = _start_of_negation(text, ending.start())
        if cut_start < 0:
            continue
        pieces.append(text[piece_start:cut_start])
        piece_start = ending.end()
    pieces.append(text[piece_start:])
    return " ".join(pieces)


def _start_of_negation(text: str, apostrophe: int) -> int:
    """Start of the word before an apostrophe, if it has two characters or more and ends in n or N.

    Else -1. Letters, digits and underscores are characters of a word.
    """
    start = apostrophe
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    is_negation = apostrophe - start >= 2 and text[apostrophe - 1] in "nN"
    return start if is_negation else -1


def is_long_enough(word: str, min_letters: int) -> bool:
    """Whether a run of letters is a word: not too short for its script, and at most 40 characters.

    Args:
        word: a run of letters and marks.
        min_letters: least number of letters of an alphabet. Two syllables count as three letters,
            and one letter of a script without spaces is enough.
    """
    if len(word) > MAX_WORD_LETTERS:
        return False
    if word.isascii():
        return len(word) >= min_letters
    if word.isalpha() and len(word) >= min_letters:
        return True
    if UNSPACED_LETTER.search(word):
        return True
    letters = [letter for letter in word if unicodedata.category(letter).startswith("L")]
    n_syllables = len(SYLLABLE_LETTER.findall("".join(letters)))
    return 2 * len(letters) + n_syllables >= 2 * min_letters


@functools.cache
def _likely_runs() -> re.Pattern[str]:
    """Pattern of a letter and the letters and marks after it.

    Beyond the basic plane everything but emoji counts as a letter, which is fast and not exact.
    """
    letters = category_ranges(_LETTERS, 0xFFFF) + _LIKELY_LETTERS_BEYOND
    marks = category_ranges(_MARKS, 0xFFFF)
    return re.compile(f"[{letters}][{letters}{marks}]*")


def _exact_runs(runs: list[str]) -> list[str]:
    """Split runs again that have characters beyond the basic plane, by the exact set of letters."""
    exact_pattern = _run_of_any_letters()
    split_runs = (
        exact_pattern.findall(run) if _BEYOND_BASIC_PLANE.search(run) else [run] for run in runs
    )
    return list(chain.from_iterable(split_runs))


@functools.cache
def _run_of_any_letters() -> re.Pattern[str]:
    """Pattern of a letter and the letters and marks after it, in all planes, which is slow."""
    letters = category_ranges(_LETTERS, sys.maxunicode)
    marks = category_ranges(_MARKS, sys.maxunicode)
    return re.compile(f"[{letters}][{letters}{marks}]*")
