"""Text of a message that its author wrote: subject and body, without attachments."""

from collections.abc import Iterable, Iterator
from email.errors import MessageError
from email.message import Message
from email.parser import BytesParser
from itertools import chain
from typing import NamedTuple

from dplda.corpus.readers.extraction.html_text import declared_encoding, html_text
from dplda.corpus.readers.mail.charsets import decoded
from dplda.corpus.readers.mail.encoded_blocks import without_encoded_blocks
from dplda.corpus.readers.mail.headers import (
    MAX_HEADER_CHARACTERS,
    UndecodableError,
    raw_values,
    readable,
)
from dplda.corpus.remarks import Remark

_MAX_MULTIPARTS = 100  # the library matches every line with the boundary of every part around it
_DAMAGE = (
    MessageError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    RecursionError,
    AssertionError,
)


class MailText(NamedTuple):
    """Text that the author of a message wrote.

    Attributes:
        text: subject and body.
        remarks: remarks on how it was read.
    """

    text: str
    remarks: tuple[Remark, ...] = ()


class _Mail(Message):
    """A message whose headers on its content are cut if they are too long."""

    def get(self, name: str, failobj: object = None) -> object:  # type: ignore[override]
        value = super().get(name, failobj)
        is_long = name.lower().startswith("content-") and len(str(value)) > MAX_HEADER_CHARACTERS
        if is_long:
            return str(value)[:MAX_HEADER_CHARACTERS]
        return value


def parse(content: bytes) -> Message:
    """Parse a message; only its headers if it has more than 100 parts in parts."""
    reads_headers_only = content.lower().count(b"multipart/") > _MAX_MULTIPARTS
    return BytesParser(_Mail).parsebytes(content, headersonly=reads_headers_only)


def text_of(message: Message, fallback_codec: str | None) -> MailText:
    """Read the subject and the text of a message.

    Of plain text and HTML that say the same, plain text counts. Attached files and messages, named
    parts of text, and encoded blocks in the text are left out. A part that cannot be decoded is
    empty, with a remark. Of a damaged message only the subject is kept, with a remark. A body
    without text gets a remark if there is no other. Each remark comes once, and the subject stands
    on the first line, even if it is empty.

    Args:
        message: the message.
        fallback_codec: encoding of text that names none and is not UTF-8; None for none.
    """
    remarks: list[Remark] = []
    subject = _subject(message, fallback_codec, remarks)
    texts: list[str] = []
    try:
        text_parts = list(_own_parts(message, is_root=True))
        texts += [_text_of_part(text_part, fallback_codec, remarks) for text_part in text_parts]
    except _DAMAGE:
        remarks.append(Remark.UNREADABLE_MESSAGE)
    if not remarks and not any(text.strip() for text in texts):
        remarks.append(Remark.MAIL_WITHOUT_TEXT)
    text = "\n".join([subject, *texts])
    distinct_remarks = tuple(dict.fromkeys(remarks))
    return MailText(text, distinct_remarks)


def _subject(message: Message, fallback_codec: str | None, remarks: list[Remark]) -> str:
    """Subject of a message; "" if there is none, and with a remark if it cannot be decoded."""
    value = next(raw_values(message, "subject"), "")
    try:
        return readable(value, fallback_codec)
    except UndecodableError:
        remarks.append(Remark.UNKNOWN_ENCODING)
        return ""


def _text_of_part(part: Message, fallback_codec: str | None, remarks: list[Remark]) -> str:
    """Text that a part shows: of HTML without its tags, of plain text without encoded blocks.

    It is "" if the part has none. If the text cannot be decoded, it is "" too, and a remark is
    added.

    Args:
        part: a part of text; any type but HTML is read as plain text.
        fallback_codec: encoding of text that names none and is not UTF-8; None for none.
        remarks: gets the remark.
    """
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    is_html = part.get_content_type() == "text/html"
    charset = part.get_content_charset() or (declared_encoding(content) if is_html else None)
    text = decoded(content, charset, fallback_codec)
    if text is None:
        remarks.append(Remark.UNKNOWN_ENCODING)
        return ""
    if is_html:
        return html_text(text)
    return without_encoded_blocks(text)


def _own_parts(part: Message, *, is_root: bool = False) -> Iterator[Message]:
    """Yield the parts that hold text of the author, in order; of alternatives the best one.

    None of an attachment, and no HTML after plain text, which programs write in addition.

    Args:
        part: a message or one of its parts.
        is_root: whether it is the message itself.

    """
    if _is_attached(part, is_root=is_root):
        return
    content_type = part.get_content_type()
    content = part.get_payload()
    if isinstance(content, list) and part.get_content_maintype() == "multipart":
        parts_of_each = [list(_own_parts(inner_part)) for inner_part in _messages_in(content)]
        if content_type == "multipart/alternative":
            yield from _best_alternative(parts_of_each)
        else:
            yield from _without_repetition(chain.from_iterable(parts_of_each))
    elif content_type in ("text/plain", "text/html") and isinstance(content, str):
        yield part


def _without_repetition(parts: Iterable[Message]) -> Iterator[Message]:
    """Yield parts in a row, without HTML after plain text, which programs write in addition.

    Every part but HTML is plain text, unless it holds no text. All HTML after the first such part
    is left out.
    """
    has_plain_text = False
    for part in parts:
        is_html = part.get_content_type() == "text/html"
        if not (is_html and has_plain_text):
            yield part
        has_plain_text |= not is_html and _holds_text(part)


def _messages_in(parts: Iterable[object]) -> Iterator[Message]:
    """Those of a part's contents that are messages."""
    return (part for part in parts if isinstance(part, Message))


def _is_attached(part: Message, *, is_root: bool) -> bool:
    """Whether a part is a file or a message that the author attached; the whole message is not."""
    if part.get_content_disposition() == "attachment":
        return True
    return not is_root and part.get_filename() is not None


def _best_alternative(alternatives: list[list[Message]]) -> list[Message]:
    """Choose the first alternative with plain text, else the first with any text.

    Empty if none has text.
    """
    with_text = [parts for parts in alternatives if any(map(_holds_text, parts))]
    for parts in with_text:
        if any(part.get_content_type() == "text/plain" and _holds_text(part) for part in parts):
            return parts
    return with_text[0] if with_text else []


def _holds_text(part: Message) -> bool:
    """Whether a part holds anything but white space."""
    content = part.get_payload(decode=True)
    return isinstance(content, bytes) and bool(content.strip())
