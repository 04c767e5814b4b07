"""Encodings that the bytes of a text fit: offered with a sample, never taken unasked."""

import codecs
import re
import unicodedata
from typing import NamedTuple

from dplda.core.errors import InputError
from dplda.core.optional_packages import requiring

ENCODINGS = {
    "cp1252": "Western European (cp1252, Latin-1)",
    "latin-1": "Western European (Latin-1)",
    "utf-16-le": "UTF-16 (little-endian)",
    "utf-16-be": "UTF-16 (big-endian)",
    "cp1251": "Cyrillic (cp1251)",
    "shift_jis": "Japanese (Shift JIS)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "euc-kr": "Korean (EUC-KR)",
}
"""Common encodings beside UTF-8, with names that people know."""

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WHITE_SPACE = "\t\n\v\f\r\x85"
_SAMPLE_BYTES = 1 << 16  # bytes
_BYTES_BEFORE, _SHOWN_CHARACTERS = (
    30,
    80,
)  # bytes before the first that is not ASCII, and characters shown


class EncodingGuess(NamedTuple):
    """An encoding that all bytes fit.

    Attributes:
        encoding: name of the codec.
        sample: a piece of the text in it, around the first character that is not ASCII.
    """

    encoding: str
    sample: str


def guess_encodings(contents: list[bytes]) -> tuple[EncodingGuess, ...]:
    """Encodings other than UTF-8 that all files fit, likeliest first.

    Judged by the beginning of the first file that is no UTF-8: an encoding that gives it odd
    characters is left out, and of those that read alike all but one. Empty if no file needs another
    encoding. Empty too if only some need one, and others are UTF-8 beyond ASCII or have a
    byte-order mark: no choice is right then.

    Args:
        contents: all bytes of each file.

    Raises:
        MissingPackageError: an encoding is needed, and charset-normalizer is not installed.
    """
    unknown_contents: list[bytes] = []
    known_contents: list[bytes] = []
    for content in contents:
        is_known = content.startswith(_MARKS) or _fits(content, "utf-8")
        same_kind = known_contents if is_known else unknown_contents
        same_kind.append(content)
    if not unknown_contents or not all(map(bytes.isascii, known_contents)):
        return ()
    first_bytes = _sample_bytes(unknown_contents[0])
    codec_of_text = _codecs_by_text(unknown_contents, first_bytes)
    likeliest_codec = likeliest_encoding(first_bytes, tuple(codec_of_text.values()))
    guesses = []
    for sample_text, codec in codec_of_text.items():
        guesses.append(EncodingGuess(codec, sample_text[:_SHOWN_CHARACTERS]))
    guesses.sort(key=lambda guess: guess.encoding != likeliest_codec)
    return tuple(guesses)


def _codecs_by_text(contents: list[bytes], first_bytes: bytes) -> dict[str, str]:
    """The first encoding that reads a sample as each text, among those that all contents fit.

    Args:
        contents: all bytes of each file.
        first_bytes: the sample. Texts of it with odd characters are left out.
    """
    codec_of_text: dict[str, str] = {}
    for codec in ENCODINGS:
        if not all(_fits(content, codec) for content in contents):
            continue
        decoder = codecs.getincrementaldecoder(codec)("strict")
        sample_text = decoder.decode(first_bytes)
        if _has_odd_characters(sample_text):
            continue
        text_on_one_line = " ".join(sample_text.split())
        codec_of_text.setdefault(text_on_one_line, codec)
    return codec_of_text


def _sample_bytes(content: bytes) -> bytes:
    """Bytes to judge by: from 30 before the first beyond ASCII, or the first ones of UTF-16."""
    odd_byte_match = re.search(rb"[\0\x80-\xff]", content)
    if odd_byte_match is None or b"\0" in content:
        return content[:_SAMPLE_BYTES]
    start = max(0, odd_byte_match.start() - _BYTES_BEFORE)
    return content[start : start + _SAMPLE_BYTES]


def _has_odd_characters(text: str) -> bool:
    """Whether a text has control characters beside white space, or characters without meaning."""
    characters = {*text} - {*_WHITE_SPACE}
    return any(unicodedata.category(character) in ("Cc", "Cn") for character in characters)


def likeliest_encoding(content: bytes, candidates: tuple[str, ...] = tuple(ENCODINGS)) -> str:
    """The encoding that bytes are most likely in, as charset-normalizer judges.

    Args:
        content: of which the first 64 KB are judged.
        candidates: names of codecs.

    Returns:
        One of ``candidates``; "" if none is likely.

    Raises:
        MissingPackageError: charset-normalizer is not installed.
    """
    with requiring("charset-normalizer", "Guessing the encoding of text that is not UTF-8"):
        from charset_normalizer import from_bytes  # here, as most files are UTF-8

    if not candidates:
        return ""
    best_match = from_bytes(content[:_SAMPLE_BYTES], cp_isolation=list(candidates)).best()
    if best_match is None:
        return ""
    matching_codec = codecs.lookup(best_match.encoding).name
    return next(
        (candidate for candidate in candidates if codecs.lookup(candidate).name == matching_codec),
        "",
    )


def whole_characters(text: str) -> str:
    """Replace half characters (lone surrogates), which nothing can show or write, by U+FFFD."""
    return _HALF_CHARACTER.sub("\ufffd", text)


def text_codec(encoding: str) -> str:
    """Python's name of a text codec.

    Raises:
        InputError: there is no codec of this name, or it is not for text.
    """
    try:
        codec_name = codecs.lookup(encoding).name
        "".encode(codec_name)  # codecs between bytes and bytes refuse text
    except (LookupError, ValueError):
        raise InputError(
            "encoding", "the name of a text encoding", "another name", "utf-8, say."
        ) from None
    return codec_name


def _fits(content: bytes, codec: str) -> bool:
    """Whether all bytes can be decoded; a character that is cut off at the end does not fit.

    Bytes with a zero byte fit UTF-16 alone, and others never fit it.
    """
    if (b"\0" in content) != codec.startswith("utf-16"):
        return False
    try:
        content.decode(codec)
    except UnicodeError:
        return False
    return True
