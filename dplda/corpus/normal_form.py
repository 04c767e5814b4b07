"""Unicode normal forms of text from outside, in time proportional to its length."""

import functools
import re
import sys
import unicodedata
from typing import Literal

LONGEST_RUN = 30
"""Combining marks in a row; no language needs more (UAX #15, stream-safe text)."""

_JOINER = "\u034f"  # combining grapheme joiner: invisible, and no mark moves across it
_STEP, _FIRST_MARK, _BASIC_PLANE = 15, "\u0300", "\uffff"


def normalised(form: Literal["NFC", "NFKC"], text: str) -> str:
    """A text in a normal form, its runs of combining marks parted after every 30th.

    Sorting the marks of a run takes time quadratic in its length: 216 kB in one run took seconds.

    Source:
        Unicode Standard Annex #15, section 13, the Stream-Safe Text Process.
    """
    if text.isascii():
        return text
    sample = text[::_STEP]  # of every longer run it holds two marks in a row; of other texts hardly any
    highest = max(sample)
    if highest >= _FIRST_MARK and _run(LONGEST_RUN // _STEP, highest > _BASIC_PLANE).search(sample):
        text = _run(LONGEST_RUN, max(text) > _BASIC_PLANE).sub(rf"\g<0>{_JOINER}", text)
    return unicodedata.normalize(form, text)


@functools.cache
def _run(length: int, beyond_basic_plane: bool) -> re.Pattern[str]:
    """Some marks in a row. A set of characters is looked up in a table, unless it goes beyond the basic plane."""
    last = sys.maxunicode if beyond_basic_plane else ord(_BASIC_PLANE)
    marks = "".join(re.escape(character) for character in map(chr, range(last + 1)) if _is_mark(character))
    return re.compile(f"[{marks}]{{{length}}}")


def _is_mark(character: str) -> bool:
    """Whether it is one, or decomposes into some."""
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) > 0
