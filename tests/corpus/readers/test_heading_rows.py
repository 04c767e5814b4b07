"""Tables as people have them: titles, further headings, no headings, columns without a name; and what is said of them."""

import codecs
import io
import json

import pytest

from dplda.cli.main import main
from dplda.core.errors import ReadError
from dplda.corpus import Label, load
from dplda.corpus.readers.formats import preview
from dplda.corpus.readers.heading_rows import N_ROWS_LOOKED_AT, odd_rows
from dplda.corpus.remarks import Remark
from tests.corpus.readers.samples import workbook

TEXTS = [
    "river water flood bridge",
    "garden flower seed soil",
    "river bridge boat",
    "lake boat flood",
]
QUALTRICS = """StartDate,ResponseId,Q1
Start Date,Response ID,"Please describe, in your own words, what happened yesterday"
"{""ImportId"":""startDate""}","{""ImportId"":""_recordId""}","{""ImportId"":""QID1_TEXT""}"
2024-01-02 03:04,R_0,river water flood bridge
2024-01-02 03:05,R_1,garden flower seed soil
2024-01-02 03:09,R_2,engine wheel brake motor
2024-01-03 03:09,R_3,river bridge water boat
"""
SURVEY_MONKEY = """Respondent ID,Collector ID,What do you think of the river?
,,Open-Ended Response
1180,2,it is wet
1181,2,it floods
1182,2,it is long
"""
TYPED = """id,score,answer
Number,Rating from 1 to 5 (points),Your own words
1,5,river water flood bridge
2,3,garden flower seed soil
3,4,engine wheel brake motor
4,4,river bridge water boat
"""


def read(content: str, name: str = "a.csv", **options):
    source = (name, io.BytesIO(content.encode()))
    return load(source, **{"label": Label.SENSITIVE} | options)


def rows_of(content: str, text: str, name: str = "a.csv") -> dict[Remark, list[int]]:
    """The rows that a remark is made of."""
    remarks = read(content, name, text=text).intake.remarks
    return {
        counted_remark.remark: [int(place.rpartition(" ")[2]) for place in counted_remark.places]
        for counted_remark in remarks
    }


@pytest.mark.parametrize(
    ("content", "text", "headings"),
    [
        (QUALTRICS, "Q1", [2, 3]),
        (SURVEY_MONKEY, "What do you think of the river?", [2]),
        (TYPED.replace("Rating from 1 to 5 (points)", "Rating"), "answer", [2]),
        (
            "id,text\nID,Text\n" + "".join(f"x{i},{answer}\n" for i, answer in enumerate(TEXTS)),
            "text",
            [2],
        ),
        ("id,text\n" + "1,tea milk\n" * 60 + "id,text\n2,milk tea\n", "text", [62]),
    ],
    ids=["Qualtrics", "SurveyMonkey", "numbers", "repeated", "joined files"],
)
def test_further_headings_are_named_by_their_rows(content, text, headings) -> None:
    assert rows_of(content, text) == {Remark.FURTHER_HEADING: headings}


@pytest.mark.parametrize(
    ("content", "text", "name"),
    [
        ("\n".join(["river water bridge flood", *TEXTS]), "river water bridge flood", "a.csv"),
        ("".join(f"doc{i}\ten\t{answer}\n" for i, answer in enumerate(TEXTS)), TEXTS[0], "a.tsv"),
        ("".join(f"{i};{answer}\n" for i, answer in enumerate(TEXTS)), TEXTS[0], "a.csv"),
        ("2024-01-02,tea\n2024-01-03,milk\n2024-02-03,tea\n2024-02-04,tea\n", "tea", "a.csv"),
        (" ".join(["long"] * 30) + "\n" + "\n".join(TEXTS), None, "a.csv"),
    ],
)
def test_document_that_was_taken_for_names_is_said(content, text, name) -> None:
    assert rows_of(content, text, name) == {Remark.NO_HEADING: [1]}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("text\n" + "\n".join(TEXTS), None),
        (
            "id,What do you like about the river water and the bridge?\n1,the river water\n2,a bridge\n3,x\n",
            None,
        ),
        ("Customer review text,n\n" + "".join(f"{answer} text,3\n" for answer in TEXTS), None),
        ("rating,text\nn/a,river\n5,water\n4,boat\n3,lake\n2,flood\n", "text"),
        ("2019,2020,text\n12,13,river\n7,120,boat\n9,4,lake\n", "text"),
        ("id,text\n1,Text\n2,river\n3,boat\n4,lake\n5,x\n", "text"),
        ("id,text\nR1,river\nR2,boat\nR3,lake\n", "text"),
        (
            "answer,Email,Phone\nriver,Email,\nboat,Email,Phone\nlake,Email,\nflood,,Phone\n",
            "answer",
        ),
    ],
)
def test_usual_table_is_read_without_a_remark(content, text) -> None:
    head = preview(("a.csv", io.BytesIO(content.encode())), n_rows=N_ROWS_LOOKED_AT)
    assert head.remarks == ()
    assert rows_of(content, text or head.likely_text()) == {}


