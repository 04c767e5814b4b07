"""Headers of a message as a person reads them."""

from collections.abc import Iterator
from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from dplda.corpus.readers.mail.charsets import decoded

LONGEST_HEADER = 1000  # characters: the library takes time quadratic in a header with parameters

_ESCAPES = "raw-unicode-escape"


class UndecodableError(ValueError):
    """A header whose letters are in no known encoding."""


def raw_values(message: Message, name: str) -> Iterator[str]:
    """Each header of a name as it stands in the file; bytes beyond ASCII are surrogates."""
    for header, value in message.raw_items():
        if header.lower() == name.lower():
            yield str(value)


def readable(value: str, fallback: str | None) -> str:
    """A header with its encoded words decoded; as it stands where it is too long, or no base64.

    Raises:
        UndecodableError: letters in no known encoding.
    """
    plain = _decoded(value.encode("utf-8", "surrogateescape"), None, fallback)
    if len(plain) > LONGEST_HEADER:
        return plain
    with suppress(HeaderParseError):
        words = [_word(*part, fallback) for part in decode_header(plain)]
        return "".join(words) or plain
    return plain


def _word(word: str | bytes, charset: str | None, fallback: str | None) -> str:
    """A part of a header as text; the library writes letters beyond Latin-1 as escapes beside encoded words."""
    if isinstance(word, str):
        return word
    return word.decode(_ESCAPES) if charset is None else _decoded(word, charset, fallback)


def _decoded(content: bytes, charset: str | None, fallback: str | None) -> str:
    text = decoded(content, charset, fallback)
    if text is None:
        raise UndecodableError
    return text
