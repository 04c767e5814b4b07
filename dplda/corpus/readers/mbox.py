"""Mail: a mailbox (mbox) holds a document a message, and a file of one message (eml) is a document."""

from collections.abc import Iterator
from email.errors import MessageError

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.readers.mail import message as mail
from dplda.corpus.readers.mail.authors import author_of
from dplda.corpus.readers.mail.headers import UndecodableError
from dplda.corpus.readers.table import Columns, Document
from dplda.corpus.remarks import Remark

_BETWEEN = "From "
_DAMAGE = (MessageError, LookupError, ValueError, TypeError, AttributeError, RecursionError)


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the subject and the text of each message of a mailbox; attachments are passed over.

    A message that cannot be read stays a document, without its text: how many there are is public.

    Args:
        columns: ``text`` is not asked; ``person`` is the name of a header, ``From`` say, of which the address counts.
    """
    _refuse_labels(file, columns)
    for row, content in enumerate(_messages(file), start=1):
        yield _document(file, content, columns, row)


def one_message(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the subject and the text of a file that is one message."""
    _refuse_labels(file, columns)
    content = file.whole()
    if content.startswith(_BETWEEN.encode()):  # as a mailbox of one message begins
        content = content.partition(b"\n")[2]
    yield _document(file, content, columns, None)


def _document(file: File, content: bytes, columns: Columns, row: int | None) -> Document:
    """One message as a document; its place is the file, and its number in a mailbox."""
    place = file.name if row is None else f"{file.name}, message {row:,}"
    try:
        message = mail.parse(content)
    except _DAMAGE:
        if columns.person is not None:
            raise _nobodys(file, columns.person, row) from None
        file.remarks.add(Remark.UNREADABLE_MESSAGE, place)
        return Document("")
    person = None
    if columns.person is not None:
        try:
            person, remarks = author_of(message, columns.person, file.encoding)
        except UndecodableError:
            problem = f"a header {columns.person!r} that is not in the encoding that it names"
            fix = "Choose the encoding that such messages are written in, such as cp1252."
            raise ReadError(file.name, problem, fix, row=row) from None
        except _DAMAGE:
            raise _nobodys(file, columns.person, row) from None
        for remark in remarks:
            file.remarks.add(remark, place)
    read = mail.text_of(message, file.encoding)
    for remark in read.remarks:
        file.remarks.add(remark, place)
    return Document(read.text, person)


def _refuse_labels(file: File, columns: Columns) -> None:
    if columns.labels:
        fix = "Save the messages as a table, with a column for each label."
        raise ReadError(file.name, "mail has no columns to group documents by", fix)


def _nobodys(file: File, header: str, row: int | None) -> ReadError:
    """The refusal of a message that does not say who wrote it."""
    problem = f"the header {header!r} of a message names no address"
    fix = "Remove this message, choose another header, or protect each document instead."
    return ReadError(file.name, problem, fix, row=row)


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
            raise ReadError(file.name, problem, "Give an mbox file, or name one message .eml.")
        else:
            message.append(line)
    if message:
        yield "".join(message).encode("latin-1")
