"""A dump of a wiki by MediaWiki, such as Wikipedia's: streamed, an article a document, its markup taken off."""

from collections.abc import Iterator
from xml.parsers import expat

from dplda.corpus.readers.columns import Columns
from dplda.corpus.readers.document import Document
from dplda.corpus.readers.extras import required
from dplda.corpus.readers.file import File
from dplda.errors import ReadError

_BLOCK = 1 << 16
_ARTICLES = "0"  # the namespace of articles; others are talk, users, templates
_KEPT = {"title", "ns", "text"}


def documents(file: File, columns: Columns) -> Iterator[Document]:
    """Yield title and text of each article; redirects and pages that are no articles are passed over.

    Args:
        file: XML as MediaWiki exports it (``pages-articles.xml``, packed or not).
        columns: no person, since a page has many authors.

    Raises:
        ReadError: no such file, broken XML, or an article over the limit, with the number of its page, from 1.
        InputError: the library that takes off the markup is not installed.
    """
    if columns.person is not None:
        raise ReadError(file.name, "an article of a wiki has many authors, not one", "Leave the person out.")
    parse = required("mwparserfromhell", "wiki").parse
    pages = _Pages(file)
    while block := file.binary.read(_BLOCK):
        yield from (Document(_plain(file.name, parse, *page)) for page in pages.feed(block))
    pages.end()


def _plain(source: str, parse: object, number: int, title: str, text: str) -> str:
    assert callable(parse)
    try:
        return f"{title}\n{parse(text).strip_code()}"
    except Exception:
        raise ReadError(source, "markup that cannot be taken off", "Remove the page.", row=number) from None


class _Pages:
    """Bytes of XML to pages: number, title, text."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._n_bytes = self._n_pages = self._depth = 0
        self._found: list[tuple[int, str, str]] = []
        self._page: dict[str, str] = {}
        self._open: str | None = None
        self._redirect = False
        self._parts: list[str] = []
        self._n_characters = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype

    def feed(self, block: bytes) -> list[tuple[int, str, str]]:
        self._n_bytes += len(block)
        if self._n_bytes > self._file.limits.max_bytes:
            raise self._refused(f"more than {self._file.limits.max_bytes:,} bytes, the limit")
        self._parse(block, last=False)
        found, self._found = self._found, []
        return found

    def end(self) -> None:
        self._parse(b"", last=True)

    def _parse(self, block: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(block, last)
        except expat.ExpatError:
            raise self._refused("broken XML") from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1 and name != "mediawiki":
            raise self._refused("XML that is no dump of a wiki")
        if name == "page":
            self._n_pages += 1
            self._page, self._redirect = {}, False
        elif name == "redirect":
            self._redirect = True
        elif name in _KEPT:
            self._open, self._parts, self._n_characters = name, [], 0

    def _end(self, name: str) -> None:
        self._depth -= 1
        if name == self._open:
            self._page[name] = "".join(self._parts)
            self._open = None
        elif name == "page" and self._page.get("ns", _ARTICLES) == _ARTICLES and not self._redirect:
            self._found.append((self._n_pages, self._page.get("title", ""), self._page.get("text", "")))

    def _characters(self, text: str) -> None:
        if self._open is None:
            return
        self._parts.append(text)
        self._n_characters += len(text)
        if self._n_characters > self._file.limits.max_field_chars:
            raise self._refused(f"a text of more than {self._file.limits.max_field_chars:,} characters, the limit")

    def _doctype(self, *_: object) -> None:
        raise self._refused("XML with a document type, which dumps have not")

    def _refused(self, problem: str) -> ReadError:
        return ReadError(self._file.name, problem, "Give a dump of articles.", row=self._n_pages or None)
