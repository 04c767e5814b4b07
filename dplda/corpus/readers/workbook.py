"""Workbooks of Excel: the first visible sheet as a table, whose first row names the columns."""

import io
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.files.zip_archives import read_bounded_zip
from dplda.corpus.readers import office
from dplda.corpus.readers.extraction.unsaved_formulas import unsaved_formulas
from dplda.corpus.readers.table import ErrorValue, UnsavedFormula
from dplda.corpus.remarks import Remark

_EMPTY: list[str] = []  # shared: a sheet may have a million such rows
MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = (
    1_048_576,
    1000,
    200_000_000,
)  # of a sheet; as many rows as Excel has


class Sheet(NamedTuple):
    """A sheet as it was read.

    Attributes:
        rows: from the first that holds anything to the last, each with its number and its cells.
        n_other_sheets: visible and hidden ones of the workbook that are not read.
    """

    rows: list[tuple[int, list[str]]]
    n_other_sheets: int


def rows(file: File, most: int | None = None) -> Iterator[tuple[int, list[str]]]:
    """The rows from the first to the last that hold anything, with their numbers; formulas are what they came to."""
    refusal = ReadError(file.name, "not a workbook, or a damaged one", "Save it again as .xlsx.")
    take = partial(_xlsx, file.name, most=most)
    sheet = office.content_of(file, take, read_bounded_zip(file), refusal)
    if sheet.n_other_sheets:
        file.remarks.add(Remark.OTHER_SHEETS, file.name, sheet.n_other_sheets)
    width = 0
    for row, cells in sheet.rows:
        width = width or len(cells)
        yield row, cells + [""] * (width - len(cells))


def _xlsx(name: str, content: bytes, most: int | None = None) -> Sheet:
    """The first visible sheet of a workbook."""
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    sheet = next((it for it in book.worksheets if it.sheet_state == "visible"), None)
    if sheet is None:
        raise ReadError(name, "no visible sheet", "Show the sheet with the documents in Excel.")
    unsaved = unsaved_formulas(content, sheet.title)
    sheet.reset_dimensions()  # which the file may claim to be any
    filled: list[tuple[int, list[str]]] = []
    n_characters = 0
    for row, values in enumerate(sheet.iter_rows(), start=1):
        cells = [_text(cell.value, cell.data_type) for cell in values]
        if unsaved:
            cells = _marked(cells, row, unsaved)
        while cells and _is_blank(cells[-1]):
            cells.pop()
        n_characters += sum(map(len, cells))
        _check_size(name, row, len(cells), n_characters)
        if cells or filled:  # an empty row is an empty document
            filled.append((row, cells or _EMPTY))
        if len(filled) == most:
            break
    while filled and not filled[-1][1]:  # a sheet does not say where it ends
        filled.pop()
    return Sheet(filled, len(book.sheetnames) - 1)


def _marked(cells: list[str], row: int, unsaved: set[tuple[int, int]]) -> list[str]:
    """The cells of a row, those without a saved value marked."""
    return [
        UnsavedFormula() if (row, column) in unsaved else cell
        for column, cell in enumerate(cells, start=1)
    ]


def _text(value: object, kind: str) -> str:
    """A cell as text; an error is no text."""
    from openpyxl.utils.escape import unescape

    if value is None:
        return ""
    if kind == "e":
        return ErrorValue()
    if isinstance(value, str):
        return str(unescape(value)) if "_x" in value else value
    return str(value)


def _is_blank(cell: str) -> bool:
    return not isinstance(cell, UnsavedFormula | ErrorValue) and not cell.strip()


def _check_size(name: str, n_rows: int, n_columns: int, n_characters: int) -> None:
    """Refuse a sheet that is too large."""
    for n, limit, what in (
        (n_rows, MOST_ROWS, "rows"),
        (n_columns, MOST_COLUMNS, "columns"),
        (n_characters, MOST_CHARACTERS, "characters"),
    ):
        if n > limit:
            problem = f"a sheet of more than {limit:,} {what}, the limit"
            raise ReadError(name, problem, "Split it, or save it as CSV.")
