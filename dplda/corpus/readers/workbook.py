"""Workbooks of Excel: the first sheet as a table, whose first row names the columns."""

import io
from collections.abc import Iterator
from functools import partial

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.files.sources import small_zip
from dplda.corpus.readers import office

_EMPTY: list[str] = []  # shared: a sheet may have a million such rows
MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = (
    1_048_576,
    1000,
    200_000_000,
)  # of a sheet; as many rows as Excel has


def rows(file: File, most: int | None = None) -> Iterator[tuple[int, list[str]]]:
    """The rows from the first to the last that hold anything, with their numbers; formulas are what they came to."""
    refusal = ReadError(file.name, "not a workbook, or a damaged one", "Save it again as .xlsx.")
    width = 0
    for row, cells in office.content_of(
        file, partial(_xlsx, file.name, most=most), small_zip(file), refusal
    ):
        width = width or len(cells)
        yield row, cells + [""] * (width - len(cells))


def _xlsx(name: str, content: bytes, most: int | None = None) -> list[tuple[int, list[str]]]:
    """The number and the cells of the first sheet's rows, from the first that holds any to the last."""
    from openpyxl import load_workbook

    sheet = load_workbook(
        io.BytesIO(content), read_only=True, data_only=True, keep_links=False
    ).worksheets[0]
    sheet.reset_dimensions()  # which the file may claim to be any
    filled: list[tuple[int, list[str]]] = []
    n_characters = 0
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
                problem = f"a sheet of more than {limit:,} {what}, the limit"
                raise ReadError(name, problem, "Split it, or save it as CSV.")
        if cells or filled:  # an empty row is an empty document
            filled.append((row, cells or _EMPTY))
        if len(filled) == most:
            break
    while filled and not filled[-1][1]:  # a sheet does not say where it ends
        filled.pop()
    return filled