def test_rows_are_named_by_the_command_before_it_asks_for_a_column(tmp_path, capsys) -> None:
    (tmp_path / "survey.csv").write_text(QUALTRICS)
    assert main(["read", str(tmp_path / "survey.csv")]) == 0
    output = capsys.readouterr().out
    assert "2 rows in the form of further headings" in output
    assert "delete them (row 2; row 3)" in output
    assert main(["read", str(tmp_path / "survey.csv"), "--text", "Q1"]) == 0
    assert "(survey.csv, row 2; survey.csv, row 3)" in capsys.readouterr().out


def test_remark_quotes_no_cell() -> None:
    for content, text in ((QUALTRICS, "Q1"), ("\n".join([TEXTS[2], *TEXTS]), TEXTS[2])):
        remark_text = " ".join(read(content, text=text).intake.remark_lines())
        assert remark_text
        assert not any(word in remark_text for word in ("river", "yesterday", "Response", "Q1"))


RAGGED = {
    "empty rows above": ("a.csv", b"\n\nid,text\n1,river\n2,boat\n3,lake\n"),
    "blank cells above": ("a.csv", b",\nid,text\n1,river\n2,boat\n3,lake\n"),
    "titles": ("a.csv", b"Export of March,,\nBy a tool,,\nid,text,person\n1,river,a\n2,boat,b\n"),
    "titles of one cell": ("a.csv", b"Export\n\nid,text\n1,river\n2,boat\n"),
    "apostrophes": ("a.csv", b"id,text\n1,'river, water'\n2,'boat, lake'\n3,'a, b'\n"),
    "a comma too many": ("a.tsv", b"id\ttext\n1\triver\tboat\n2\tlake\n"),
    "a lone CR": ("a.csv", b"id,text\r\n1,river\rwater\r\n2,boat\r\n"),
    "titles of a sheet": ("a.xlsx", workbook([["Survey 2024"], [], ["id", "text"], [1, "river"]])),
    "an unmatched quote": ("a.csv", b'id,text\n1,"river\n2,boat\n'),
}


@pytest.mark.parametrize("kind", RAGGED)
def test_ragged_table_is_refused_by_read_as_by_fit(kind, tmp_path, capsys) -> None:
    name, content = RAGGED[kind]
    path = tmp_path / name
    path.write_bytes(content)
    assert main(["read", str(path)]) == 2
    refusal = capsys.readouterr().err
    fit = ["fit", str(path), "--label", "public", "-k", "2", "--out", str(tmp_path / "a.json")]
    assert main(fit) == 2
    assert capsys.readouterr().err == refusal
    assert refusal.startswith(f"dplda: {name}")


NAMELESS = {
    "a.csv": b"id,\n0,river water\n1,garden soil\n2,river boat\n",
    "a.tsv": b"id\t \n0\triver water\n1\tgarden soil\n2\triver boat\n",
    "a.xlsx": workbook(
        [["id", None, "x"], [0, "river water", 1], [1, "garden soil", 2], [2, "river boat", 3]]
    ),
    "a.jsonl": b"".join(
        json.dumps({"id": i, "": text}).encode() + b"\n"
        for i, text in enumerate(["river water", "garden soil", "river boat"])
    ),
}


