"""Excel: the first sheet is a table; damage, bombs and hugeness are refused without a word of it."""

import datetime
import io
import zipfile
from itertools import pairwise

import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, Limits, load
from dplda.corpus.readers import workbook as reader
from dplda.corpus.readers.formats import preview
from tests.corpus.readers.samples import workbook

SHEET = "xl/worksheets/sheet1.xml"
TABLE = [
    ["id", "text", "who"],
    [1, "wolves hunt deer", "ann"],
    [2, "deer graze", "bob"],
    [3, "wolves howl", "ann"],
]


def changed(content: bytes, member: str, change) -> bytes:
    """The same workbook with one of its parts made another."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old_archive,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new_archive,
    ):
        for name in old_archive.namelist():
            new_archive.writestr(
                name, change(old_archive.read(name)) if name == member else old_archive.read(name)
            )
    return out.getvalue()


def read(content: bytes, name: str = "mail.xlsx", **options):
    return load((name, io.BytesIO(content)), label=Label.PUBLIC, **options)


def test_workbook_is_read_as_the_same_table_in_csv() -> None:
    csv = "\n".join(",".join(map(str, row)) for row in TABLE).encode()
    corpus = read(workbook(TABLE, [["text"], ["another sheet"]]), person="who")
    assert corpus.digest == read(csv, "mail.csv", person="who").digest
    assert corpus.persons.tolist() == [0, 1, 0]


ROWS_OF_ALL_KINDS = [
    ["text", "kind"],
    ["wolves hunt", 12],
    ["deer graze", True],
    ["wolves graze", datetime.datetime(2024, 5, 6, 7, 8)],
    ["deer hunt", 0.5],
]


def test_workbook_cells_of_all_kinds_are_text() -> None:
    head = preview(("a.xlsx", io.BytesIO(workbook(ROWS_OF_ALL_KINDS))))
    assert [row[1] for row in head.rows] == ["12", "True", "2024-05-06 07:08:00", "0.5"]


def test_workbook_formula_is_its_saved_value() -> None:
    formula = b'<c r="B2"><f>6*7</f><v>42</v></c>'
    cached = changed(
        workbook(ROWS_OF_ALL_KINDS),
        SHEET,
        lambda sheet: sheet.replace(b'<c r="B2" t="n"><v>12</v></c>', formula),
    )
    assert preview(("a.xlsx", io.BytesIO(cached))).rows[0] == ("wolves hunt", "42")


def test_blank_workbook_rows_up_to_the_last_are_empty_documents() -> None:
    """How many documents there are must not depend on what stands in one."""
    rows = [
        ["text", "who"],
        [],
        ["wolves hunt", "ann"],
        [None, None],
        ["deer graze"],
        ["", "bob"],
        ["   "],
    ]
    assert read(workbook(rows), text="text").n_documents == 5
    one_column = [["text"], ["wolves hunt"], [None], ["deer graze"], [""], ["elk"], [None]]
    assert read(workbook(one_column)).n_documents == 5


@pytest.mark.parametrize(
    ("rows", "options", "reason"),
    [
        (
            [["id", "words"], [1, "canary"]],
            {},
            "no column has the name 'text'.*There are 2 columns",
        ),
        (
            [["text"], ["x"], ["canary", None, "canary"]],
            {},
            r"row 3: 3 fields where the header has 1",
        ),
        (
            [["text"], ["canary" * 9]],
            {"limits": Limits(max_field_chars=50)},
            r"row 2.* more than 50 characters",
        ),
        (
            [["text"], ["canary"], ["canary"]],
            {"limits": Limits(max_documents=1)},
            "more than 1 documents",
        ),
        ([["text", *["canary"] * 1000]], {}, "more than 1,000 columns, the limit"),
    ],
)
def test_workbook_that_does_not_fit_is_refused(rows, options, reason) -> None:
    with pytest.raises(ReadError, match=reason) as caught:
        read(workbook(rows), **options)
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls"])
def test_workbook_in_the_old_container_is_refused_with_what_to_do(name) -> None:
    with pytest.raises(ReadError, match=r"(?s)encrypted.*\.xlsx"):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), name)


def test_workbook_of_the_strict_kind_is_refused_with_what_to_do() -> None:
    def strict(part: bytes) -> bytes:
        usual = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        return part.replace(usual, b"http://purl.oclc.org/ooxml/spreadsheetml/main")

    content = changed(workbook(TABLE), "xl/workbook.xml", strict)
    with pytest.raises(ReadError, match=r"Strict Open XML.* Save it as Excel Workbook"):
        read(content)


@pytest.mark.parametrize("cut", [0, 10, -30])
def test_workbook_of_another_kind_is_refused(cut, caplog, capfd) -> None:
    for content in (
        b"canary",
        workbook(TABLE)[:cut],
        changed(workbook(TABLE), SHEET, lambda sheet: sheet[:-40]),
    ):
        with pytest.raises(ReadError, match="damaged"):
            read(content)
    assert "canary" not in caplog.text + capfd.readouterr().err


def test_workbook_zip_bomb_is_refused() -> None:
    bomb = changed(workbook(TABLE), SHEET, lambda sheet: sheet + b" " * 20_000_000)
    with pytest.raises(ReadError, match="100 times larger"):
        read(bomb)
    with pytest.raises(ReadError, match="more than 5,000 bytes"):
        read(workbook(TABLE), limits=Limits(max_bytes=5000))


def test_entities_that_expand_are_refused() -> None:
    """A billion of them, of less than a kilobyte."""
    names = "abcdefghij"
    entities = '<!ENTITY a "canary">' + "".join(
        f'<!ENTITY {entity_name} "{f"&{previous_name};" * 10}">'
        for previous_name, entity_name in pairwise(names)
    )

    def bomb(sheet: bytes) -> bytes:
        text = sheet.decode().replace(
            "<worksheet", f"<!DOCTYPE worksheet [{entities}]><worksheet", 1
        )
        row = '<row r="1"><c t="inlineStr"><is><t>&j;</t></is></c></row>'
        return text.replace("<sheetData>", "<sheetData>" + row).encode()

    with pytest.raises(ReadError) as caught:
        read(changed(workbook(TABLE), SHEET, bomb), limits=Limits(max_seconds=10))
    assert "canary" not in str(caught.value)


def test_workbook_text_named_by_many_cells_is_refused(monkeypatch) -> None:
    """Shared texts: a file of kilobytes could ask for gigabytes."""
    monkeypatch.setattr(reader, "MAX_CHARACTERS", 10_000)
    rows = [["text"], *[["canary" * 50]] * 100]
    with pytest.raises(ReadError, match="more than 10,000 characters"):
        reader._parse_workbook("a.xlsx", workbook(rows))


@pytest.mark.parametrize("place", ["A9999999", "ZZZ9"])
def test_workbook_cell_far_out_takes_no_memory(place) -> None:
    """Nor does a sheet that claims to be as large as can be."""
    row = place.lstrip("AZ")

    def far(sheet: bytes) -> bytes:
        cell = f'<row r="{row}"><c r="{place}" t="inlineStr"><is><t>canary</t></is></c></row></sheetData>'
        return sheet.replace(b"</sheetData>", cell.encode()).replace(
            b'ref="A1:C4"', b'ref="A1:XFD1048576"'
        )

    with pytest.raises(ReadError, match=r"more than (1,048,576 rows|1,000 columns), the limit"):
        read(changed(workbook(TABLE), SHEET, far), limits=Limits(max_seconds=30))
