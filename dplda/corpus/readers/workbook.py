"""Workbooks of Excel: the first visible sheet as a table, whose first row names the columns."""

import io
import re
import zipfile
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.files.zip_archives import small_zip
from dplda.corpus.readers import office
from dplda.corpus.readers.table import ErrorValue, UnsavedFormula
from dplda.corpus.remarks import Remark

if TYPE_CHECKING:
    from openpyxl import Workbook

_EMPTY: list[str] = []  # shared: a sheet may have a million such rows
MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = (
    1_048_576,
    1000,
    200_000_000,
)  # of a sheet; as many rows as Excel has
_FORMULA = re.compile(rb"<(?:\w{1,30}:)?f[ >/]")
_BLOCK = 1 << 20  # bytes of a sheet that are searched at a time
_LONGEST_MARK = 40  # bytes that one formula's mark may take


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
    sheet = office.content_of(file, take, small_zip(file), refusal)
    if sheet.n_other_sheets:
        file.remarks.add(Remark.OTHER_SHEETS, file.name, sheet.n_other_sheets)
    width = 0
    for row, cells in sheet.rows:
        width = width or len(cells)
        yield row, cells + [""] * (width - len(cells))


def _xlsx(name: str, content: bytes, most: int | None = None) -> Sheet:
    """The first visible sheet of a workbook."""
    from openpyxl import load_workbook

    opened = partial(load_workbook, read_only=True, keep_links=False)
    values = opened(io.BytesIO(content), data_only=True)
    formulas = opened(io.BytesIO(content)) if _has_formulas(content) else None
    visible = [
        place for place, sheet in enumerate(values.worksheets) if sheet.sheet_state == "visible"
    ]
    if not visible:
        raise ReadError(name, "no visible sheet", "Show the sheet with the documents in Excel.")
    filled: list[tuple[int, list[str]]] = []
    n_characters = 0
    for row, cells in enumerate(_rows_of_cells(values, formulas, visible[0]), start=1):
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
    return Sheet(filled, len(values.sheetnames) - 1)


def _rows_of_cells(
    values: "Workbook", formulas: "Workbook | None", place: int
) -> Iterator[list[str]]:
    """The text of every cell of a sheet, row by row."""
    sheet = values.worksheets[place]
    sheet.reset_dimensions()  # which the file may claim to be any
    if formulas is None:
        for cells in sheet.iter_rows():
            yield [_text(cell.value, cell.data_type) for cell in cells]
        return
    written = formulas.worksheets[place]
    written.reset_dimensions()
    calculation = values.calculation
    is_uncalculated = bool(calculation is not None and calculation.fullCalcOnLoad)
    for cells, as_written in zip(sheet.iter_rows(), written.iter_rows(), strict=True):
        yield [
            UnsavedFormula()
            if other.data_type == "f" and _is_unsaved(cell, is_uncalculated)
            else _text(cell.value, cell.data_type)
            for cell, other in zip(cells, as_written, strict=True)
        ]


def _is_unsaved(cell: object, is_uncalculated: bool) -> bool:
    """Whether a formula has no saved value.

    Programs that write workbooks without calculating leave the value out, or write 0 and ask Excel to calculate all
    when it opens the file. A text that came to nothing has a kind of its own.
    """
    value, kind = getattr(cell, "value", None), getattr(cell, "data_type", "n")
    if value is None:
        return kind == "n"
    return is_uncalculated and kind == "n" and value == 0


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


def _has_formulas(content: bytes) -> bool:
    """Whether any sheet holds a formula; to look for them costs as much as reading the sheet again."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return any(
            _holds_formula(archive, part)
            for part in archive.namelist()
            if part.startswith("xl/worksheets/")
        )


def _holds_formula(archive: zipfile.ZipFile, part: str) -> bool:
    with archive.open(part) as sheet:
        rest = b""
        while block := sheet.read(_BLOCK):
            if _FORMULA.search(rest + block):
                return True
            rest = block[-_LONGEST_MARK:]
    return False


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
