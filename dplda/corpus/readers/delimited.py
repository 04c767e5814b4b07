"""CSV and TSV: a header with the names of columns, then one document a row."""

import csv
from collections.abc import Iterator
from itertools import chain

from dplda.corpus.readers.columns import Columns
from dplda.corpus.readers.decoding import TextSource
from dplda.corpus.readers.document import Document
from dplda.errors import ReadError

_DELIMITERS = ",;\t|"
_QUOTES = "Write a quotation mark inside a field twice, and end every field that begins with one."


def documents(source: TextSource, columns: Columns, delimiter: str | None = None) -> Iterator[Document]:
    """Yield the text of each row; every field is text, whatever it looks like.

    Args:
        source: the file; its first row names the columns. Rows without any character are passed over.
        columns: which columns hold text and person.
        delimiter: one character; None takes the most frequent of comma, semicolon, tab and bar in the header.

    Raises:
        ReadError: no such column, a row with more or fewer fields than the header, an unbalanced quotation
            mark, or a field over the limit; rows are counted as records, the header being row 1.
    """
    rows = _records(source, delimiter)
    header = next(rows, None)
    if header is None:
        return
    places = columns.find(source.name, header, row=1)
    for row, fields in enumerate(rows, start=2):
        if not fields:
            continue
        if len(fields) != len(header):
            raise ReadError(
                source.name,
                f"{len(fields)} fields where the header has {len(header)}",
                "Put quotation marks round fields that hold the delimiter.",
                row=row,
            )
        yield places.document(fields)


def _records(source: TextSource, delimiter: str | None) -> Iterator[list[str]]:
    lines = source.lines()
    first = next(lines, None)
    if first is None:
        return
    # the limit belongs to the module, not to a reader: only ever raise it
    csv.field_size_limit(max(csv.field_size_limit(), source.limits.max_field_chars))
    reader = csv.reader(chain([first], lines), delimiter=delimiter or _delimiter(first), strict=True)
    row = 0
    while True:
        row += 1
        try:
            fields = next(reader, None)
        except csv.Error:
            raise ReadError(
                source.name,
                "a quotation mark without its partner, or a field over the limit of "
                f"{source.limits.max_field_chars:,} characters",
                _QUOTES,
                row=row,
            ) from None
        if fields is None:
            return
        if any(len(field) > source.limits.max_field_chars for field in fields):
            raise ReadError(
                source.name,
                f"a field of more than {source.limits.max_field_chars:,} characters, the limit",
                "Split that document.",
                row=row,
            )
        yield fields


def _delimiter(header: str) -> str:
    return max(_DELIMITERS, key=header.count)
