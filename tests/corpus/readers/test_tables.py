"""Parquet, and what CSV, JSON lines and Parquet share: previews, persons, a guess at the column of the text."""

import gzip
import io
import json
import time

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dplda.core.errors import InputError, ReadError
from dplda.corpus import Label, Limits, load
from dplda.corpus.readers.formats import preview
from dplda.corpus.readers.table import Head
from tests.corpus.readers.samples import workbook

TABLE = {
    "who": ["ann", "bo", "ann"],
    "year": [1999, 2001, 2001],
    "text": ["wolves hunt", "deer graze", "wolves howl"],
}
CSV = pd.DataFrame(TABLE).to_csv(index=False).encode()
LINES = "".join(json.dumps(row) + "\n" for row in pd.DataFrame(TABLE).to_dict("records")).encode()


def parquet(table: dict, **types) -> bytes:
    out = io.BytesIO()
    columns = {name: pa.array(values, types.get(name)) for name, values in table.items()}
    pq.write_table(pa.table(columns), out, row_group_size=2)
    return out.getvalue()


def read(content: bytes, name: str = "mail.parquet", **options):
    return load((name, io.BytesIO(content)), label=Label.PUBLIC, **options)


WRITES_STRING_VIEWS = int(pa.__version__.split(".")[0]) >= 21  # all versions read them


@pytest.mark.parametrize(
    "kind",
    [
        None,
        pa.large_string(),
        pytest.param(
            pa.string_view(),
            marks=pytest.mark.skipif(not WRITES_STRING_VIEWS, reason="pyarrow writes none yet"),
        ),
        pa.dictionary(pa.int8(), pa.string()),
    ],
)
def test_parquet_is_read_as_csv_is(kind) -> None:
    expected = read(CSV, "mail.csv", person="who")
    assert read(parquet(TABLE, text=kind, who=kind), person="who").digest == expected.digest
    assert (
        read(gzip.compress(parquet(TABLE)), "mail.parquet.gz", person="who").digest
        == expected.digest
    )
    assert read(LINES, "mail.jsonl", person="who").digest == expected.digest
    by_year = read(parquet(TABLE), person="year")
    assert by_year.persons.tolist() == [0, 1, 1]
    assert (
        by_year.digest
        == read(CSV, "mail.csv", person="year").digest
        == read(LINES, "a.jsonl", person="year").digest
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"text": "year"}, "the column 'year' holds no text"),
        ({"person": "when"}, "no column has the name 'when'"),
        ({"text": "body"}, "no column has the name 'body'"),
        ({"person": "score"}, "the column 'score' holds neither text nor whole numbers"),
        ({"text": "words"}, "the column 'words' holds no text"),
    ],
)
def test_columns_of_other_kinds_are_refused(options, reason) -> None:
    table = {**TABLE, "score": [0.5, 1.5, 2.5], "words": [["canary"], ["b"], ["c"]]}
    with pytest.raises(ReadError, match=reason) as caught:
        read(parquet(table), **options)
    assert "canary" not in str(caught.value)


def test_parquet_with_two_columns_of_one_name_is_refused() -> None:
    texts = [
        pa.array(["wolves hunt", "deer graze", "wolves howl"]),
        pa.array(["a b", "c d", "e f"]),
    ]
    out = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(texts, names=["text", "text"]), out)
    with pytest.raises(ReadError, match="two columns of the same name"):
        read(out.getvalue(), text="text (column 1)")


def test_table_with_a_missing_value_is_refused_by_its_row() -> None:
    with pytest.raises(ReadError, match="row 3: a missing value"):
        read(parquet({**TABLE, "text": ["a", "b", None]}))
    with pytest.raises(ReadError, match="row 2: a missing value"):
        read(parquet({**TABLE, "who": ["a", None, "b"]}), person="who")


def test_table_with_a_long_value_is_refused_by_its_row() -> None:
    with pytest.raises(ReadError, match="row 1: a field of more than 10 characters"):
        read(parquet(TABLE), limits=Limits(max_field_chars=10))


def test_parquet_file_of_another_kind_is_refused() -> None:
    whole_file = parquet(TABLE)
    for broken in (
        b"",
        b"canary" * 30,
        whole_file[:-5],
        whole_file[:50],
        b"PAR1" + bytes(40) + b"PAR1",
    ):
        with pytest.raises(ReadError, match="not a Parquet file, or a damaged one") as caught:
            read(broken)
        assert "canary" not in str(caught.value)


SHEET = workbook([list(TABLE), *map(list, zip(*TABLE.values(), strict=True))])


