"""Documents from delimited text and from JSON lines."""

import io
from functools import partial

import pytest

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File, Limits
from dplda.corpus.readers import delimited
from dplda.corpus.readers.lines import objects
from dplda.corpus.readers.table import Columns, documents


def read(content, text=None, delimiter=None, **limits):
    file = File("mail.csv", io.BytesIO(content.encode()), Limits(**limits))
    return [
        document.text
        for document in documents(partial(delimited.rows, delimiter=delimiter), file, Columns(text))
    ]


def test_table_with_a_given_delimiter_is_read_by_it():
    assert read("a,b\tbody\n1,2\tdeer\n", "body", delimiter="\t") == ["deer"]


@pytest.mark.parametrize(
    "value", ["NA", "null", "007", "1e5", "nan", "True", "", " ", "#N/A", "=1+1"]
)
def test_table_fields_are_read_as_text(value):
    assert read(f"id,text\n1,{value}\n") == [value]


def test_quoted_fields_hold_anything():
    assert read('id,text\r\n1,"one, ""two""\r\nthree"\r\n2,four\r\n') == [
        'one, "two"\nthree',
        "four",
    ]


def test_table_text_is_the_only_column_or_the_one_named_text():
    assert read("body\ndeer\n") == ["deer"]
    assert read("id,text\n1,deer\n") == ["deer"]


def test_rows_without_a_character_are_documents_of_one_column_alone():
    """How many documents there are must not depend on what stands in one."""
    assert read("text\ndeer\n\n\nelk\n\n") == ["deer", "", "", "elk", ""]
    assert read("id,text\n1,deer\n\n2,elk\n") == ["deer", "elk"]
    assert read('text\n""\n') == [""]
    assert read("") == []
    assert read("id,text\n") == []


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("id,message,sent on", "no column has the name 'body'.*There are 3 columns"),
        ("body,body", "several columns have the name 'body'"),
        ("A canary! sang, in the morning", "There are 2 columns"),
        (",".join(f"name{i}" for i in range(50)) + "," + "canary" * 10, "There are 51 columns"),
    ],
)
def test_absent_column_is_refused_without_repeating_a_document(header, reason):
    with pytest.raises(ReadError, match=reason) as caught:
        read(f"{header}\ncanary,canary\n", "body")
    assert caught.value.row == 1
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("1", "1 field where the header has 2"),
        *((row, "3 fields where the header has 2") for row in ("1,canary,x", "1,canary,")),
        *(
            (row, "an unmatched quotation mark")
            for row in ('1,"canary', '1,"canary" sang', '1,"canary"" sang')
        ),
    ],
)
def test_malformed_row_is_refused_by_its_number(row, reason):
    """Of records, not of lines."""
    with pytest.raises(ReadError, match=reason) as caught:
        read(f'id,text\n0,"fine\nand fine"\n{row}\n')
    assert caught.value.row == 3
    assert "canary" not in str(caught.value)


def test_quoted_field_over_the_limit_is_refused_though_its_lines_are_short():
    content = 'id,text\n0,"' + "fine\n" * 30 + '"\n'
    assert len(read(content, max_field_chars=200)) == 1
    with pytest.raises(ReadError, match="more than 100 characters") as caught:
        read(content, max_field_chars=100)
    assert caught.value.row == 2


def test_field_longer_than_the_csv_module_expects_is_read():
    assert len(read("text\n" + "deer " * 100_000 + "\n")[0]) == 500_000


FINE = '{"id": 1, "text": "wolves"}'


def lines_of(*rows, text=None):
    file = File("mail.jsonl", io.BytesIO("\n".join(rows).encode()), Limits())
    return [document.text for document in objects(file, Columns(text))]


def test_json_lines_yield_one_text_each():
    assert lines_of(FINE, '{"text": "deer\\ngraze", "tags": ["a", {"b": null}]}') == [
        "wolves",
        "deer\ngraze",
    ]
    assert lines_of('{"body": "wolves", "text": 3}', text="body") == ["wolves"]
    assert lines_of('{"body": "wolves"}') == ["wolves"]
    assert lines_of('{"text": "null"}', '{"text": "\u202e🙂"}') == ["null", "\u202e🙂"]


def test_json_lines_take_the_text_key_of_the_first_object():
    with pytest.raises(ReadError, match="row 2: no column has the name 'body'"):
        lines_of('{"body": "wolves"}', '{"id": "canary"}')
    with pytest.raises(ReadError, match="row 2: no column has the name 'text'"):
        lines_of(FINE, '{"id": "canary"}')


def test_lines_without_a_character_are_passed_over_but_counted():
    assert lines_of(FINE, "", "  ", FINE) == ["wolves", "wolves"]
    with pytest.raises(ReadError) as caught:
        lines_of(FINE, "", "{")
    assert caught.value.row == 3


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("{canary", "not valid JSON"),
        ('{"text": "canary"', "not valid JSON"),
        ('{"text": "canary"} {"text": "canary"}', "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ('{"text": ' + "9" * 10_000 + "}", "not valid JSON"),
        ('["canary"]', "an array where an object is needed"),
        ('"canary"', "a string where an object is needed"),
        ("17", "a number where an object is needed"),
        ("null", "null where an object is needed"),
        ('{"text": null}', "the text is null where a string is needed"),
        ('{"text": 7}', "the text is a number where"),
        ('{"text": 7.5}', "the text is a number where"),
        ('{"text": true}', "the text is true or false where"),
        ('{"text": ["canary"]}', "the text is an array where"),
        ('{"text": {"text": "canary"}}', "the text is an object where"),
        ('{"id": 2, "message": "canary"}', "no column has the name 'text'"),
        ("{}", "no column has the name 'text'"),
    ],
)
def test_bad_rows_are_refused_by_number(row, problem):
    with pytest.raises(ReadError, match=problem) as caught:
        lines_of(FINE, row, FINE)
    assert caught.value.row == 2
    assert "canary" not in str(caught.value)
    assert caught.value.fix
