"""The text that a page of HTML shows, by the streaming parser of lxml: no tree, so no limit on depth."""

import codecs
import re

_UNSEEN = frozenset(
    {
        *("script", "style", "head", "title", "template", "noscript", "object", "iframe"),
        *("svg", "math"),
    }
)
_VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"),
        *("param", "source", "track", "wbr"),
    }
)
_INLINE = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn"),
        *("em", "font", "i", "ins", "kbd", "mark", "nobr", "q", "rp", "rt", "ruby", "s"),
        *("samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u"),
        *("var", "wbr", "data", "label"),
    }
)
_HIDDEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_DECLARED = re.compile(rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{1,40})""", re.I)
_LOOKED_AT = 4096  # bytes in which a page says its encoding
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


def declared_encoding(content: bytes) -> str | None:
    """The encoding that a page names by its byte-order mark or in its head; None if it names none."""
    for mark, codec in _MARKS.items():
        if content.startswith(mark):
            return codec
    found = _DECLARED.search(content[:_LOOKED_AT])
    return None if found is None else found[1].decode("ascii")


def html_text(page: str) -> str:
    """The words that a page shows, one line a block; scripts, styles, comments and hidden elements are left out."""
    from lxml import etree  # here, as most files are no pages

    parser = etree.HTMLParser(target=_ShownText(), recover=True, encoding="utf-8", huge_tree=True)
    parser.feed(page.encode("utf-8", "replace"))
    shown: str = parser.close()
    return shown


class _ShownText:
    """Collects what is shown while a page is parsed."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._hidden_depth = 0  # of elements that are open within a hidden one, itself included

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        if tag not in _INLINE:
            self._pieces.append("\n")
        if tag in _VOID:
            return
        is_hidden = (
            tag in _UNSEEN
            or "hidden" in attributes
            or _HIDDEN.search(attributes.get("style", "")) is not None
        )
        if self._hidden_depth or is_hidden:
            self._hidden_depth += 1

    def end(self, tag: str) -> None:
        """End an element."""
        if tag not in _INLINE:
            self._pieces.append("\n")
        if tag not in _VOID and self._hidden_depth:
            self._hidden_depth -= 1

    def data(self, text: str) -> None:
        """Take in some text."""
        if not self._hidden_depth:
            self._pieces.append(text)

    def comment(self, text: str) -> None:
        """Leave out a comment."""

    def close(self) -> str:
        """The text, its lines without white space around them."""
        lines = "".join(self._pieces).replace("\r", "\n").split("\n")
        return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
