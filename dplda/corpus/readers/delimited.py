"""CSV and TSV: a header with the names of columns, then one document a row."""

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File

_DELIMITERS = ",;\t|"
_LOOKED_AT = 50  # lines, to find the delimiter


def rows(file: File, delimiter: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """The header, then the rows that hold any character, each with its number as a record; all rows of one column.

    Args:
        delimiter: one character; None takes, of comma, semicolon, tab and bar, the one that parts the first lines
            into most fields, as many on each.
    """
    lines, longest = file.lines(), file.limits.max_field_chars
    first = list(islice(lines, _LOOKED_AT))
    # the limit belongs to the module, not to a reader: only ever raise it
    csv.field_size_limit(max(csv.field_size_limit(), min(longest, 2**31 - 1)))
    if delimiter is None:
        delimiter = max(_DELIMITERS, key=lambda delimiter: _agreement(first, delimiter))
    reader = csv.reader(chain(first, lines), delimiter=delimiter, strict=True)
    row = width = 0
    try:
        for row, fields in enumerate(reader, start=1):
            width = width or len(fields)
            if fields or row == 1:
                yield row, fields
            elif width == 1:  # an empty document
                yield row, [""]
    except csv.Error as error:
        raise _refusal(file, str(error), row + 1) from None


def _refusal(file: File, error: str, row: int) -> ReadError:
    """What the module says of a row, in other words."""
    if error.startswith("new-line character"):
        problem = "a lone carriage return (CR) outside quotation marks breaks the row"
        fix = "Put quotation marks around fields with line breaks, or save the file again."
        return ReadError(file.name, problem, fix, row=row)
    longest = file.limits.max_field_chars
    problem = f"an unmatched quotation mark, or a field over the limit of {longest:,} characters"
    fix = "Write a quotation mark inside a field twice, and end every field that begins with one."
    return ReadError(file.name, problem, fix, row=row)


def _agreement(lines: list[str], delimiter: str) -> tuple[float, int]:
    """The share of rows that agree with the header, nothing where there is one column only, and their fields."""
    try:
        lengths = [len(fields) for fields in csv.reader(lines, delimiter=delimiter) if fields]
    except csv.Error:
        return 0.0, 0
    if not lengths or lengths[0] < 2:
        return 0.0, 0
    return Counter(lengths)[lengths[0]] / len(lengths), lengths[0]
