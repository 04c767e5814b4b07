"""Labels of documents: read from every kind of table, and told to nobody."""

import io
import json
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dplda
from dplda.core.errors import CorpusError, ReadError
from dplda.corpus.group_columns import clean_label

ROWS = [
    ("tea with milk", "ann", "north", "2024-01-05"),
    ("milk with tea", "bob", "", "2024-02-07"),
    ("green tea leaves", "ann", "  south  east ", "2024-02-09"),
    ("black tea leaves", "cem", "north", "2023-12-31"),
]
NAMES = ("text", "who", "part", "day")


def as_csv() -> bytes:
    return "\n".join([",".join(NAMES), *(",".join(row) for row in ROWS)]).encode()


def as_objects() -> bytes:
    records = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
    del records[1]["part"]
    return "\n".join(json.dumps(record) for record in records).encode()


def as_parquet() -> bytes:
    columns = dict(zip(NAMES, zip(*ROWS, strict=True), strict=True))
    columns["day"] = [date.fromisoformat(day) for day in columns["day"]]
    columns["part"] = [part or None for part in columns["part"]]
    file = io.BytesIO()
    pq.write_table(pa.table({name: list(cells) for name, cells in columns.items()}), file)
    return file.getvalue()


def as_workbook() -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    for row in (NAMES, *ROWS):
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


KINDS = {
    "a.csv": as_csv,
    "a.jsonl": as_objects,
    "a.parquet": as_parquet,
    "a.xlsx": as_workbook,
}


def read(name: str, content: bytes, **options):
    return dplda.load((name, io.BytesIO(content)), label="sensitive", **options)


@pytest.mark.parametrize("name", KINDS)
def test_labels_are_read_in_the_order_of_the_documents(name: str) -> None:
    corpus = read(name, KINDS[name](), person="who", groups=["part", "day"])
    assert corpus.labels_in("part") == ["north", "", "south east", "north"]
    assert [day[:10] for day in corpus.labels_in("day")] == [day for *_, day in ROWS]
    assert corpus.n_persons == 3


@pytest.mark.parametrize("name", KINDS)
def test_labels_do_not_change_the_documents(name: str) -> None:
    with_labels = read(name, KINDS[name](), groups=["day"])
    without = read(name, KINDS[name]())
    assert with_labels.digest == without.digest
    assert without.group_columns == ()


@pytest.mark.parametrize("name", [name for name in KINDS if name != "a.jsonl"])
def test_column_of_labels_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(ReadError, match="no column has the name 'ward'") as error:
        read(name, KINDS[name](), groups=["ward"])
    assert "north" not in str(error.value)


@pytest.mark.parametrize("n_with_key", [0, 1])
def test_key_of_labels_is_no_reason_to_refuse_whatever_objects_have_it(n_with_key: int) -> None:
    """Else one document's key would say whether a table is made at all."""
    records = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
    for record in records[n_with_key:]:
        del record["part"]
    lines = "\n".join(json.dumps(record) for record in records)
    corpus = read("a.jsonl", lines.encode(), groups=["part"])
    assert corpus.labels_in("part") == ["north"] * n_with_key + [""] * (4 - n_with_key)


@pytest.mark.parametrize("name", ["a.txt", "a.mbox", "a.eml"])
def test_labels_of_files_without_columns_are_refused(name: str) -> None:
    with pytest.raises(ReadError, match="no columns to group documents by"):
        read(name, b"From a\nSubject: tea\n\ntea\n", groups=["part"])


def test_labels_stay_with_documents_when_persons_are_joined() -> None:
    corpus = read("a.csv", as_csv(), person="who", groups=["part"])
    persons = corpus.by_person()
    assert persons.group_columns == ()
    assert persons.as_read.labels_in("part") == ["north", "", "south east", "north"]


def test_column_that_was_not_read_as_labels_is_refused() -> None:
    with pytest.raises(CorpusError, match="No labels were read in a column 'day'"):
        read("a.csv", as_csv(), groups=["part"]).labels_in("day")


@pytest.mark.parametrize(
    ("cell", "label"),
    [
        (" a  b\n", "a b"),
        (2001.0, "2001"),
        (2.5, "2.5"),
        (np.int64(7), "7"),
        (float("nan"), ""),
        (None, ""),
        ([1], ""),
        ("x" * 81, ""),
    ],
)
def test_clean_label_is_one_line_or_nothing(cell, label) -> None:
    assert clean_label(cell) == label
