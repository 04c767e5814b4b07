"""Headers of a message as a person reads them."""

from collections.abc import Iterator
from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from dplda.corpus.readers.mail.charsets import decoded

MAX_HEADER_CHARACTERS = 1000  # the library takes time quadratic in a header with parameters

_ESCAPES = "raw-unicode-escape"


class UndecodableError(ValueError):
    """A header whose letters are in no known encoding."""


def raw_values(message: Message, name: str) -> Iterator[str]:
    """Yield each header of a name, whatever its case, as it is in the file.

    Bytes beyond ASCII are surrogates.

    Args:
        message: the message.
        name: of the header.
    """
    for header, value in message.raw_items():
        if header.lower() == name.lower():
            yield str(value)


def readable(value: str, fallback_codec: str | None) -> str:
    """Decode a header's bytes, and its encoded words.

    In a header that is too long or cannot be parsed, encoded words stay as they are.

    Args:
        value: header as it is in the file.
        fallback_codec: encoding of letters that are not UTF-8; None for none.

    Raises:
        UndecodableError: letters in no known encoding.
    """
    text = _decoded(value.encode("utf-8", "surrogateescape"), None, fallback_codec)
    if len(text) > MAX_HEADER_CHARACTERS:
        return text
    with suppress(HeaderParseError):
        decoded_words = [_word(*part, fallback_codec) for part in decode_header(text)]
        return "".join(decoded_words) or text
    return text


def _word(word: str | bytes, charset: str | None, fallback_codec: str | None) -> str:
    """A part of a header as text.

    The library writes letters beyond Latin-1 as escapes if there are encoded words beside them.
    """
    if isinstance(word, str):
        return word
    if charset is None:
        return word.decode(_ESCAPES)
    return _decoded(word, charset, fallback_codec)


def _decoded(content: bytes, charset: str | None, fallback_codec: str | None) -> str:
    """Decode bytes as ``charsets.decoded`` does.

    Raises ``UndecodableError`` if no encoding fits.
    """
    text = decoded(content, charset, fallback_codec)
    if text is None:
        raise UndecodableError
    return text
