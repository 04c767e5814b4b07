"""Workbooks of Excel: the first visible sheet is a table, whose first row names the columns."""

import io
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from dplda.core.errors import ReadError
from dplda.core.optional_packages import requiring
from dplda.corpus.files.file import File
from dplda.corpus.files.zip_archives import read_bounded_zip
from dplda.corpus.readers import office
from dplda.corpus.readers.extraction.unsaved_formulas import is_strict, unsaved_formulas
from dplda.corpus.readers.table import ErrorValue, UnsavedFormula
from dplda.corpus.remarks import Remark

_EMPTY: list[str] = []  # shared: a sheet may have a million such rows
MAX_ROWS = 1_048_576  # of a sheet, as in Excel
MAX_COLUMNS = 1000
MAX_CHARACTERS = 200_000_000


class Sheet(NamedTuple):
    """A sheet as it was read.

    Attributes:
        rows: from the first filled row to the last, each with its number and its cells.
        n_other_sheets: sheets of the workbook that are not read, visible or hidden.
    """

    rows: list[tuple[int, list[str]]]
    n_other_sheets: int


def rows(file: File, max_rows: int | None = None) -> Iterator[tuple[int, list[str]]]:
    """Yield rows from the first filled one to the last, with their numbers.

    Formulas are their values. Rows with fewer cells than the first one are filled up with empty
    cells. Other sheets get a remark.

    Args:
        file: the workbook.
        max_rows: largest number of rows to read; None for all.

    Raises:
        ReadError: no workbook, no visible sheet, or a sheet that is too large.
    """
    refusal = ReadError(file.name, "not a workbook, or a damaged one", "Save it again as .xlsx.")
    parse = partial(_parse_workbook, file.name, max_rows=max_rows)
    bounded_content = read_bounded_zip(file)
    sheet = office.content_of(file, parse, bounded_content, refusal)
    if sheet.n_other_sheets:
        file.remarks.add(Remark.OTHER_SHEETS, file.name, sheet.n_other_sheets)
    n_columns = 0
    for row_number, cells in sheet.rows:
        n_columns = n_columns or len(cells)
        n_missing = n_columns - len(cells)
        yield row_number, cells + [""] * n_missing


def _parse_workbook(file_name: str, content: bytes, max_rows: int | None = None) -> Sheet:
    """Read the first visible sheet of a workbook, from its first filled row to its last.

    Blank cells at the end of a row are dropped, and formulas without a saved value marked as
    ``UnsavedFormula``. Empty rows between filled ones stay. At most ``max_rows`` rows are read.

    Raises:
        ReadError: no sheet is visible, it is too large, or the workbook is of the strict kind.
    """
    with requiring("openpyxl", "Reading workbooks"):
        from openpyxl import load_workbook

    if is_strict(content):
        problem = "a workbook in Strict Open XML, which dplda does not read"
        raise ReadError(file_name, problem, "Save it as Excel Workbook (.xlsx).")
    workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    sheet = next(
        (worksheet for worksheet in workbook.worksheets if worksheet.sheet_state == "visible"), None
    )
    if sheet is None:
        raise ReadError(
            file_name, "no visible sheet", "Show the sheet with the documents in Excel."
        )
    unsaved_places = unsaved_formulas(content, sheet.title)
    sheet.reset_dimensions()  # the size that the file claims need not be true
    filled_rows: list[tuple[int, list[str]]] = []
    n_characters = 0
    for row_number, values in enumerate(sheet.iter_rows(), start=1):
        cells = [_cell_text(cell.value, cell.data_type) for cell in values]
        if unsaved_places:
            cells = _mark_unsaved(cells, row_number, unsaved_places)
        while cells and _is_blank(cells[-1]):
            cells.pop()
        n_characters += sum(map(len, cells))
        _check_size(file_name, row_number, len(cells), n_characters)
        if cells or filled_rows:  # an empty row is an empty document
            filled_rows.append((row_number, cells or _EMPTY))
        if len(filled_rows) == max_rows:
            break
    while filled_rows and not filled_rows[-1][1]:  # a sheet does not tell its end
        filled_rows.pop()
    return Sheet(filled_rows, len(workbook.sheetnames) - 1)


def _mark_unsaved(cells: list[str], row: int, unsaved_places: set[tuple[int, int]]) -> list[str]:
    """The cells of a row, with ``UnsavedFormula`` in place of those without a saved value."""
    return [
        UnsavedFormula() if (row, column) in unsaved_places else cell
        for column, cell in enumerate(cells, start=1)
    ]


def _cell_text(value: object, openpyxl_type: str) -> str:
    """A cell as text: "" for an empty cell, ``ErrorValue`` for an error (openpyxl's type "e").

    Escapes such as ``_x000D_`` are decoded; numbers and dates are written as Python does.
    """
    from openpyxl.utils.escape import unescape

    if value is None:
        return ""
    if openpyxl_type == "e":
        return ErrorValue()
    if isinstance(value, str):
        if "_x" in value:
            return str(unescape(value))
        return value
    return str(value)


def _is_blank(cell: str) -> bool:
    """Whether a cell shows nothing; an error or an unsaved formula does not count as blank."""
    return not isinstance(cell, UnsavedFormula | ErrorValue) and not cell.strip()


def _check_size(file_name: str, n_rows: int, n_columns: int, n_characters: int) -> None:
    """Refuse a sheet with too many rows, columns or characters."""
    for amount, limit, unit in (
        (n_rows, MAX_ROWS, "rows"),
        (n_columns, MAX_COLUMNS, "columns"),
        (n_characters, MAX_CHARACTERS, "characters"),
    ):
        if amount > limit:
            problem = f"a sheet of more than {limit:,} {unit}, the limit"
            raise ReadError(file_name, problem, "Split it, or save it as CSV.")
