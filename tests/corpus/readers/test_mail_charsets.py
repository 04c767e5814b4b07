"""Encodings of mail by the names that programs give them; what nobody knows is said, never guessed."""

import time

import pytest

from dplda.corpus.readers.mail.charsets import decoded


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("cp-850", "cp850"),
        ('"utf-8 xyz"', "utf-8"),
        ("utf-8;format=flowed", "utf-8"),
        ("UTF8", "utf-8"),
        ("x-windows-1252", "cp1252"),
        ("windows1252", "cp1252"),
        ("IBM850", "cp850"),
        ("iso8859-15", "iso8859-15"),
        ("ISO_8859-15", "iso8859-15"),
        ("x-mac-roman", "mac_roman"),
    ],
)
def test_name_of_an_encoding_is_known_in_many_ways(charset, codec) -> None:
    assert decoded("café".encode(codec), charset, None) == "café"


@pytest.mark.parametrize(
    ("charset", "wider", "text"),
    [
        ("iso-8859-1", "cp1252", "don’t “go”"),
        ("gb2312", "gb18030", "镕基"),
        ("big5", "cp950", "碁 €"),
        ("shift_jis", "cp932", "①高"),
        ("euc-kr", "cp949", "펲시"),
    ],
)
def test_wider_encoding_is_read_under_the_name_of_the_narrower(charset, wider, text) -> None:
    assert decoded(text.encode(wider), charset, None) == text


def test_plain_latin_is_latin() -> None:
    assert decoded("é\u00a0ÿ".encode("latin-1"), "iso-8859-1", None) == "é\u00a0ÿ"


@pytest.mark.parametrize("charset", [None, "", "unknown-8bit", "us-ascii", "utf-8", "rot13", "zip"])
def test_unknown_encoding_is_not_guessed(charset) -> None:
    assert decoded(b"caf\xe9", charset, None) is None
    assert decoded(b"caf\xe9", charset, "cp1252") == "café"
    assert decoded("café".encode(), charset, "cp1252") == "café"


@pytest.mark.parametrize("charset", ["punycode", "idna", "x" * 100_000, "iso-8859-" * 20_000])
def test_hostile_name_of_an_encoding_takes_no_time(charset) -> None:
    started = time.process_time()
    assert decoded(b"a-" + b"bcdefgh9" * 50_000, charset, None) is not None
    assert time.process_time() - started < 1
