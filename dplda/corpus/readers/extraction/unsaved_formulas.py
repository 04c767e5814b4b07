"""Formulas of a workbook whose values were not saved: what people see there is not in the file.

openpyxl gives either formulas or values, and the same nothing for a value that is missing and one that is empty. To read
a sheet twice with it would take twice as long.
"""

import io
import re
import zipfile
from typing import TYPE_CHECKING

from dplda.corpus.readers.extraction.package import Package

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_FORMULA = re.compile(rb"<(?:\w{1,30}:)?f[ >/]")
_BLOCK = 1 << 20  # bytes of a sheet that are searched at a time
_LONGEST_MARK = 40  # bytes that one formula's mark may take
_MAIN = "officeDocument"


def unsaved_formulas(content: bytes, sheet: str) -> set[tuple[int, int]]:
    """Rows and columns, from 1, of the cells of a sheet whose formula has no saved value.

    Programs that write workbooks without calculating leave the value out, or write 0 and ask Excel to calculate all when
    it opens the file. A text that came to nothing has a kind of its own.

    Args:
        sheet: its name.
    """
    package = Package(content)
    workbook = package.related("", _MAIN)[0]
    part = _part_of_sheet(package, workbook, sheet)
    if not holds_formula(content, part):
        return set()
    calculation = package.tree(workbook).find("{*}calcPr")
    is_uncalculated = calculation is not None and calculation.get("fullCalcOnLoad") in ("1", "true")
    return _unsaved_cells(content, part, is_uncalculated=is_uncalculated)


def holds_formula(content: bytes, part: str) -> bool:
    """Whether a sheet holds any formula; to look for the letters is fast, to parse the sheet is not."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(part) as sheet:
        rest = b""
        while block := sheet.read(_BLOCK):
            if _FORMULA.search(rest + block):
                return True
            rest = block[-_LONGEST_MARK:]
    return False


def _part_of_sheet(package: Package, workbook: str, sheet: str) -> str:
    """The part of the file that a sheet is in."""
    references = package.references(workbook)
    for each in package.tree(workbook).iter("{*}sheet"):
        if each.get("name") == sheet:
            for key, value in each.attrib.items():
                if str(key).endswith("}id"):
                    return references[str(value)][1]
    raise KeyError(sheet)


def _unsaved_cells(content: bytes, part: str, *, is_uncalculated: bool) -> set[tuple[int, int]]:
    from lxml import etree
    from openpyxl.utils.cell import coordinate_to_tuple

    found: set[tuple[int, int]] = set()
    row = column = 0
    with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(part) as sheet:
        steps = etree.iterparse(
            sheet, events=("start", "end"), tag=("{*}row", "{*}c"), resolve_entities=False
        )
        for event, element in steps:
            is_cell = element.tag.endswith("}c")
            if event == "start" and not is_cell:
                row, column = int(element.get("r") or row + 1), 0
            elif event == "end" and is_cell:
                place = element.get("r")
                row, column = coordinate_to_tuple(place) if place else (row, column + 1)
                if _is_unsaved(element, is_uncalculated=is_uncalculated):
                    found.add((row, column))
                element.clear()
            elif event == "end":
                element.clear()
    return found


def _is_unsaved(cell: "Element", *, is_uncalculated: bool) -> bool:
    """Whether a cell holds a formula without a saved value."""
    if cell.find("{*}f") is None or cell.get("t", "n") != "n":
        return False
    value = cell.findtext("{*}v")
    return not value or (is_uncalculated and value == "0")
