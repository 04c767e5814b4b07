"""CSV and TSV files: a header with the names of columns, then one document a row."""

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File

_DELIMITERS = ",;\t|"
_N_LOOKED_AT = 50  # lines, to find the delimiter


def rows(file: File, delimiter: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """Yield the header, then the rows, each with its number as a record.

    An empty first row is the header. Later empty rows are left out, unless there is only one
    column, where they are empty documents. The limit that the ``csv`` module has on a field is
    raised, for all readers, to that of the file.

    Args:
        file: the table.
        delimiter: one character; None takes, of comma, semicolon, tab and bar, the one by which
            most of the first lines have as many fields as the header, and of equals that with most
            fields.

    Raises:
        ReadError: quotation marks that do not match, or a field that is too long.
    """
    lines = file.lines()
    first_lines = list(islice(lines, _N_LOOKED_AT))
    max_length = min(file.limits.max_field_chars, 2**31 - 1)
    # the limit belongs to the module, not to a reader: only ever raise it
    csv.field_size_limit(max(csv.field_size_limit(), max_length))
    if delimiter is None:
        delimiter = max(_DELIMITERS, key=lambda candidate: _agreement(first_lines, candidate))
    reader = csv.reader(chain(first_lines, lines), delimiter=delimiter, strict=True)
    row = 0
    n_columns = 0
    try:
        for row, fields in enumerate(reader, start=1):
            n_columns = n_columns or len(fields)
            if fields or row == 1:
                yield row, fields
            elif n_columns == 1:  # an empty document
                yield row, [""]
    except csv.Error as error:
        raise _row_error(file, str(error), row + 1) from None


def _row_error(file: File, error: str, row: int) -> ReadError:
    """Error for a row that the module cannot read: a lone CR, else a quotation mark or a field."""
    if error.startswith("new-line character"):
        problem = "a lone carriage return (CR) outside quotation marks breaks the row"
        fix = "Put quotation marks around fields with line breaks, or save the file again."
        return ReadError(file.name, problem, fix, row=row)
    max_characters = file.limits.max_field_chars
    problem = (
        f"an unmatched quotation mark, or a field over the limit of {max_characters:,} characters"
    )
    fix = "Write a quotation mark inside a field twice, and end every field that begins with one."
    return ReadError(file.name, problem, fix, row=row)


def _agreement(lines: list[str], delimiter: str) -> tuple[float, int]:
    """Share of rows that have as many fields as the header, and that number of fields.

    The header is one of the rows; empty rows are not. Zeros for a header of one field, for no rows,
    and for lines that the ``csv`` module refuses.
    """
    try:
        n_fields = [len(fields) for fields in csv.reader(lines, delimiter=delimiter) if fields]
    except csv.Error:
        return 0.0, 0
    if not n_fields or n_fields[0] < 2:
        return 0.0, 0
    return Counter(n_fields)[n_fields[0]] / len(n_fields), n_fields[0]
