"""Dumps of a wiki: streamed, markup taken off, pages that are no articles passed over."""

import bz2
import io
import tracemalloc
from collections.abc import Iterator

import pytest

from dplda.corpus import Label, Limits, load
from dplda.errors import InputError, ReadError

HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en">\n<siteinfo><namespaces/></siteinfo>\n'
)


def page(title: str, text: str, space: int = 0, more: str = "") -> str:
    return (
        f"<page><title>{title}</title><ns>{space}</ns>{more}<revision><contributor><username>canary</username>"
        f"</contributor><comment>canary</comment><text xml:space='preserve'>{text}</text></revision></page>\n"
    )


MARKED = (
    "'''Wolves''' hunt [[Red deer|deer]].&lt;ref&gt;{{cite|canary}}&lt;/ref&gt; {{Infobox|canary=canary}}"
    " See [http://x snow]."
)
PAGES = [
    page("Wolf", MARKED),
    page("Talk:Wolf", "canary", 1),
    page("Wolves", "#REDIRECT [[Wolf]]", more='<redirect title="Wolf" />'),
    page("Deer", "deer graze"),
    page("Elk", "elk &amp; deer"),
]


def dump(pages: list[str]) -> bytes:
    return (HEAD + "".join(pages) + "</mediawiki>").encode()


def read(content: bytes, name: str = "wiki.xml", **options):
    return load((name, io.BytesIO(content)), label=Label.PUBLIC, **options)


def test_articles_are_documents_without_their_markup() -> None:
    corpus = read(dump(PAGES))
    assert corpus.n_documents == 3
    assert set(corpus.vocabulary) == {"wolf", "wolves", "hunt", "deer", "snow", "graze", "elk"}
    assert read(bz2.compress(dump(PAGES)), "wiki.xml.bz2").digest == corpus.digest
    assert "canary" not in corpus.vocabulary


def test_a_dump_is_streamed() -> None:
    class Endless(io.RawIOBase):
        def __init__(self) -> None:
            self._parts = self._made()

        def _made(self) -> Iterator[bytes]:
            yield HEAD.encode()
            for _ in range(60):
                yield page("Wolf", "wolves hunt deer " * 6000).encode()
            yield b"</mediawiki>"

        def seekable(self) -> bool:
            return False

        def read(self, size: int = -1) -> bytes:
            return next(self._parts, b"")

    read(dump(PAGES))  # what is imported and cached once
    tracemalloc.start()
    corpus = load(("wiki.xml", Endless()), label=Label.PUBLIC)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert corpus.n_documents == 60
    assert peak < 30_000_000, "the dump has 6 MB, its parse trees many times that"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "broken XML"),
        (b"canary", "broken XML"),
        (dump(PAGES)[:-30], "row 5: broken XML"),
        (b"<html><body>canary</body></html>", "XML that is no dump of a wiki"),
        (b'<!DOCTYPE x [<!ENTITY a "canary">]><mediawiki/>', "XML with a document type"),
        (dump(PAGES).replace(b"graze", b"\xff\xfe"), "broken XML"),
    ],
)
def test_other_xml_is_refused(content, said) -> None:
    with pytest.raises(ReadError, match=said) as caught:
        read(content)
    assert "canary" not in str(caught.value)


def test_limits_hold() -> None:
    with pytest.raises(ReadError, match="row 1: a text of more than 20 characters"):
        read(dump(PAGES), limits=Limits(max_field_chars=20))
    with pytest.raises(ReadError, match="more than 300 bytes"):
        read(dump(PAGES), limits=Limits(max_bytes=300))
    with pytest.raises(ReadError, match="many authors"):
        read(dump(PAGES), person="contributor")


def test_without_the_library_its_extra_is_named(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "mwparserfromhell", None)
    with pytest.raises(InputError, match=r"pip install 'dplda\[wiki\]'"):
        read(dump(PAGES))
