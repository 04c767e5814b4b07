"""What a word is, which words are left out, and which of them make a vocabulary."""

import functools
import hashlib
import heapq
import re
import string
import sys
import unicodedata
from collections.abc import Sequence
from importlib.metadata import distribution
from runpy import run_path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dplda.core import assets, checks

MAX_WORD_LETTERS = 40  # longer runs of letters are encodings, not words, and are skipped
MAX_WORDS = 1_000_000  # the longest fixed list accepted
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Thai, Lao, Burmese, Khmer, kana, Chinese: scripts without spaces between words. Korean has spaces."""

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
_NEGATION = re.compile(r"\b\w+n't\b", re.IGNORECASE)
_CONTRACTION = re.compile(r"'(?:s|ll|re|ve|d|m)\b", re.IGNORECASE)
_ASCII_CONTROLS = bytes(
    code for code in range(128) if not chr(code).isprintable() and chr(code) not in "\t\n\v\f\r"
)
_BEYOND_BASIC_PLANE = re.compile("[\U00010000-\U0010ffff]")


@functools.cache
def stop_words() -> frozenset[str]:
    """English words that carry no topic, as scikit-learn lists them, of three or more letters."""
    try:  # the list alone, as the package takes two seconds to import
        found = run_path(
            str(
                distribution("scikit-learn").locate_file(
                    "sklearn/feature_extraction/_stop_words.py"
                )
            )
        )
    except OSError:  # another version keeps it elsewhere
        from sklearn.feature_extraction import text

        found = vars(text)
    return frozenset(word for word in found["ENGLISH_STOP_WORDS"] if len(word) >= 3)


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
    if highest >= _FIRST_MARK and _run(LONGEST_RUN // _STEP, _last(highest)).search(sample):
        text = _run(LONGEST_RUN, _last(text)).sub(rf"\g<0>{_JOINER}", text)
    return unicodedata.normalize(form, text)


@functools.cache
def _run(length: int, last: int) -> re.Pattern[str]:
    """Some marks in a row, up to a code point."""
    return re.compile(f"[{_ranges(('Mn', 'Mc', 'Me'), last)}{_KANA_MARKS}]{{{length}}}")


def number_of(text: str) -> int:
    """A number for a text, the same for texts that differ in case, white space and punctuation alone.

    It is only for keyed hashes of documents (``release.fingerprints``) and for memory. Anyone who has a text can
    compute its number, so the number itself is never written to a file.
    """
    said = text.encode("utf-8", "surrogatepass").translate(_LOWER, _PASSED_OVER)
    if len(said) < SHORTEST:
        return 0
    return int.from_bytes(hashlib.blake2b(said, digest_size=8, person=b"dplda texts").digest())


def words(text: str, least: int = 3, *, lowercase: bool = True) -> list[str]:
    """Split a text into words of 3 to 40 letters, in any script, with their combining marks.

    In scripts without spaces one letter may be a word, but runs of letters are not segmented. Digits and punctuation
    part words; English contractions are cut (``it's`` is ``it``) or, with a negation, left out.
    """
    cased = (text.lower() if lowercase else text).replace("’", "'")
    if "'" in cased:
        cased = _CONTRACTION.sub(" ", _NEGATION.sub(" ", cased))
    pattern = re.compile(f"[A-Za-z]{{{least},}}") if cased.isascii() else _word(_last(cased), least)
    found: list[str] = pattern.findall(cased)
    if max(map(len, found), default=0) <= MAX_WORD_LETTERS:
        return found
    return [word for word in found if len(word) <= MAX_WORD_LETTERS]


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


def _last(text: str) -> int:
    """The last code point of its plane; sets of characters are looked up in a table only within the basic plane."""
    return sys.maxunicode if _BEYOND_BASIC_PLANE.search(text) else _BASIC_PLANE


@functools.cache
def _controls() -> re.Pattern[str]:
    controls = _ranges(("Cc", "Cf"), sys.maxunicode, leave=_KEPT_CONTROLS)
    return re.compile(f"[{controls}]")


@functools.cache
def _word(last: int, least: int) -> re.Pattern[str]:
    """So many letters or more, each with any marks, of characters up to a code point."""
    letters, marks = _ranges(("Lu", "Ll", "Lt", "Lm", "Lo"), last), _ranges(("Mn", "Mc"), last)
    letter, mark, any_of_both = f"[{letters}]", f"[{marks}]", f"[{letters}{marks}]"
    before = (
        f"{letter}{mark}*" * (least - 1) if least <= 3 else f"(?:{letter}{mark}*){{{least - 1}}}"
    )
    return re.compile(f"(?:{before}|(?={UNSPACED.pattern})){letter}{any_of_both}*")


def _ranges(categories: tuple[str, ...], last: int, leave: str = "") -> str:
    """Write the characters of some Unicode categories as ranges of a regular expression's set."""
    inside = np.zeros(last + 3, dtype=np.int8)  # a character at each end that is not
    inside[1:-1] = np.isin(_categories()[: last + 1], categories)
    inside[[ord(character) + 1 for character in leave if ord(character) <= last]] = 0
    edges = np.diff(inside)
    starts, ends = np.flatnonzero(edges == 1).tolist(), np.flatnonzero(edges == -1).tolist()
    ranges = zip(map(chr, starts), (chr(end - 1) for end in ends), strict=True)
    return "".join(f"{re.escape(first)}-{re.escape(last)}" for first, last in ranges)


@functools.cache
def _categories() -> NDArray[np.str_]:
    """The Unicode category of every character."""
    return np.array(
        list(map(unicodedata.category, map(chr, range(sys.maxunicode + 1)))), dtype="U2"
    )
