"""Characters of words, stop words, numbers of texts, and the choice of a vocabulary."""

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
MAX_MARKS_IN_A_ROW = 30  # no language needs more combining marks (UAX #15, stream-safe text)
_KANA_MARKS = "\uff9e\uff9f"  # which decompose into marks
_JOINER = "\u034f"  # combining grapheme joiner: invisible, and no mark moves across it
_SAMPLE_STEP = 15  # characters; a sample of every 15th holds two marks of each run of 30
_FIRST_MARK = "\u0300"
_BASIC_PLANE = 0xFFFF  # its last code point
MIN_NUMBERED_BYTES = 24  # of letters and digits; shorter texts repeat by chance, and have number 0
_ASCII_SIGNS = bytes({*range(128)} - {*(string.ascii_letters + string.digits).encode()})
_LOWERCASE_TABLE = bytes(range(256)).lower()
_KEPT_CONTROLS = "\t\n\v\f\r\x85\u2028\u2029"  # white space, which separates words
_CODE_POINTS_IN_USE = (0, 0x3FFFF), (0xE0000, 0xE0FFF)
_BEYOND_BASIC_PLANE = re.compile("[\U00010000-\U0010ffff]")
_ASCII_CONTROLS = bytes(
    code for code in range(128) if not chr(code).isprintable() and chr(code) not in "\t\n\v\f\r"
)


@functools.cache
def stop_words() -> frozenset[str]:
    """English words of three or more letters that carry no topic, as scikit-learn lists them."""
    return frozenset(word for word in _scikit_learn_stop_words() if len(word) >= 3)


@functools.cache
def short_stop_words() -> frozenset[str]:
    """Stop words of one or two letters, which are words only for definitions that allow them."""
    return frozenset(word for word in _scikit_learn_stop_words() if len(word) < 3)


@functools.cache
def _scikit_learn_stop_words() -> frozenset[str]:
    """Scikit-learn's list, read from its file, as importing the package takes seconds.

    The package is imported if it has no such file.
    """
    path = "sklearn/feature_extraction/_stop_words.py"
    try:
        module_variables = run_path(str(distribution("scikit-learn").locate_file(path)))
    except OSError:  # another version keeps it elsewhere
        from sklearn.feature_extraction import text

        module_variables = vars(text)
    words: frozenset[str] = module_variables["ENGLISH_STOP_WORDS"]
    return words


@functools.cache
def english_words() -> tuple[str, ...]:
    """Words of the built-in English list, in the public order of its file."""
    path = assets.folder() / "words" / "english.txt"
    lines = path.read_text("utf-8").splitlines()
    word_lines = [line for line in lines if not line.startswith("#")]
    return tuple(word for line in word_lines for word in line.split())


class Cleaned(NamedTuple):
    """A text without control characters.

    Attributes:
        text: what is left.
        n_removed: number of characters removed.
    """

    text: str
    n_removed: int


def strip_controls(text: str) -> Cleaned:
    """Remove control, bidirectional-override and zero-width characters from a text, and count them.

    White space stays, even where Unicode files it under controls; the text comes back in normal
    form C.
    """
    if text.isascii():
        all_bytes = text.encode()
        kept_bytes = all_bytes.translate(None, _ASCII_CONTROLS)
        n_removed = len(all_bytes) - len(kept_bytes)
        if not n_removed:
            return Cleaned(text, 0)
        return Cleaned(kept_bytes.decode(), n_removed)
    n_removed = 0
    # Most texts are printable, and asking costs a fifth of a search.
    if not text.replace("\n", "").isprintable():
        text, n_removed = _control_pattern().subn("", text)
    return Cleaned(normalised("NFC", text), n_removed)


