"""Which encodings the bytes of a text may be in: offered with a line to judge them by, never taken unasked."""

import codecs
import re
import unicodedata
from typing import NamedTuple

from dplda.core.errors import InputError

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
"""Those that files are often in beside UTF-8, and what people call them."""

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WHITE = "\t\n\v\f\r\x85"
_GUESSED_FROM = 1 << 16  # bytes
_BEFORE, _SHOWN = 30, 80  # bytes before the first that is not ASCII, and characters shown


class EncodingGuess(NamedTuple):
    """An encoding that all bytes fit, and a piece of the text in it."""

    encoding: str
    sample: str


def fitting(contents: list[bytes]) -> tuple[EncodingGuess, ...]:
    """The encodings that all files fit which are not UTF-8, likeliest first, no two of which read alike.

    None where all are UTF-8 or have a byte-order mark, and where some are and others are not: no choice is right then.
    """
    others: list[bytes] = []
    known: list[bytes] = []
    for content in contents:
        (known if content.startswith(_MARKS) or _fits(content, "utf-8") else others).append(content)
    if not others or not all(map(bytes.isascii, known)):
        return ()
    odd = re.search(rb"[\0\x80-\xff]", others[0])
    at = 0 if odd is None or b"\0" in others[0] else max(0, odd.start() - _BEFORE)
    start = others[0][at : at + _GUESSED_FROM]
    read: dict[str, str] = {}
    for codec in ENCODINGS:
        if all(_fits(content, codec) for content in others):
            text = codecs.getincrementaldecoder(codec)("strict").decode(start)
            if not any(unicodedata.category(it) in ("Cc", "Cn") for it in {*text} - {*_WHITE}):
                read.setdefault(" ".join(text.split()), codec)
    likely = likeliest(start, tuple(read.values()))
    found = [EncodingGuess(codec, text[:_SHOWN]) for text, codec in read.items()]
    return tuple(sorted(found, key=lambda it: it.encoding != likely))


def likeliest(content: bytes, among: tuple[str, ...] = tuple(ENCODINGS)) -> str:
    """The encoding that some bytes are most likely in; empty where none is likely."""
    from charset_normalizer import from_bytes  # here, as most files are UTF-8

    found = from_bytes(content[:_GUESSED_FROM], cp_isolation=list(among)).best() if among else None
    return next(
        (
            it
            for it in among
            if found and codecs.lookup(it).name == codecs.lookup(found.encoding).name
        ),
        "",
    )


def whole_characters(text: str) -> str:
    """The text with half characters (lone surrogates) replaced, which nothing can show or write."""
    return _HALF_CHARACTER.sub("\ufffd", text)


def text_codec(encoding: str) -> str:
    """The name of a codec of text."""
    try:
        found = codecs.lookup(encoding)
        "".encode(found.name)  # codecs between bytes and bytes refuse text
    except (LookupError, ValueError):
        raise InputError(
            "encoding", "the name of a text encoding", "another name", "utf-8, say."
        ) from None
    return found.name


def _fits(content: bytes, codec: str) -> bool:
    if (b"\0" in content) != codec.startswith("utf-16"):
        return False
    try:
        content.decode(codec)
    except UnicodeError:
        return False
    return True
