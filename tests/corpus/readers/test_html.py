"""Pages of HTML: what they show, in the encoding that they name."""

import io

import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, load
from dplda.corpus.readers.extraction.html_text import html_text
from dplda.corpus.readers.formats import encodings
from dplda.corpus.remarks import Remark


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>gar<b>den</b> flower</p>", "garden flower"),
        ("one<br>two<div>three</div>four", "one\ntwo\nthree\nfour"),
        ("<table><tr><td>one</td><td>two</td></tr></table>", "one\ntwo"),
        ("caf&eacute; don&#39;t &lt;b&gt;", "café don't <b>"),
        ("<!-- secret -->one<script>secret</script><style>secret</style>", "one"),
        ("<head><title>secret</title></head><body>one", "one"),
        ('<p style="color:red; display: none">secret<b>secret</b></p>one', "one"),
        ('<p hidden>secret<br>secret</p>one<img alt="secret">', "one"),
        ("no page at all", "no page at all"),
        ("", ""),
    ],
)
def test_html_page_yields_its_shown_text(page, text) -> None:
    assert html_text(page) == text


def test_deep_page_is_read_to_its_end() -> None:
    assert html_text("<div>" * 100_000 + "river").split() == ["river"]


def pages(*contents: bytes, **options):
    files = [(f"{number}.html", io.BytesIO(content)) for number, content in enumerate(contents)]
    return load(files, label=Label.PUBLIC, **options)


def test_page_is_a_document_in_the_encoding_that_it_names() -> None:
    corpus = pages(
        '<meta charset="windows-1252"><p>café'.encode("cp1252"),
        '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">časopis'.encode(
            "iso-8859-2"
        ),
        "<p>naïve".encode(),
        "<p>garçon".encode("utf-16"),
    )
    assert set(corpus.vocabulary) == {"café", "časopis", "naïve", "garçon"}


def test_page_in_an_unknown_encoding_is_refused_until_one_is_chosen() -> None:
    odd = "<p>café".encode("cp1252")
    with pytest.raises(ReadError, match=r"0\.html: a page in an unknown encoding\. Choose"):
        pages(odd, b"river", b"water")
    assert "café" in pages(odd, b"river", b"water", encoding="cp1252").vocabulary


def test_page_that_names_its_encoding_needs_no_choice() -> None:
    content = '<meta charset="cp1252"><p>café'.encode("cp1252")
    assert encodings(("a.html", io.BytesIO(content))) == ()
    assert encodings(("a.html", io.BytesIO("<p>café".encode("cp1252"))))


def test_page_without_text_is_said_with_a_number() -> None:
    corpus = pages(b"<img src='a.png'>", b"river", b"water")
    assert corpus.intake.remarks == ((Remark.FILE_WITHOUT_TEXT, 1, ("0.html",)),)


def test_web_page_of_another_kind_is_refused() -> None:
    with pytest.raises(ReadError, match="not a page of HTML"):
        pages(b"%PDF-1.4 canary", b"river", b"water")
