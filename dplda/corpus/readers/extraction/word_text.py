"""The text that Word shows of a DOCX document, each piece once.

No library reads all of it: of three in use, one leaves out fields, footnotes and formulas, and two give text boxes twice
and text that was moved away. So the parts of the document are walked by lxml, which is made for hostile XML.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dplda.corpus.readers.extraction.package import Package

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MAIN = "officeDocument"
_NOTES = ("footnotes", "endnotes")
_PICTURES = ("diagramData", "chart")
_REMOVED = frozenset(
    {"del", "moveFrom", "delText", "delInstrText", "instrText", "pPrChange", "rPrChange"}
)
_OFF = ("0", "false", "off", "none")
_BREAKS = frozenset(
    {"tab", "br", "cr", "ptab", "tc", "rt", "footnoteReference", "endnoteReference"}
)


def word_text(content: bytes) -> str:
    """Body, headers, footers, notes, text boxes, fields and formulas; without deletions, comments and hidden text."""
    package = Package(content)
    main = package.related("", _MAIN)[0]
    hidden_styles = _hidden_styles(package, main)
    body = package.tree(main)
    beside = _shown_headers(package, main, body)
    for kind in _NOTES:
        beside += package.related(main, kind)
    texts = [_PartReader(body, hidden_styles).text()]
    texts += [_PartReader(package.tree(part), hidden_styles).text() for part in beside]
    drawings = [part for kind in _PICTURES for part in package.related(main, kind)]
    texts += ["\n".join(_labels(package.tree(part))) for part in drawings]
    return "\n".join(filter(None, texts))


def _hidden_styles(package: Package, main: str) -> frozenset[str]:
    """Styles of characters and paragraphs whose text is hidden."""
    hidden: set[str] = set()
    for part in package.related(main, "styles"):
        for style in package.tree(part).iterfind("{*}style"):
            properties = style.find("{*}rPr")
            if properties is not None and _is_on(properties.find("{*}vanish")):
                hidden.add(_value(style, "styleId"))
    return frozenset(hidden)


def _shown_headers(package: Package, main: str, body: "Element") -> list[str]:
    """Headers and footers of the sections: those of first and even pages only where a section has such pages."""
    has_even_pages = any(
        _is_on(package.tree(part).find("{*}evenAndOddHeaders"))
        for part in package.related(main, "settings")
    )
    references = package.references(main)
    shown: list[str] = []
    for section in body.iter("{*}sectPr"):
        for each in section:
            if _name(each) not in ("headerReference", "footerReference"):
                continue
            pages = _value(each, "type")
            is_shown = (
                has_even_pages
                if pages == "even"
                else pages != "first" or _is_on(section.find("{*}titlePg"))
            )
            if is_shown and (target := references.get(_value(each, "id"))):
                shown.append(target[1])
    return list(dict.fromkeys(shown))


class _PartReader:
    """Reads the text of one part in the order in which it stands; text boxes come after the paragraph they hang on."""

    def __init__(self, root: "Element", hidden_styles: frozenset[str]) -> None:
        self._root = root
        self._hidden_styles = hidden_styles
        self._lines: list[list[str]] = [[]]  # of the body, and of each text box that is open
        self._boxes: list[str] = []
        self._fields: list[bool] = []  # of each field that is open, whether its result has begun
        self._has_whole_fields = _has_whole_fields(root)

    def text(self) -> str:
        """All that is shown."""
        from lxml import etree

        walk = etree.iterwalk(self._root, events=("start", "end"))
        for event, element in walk:
            if event == "end":
                self._leave(element)
            elif self._is_left_out(element):
                walk.skip_subtree()
            else:
                self._enter(element)
        return "".join([*self._lines[0], *self._boxes])

    def _is_left_out(self, element: "Element") -> bool:
        """Whether Word shows nothing of an element."""
        name = _name(element)
        if name in _REMOVED:
            return True
        if name in ("Choice", "Fallback"):  # of several ways to say the same, the first counts
            return next(element.itersiblings("{*}Choice", preceding=True), None) is not None
        if name == "p":
            return self._has_hidden_style(element, "pPr", "pStyle")
        if name == "r":
            return self._is_hidden_run(element)
        if name == "tr":
            return _has(element, "trPr", "del")
        if name == "tc":
            return _has(element, "tcPr", "cellDel")
        return name in ("footnote", "endnote") and _value(element, "type") in (
            "separator",
            "continuationSeparator",
            "continuationNotice",
        )

    def _is_hidden_run(self, run: "Element") -> bool:
        vanish = run.find("{*}rPr/{*}vanish")
        if vanish is not None:
            return _is_on(vanish)
        return self._has_hidden_style(run, "rPr", "rStyle")

    def _has_hidden_style(self, element: "Element", properties: str, style: str) -> bool:
        found = element.find(f"{{*}}{properties}/{{*}}{style}")
        return found is not None and _value(found, "val") in self._hidden_styles

    def _enter(self, element: "Element") -> None:
        name = _name(element)
        if name == "txbxContent":
            self._lines.append([])
        elif name == "fldChar" and self._has_whole_fields:
            self._pass_field_mark(_value(element, "fldCharType"))
        elif name == "textpath":  # letters drawn as a picture
            self._boxes.append(f"{element.get('string', '')}\n")
        elif name == "t":
            if all(self._fields):
                self._lines[-1].append(element.text or "")
        elif name == "noBreakHyphen":
            self._lines[-1].append("-")
        elif name in _BREAKS:
            self._lines[-1].append(" ")

    def _leave(self, element: "Element") -> None:
        name = _name(element)
        if name == "txbxContent" and len(self._lines) > 1:
            self._boxes.append("".join(self._lines.pop()))
        elif name == "p" and not _is_joined_with_next(element):
            self._lines[-1].append("\n")
            if len(self._lines) == 1:
                self._lines[0] += self._boxes
                self._boxes = []
        elif name in ("tc", "rt"):
            self._lines[-1].append(" ")

    def _pass_field_mark(self, mark: str) -> None:
        """Keep track of fields, of whose instruction nothing is shown, not even the results of fields in it."""
        if mark == "begin":
            self._fields.append(False)
        elif self._fields and mark == "separate":
            self._fields[-1] = True
        elif self._fields and mark == "end":
            self._fields.pop()


def _labels(root: "Element") -> Iterator[str]:
    """The words in a chart or a diagram; numbers are left out."""
    for element in root.iter("{*}t", "{*}v"):
        is_text = _name(element) == "t" or any(
            _name(above) == "strCache" for above in element.iterancestors()
        )
        if is_text and element.text:
            yield element.text


def _has_whole_fields(root: "Element") -> bool:
    """Whether every field that begins ends; where not, marks of fields say nothing of what is shown."""
    open_fields = 0
    for element in root.iter("{*}fldChar"):
        if any(
            _name(above) in _REMOVED or _name(above) == "Fallback"
            for above in element.iterancestors()
        ):
            continue
        mark = _value(element, "fldCharType")
        open_fields += (mark == "begin") - (mark == "end")
        if open_fields < 0:
            return False
    return open_fields == 0


def _is_joined_with_next(paragraph: "Element") -> bool:
    """Whether the end of a paragraph was deleted."""
    mark = paragraph.find("{*}pPr/{*}rPr")
    return mark is not None and any(_name(each) in ("del", "moveFrom") for each in mark)


def _has(element: "Element", properties: str, mark: str) -> bool:
    return element.find(f"{{*}}{properties}/{{*}}{mark}") is not None


def _is_on(switch: "Element | None") -> bool:
    return switch is not None and _value(switch, "val") not in _OFF


def _value(element: "Element", name: str) -> str:
    """An attribute, whatever its namespace."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return ""


def _name(element: "Element") -> str:
    """The name of an element without its namespace; empty for comments and instructions."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