def normalised(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """Bring a text to a normal form, with a joiner after every 30th combining mark in a row.

    Sorting the marks of a run takes time quadratic in its length: 216 kB in one run took seconds.

    Args:
        form: normal form of Unicode.
        text: any text; of ASCII alone it comes back as it is.

    Source:
        Unicode Standard Annex #15, section 13, the Stream-Safe Text Process.
    """
    if text.isascii():
        return text
    # The sample holds two marks in a row of every longer run; of other texts hardly any.
    sample = text[::_SAMPLE_STEP]
    highest = max(sample)
    if highest >= _FIRST_MARK:
        n_sampled = MAX_MARKS_IN_A_ROW // _SAMPLE_STEP
        if _marks_in_a_row(n_sampled, _plane_end(highest)).search(sample):
            long_run = _marks_in_a_row(MAX_MARKS_IN_A_ROW, last_code_point(text))
            text = long_run.sub(rf"\g<0>{_JOINER}", text)
    return unicodedata.normalize(form, text)


@functools.cache
def _marks_in_a_row(length: int, last: int) -> re.Pattern[str]:
    """Pattern of so many combining marks in a row, up to a last code point."""
    marks = category_ranges(("Mn", "Mc", "Me"), last)
    return re.compile(f"[{marks}{_KANA_MARKS}]{{{length}}}")


def number_of(text: str) -> int:
    """Number of a text, equal for texts that differ only in ASCII case, spaces and punctuation.

    It is only for keyed hashes of documents (``release.fingerprints``) and for memory. Anyone who
    has a text can compute its number, so the number itself is never written to a file.

    Returns:
        64 bits of a hash; 0 for texts of fewer than 24 bytes of letters and digits.
    """
    text_bytes = text.encode("utf-8", "surrogatepass")
    significant_bytes = text_bytes.translate(_LOWERCASE_TABLE, _ASCII_SIGNS)
    if len(significant_bytes) < MIN_NUMBERED_BYTES:
        return 0
    text_hash = hashlib.blake2b(significant_bytes, digest_size=8, person=b"dplda texts")
    return int.from_bytes(text_hash.digest())


def fold_letters(text: str) -> str:
    """Fold case and drop signs beyond ASCII, so that ``number_of`` ignores them in every script."""
    if text.isascii():
        return text
    return _signs_beyond_ascii().sub("", text.casefold())


@functools.cache
def _signs_beyond_ascii() -> re.Pattern[str]:
    """Punctuation, symbols and white space of the basic plane, beyond ASCII."""
    punctuation = ("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po")
    symbols = ("Sm", "Sc", "Sk", "So")
    white_space = ("Zs", "Zl", "Zp", "Cc")
    codes = code_points_of((*punctuation, *symbols, *white_space))
    return basic_plane_set(chr(code) for code in codes if code >= 128)


def most_frequent(
    document_frequency: NDArray[np.int64], candidates: Sequence[str], n_words: int
) -> list[int]:
    """Columns of the ``n_words`` words that occur in most documents, alphabetically if equal.

    Args:
        document_frequency: number of documents with each of the ``D`` distinct candidates, shape
            (D,); candidates with 0 are never taken.
        candidates: the ``D`` words.
        n_words: largest number of words to take, at least 1.

    Returns:
        Positions in ``candidates``, by falling number of documents.
    """
    checks.integer_at_least("n_words", n_words, 1)
    occurring_columns = np.flatnonzero(document_frequency).tolist()

    def rank(column: int) -> tuple[int, str]:
        return -document_frequency[column], candidates[column]

    return heapq.nsmallest(n_words, occurring_columns, key=rank)


def last_code_point(text: str) -> int:
    """Last code point of the planes that a text needs: the basic one, which is fast, or all."""
    if _BEYOND_BASIC_PLANE.search(text):
        return sys.maxunicode
    return _BASIC_PLANE


def _plane_end(character: str) -> int:
    """Last code point of the planes that a character needs: the basic plane, or all."""
    if ord(character) <= _BASIC_PLANE:
        return _BASIC_PLANE
    return sys.maxunicode


@functools.cache
def _control_pattern() -> re.Pattern[str]:
    """Pattern of one control or format character that is no white space."""
    control_ranges = category_ranges(("Cc", "Cf"), sys.maxunicode, except_for=_KEPT_CONTROLS)
    return re.compile(f"[{control_ranges}]")


def category_ranges(categories: tuple[str, ...], last: int, except_for: str = "") -> str:
    """Write the characters of some Unicode categories as ranges of a regular expression's set.

    Args:
        categories: two-letter names, such as ``Lu``.
        last: last code point to include.
        except_for: characters to leave out.
    """
    excluded = set(map(ord, except_for))
    codes = code_points_of(categories)
    included = [code for code in codes if code <= last and code not in excluded]
    return code_point_ranges(included)


def basic_plane_set(characters: Iterable[str], ranges_beyond: str = "") -> re.Pattern[str]:
    """Pattern of one character of a set.

    Within the basic plane a set is looked up in a table; ranges beyond it are tried one by one for
    every character.

    Args:
        characters: those of the basic plane are in the set; others are left out.
        ranges_beyond: ranges to add beyond the basic plane, as in a regular expression.
    """
    codes = [code for code in map(ord, characters) if code <= _BASIC_PLANE]
    ranges = code_point_ranges(codes)
    return re.compile(f"[{ranges}{ranges_beyond}]")


def code_points_of(categories: tuple[str, ...]) -> list[int]:
    """List all code points of some Unicode categories, in rising order."""
    is_in_category = np.isin(_categories(), categories)
    code_points: list[int] = np.flatnonzero(is_in_category).tolist()
    return code_points


def code_point_ranges(code_points: Iterable[int]) -> str:
    """Write code points as ranges of a regular expression's set; neighbors share a range.

    The brackets of the set are left out, and a single code point is a range, too.

    Args:
        code_points: at least one, in any order.
    """
    sorted_points = np.array(sorted(code_points), dtype=np.int64)
    begins_range = np.diff(sorted_points, prepend=-2) > 1
    ends_range = np.append(begins_range[1:], True)
    first_points = sorted_points[begins_range].tolist()
    last_points = sorted_points[ends_range].tolist()
    ranges = []
    for first_point, last_point in zip(first_points, last_points, strict=True):
        first_character = re.escape(chr(first_point))
        last_character = re.escape(chr(last_point))
        ranges.append(f"{first_character}-{last_character}")
    return "".join(ranges)


@functools.cache
def _categories() -> NDArray[np.str_]:
    """Unicode category of every code point.

    In planes that are hardly used yet all count as unassigned.
    """
    categories = np.full(sys.maxunicode + 1, "Cn", dtype="U2")
    for first_point, last_point in _CODE_POINTS_IN_USE:
        characters = map(chr, range(first_point, last_point + 1))
        categories[first_point : last_point + 1] = list(map(unicodedata.category, characters))
    return categories
