"""Ends of lines as programs write them: how many documents there are must not depend on them."""

import io
import time

import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, load
from dplda.corpus.files.line_ends import LineEnds

ROWS = ["river water flood bridge", "garden flower seed soil", "engine wheel brake motor"]


def n_documents(text: str, name: str) -> int:
    return load((name, io.BytesIO(text.encode())), text="text", label=Label.PUBLIC).n_documents


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n", "\r\r\r\n", "\r"], ids=repr)
@pytest.mark.parametrize(
    ("name", "before"),
    [("a.txt", []), ("a.csv", ["text"]), ("b.csv", ["id;text"]), ("a.tsv", ["id\ttext"])],
)
def test_number_of_documents_is_that_of_lines(name, before, end) -> None:
    part = {"b.csv": "1;", "a.tsv": "1\t"}.get(name, "")
    text = "".join(line + end for line in [*before, *(part + row for row in ROWS)])
    assert n_documents(text, name) == 3


def test_objects_after_carriage_returns_are_read() -> None:
    assert n_documents("".join(f'{{"text": "{row}"}}\r\r\n' for row in ROWS), "a.jsonl") == 3


@pytest.mark.parametrize(
    "content", ["id,text\r\n1,river\rwater\r\n2,boat\r\n", "text\nboat\nriver\rwater\n"]
)
def test_lone_carriage_return_in_a_table_is_refused_with_its_row(content) -> None:
    row = 2 if content.startswith("id") else 3
    with pytest.raises(ReadError, match=f"row {row}: a lone carriage return") as caught:
        n_documents(content, "a.csv")
    assert "river" not in str(caught.value)


def test_lone_carriage_return_in_quotes_or_in_plain_text_parts_words_alone() -> None:
    assert n_documents('id,text\r\n1,"river\rwater"\r\n2,boat\r\n3,lake\r\n', "a.csv") == 3
    text = "river water\rflood\nboat lake\nflood bridge\n"
    corpus = load(("a.txt", io.BytesIO(text.encode())), label=Label.PUBLIC)
    assert corpus.n_documents == 3
    assert corpus.lengths.tolist() == [3, 2, 2]


@pytest.mark.parametrize("size", [1, 7, 1 << 17, 1 << 20])
def test_line_ends_in_any_pieces_are_those_of_the_whole_text(size) -> None:
    old_mac = "line of words\r" * 40_000
    for text, expected in (
        (old_mac, old_mac.replace("\r", "\n")),
        (old_mac + "\n", old_mac.replace("\r", "\n")),
        (old_mac[:1000] + "\nx\r\n", old_mac[:1000] + "\nx\n"),
    ):
        line_ends = LineEnds()
        pieces = [text[begin : begin + size] for begin in range(0, len(text), size)]
        translated = [line_ends.translate(piece, is_last=False) for piece in pieces]
        assert "".join(translated) + line_ends.translate("", is_last=True) == expected


@pytest.mark.parametrize(
    "text", ["\r" * 2_000_000, "a\n" + "\r" * 2_000_000 + "b", "a\r\n" + "\r\r\n" * 600_000]
)
def test_line_ends_of_many_carriage_returns_take_linear_time(text) -> None:
    line_ends, started = LineEnds(), time.process_time()
    pieces = (text[begin : begin + 4096] for begin in range(0, len(text), 4096))
    n_characters = sum(len(line_ends.translate(piece, is_last=False)) for piece in pieces)
    n_characters += len(line_ends.translate("", is_last=True))
    assert 0 < n_characters <= len(text)
    assert time.process_time() - started < 5
