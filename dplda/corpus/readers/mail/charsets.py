"""Encodings of mail, by the names that mail programs give them."""

import codecs
import re
from collections.abc import Iterator

from dplda.core.errors import InputError
from dplda.corpus.files.encodings import text_codec

_SLOW_CODECS = {"punycode", "idna"}  # quadratic in time, and never used in mail
_WIDER_CODEC = {  # programs that name the first write the second, which includes it
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
_MAX_NAME_CHARACTERS = 100


def decoded(content: bytes, charset: str | None, fallback_codec: str | None) -> str | None:
    """Decode a text: as its message says, else as UTF-8, else by the fallback; None if none fits.

    Args:
        content: bytes of the text.
        charset: name of the encoding in the message; None if it has none.
        fallback_codec: codec chosen for texts that fit neither; None for none.
    """
    for codec in (*_candidate_codecs(charset, content), "utf-8", fallback_codec):
        if codec is None:
            continue
        try:
            return content.decode(codec)
        except UnicodeError:
            continue
    return None


def _candidate_codecs(charset: str | None, content: bytes) -> Iterator[str]:
    """Yield the codecs that a name may stand for, likeliest first; none for an unknown name.

    A wider codec than the named one comes first. Windows-1252 does so only if the content has
    bytes that Latin-1 leaves to control characters.
    """
    codec = _codec_named(charset or "")
    if codec is None:
        return
    wider_codec = _WIDER_CODEC.get(codec)
    if wider_codec == "cp1252" and _C1.search(content) is None:
        wider_codec = None
    if wider_codec is not None:
        yield wider_codec
    yield codec


def _codec_named(charset: str) -> str | None:
    """Python's codec for a name such as ``cp-850``, ``"utf-8 xyz"`` or ``x-mac-roman``.

    None if unknown, or if the codec is slow.
    """
    name_words = charset[:_MAX_NAME_CHARACTERS].strip(" \t'\"").lower().split()
    if not name_words:
        return None
    name = name_words[0].strip("'\";,")
    spellings = [name, name.removeprefix("x-")]
    if code_page_match := _CODE_PAGE.match(name):
        spellings.append(f"cp{code_page_match[1]}")
    if iso_match := _ISO_8859.match(name):
        spellings.append(f"iso8859-{iso_match[1]}")
    for spelling in spellings:
        try:
            codec = codecs.lookup(text_codec(spelling)).name
        except (InputError, LookupError, ValueError):
            continue
        return None if codec in _SLOW_CODECS else codec
    return None