@pytest.mark.parametrize("name", NAMELESS)
def test_column_without_a_name_can_be_chosen(name) -> None:
    content = NAMELESS[name]
    head = preview((name, io.BytesIO(content)))
    likely = head.likely_text()
    assert likely == ("no name" if name == "a.jsonl" else "column 2")
    for chosen_name in (likely, "", "column 2"):
        corpus = load((name, io.BytesIO(content)), text=chosen_name, label=Label.PUBLIC)
        assert set(corpus.vocabulary) == {"river", "water", "garden", "soil", "boat"}


def test_column_without_a_name_is_chosen_by_its_place(tmp_path, capsys) -> None:
    content = ",,person\n0,river water,a\n1,garden soil,b\n2,river boat,a\n"
    assert preview(("a.csv", io.BytesIO(content.encode()))).names == (
        "column 1",
        "column 2",
        "person",
    )
    assert read(content, text="column 2", person="person").n_persons == 2
    assert read(content, text="column 2", person="column 1").n_persons == 3
    with pytest.raises(ReadError, match=r"several columns have the name ''.*column 1, column 2"):
        read(content, text="")
    (tmp_path / "a.csv").write_text(content)
    assert main(["read", str(tmp_path / "a.csv"), "--text", "column 2"]) == 0
    assert "column 2: river water | garden soil" in capsys.readouterr().out


def test_column_that_is_called_by_a_place_is_itself() -> None:
    content = "column 2,\nriver water,0\ngarden soil,1\nriver boat,2\n"
    assert set(read(content, text="column 2").vocabulary) >= {"river", "garden"}


def test_column_of_invisible_characters_is_shown_by_its_place() -> None:
    content = "id,\u200b\n0,river water\n1,garden soil\n2,river boat\n"
    assert preview(("a.csv", io.BytesIO(content.encode()))).names == ("id", "column 2")
    assert set(read(content, text="column 2").vocabulary) >= {"river", "garden"}


def test_column_of_a_repeated_name_is_chosen_by_its_place() -> None:
    content = "text,text\n0,river water\n1,garden soil\n2,river boat\n"
    names = preview(("a.csv", io.BytesIO(content.encode()))).names
    assert names == ("text (column 1)", "text (column 2)")
    assert set(read(content, text=names[1]).vocabulary) >= {"river", "garden"}
    with pytest.raises(ReadError, match=r"by their places: text \(column 1\), text \(column 2\)"):
        read(content, text="text")


def test_label_in_front_of_every_document_is_no_further_heading() -> None:
    content = "".join(f"pos,{text}\n" for text in TEXTS)
    assert rows_of(content, TEXTS[0]) == {Remark.NO_HEADING: [1]}


def test_key_with_half_characters_can_be_chosen_as_shown() -> None:
    content = "".join(f'{{"te\\ud83dxt": "{answer} \\udc00", "id": 1}}\n' for answer in TEXTS)
    head = preview(("a.jsonl", io.BytesIO(content.encode())))
    assert head.names == ("te\ufffdxt", "id")
    "".join([*head.names, *head.rows[0]]).encode()
    assert read(content, "a.jsonl", text=head.names[0]).n_documents == len(TEXTS)


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx"])
def test_table_column_with_half_characters_can_be_chosen_as_shown(name) -> None:
    text = "id,te\ud83dxt\n1,river \ud83d\n2,boat\n3,lake\n"
    content = codecs.BOM_UTF16_LE + text.encode("utf-16-le", "surrogatepass")
    if name == "a.xlsx":
        content = workbook([["id", "te_xD83D_xt"], [1, "river _xD83D_"], [2, "boat"], [3, "lake"]])
    head = preview((name, io.BytesIO(content)))
    "".join([*head.names, *head.rows[0]]).encode()
    assert load((name, io.BytesIO(content)), text=head.names[1], label="public").n_documents == 3


def test_rows_of_unlike_cells_are_no_reason_for_a_fault() -> None:
    assert odd_rows(["", ""], 1, [(2, ["", ""]), (3, ["a", ""])], 0) == []
    assert odd_rows(["a"], 1, [], None) == []
    many_digits = "9" * 5000
    assert odd_rows(["8" * 5000], 1, [(row, [many_digits]) for row in range(2, 6)], None) == []
