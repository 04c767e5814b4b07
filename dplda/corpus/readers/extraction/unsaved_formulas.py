"""Formulas of a workbook whose values were not saved, so that the file lacks what people see there.

openpyxl gives either formulas or values, and the same None for a missing value and an empty one. To
read a sheet twice with it would take twice as long.
"""

import io
import re
import zipfile
from typing import TYPE_CHECKING

from dplda.core.optional_packages import requiring
from dplda.corpus.readers.extraction.package import Package

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_FORMULA = re.compile(rb"<(?:\w{1,30}:)?f[ >/]")
_BLOCK_BYTES = 1 << 20  # of a sheet, searched at a time
_MAX_TAG_BYTES = 40  # of the tag that begins a formula
_MAIN_PART = "officeDocument"
_STRICT = "{http://purl.oclc.org/ooxml/"  # namespaces of the strict kind


def unsaved_formulas(content: bytes, sheet: str) -> set[tuple[int, int]]:
    """Find the cells of a sheet whose formula has no saved value.

    Programs that write workbooks without calculating leave the value out, or write 0 and ask Excel
    to calculate everything when it opens the file. A formula whose value is an empty text has a
    type of its own, and is not among them.

    Args:
        content: bytes of the workbook.
        sheet: name of the sheet.

    Returns:
        Row and column of each such cell, from 1; empty for a sheet without formulas.

    Raises:
        KeyError: there is no such sheet.
    """
    package = Package(content)
    workbook_part = package.related("", _MAIN_PART)[0]
    sheet_part = _part_of_sheet(package, workbook_part, sheet)
    if not holds_formula(content, sheet_part):
        return set()
    calculation = package.tree(workbook_part).find("{*}calcPr")
    is_uncalculated = False
    if calculation is not None:
        is_uncalculated = calculation.get("fullCalcOnLoad") in ("1", "true")
    return _unsaved_cells(content, sheet_part, is_uncalculated=is_uncalculated)


def is_strict(content: bytes) -> bool:
    """Whether a workbook is in the strict kind of Open XML, of which the library reads no cell."""
    package = Package(content)
    workbook_parts = package.related("", _MAIN_PART)
    return any(str(package.tree(part).tag).startswith(_STRICT) for part in workbook_parts)


def holds_formula(content: bytes, part: str) -> bool:
    """Whether a sheet holds any formula; searching bytes is fast, parsing the sheet is not.

    Args:
        content: bytes of the workbook.
        part: name of the sheet's file in it.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(part) as sheet:
        last_bytes = b""
        while block := sheet.read(_BLOCK_BYTES):
            if _FORMULA.search(last_bytes + block):
                return True
            last_bytes = block[-_MAX_TAG_BYTES:]
    return False


def _part_of_sheet(package: Package, workbook_part: str, sheet: str) -> str:
    """Name of the file in the package that holds a sheet.

    ``KeyError`` if there is no such sheet.
    """
    references = package.references(workbook_part)
    for element in package.tree(workbook_part).iter("{*}sheet"):
        if element.get("name") == sheet:
            for attribute, value in element.attrib.items():
                if str(attribute).endswith("}id"):
                    return references[str(value)][1]
    raise KeyError(sheet)


def _unsaved_cells(content: bytes, part: str, *, is_uncalculated: bool) -> set[tuple[int, int]]:
    """Row and column, from 1, of each cell of a sheet whose formula has no saved value.

    Args:
        content: bytes of the workbook.
        part: name of the sheet's file in it.
        is_uncalculated: whether the workbook was written without calculating, so that 0 is no
            value.
    """
    with requiring("lxml", "Reading workbooks"):
        from lxml import etree
        from openpyxl.utils.cell import coordinate_to_tuple

    unsaved_places: set[tuple[int, int]] = set()
    row = 0
    column = 0
    with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(part) as sheet:
        parse_events = etree.iterparse(
            sheet, events=("start", "end"), tag=("{*}row", "{*}c"), resolve_entities=False
        )
        for event, element in parse_events:
            is_cell = element.tag.endswith("}c")
            if event == "start" and not is_cell:
                row = int(element.get("r") or row + 1)
                column = 0
            elif event == "end" and is_cell:
                column += 1
                coordinate = element.get("r")
                if coordinate:
                    row, column = coordinate_to_tuple(coordinate)
                if _is_unsaved(element, is_uncalculated=is_uncalculated):
                    unsaved_places.add((row, column))
                element.clear()
            elif event == "end":
                element.clear()
    return unsaved_places


def _is_unsaved(cell: "Element", *, is_uncalculated: bool) -> bool:
    """Whether a cell holds a formula without a saved value."""
    if cell.find("{*}f") is None or cell.get("t", "n") != "n":
        return False
    value = cell.findtext("{*}v")
    return not value or (is_uncalculated and value == "0")
