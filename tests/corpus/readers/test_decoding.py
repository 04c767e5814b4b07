import codecs
import io

import pytest

from dplda.core.errors import InputError, ReadError
from dplda.corpus.files import file as file_module
from dplda.corpus.files.file import File, Limits
from dplda.corpus.readers.formats import encodings

TEXT = "première ligne\nзавтра\n最後\n"


def lines(data, encoding=None, **limits):
    return list(File("notes.txt", io.BytesIO(data), Limits(**limits), encoding).lines())


@pytest.fixture(params=[1, 2, 3, 7, 1 << 18], autouse=True)
def block_size(request, monkeypatch):
    monkeypatch.setattr(file_module, "_BLOCK_BYTES", request.param)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), None),
        (codecs.BOM_UTF8 + TEXT.encode(), None),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), None),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), None),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16"),
        (TEXT.encode("utf-16-le"), "utf-16-le"),
        (TEXT.encode("utf-32"), "utf-32"),
        (TEXT.encode("gb18030"), "GB18030-2000"),
    ],
)
def test_text_of_any_encoding_is_decoded(data, encoding):
    assert "".join(lines(data, encoding)) == TEXT


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        *((("é" * n).encode() + b"\xffmore", 2 * n) for n in (0, 1, 5, 100)),
        (codecs.BOM_UTF8 + b"abc\xe9 def", 6),
        ("abcé".encode()[:-1], 3),
        (codecs.BOM_UTF16_LE + "abc".encode("utf-16-le") + b"\x00", 8),
    ],
)
def test_wrong_byte_in_a_text_is_refused_with_its_offset(data, offset):
    with pytest.raises(ReadError, match="not utf-") as caught:
        lines(data)
    assert caught.value.offset == offset
    assert "cp1252" in caught.value.fix


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("units", [[0xD83D], [0xDC00], [0xD83D, 0xD83D, 0xDC00]])
def test_half_a_character_of_utf_16_is_replaced(codec, units) -> None:
    """Programs cut a text after so many units; no other encoding could help."""
    half = "".join(map(chr, units))
    data = f"river {half}\nwater 😀{half}".encode(codec, "surrogatepass")
    expected = "\ufffd" if len(units) == 1 else "\ufffd\U0001f400"
    assert "".join(lines(data, codec)) == f"river {expected}\nwater 😀{expected}"


def test_encodings_are_guessed_for_text_alone():
    assert [
        len(encodings(("notes.txt", io.BytesIO(data)))) > 0 for data in (b"caf\xe9", b"%PDF \xe9")
    ] == [True, False]


def test_zero_bytes_are_refused_unless_the_encoding_has_them():
    with pytest.raises(ReadError, match="zero byte") as caught:
        lines("plain".encode("utf-16-le"))
    assert caught.value.offset == 1
    with pytest.raises(ReadError, match="UTF-32"):
        lines("plain".encode("utf-32"))


@pytest.mark.parametrize("encoding", ["nonsense", "base64", "rot13", "", "utf-8\x00"])
def test_unknown_encoding_is_refused(encoding):
    with pytest.raises(InputError, match="encoding must be the name of a text encoding"):
        lines(b"abc", encoding)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb", ["a\n", "b"]),
        ("a\r\nb\r\n", ["a\n", "b\n"]),
        ("a\rb\r", ["a\n", "b\n"]),
        ("a\n\r\n\rb", ["a\n", "\n", "\rb"]),
        ("a\r\r\nb\r\r\r\nc\r\r\n", ["a\n", "b\n", "c\n"]),
        ("a\r\r\n\r\r\nb", ["a\n", "\n", "b"]),
        ("a\r\nb\rc\r\n", ["a\n", "b\rc\n"]),
        ("a\rb\r\rc", ["a\n", "b\n", "\n", "c"]),
        ("a\rb\r\rc\r\nd", ["a\rb\r\rc\n", "d"]),
        ("\r\r\r", ["\n", "\n", "\n"]),
        ("a\nb\r\r\r", ["a\n", "b\r\r\r"]),
        ("a\u2028b\x85c\x0cd\n", ["a\u2028b\x85c\x0cd\n"]),
        ("", []),
        ("\n", ["\n"]),
    ],
)
def test_line_ends_are_translated(text, expected):
    assert lines(text.encode()) == expected


def test_line_over_the_limit_is_refused_with_its_number():
    assert lines(b"ab\nabcd\n", max_field_chars=4) == ["ab\n", "abcd\n"]
    for data in (b"ab\nabcde\n", b"ab\nabcde"):
        with pytest.raises(ReadError, match="more than 4 characters") as caught:
            lines(data, max_field_chars=4)
        assert caught.value.row == 2
