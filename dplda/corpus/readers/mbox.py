"""Mailboxes (mbox): a document a message, of its plain text; headers are columns."""

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.readers.table import Columns, Document

_BETWEEN = "From "
_BESIDE = re.compile(
    r"""[\s<>()\[\]",;:']+"""
)  # around an address: a name may have a comma without quotes
_RAW = "raw-unicode-escape"  # how the library writes text beside encoded words
_LONGEST_HEADER = 1000  # characters: the library takes time quadratic in a header with parameters
_MOST_MULTIPARTS = (
    100  # in a message: it matches every line with the boundary of every part around it
)
_QUADRATIC_CODECS = {"punycode", "idna"}  # nobody writes mail in them


class _Mail(Message):
    """A message whose headers on its content are cut where they are too long."""

    def get(self, name: str, failobj: object = None) -> object:  # type: ignore[override]
        value = super().get(name, failobj)
        is_long = name.lower().startswith("content-") and len(str(value)) > _LONGEST_HEADER
        return str(value)[:_LONGEST_HEADER] if is_long else value


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the subject and the plain text of each message; HTML and attachments are passed over.

    Args:
        columns: ``text`` is not asked; ``person`` is the name of a header, ``From`` say, of which the address counts.
    """
    for row, content in enumerate(_messages(file), start=1):
        try:
            if content.lower().count(b"multipart/") > _MOST_MULTIPARTS:
                raise MessageError
            message = BytesParser(_Mail).parsebytes(content)
            text = "\n".join(
                [_header(message, "subject", file.encoding), *_texts(message, file.encoding)]
            )
            whose = (
                None if columns.person is None else _person(message, columns.person, file.encoding)
            )
        except UnicodeError:
            fix = "Choose the encoding that such messages are written in, such as cp1252."
            raise ReadError(
                file.name, "text that is not in the encoding that it names", fix, row=row
            ) from None
        except (
            MessageError,
            LookupError,
            ValueError,
            TypeError,
            AttributeError,
            RecursionError,
            AssertionError,
        ):
            raise ReadError(
                file.name, "a message that cannot be parsed", "Remove it.", row=row
            ) from None
        yield Document(text, whose)


def _messages(file: File) -> Iterator[bytes]:
    """The bytes of each message; as Latin-1, every byte is a character."""
    message: list[str] | None = None
    for line in file.lines("latin-1"):
        if line.startswith(_BETWEEN):
            if message is not None:
                yield "".join(message).encode("latin-1")
            message = []
        elif message is None:
            problem = "not a mailbox: its first line does not begin with “From ”"
            raise ReadError(file.name, problem, "Give an mbox file.")
        else:
            message.append(line)
    if message:
        yield "".join(message).encode("latin-1")


def _texts(message: Message, fallback: str | None) -> Iterator[str]:
    for part in message.walk():
        if (
            part.get_content_type() != "text/plain"
            or part.get_content_disposition() == "attachment"
        ):
            continue
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            yield _decoded(content, part.get_content_charset(), fallback)


def _decoded(content: bytes, named: str | None, fallback: str | None) -> str:
    """In the encoding that the part names, else in UTF-8, else in that which was chosen for such cases."""
    for codec in (named, "utf-8"):
        try:
            if codecs.lookup(codec or "utf-8").name not in _QUADRATIC_CODECS:
                return content.decode(codec or "utf-8")
        except (UnicodeError, LookupError):
            continue
    if fallback is None:
        raise UnicodeError
    return content.decode(fallback)


def _header(message: Message, name: str, fallback: str | None) -> str:
    """A header as it is read; as it stands where it is too long, or no base64."""
    raw = message.get(name, "")
    value = (
        raw
        if isinstance(raw, str)
        else "".join(_decoded(part, None, fallback) for part, _ in decode_header(raw))
    )
    with suppress(HeaderParseError):
        parts = decode_header(value) if len(value) <= _LONGEST_HEADER else []
        read = [
            one if isinstance(one, str) else _decoded(one, codec or _RAW, fallback)
            for one, codec in parts
        ]
        value = "".join(read) or value
    return value


def _person(message: Message, header: str, fallback: str | None) -> str:
    """The address in a header, else all of it; one whose letters are lost could be anybody's, and is an error."""
    value = _header(message, header, fallback)
    if "\ufffd" in value:
        raise MessageError
    return ([value] + [part for part in _BESIDE.split(value) if all(part.partition("@"))])[-1]
