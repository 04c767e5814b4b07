"""Texts that look like something else are read, and the curator is told what was counted and what to do."""

import io

import pytest

from dplda.corpus import load

HTML = "<!DOCTYPE html>\n<html>\n<body class='a'>\n<p>Green tea</p>\n<p>black tea\nwith milk</p>\n</body>\n</html>\n"
MAIL = "From: ann@example.org\nSubject: tea\nDate: Mon, 1 Jan 2024\n\nGreen tea with milk\n" + "and more of it\n" * 20
CHINESE = "绿茶加牛奶的味道很好，红茶不加牛奶也很好。\n我们每天下午喝茶，晚上不喝茶。\n绿茶红茶都不错。\n"
PROSE = "Green tea with milk, if a < b and b > c\nSubject to change: tea\nfrom here to there\n" * 10
ABOUT = {"HTML": "counted as words", "mail": "read it as .mbox", "spaces": "Cut it into words first"}


def said(text: str, name: str = "a.txt", **options) -> list[str]:
    """Of which kinds it is said."""
    content = text.encode() if isinstance(text, str) else text
    found = load((name, io.BytesIO(content)), label="sensitive", n_words=50, **options).intake
    sentences = " ".join(found.warnings())
    assert all(what in sentences for kind, what in ABOUT.items() if kind in sentences)
    return [kind for kind in ABOUT if kind in sentences]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (HTML, ["HTML"]),
        (MAIL, ["mail"]),
        (CHINESE, ["spaces"]),
        (PROSE, []),
        (HTML * 3 + PROSE, ["HTML"]),
        ("녹차와 우유를 마십니다\n홍차를 마십니다 오후에는\n우유는 좋습니다\n", []),  # Korean has spaces
    ],
)
def test_it_is_said_of_lines(text, kinds) -> None:
    assert said(text) == kinds
