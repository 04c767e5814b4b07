"""Mail: each message of a mailbox (mbox) is a document, and so is a file of one message (eml)."""

from collections.abc import Iterator
from email.errors import MessageError
from email.message import Message

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.readers.mail import message as mail
from dplda.corpus.readers.mail.authors import MailAuthor, author_of
from dplda.corpus.readers.mail.headers import UndecodableError
from dplda.corpus.readers.table import Columns, Document
from dplda.corpus.remarks import Remark

_MESSAGE_START = "From "
_DAMAGE = (MessageError, LookupError, ValueError, TypeError, AttributeError, RecursionError)


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the subject and the text of each message of a mailbox; attachments are left out.

    A message that cannot be read stays a document without text, with a remark: the number of
    messages is public. If an author is asked for, such a message is refused.

    Args:
        file: the mailbox.
        columns: ``person`` names a header, ``From`` say, whose address is the author; ``text`` is
            not used.

    Raises:
        ReadError: no mailbox, labels are asked for, or a message that does not name its author.
    """
    _refuse_labels(file, columns)
    for row, content in enumerate(_messages(file), start=1):
        yield _document(file, content, columns, row)


def one_message(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the subject and the text of a file that is one message.

    A separator line of a mailbox at the beginning is left out.
    Arguments and errors as for ``documents``.
    """
    _refuse_labels(file, columns)
    message_bytes = file.whole()
    if message_bytes.startswith(_MESSAGE_START.encode()):  # as a mailbox of one message begins
        message_bytes = message_bytes.partition(b"\n")[2]
    yield _document(file, message_bytes, columns, None)


def _document(file: File, content: bytes, columns: Columns, row: int | None) -> Document:
    """Read one message as a document, with remarks on how it was read.

    A damaged message is an empty document with a remark. The author of a message without the
    header is "".

    Args:
        file: holds the message, and gets the remarks.
        content: bytes of the message.
        columns: ``person`` names the header of the author; None for no author.
        row: number of the message in a mailbox; None for a file that is one message.

    Raises:
        ReadError: an author is asked for, and the message is damaged, its header of addresses
            holds a text, or the header cannot be decoded.
    """
    place_text = file.name
    if row is not None:
        place_text = f"{file.name}, message {row:,}"
    try:
        message = mail.parse(content)
    except _DAMAGE:
        if columns.person is not None:
            raise _no_author_error(file, columns.person, row) from None
        file.remarks.add(Remark.UNREADABLE_MESSAGE, place_text)
        return Document("")
    person = None
    if columns.person is not None:
        author = _read_author(file, message, columns.person, row)
        person = author.name
        for remark in author.remarks:
            file.remarks.add(remark, place_text)
    mail_text = mail.text_of(message, file.encoding)
    for remark in mail_text.remarks:
        file.remarks.add(remark, place_text)
    return Document(mail_text.text, person)


def _read_author(file: File, message: Message, header: str, row: int | None) -> MailAuthor:
    """The author that a header names, or an empty name without the header.

    Raises:
        ReadError: a header of addresses holds a text, or its letters cannot be decoded.
    """
    try:
        return author_of(message, header, file.encoding)
    except UndecodableError:
        problem = f"a header {header!r} that is not in the encoding that it names"
        fix = "Choose the encoding that such messages are written in, such as cp1252."
        raise ReadError(file.name, problem, fix, row=row) from None
    except _DAMAGE:
        raise _no_author_error(file, header, row) from None


def _refuse_labels(file: File, columns: Columns) -> None:
    """Refuse to read labels, which mail does not have."""
    if columns.labels:
        fix = "Save the messages as a table, with a column for each label."
        raise ReadError(file.name, "mail has no columns to group documents by", fix)


def _no_author_error(file: File, header: str, row: int | None) -> ReadError:
    """Error for a message that does not name its author."""
    problem = f"the header {header!r} of a message names no address"
    fix = "Remove this message, choose another header, or protect each document instead."
    return ReadError(file.name, problem, fix, row=row)


def _messages(file: File) -> Iterator[bytes]:
    """Yield the bytes of each message, without the line that begins it.

    Nothing for a last message without any line.

    Raises:
        ReadError: the first line does not begin a message.
    """
    message_lines: list[str] | None = None
    for line in file.lines("latin-1"):  # in which every byte is a character
        if line.startswith(_MESSAGE_START):
            if message_lines is not None:
                yield "".join(message_lines).encode("latin-1")
            message_lines = []
        elif message_lines is None:
            problem = "not a mailbox: its first line does not begin with “From ”"
            raise ReadError(file.name, problem, "Give an mbox file, or name one message .eml.")
        else:
            message_lines.append(line)
    if message_lines:
        yield "".join(message_lines).encode("latin-1")
