"""CSV and TSV: a header with the names of columns, then one document a row."""

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.readers.columns import Columns
from dplda.corpus.readers.document import Document
from dplda.corpus.readers.preview import Head

_DELIMITERS = ",;\t|"
_LOOKED_AT = 50  # lines, to find the delimiter
_QUOTES = "Write a quotation mark inside a field twice, and end every field that begins with one."
_HEADER = "The first row must hold their names."


def documents(file: File, columns: Columns, delimiter: str | None = None) -> Iterator[Document]:
    """Yield the text of each row; every field is text, whatever it looks like.

    Args:
        file: its first row names the columns. Rows without any character are passed over.
        delimiter: one character; None takes, of comma, semicolon, tab and bar, the one that parts the first lines
            into most fields, as many on each.

    Raises:
        ReadError: no such column, a row with more or fewer fields than the header, an unbalanced quotation
            mark, or a field over the limit; rows are counted as records, the header being row 1.
    """
    rows = _records(file, delimiter)
    header = next(rows, None)
    if header is None:
        return
    places = columns.find(file.name, header, 1, _HEADER)
    for fields in rows:
        yield places.document(fields)


def head(file: File, n_rows: int, delimiter: str | None = None) -> Head:
    """Names of the columns and the first rows."""
    rows = _records(file, delimiter)
    return Head(tuple(next(rows, ())), tuple(tuple(fields) for fields in islice(rows, n_rows)))


def _records(file: File, delimiter: str | None) -> Iterator[list[str]]:
    """The header, then the rows that hold anything, each as long as the header."""
    lines = file.text().lines()
    first = list(islice(lines, _LOOKED_AT))
    if not first:
        return
    longest = file.limits.max_field_chars
    # the limit belongs to the module, not to a reader: only ever raise it
    csv.field_size_limit(max(csv.field_size_limit(), min(longest, 2**31 - 1)))
    reader = csv.reader(chain(first, lines), delimiter=delimiter or _delimiter(first), strict=True)
    n_fields = row = 0
    while True:
        row += 1
        try:
            fields = next(reader, None)
        except csv.Error:
            problem = f"a quotation mark without its partner, or a field over the limit of {longest:,} characters"
            raise ReadError(file.name, problem, _QUOTES, row=row) from None
        if fields is None:
            return
        if any(len(field) > longest for field in fields):
            problem = f"a field of more than {longest:,} characters, the limit"
            raise ReadError(file.name, problem, "Split that document.", row=row)
        if row == 1:
            n_fields = len(fields)
        elif not fields:
            continue
        elif len(fields) != n_fields:
            problem = f"{len(fields)} fields where the header has {n_fields}"
            raise ReadError(file.name, problem, "Put quotation marks round fields that hold the delimiter.", row=row)
        yield fields


def _delimiter(lines: list[str]) -> str:
    """The one that parts most rows into as many fields as the header has, and of those into most."""
    return max(_DELIMITERS, key=lambda delimiter: _agreement(lines, delimiter))


def _agreement(lines: list[str], delimiter: str) -> tuple[float, int]:
    """The share of rows that agree with the header, nothing where there is one column only, and their fields."""
    try:
        lengths = [len(fields) for fields in csv.reader(lines, delimiter=delimiter) if fields]
    except csv.Error:
        return 0.0, 0
    if not lengths or lengths[0] < 2:
        return 0.0, 0
    return Counter(lengths)[lengths[0]] / len(lengths), lengths[0]
