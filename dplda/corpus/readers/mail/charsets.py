"""Encodings of mail, by the names that mail programs give them."""

import codecs
import re
from collections.abc import Iterator

from dplda.core.errors import InputError
from dplda.corpus.files.encodings import text_codec

_QUADRATIC = {"punycode", "idna"}  # nobody writes mail in them
_WIDER = {  # what programs that name the first write is in the second, which holds all of it
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "cp950",
    "tis-620": "cp874",
}
_C1 = re.compile(rb"[\x80-\x9f]")  # controls in Latin-1, letters and signs in Windows-1252
_CODE_PAGE = re.compile(r"(?:x-)?(?:windows|win|cp|ibm|ms|dos)[-_ ]?(\d{3,5})")
_ISO_8859 = re.compile(r"(?:x-)?iso[-_ ]?8859[-_ ]?(\d{1,2})")
_LONGEST_NAME = 100


def decoded(content: bytes, charset: str | None, fallback: str | None) -> str | None:
    """A text in the encoding that a message names, else in UTF-8, else in the one chosen for such cases; else None."""
    for codec in (*_candidates(charset, content), "utf-8", fallback):
        if codec is None:
            continue
        try:
            return content.decode(codec)
        except UnicodeError:
            continue
    return None


def _candidates(charset: str | None, content: bytes) -> Iterator[str]:
    """Codecs that a name may stand for, likeliest first."""
    codec = _codec_named(charset or "")
    if codec is None:
        return
    wider = _WIDER.get(codec)
    if wider == "cp1252" and _C1.search(content) is None:
        wider = None
    if wider is not None:
        yield wider
    yield codec


def _codec_named(charset: str) -> str | None:
    """The codec of Python for a name such as ``cp-850``, ``"utf-8 xyz"`` or ``x-mac-roman``; None for an unknown one."""
    words = charset[:_LONGEST_NAME].strip(" \t'\"").lower().split()
    if not words:
        return None
    name = words[0].strip("'\";,")
    ways = [name, name.removeprefix("x-")]
    if page := _CODE_PAGE.match(name):
        ways.append(f"cp{page[1]}")
    if part := _ISO_8859.match(name):
        ways.append(f"iso8859-{part[1]}")
    for way in ways:
        try:
            codec = codecs.lookup(text_codec(way)).name
        except (InputError, LookupError, ValueError):
            continue
        return None if codec in _QUADRATIC else codec
    return None
