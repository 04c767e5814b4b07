"""What cells hold: formulas without saved values, errors, escapes, and sheets that nobody sees."""

import io

import openpyxl
import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, load
from dplda.corpus.readers.extraction.unsaved_formulas import holds_formula, unsaved_formulas
from dplda.corpus.readers.formats import preview
from dplda.corpus.remarks import Remark
from tests.corpus.readers.samples import workbook
from tests.corpus.readers.test_workbook import SHEET, changed

TABLE = [["text", "n"], ["river water", 1], ["CELL", 2], ["boat", 3]]


def read(content: bytes, **options):
    return load(("a.xlsx", io.BytesIO(content)), label=Label.PUBLIC, **options)


def with_cell(cell: str, place: str = "A3", calculation: str = "") -> bytes:
    """The table with one cell made another."""
    old_cells = {
        "A3": b'<c r="A3" t="inlineStr"><is><t>CELL</t></is></c>',
        "B3": b'<c r="B3" t="n"><v>2</v></c>',
    }
    content = changed(
        workbook(TABLE), SHEET, lambda sheet: sheet.replace(old_cells[place], cell.encode())
    )
    assert content != workbook(TABLE)
    return changed(
        content,
        "xl/workbook.xml",
        lambda book: book.replace(
            b'<calcPr calcId="124519" fullCalcOnLoad="1"/>', calculation.encode()
        ),
    )


BY_A_PROGRAM = '<calcPr calcId="1" fullCalcOnLoad="1"/>'
UNSAVED = {
    "no value": '<c r="A3"><f>B1</f></c>',
    "an empty value": '<c r="A3"><f>B1</f><v></v></c>',
    "an empty element": '<c r="A3"><f>B1</f><v/></c>',
    "shared": '<c r="A3"><f t="shared" si="0"/></c>',
    "0 in place of a value": '<c r="A3"><f>B1</f><v>0</v></c>',
}


@pytest.mark.parametrize("cell", UNSAVED.values(), ids=UNSAVED)
def test_formula_without_a_saved_value_is_refused_by_row(cell) -> None:
    with pytest.raises(ReadError, match=r"a\.xlsx, row 3: a formula whose value was not saved"):
        read(with_cell(cell, calculation=BY_A_PROGRAM), text="text")


SAVED = {
    '<c r="A3" t="str"><f>B1</f><v>garden</v></c>': ["garden"],
    '<c r="A3" t="str"><f>B1</f><v></v></c>': [],
    '<c r="A3"><f>B1</f><v>0</v></c>': [],
}


@pytest.mark.parametrize(("cell", "words"), SAVED.items())
def test_saved_value_of_a_formula_is_read(cell, words) -> None:
    corpus = read(with_cell(cell), text="text")
    assert set(corpus.vocabulary) == {"river", "water", "boat", *words}
    assert not corpus.intake.remarks


def test_formula_in_another_column_does_not_matter() -> None:
    content = with_cell('<c r="B3"><f>A1</f></c>', "B3")
    assert read(content, text="text").n_documents == 3
    with pytest.raises(ReadError, match="row 3: a formula"):
        read(content, text="text", person="n")


@pytest.mark.parametrize("mark", ["f", "x:f"])
def test_formula_is_found_at_the_edge_of_a_block(mark, monkeypatch) -> None:
    monkeypatch.setattr("dplda.corpus.readers.extraction.unsaved_formulas._BLOCK_BYTES", 50)
    for n in range(60):
        content = changed(
            workbook(TABLE), SHEET, lambda _, n=n: b" " * n + f"<{mark}>1</{mark}>".encode()
        )
        assert holds_formula(content, SHEET)
    assert not holds_formula(workbook(TABLE), SHEET)


def test_cells_without_a_place_are_counted_on() -> None:
    row = '<row><c t="inlineStr"><is><t>garden</t></is></c><c><f>1</f></c></row></sheetData>'
    content = changed(
        workbook(TABLE), SHEET, lambda sheet: sheet.replace(b"</sheetData>", row.encode())
    )
    assert unsaved_formulas(content, "Sheet") == {(5, 2)}
    assert read(content, text="text").n_documents == 4


def test_sheet_is_found_by_its_name() -> None:
    hidden_rows, shown_rows = [["=1+1"]], [["text"], ["=A1"], ["river"], ["boat"], ["garden"]]
    content = workbook(hidden_rows, shown_rows)
    first_hidden = changed(
        content,
        "xl/workbook.xml",
        lambda book: book.replace(b'state="visible"', b'state="hidden"', 1),
    )
    with pytest.raises(ReadError, match="row 2: a formula"):
        read(first_hidden)


@pytest.mark.parametrize("error", ["#N/A", "#REF!", "#DIV/0!"])
def test_error_is_an_empty_document_with_a_remark(error) -> None:
    corpus = read(with_cell(f'<c r="A3" t="e"><f>B1</f><v>{error}</v></c>'), text="text")
    assert (corpus.n_documents, set(corpus.vocabulary)) == (3, {"river", "water", "boat"})
    assert corpus.intake.remarks == ((Remark.ERROR_VALUE, 1, ("a.xlsx, row 3",)),)


def test_error_in_the_last_row_is_a_document() -> None:
    content = workbook([["text"], ["river water"], ["boat"], ["garden"], ["#N/A"]])
    corpus = read(content)
    assert (corpus.n_documents, corpus.intake.remarks[0].n) == (4, 1)


def test_workbook_escapes_are_undone() -> None:
    rows = [["text"], ["river_x000D_\nwater"], ["garden_x0009_flower"], ["snake_case and _x"]]
    corpus = read(workbook(rows))
    assert set(corpus.vocabulary) == {"river", "water", "garden", "flower", "snake", "case"}


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_first_visible_sheet_is_read_with_a_remark(state) -> None:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["secret"])
    book.active.sheet_state = state
    for title in ("answers", "more"):
        sheet = book.create_sheet(title)
        for row in (["text"], ["river water"], ["boat"], [title]):
            sheet.append(row)
    book.active = 1
    book.save(out)
    corpus = read(out.getvalue())
    assert set(corpus.vocabulary) == {"river", "water", "boat", "answers"}
    assert corpus.intake.remarks == ((Remark.OTHER_SHEETS, 2, ("a.xlsx",)),)
    assert preview(("a.xlsx", io.BytesIO(out.getvalue()))).names == ("text",)


def test_workbook_without_a_visible_sheet_is_refused() -> None:
    content = changed(
        workbook(TABLE),
        "xl/workbook.xml",
        lambda book: book.replace(b'"visible" r:id', b'"hidden" r:id'),
    )
    all_hidden = changed(
        content,
        "xl/workbook.xml",
        lambda book: book.replace(b'state="visible"', b'state="hidden"'),
    )
    with pytest.raises(ReadError, match="no visible sheet"):
        read(all_hidden, text="text")
