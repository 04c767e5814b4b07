"""Workbooks of Excel: the first sheet as a table, whose first row names the columns."""

import io
import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from dplda.core.errors import ReadError
from dplda.corpus.files import zipped
from dplda.corpus.files.file import File
from dplda.corpus.readers import office
from dplda.corpus.readers.columns import Columns
from dplda.corpus.readers.document import Document
from dplda.corpus.readers.preview import Head

MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = 1_048_576, 1000, 200_000_000  # of a sheet; as many rows as Excel has
_HEAD = 100  # rows
_OLD = b"\xd0\xcf\x11\xe0"  # of files in the old format, and of encrypted ones
_HEADER = "The first row must hold their names."


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text of each row; numbers and dates are text too, and a formula is the value it had when saved.

    Args:
        file: the first row of its first sheet names the columns. Rows without any character are passed over.

    Raises:
        ReadError: no workbook, a damaged, encrypted, old or too large one, one that takes too long, no such column, or
            a cell beyond the header or over the limit, with its row in the sheet.
    """
    rows = _rows(file, _xlsx)
    first, header = next(rows, (1, []))
    if not header:
        return
    places = columns.find(file.name, header, first, _HEADER)
    longest = file.limits.max_field_chars
    for row, cells in rows:
        if len(cells) > len(header):
            problem = f"a cell in column {len(cells)}, where the header has {len(header)} columns"
            raise ReadError(file.name, problem, "Name that column in the first row, or empty the cell.", row=row)
        if any(len(cell) > longest for cell in cells):
            problem = f"a cell of more than {longest:,} characters, the limit"
            raise ReadError(file.name, problem, "Split that document.", row=row)
        yield places.document(cells + [""] * (len(header) - len(cells)))


def head(file: File, n_rows: int) -> Head:
    """Names of the columns and the first rows."""
    (_, header), *rows = list(islice(_rows(file, partial(_xlsx, most=_HEAD)), n_rows + 1)) or [(1, [])]
    return Head(tuple(header), tuple(tuple([*cells, *[""] * len(header)][: len(header)]) for _, cells in rows))


def _rows(file: File, take: Callable[[bytes], str]) -> Iterator[tuple[int, list[str]]]:
    """Numbers of the rows that hold anything, and their cells up to the last one that does."""
    content = file.whole()
    if content.startswith(_OLD):
        problem = "an encrypted workbook, or one in the old format of Excel (.xls)"
        raise ReadError(file.name, problem, "Save it as .xlsx, without a password.")
    zipped.require_small(file, content)
    refusal = ReadError(file.name, "not a workbook, or a damaged one", "Save it again as .xlsx.")
    lines = io.StringIO(office.text_of(file, take, content, refusal), newline="\n")
    if problem := json.loads(next(lines)):
        raise ReadError(file.name, f"a sheet of {problem}, the limit", "Split it, or save it as CSV.")
    for line in lines:
        row, *cells = json.loads(line)
        yield row, cells


def _xlsx(content: bytes, most: int = MOST_ROWS) -> str:
    """The first sheet: a line with its problem, if any, then the number and the cells of each row that holds any."""
    from openpyxl import load_workbook

    sheet = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False).worksheets[0]
    sheet.reset_dimensions()  # which the file may claim to be any
    lines, n_characters = ['""'], 0
    for row, values in enumerate(sheet.iter_rows(values_only=True), start=1):
        cells = ["" if value is None else str(value) for value in values]
        while cells and not cells[-1].strip():
            cells.pop()
        n_characters += sum(map(len, cells))
        for n, limit, what in (
            (row, MOST_ROWS, "rows"),
            (len(cells), MOST_COLUMNS, "columns"),
            (n_characters, MOST_CHARACTERS, "characters"),
        ):
            if n > limit:
                return json.dumps(f"more than {limit:,} {what}") + "\n"
        if cells:
            lines.append(json.dumps([row, *cells], ensure_ascii=False))
        if len(lines) > most:
            break
    return "\n".join(lines)
