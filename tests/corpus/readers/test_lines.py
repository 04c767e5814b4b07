import io

import pytest

from dplda.corpus.files.file import File
from dplda.corpus.files.limits import Limits
from dplda.corpus.readers.lines import plain
from dplda.corpus.readers.table import Columns


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("one\ntwo\n", ["one", "two"]),
        ("one\ntwo", ["one", "two"]),
        ("one\n\n\ntwo\n", ["one", "", "", "two"]),
        ("NA\nnull\n007\n", ["NA", "null", "007"]),
        (' "quoted", {braced}\t\n', [' "quoted", {braced}\t']),
        ("", []),
    ],
)
def test_one_document_a_line(content, expected):
    file = File("notes.txt", io.BytesIO(content.encode()), Limits())
    assert [found.text for found in plain(file, Columns())] == expected
