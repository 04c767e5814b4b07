"""What a word is, which words are left out, and which of them make a vocabulary."""

import functools
import hashlib
import heapq
import re
import string
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from importlib.metadata import distribution
from runpy import run_path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dplda.core import assets, checks

MAX_WORD_LETTERS = 40  # longer runs of letters are encodings, not words, and are skipped
MAX_WORDS = 1_000_000  # the longest fixed list accepted
LONGEST_RUN = 30  # combining marks in a row; no language needs more (UAX #15, stream-safe text)
_KANA_MARKS = "\uff9e\uff9f"  # which decompose into marks
_JOINER = "\u034f"  # combining grapheme joiner: invisible, and no mark moves across it
_STEP, _FIRST_MARK, _BASIC_PLANE = 15, "\u0300", 0xFFFF
SHORTEST = (
    24  # bytes of letters and digits; shorter texts are alike everywhere, and have no number but 0
)
_PASSED_OVER = bytes({*range(128)} - {*(string.ascii_letters + string.digits).encode()})
_LOWER = bytes(range(256)).lower()
_KEPT_CONTROLS = "\t\n\v\f\r\x85\u2028\u2029"  # white space, which parts words
_PLANES_IN_USE = (0, 0x3FFFF), (0xE0000, 0xE0FFF)
_BEYOND_BASIC_PLANE = re.compile("[\U00010000-\U0010ffff]")
_ASCII_CONTROLS = bytes(
    code for code in range(128) if not chr(code).isprintable() and chr(code) not in "\t\n\v\f\r"
)


@functools.cache
def stop_words() -> frozenset[str]:
    """English words that carry no topic, as scikit-learn lists them, of three or more letters."""
    return frozenset(word for word in _listed_stop_words() if len(word) >= 3)


@functools.cache
def short_stop_words() -> frozenset[str]:
    """Those of one or two letters, which are no words unless somebody asks for such short ones."""
    return frozenset(word for word in _listed_stop_words() if len(word) < 3)


@functools.cache
def _listed_stop_words() -> frozenset[str]:
    place = "sklearn/feature_extraction/_stop_words.py"
    try:  # the list alone, as the package takes two seconds to import
        found = run_path(str(distribution("scikit-learn").locate_file(place)))
    except OSError:  # another version keeps it elsewhere
        from sklearn.feature_extraction import text

        found = vars(text)
    listed: frozenset[str] = found["ENGLISH_STOP_WORDS"]
    return listed


@functools.cache
def english_words() -> tuple[str, ...]:
    """The words in their public order, which is that of the file."""
    lines = (assets.folder() / "words" / "english.txt").read_text("utf-8").splitlines()
    return tuple(word for line in lines if not line.startswith("#") for word in line.split())


class Cleaned(NamedTuple):
    """A text without control characters, and how many it had."""

    text: str
    n_removed: int


def strip_controls(text: str) -> Cleaned:
    """Take control, bidirectional-override and zero-width characters out of a text, and count them.

    White space is kept, even where Unicode files it under controls; the text comes back in normal form C.
    """
    if text.isascii():
        plain = text.encode()
        kept = plain.translate(None, _ASCII_CONTROLS)
        return (
            Cleaned(text, 0)
            if len(kept) == len(plain)
            else Cleaned(kept.decode(), len(plain) - len(kept))
        )
    n_removed = 0
    if not text.replace(
        "\n", ""
    ).isprintable():  # most of them are, and this is a fifth of the price
        text, n_removed = _controls().subn("", text)
    return Cleaned(normalised("NFC", text), n_removed)