@pytest.mark.parametrize(
    ("content", "name"),
    [(CSV, "a.csv"), (LINES, "a.jsonl"), (parquet(TABLE), "a.parquet"), (SHEET, "a.xlsx")],
)
def test_preview_of_a_table_shows_its_first_rows_without_moving_the_file(content, name) -> None:
    file = io.BytesIO(content)
    first_rows = preview((name, file), n_rows=2)
    assert first_rows.names == ("who", "year", "text")
    assert first_rows.rows == (("ann", "1999", "wolves hunt"), ("bo", "2001", "deer graze"))
    assert file.tell() == 0
    packed_preview = preview((f"{name}.gz", io.BytesIO(gzip.compress(content))), n_rows=2)
    assert packed_preview == first_rows


@pytest.mark.parametrize("end", ["csv", "tsv", "jsonl", "parquet", "xlsx"])
@pytest.mark.parametrize(
    ("names", "cells", "likely"),
    [
        (["id", "Message ", "note"], ["a1", "tea", "a long note of many words"], "Message "),
        (["Subject", "Comment", "BODY"], ["tea", "wolves", "deer"], "BODY"),
        (["text", "answer"], ["007", "green tea with milk"], "answer"),
        (
            ["url", "said", "date"],
            ["https://example.org/a/b/c?d=e", "green tea", "2024-01-02 03:04"],
            "said",
        ),
        (["title", "story"], ["東京", "東京はとても大きい町です"], "story"),
        (["n", "m"], ["1", "2"], None),
    ],
)
def test_column_of_the_text_is_guessed_by_its_name_or_its_words(names, cells, likely, end) -> None:
    rows = pd.DataFrame([cells] * 3, columns=names)
    text = rows.to_json(orient="records", lines=True)
    text = text if end == "jsonl" else rows.to_csv(index=False, sep="\t" if end == "tsv" else ",")
    files_by_end = {
        "parquet": parquet(rows.to_dict("list")),
        "xlsx": workbook([names, *[cells] * 3]),
    }
    assert (
        preview((f"a.{end}", io.BytesIO(files_by_end.get(end, text.encode())))).likely_text()
        == likely
    )


def test_preview_of_a_file_without_columns_is_empty() -> None:
    assert preview(("a.txt", io.BytesIO(b"wolves\n"))) == Head((), ())
    assert preview(("a.zip", io.BytesIO(b""))) == Head((), ())
    empty = parquet({"text": pa.array([], pa.string())})
    assert preview(("a.parquet", io.BytesIO(empty))) == Head(("text",), ())
    with pytest.raises(ReadError):
        preview(("a.csv", io.BytesIO(b"text\ncaf\xe9\n")))
    with pytest.raises(InputError, match="n_rows"):
        preview(("a.csv", io.BytesIO(CSV)), n_rows=0)


@pytest.mark.parametrize(
    ("content", "n_columns"),
    [
        ("id;body;to\n1;wolves: hunt;x\n", 3),
        ('id;"a, text, of words";n\n1;"wolves, deer, elk";3\n2;"a, b";4\n', 3),
        ("id|text\n1|wolves, deer\n2|elk, wolf, bear\n", 2),
        ("id\ttext\n1\ta,b;c|d\n2\te\n", 2),
        ('text\n"wolves, hunt"\n"deer, graze"\n', 1),
        ("a,text\n" + "1,wolves; deer; elk\n" * 9, 2),
    ],
)
def test_delimiter_is_the_one_that_rows_agree_on(content, n_columns) -> None:
    head = preview(("a.csv", io.BytesIO(content.encode())))
    assert {len(head.names)} | {len(row) for row in head.rows} == {n_columns}


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp1252", "Où est passée l'été, à Besançon ?\n"),
        ("cp1251", "Волки охотятся на оленей в лесу у реки.\n"),
    ],
)
def test_encoding_that_fits_is_named(codec, text) -> None:
    content = f"text\n{text * 9}"
    with pytest.raises(ReadError, match=rf"byte \d.*It looks like {codec}"):
        read(content.encode(codec), "a.txt")
    assert (
        read(content.encode(codec), "a.txt", encoding=codec).digest
        == read(content.encode(), "a.txt").digest
    )


def test_first_rows_of_many_columns_take_time_in_proportion() -> None:
    """What the file says of its columns is gone through once, not once a column."""

    def seconds(n_columns: int) -> float:
        content = parquet({f"c.{i}": ["wolves deer snow"] * 3 for i in range(n_columns)})
        start_time = time.process_time()
        head = preview(("a.parquet", io.BytesIO(content)), n_rows=3)
        assert len(head.names) == n_columns
        assert set(head.rows) == {("wolves deer snow",) * n_columns}
        return time.process_time() - start_time

    seconds(10)
    assert min(seconds(1000) for _ in range(3)) < 12 * min(seconds(250) for _ in range(3)), (
        "16 times, where quadratic"
    )
