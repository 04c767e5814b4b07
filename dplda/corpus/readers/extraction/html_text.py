"""Text that a page of HTML shows, by lxml's streaming parser: no tree, so no limit on depth."""

import codecs
import re

from dplda.core.optional_packages import requiring

_UNSHOWN_TAGS = frozenset(
    {
        *("script", "style", "head", "title", "template", "noscript", "object", "iframe"),
        *("svg", "math"),
    }
)
_VOID_TAGS = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"),
        *("param", "source", "track", "wbr"),
    }
)
_INLINE_TAGS = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn"),
        *("em", "font", "i", "ins", "kbd", "mark", "nobr", "q", "rp", "rt", "ruby", "s"),
        *("samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u"),
        *("var", "wbr", "data", "label"),
    }
)
_HIDDEN_STYLE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE
)
_DECLARED_ENCODING = re.compile(
    rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{1,40})""", re.I
)
_HEAD_BYTES = 4096  # in which a page names its encoding
_CODEC_OF_MARK = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


def declared_encoding(content: bytes) -> str | None:
    """The encoding that a page names by its byte-order mark or in its head.

    The name in the head is returned as it is written there, so Python may not know it. None if
    there is neither.
    """
    for mark, codec in _CODEC_OF_MARK.items():
        if content.startswith(mark):
            return codec
    declaration_match = _DECLARED_ENCODING.search(content[:_HEAD_BYTES])
    if declaration_match is None:
        return None
    return declaration_match[1].decode("ascii")


def html_text(page: str) -> str:
    """Text that a page shows, one line a block.

    Scripts, styles, comments and hidden elements are left out.

    Raises:
        MissingPackageError: lxml is not installed.
    """
    with requiring("lxml", "Reading web pages"):
        from lxml import etree  # here, as most files are no pages

    parser = etree.HTMLParser(target=_ShownText(), recover=True, encoding="utf-8", huge_tree=True)
    parser.feed(page.encode("utf-8", "replace"))
    shown_text: str = parser.close()
    return shown_text


class _ShownText:
    """Collects the shown text while a page is parsed."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._hidden_depth = 0  # open elements within a hidden one, itself included

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element: a block starts a new line, content of a hidden one is left out.

        An element that has no content, such as ``<br>``, hides nothing.
        """
        if tag not in _INLINE_TAGS:
            self._pieces.append("\n")
        if tag in _VOID_TAGS:
            return
        has_hidden_style = _HIDDEN_STYLE.search(attributes.get("style", "")) is not None
        is_hidden = tag in _UNSHOWN_TAGS or "hidden" in attributes or has_hidden_style
        if self._hidden_depth or is_hidden:
            self._hidden_depth += 1

    def end(self, tag: str) -> None:
        """End an element; a block ends its line."""
        if tag not in _INLINE_TAGS:
            self._pieces.append("\n")
        if tag not in _VOID_TAGS and self._hidden_depth:
            self._hidden_depth -= 1

    def data(self, text: str) -> None:
        """Keep some text, unless it is in a hidden element."""
        if not self._hidden_depth:
            self._pieces.append(text)

    def comment(self, text: str) -> None:
        """Leave a comment out."""

    def close(self) -> str:
        """Join the text: lines that are not empty, with single spaces."""
        text = "".join(self._pieces).replace("\r", "\n")
        spaced_lines = [" ".join(line.split()) for line in text.split("\n")]
        return "\n".join(filter(None, spaced_lines))