def normalised(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """A text in a normal form, its runs of combining marks parted after every 30th.

    Sorting the marks of a run takes time quadratic in its length: 216 kB in one run took seconds.

    Source:
        Unicode Standard Annex #15, section 13, the Stream-Safe Text Process.
    """
    if text.isascii():
        return text
    sample = text[
        ::_STEP
    ]  # of every longer run it holds two marks in a row; of other texts hardly any
    highest = max(sample)
    if highest >= _FIRST_MARK and _run(LONGEST_RUN // _STEP, _plane_end(highest)).search(sample):
        text = _run(LONGEST_RUN, last_code_point(text)).sub(rf"\g<0>{_JOINER}", text)
    return unicodedata.normalize(form, text)


@functools.cache
def _run(length: int, last: int) -> re.Pattern[str]:
    """Some marks in a row, up to a code point."""
    return re.compile(f"[{category_ranges(('Mn', 'Mc', 'Me'), last)}{_KANA_MARKS}]{{{length}}}")


def number_of(text: str) -> int:
    """A number for a text, the same for texts that differ in case, white space and punctuation of ASCII alone.

    It is only for keyed hashes of documents (``release.fingerprints``) and for memory. Anyone who has a text can
    compute its number, so the number itself is never written to a file.
    """
    said = text.encode("utf-8", "surrogatepass").translate(_LOWER, _PASSED_OVER)
    if len(said) < SHORTEST:
        return 0
    return int.from_bytes(hashlib.blake2b(said, digest_size=8, person=b"dplda texts").digest())


def fold_letters(text: str) -> str:
    """A clean text such that ``number_of`` is alike for all that differ in case, white space and punctuation alone.

    What it does to ASCII is done to other characters.
    """
    if text.isascii():
        return text
    return _signs_beyond_ascii().sub("", text.casefold())


@functools.cache
def _signs_beyond_ascii() -> re.Pattern[str]:
    """Punctuation, symbols and white space of the basic plane, beyond ASCII."""
    signs = (
        "Pc",
        "Pd",
        "Ps",
        "Pe",
        "Pi",
        "Pf",
        "Po",
        "Sm",
        "Sc",
        "Sk",
        "So",
        "Zs",
        "Zl",
        "Zp",
        "Cc",
    )
    return basic_plane_set(chr(code) for code in code_points_of(signs) if code >= 128)


def most_frequent(
    document_frequency: NDArray[np.int64], candidates: Sequence[str], n_words: int
) -> list[int]:
    """Positions of at most ``d`` words that occur, by falling number of documents and alphabetically where equal.

    Args:
        document_frequency: in how many documents each of the ``D`` distinct candidates occurs, shape (D,).
    """
    checks.integer_at_least("n_words", n_words, 1)
    occurring = np.flatnonzero(document_frequency).tolist()
    return heapq.nsmallest(
        n_words,
        occurring,
        key=lambda position: (-document_frequency[position], candidates[position]),
    )


def last_code_point(text: str) -> int:
    """The last code point of the planes of a text; sets of characters are looked up in a table in the first alone."""
    return sys.maxunicode if _BEYOND_BASIC_PLANE.search(text) else _BASIC_PLANE


def _plane_end(character: str) -> int:
    return _BASIC_PLANE if ord(character) <= _BASIC_PLANE else sys.maxunicode


@functools.cache
def _controls() -> re.Pattern[str]:
    controls = category_ranges(("Cc", "Cf"), sys.maxunicode, leave=_KEPT_CONTROLS)
    return re.compile(f"[{controls}]")


def category_ranges(categories: tuple[str, ...], last: int, leave: str = "") -> str:
    """Write the characters of some Unicode categories as ranges of a regular expression's set."""
    left = set(map(ord, leave))
    return code_point_ranges(
        it for it in code_points_of(categories) if it <= last and it not in left
    )


def basic_plane_set(characters: Iterable[str], ranges_beyond: str = "") -> re.Pattern[str]:
    """The characters of the basic plane among some, and ranges beyond it.

    Within the plane a set is looked up in a table; ranges beyond it are gone through one by one for every character.
    """
    inside = [code for code in map(ord, characters) if code <= _BASIC_PLANE]
    return re.compile(f"[{code_point_ranges(inside)}{ranges_beyond}]")


def code_points_of(categories: tuple[str, ...]) -> list[int]:
    """All characters of some Unicode categories."""
    found: list[int] = np.flatnonzero(np.isin(_categories(), categories)).tolist()
    return found


def code_point_ranges(code_points: Iterable[int]) -> str:
    """Write characters as ranges of a regular expression's set."""
    sorted_points = np.array(sorted(code_points), dtype=np.int64)
    starts = np.diff(sorted_points, prepend=-2) > 1
    ends = np.append(starts[1:], True)
    ranges = zip(sorted_points[starts].tolist(), sorted_points[ends].tolist(), strict=True)
    return "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in ranges)


@functools.cache
def _categories() -> NDArray[np.str_]:
    """The Unicode category of every character; beyond the first planes all but one are without use, as yet."""
    categories = np.full(sys.maxunicode + 1, "Cn", dtype="U2")
    for first, last in _PLANES_IN_USE:
        categories[first : last + 1] = list(
            map(unicodedata.category, map(chr, range(first, last + 1)))
        )
    return categories
