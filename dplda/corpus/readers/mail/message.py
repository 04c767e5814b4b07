"""The text of one message that its author wrote: subject and body, without attachments and encoded blocks."""

from collections.abc import Iterable, Iterator
from email.errors import MessageError
from email.message import Message
from email.parser import BytesParser
from typing import NamedTuple

from dplda.corpus.readers.extraction.html_text import declared_encoding, html_text
from dplda.corpus.readers.mail.charsets import decoded
from dplda.corpus.readers.mail.encoded_blocks import without_encoded_blocks
from dplda.corpus.readers.mail.headers import (
    LONGEST_HEADER,
    UndecodableError,
    raw_values,
    readable,
)
from dplda.corpus.remarks import Remark

_MOST_MULTIPARTS = 100  # the library matches every line with the boundary of every part around it
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
    """What the author of a message wrote, and what to say of how it was read."""

    text: str
    remarks: tuple[Remark, ...] = ()


class _Mail(Message):
    """A message whose headers on its content are cut where they are too long."""

    def get(self, name: str, failobj: object = None) -> object:  # type: ignore[override]
        value = super().get(name, failobj)
        is_long = name.lower().startswith("content-") and len(str(value)) > LONGEST_HEADER
        return str(value)[:LONGEST_HEADER] if is_long else value


def parse(content: bytes) -> Message:
    """A message, or its headers alone where it has more parts in parts than anybody writes."""
    headers_only = content.lower().count(b"multipart/") > _MOST_MULTIPARTS
    return BytesParser(_Mail).parsebytes(content, headersonly=headers_only)


def text_of(message: Message, fallback: str | None) -> MailText:
    """The subject and the text of a message.

    Of plain text and HTML that say the same, plain text counts. Attached files and messages, named parts of text and
    encoded blocks in the text are passed over.

    Args:
        fallback: the encoding of text that names none and is not UTF-8.
    """
    remarks: list[Remark] = []
    subject = _subject(message, fallback, remarks)
    texts: list[str] = []
    try:
        parts = list(_own_parts(message, is_root=True))
        texts += [_text_of_part(part, fallback, remarks) for part in parts]
    except _DAMAGE:
        remarks.append(Remark.UNREADABLE_MESSAGE)
    if not remarks and not any(text.strip() for text in texts):
        remarks.append(Remark.MAIL_WITHOUT_TEXT)
    return MailText("\n".join([subject, *texts]), tuple(dict.fromkeys(remarks)))


def _subject(message: Message, fallback: str | None, remarks: list[Remark]) -> str:
    value = next(raw_values(message, "subject"), "")
    try:
        return readable(value, fallback)
    except UndecodableError:
        remarks.append(Remark.UNKNOWN_ENCODING)
        return ""


def _text_of_part(part: Message, fallback: str | None, remarks: list[Remark]) -> str:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    is_html = part.get_content_type() == "text/html"
    charset = part.get_content_charset() or (declared_encoding(content) if is_html else None)
    text = decoded(content, charset, fallback)
    if text is None:
        remarks.append(Remark.UNKNOWN_ENCODING)
        return ""
    return html_text(text) if is_html else without_encoded_blocks(text)


def _own_parts(part: Message, *, is_root: bool = False) -> Iterator[Message]:
    """The parts that are text of the author, in their order."""
    if _is_attached(part, is_root=is_root):
        return
    kind, content = part.get_content_type(), part.get_payload()
    if isinstance(content, list) and part.get_content_maintype() == "multipart":
        if kind == "multipart/alternative":
            yield from _best_of([list(_own_parts(each)) for each in _messages_in(content)])
            return
        yield from _without_repetition(
            part for each in _messages_in(content) for part in _own_parts(each)
        )
    elif kind in ("text/plain", "text/html") and isinstance(content, str):
        yield part


def _without_repetition(parts: Iterable[Message]) -> Iterator[Message]:
    """Parts in a row, without HTML that follows plain text: programs repeat a message so."""
    has_plain_text = False
    for part in parts:
        is_html = part.get_content_type() == "text/html"
        if not (is_html and has_plain_text):
            yield part
        has_plain_text |= not is_html and _says_anything(part)


def _messages_in(parts: Iterable[object]) -> Iterator[Message]:
    return (part for part in parts if isinstance(part, Message))


def _is_attached(part: Message, *, is_root: bool) -> bool:
    """Whether a part is a file or a message that the author attached."""
    if part.get_content_disposition() == "attachment":
        return True
    return not is_root and part.get_filename() is not None


def _best_of(ways: list[list[Message]]) -> list[Message]:
    """Of ways to say the same, the first in plain text, else the first that says anything."""
    said = [way for way in ways if any(_says_anything(part) for part in way)]
    in_plain_text = (
        way
        for way in said
        if any(part.get_content_type() == "text/plain" and _says_anything(part) for part in way)
    )
    return next(in_plain_text, next(iter(said), []))


def _says_anything(part: Message) -> bool:
    content = part.get_payload(decode=True)
    return isinstance(content, bytes) and bool(content.strip())
