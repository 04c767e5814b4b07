"""Workbooks of Excel: the first sheet as a table, whose first row names the columns."""

import io
import json
from collections.abc import Iterator
from functools import partial

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.files.sources import small_zip
from dplda.corpus.readers import office

MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = 1_048_576, 1000, 200_000_000  # of a sheet; as many rows as Excel has


def rows(file: File, most: int = MOST_ROWS) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold anything, with their numbers; numbers and dates are text too, formulas what they came to.

    Args:
        file: rows shorter than the first are filled up.
        most: how many to read.
    """
    refusal = ReadError(file.name, "not a workbook, or a damaged one", "Save it again as .xlsx.")
    lines = io.StringIO(office.text_of(file, partial(_xlsx, most=most), small_zip(file), refusal), newline="\n")
    if problem := json.loads(next(lines)):
        raise ReadError(file.name, f"a sheet of {problem}, the limit", "Split it, or save it as CSV.")
    width = 0
    for line in lines:
        row, *cells = json.loads(line)
        width = width or len(cells)
        yield row, cells + [""] * (width - len(cells))


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
