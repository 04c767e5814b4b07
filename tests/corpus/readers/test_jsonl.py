import io

import pytest

from dplda.core.errors import ReadError
from dplda.corpus.files.file import File
from dplda.corpus.files.limits import Limits
from dplda.corpus.readers.lines import objects
from dplda.corpus.readers.table import Columns

FINE = '{"id": 1, "text": "wolves"}'


def read(*rows, text=None):
    file = File("mail.jsonl", io.BytesIO("\n".join(rows).encode()), Limits())
    return [found.text for found in objects(file, Columns(text))]


def test_objects_a_line():
    assert read(FINE, '{"text": "deer\\ngraze", "tags": ["a", {"b": null}]}') == ["wolves", "deer\ngraze"]
    assert read('{"body": "wolves", "text": 3}', text="body") == ["wolves"]
    assert read('{"body": "wolves"}') == ["wolves"]
    assert read('{"text": "null"}', '{"text": "\u202e🙂"}') == ["null", "\u202e🙂"]


def test_lines_without_a_character_are_passed_over_but_counted():
    assert read(FINE, "", "  ", FINE) == ["wolves", "wolves"]
    with pytest.raises(ReadError) as caught:
        read(FINE, "", "{")
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
        read(FINE, row, FINE)
    assert caught.value.row == 2
    assert "canary" not in str(caught.value)
    assert caught.value.fix
