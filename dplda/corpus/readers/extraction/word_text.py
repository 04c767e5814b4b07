"""Text that Word shows of a DOCX document, each piece once.

No library reads all of it: of three in use, one leaves out fields, footnotes and formulas, and two
give text boxes twice, and text that was moved away. So this module walks the parts of the document
with lxml, which is made for hostile XML.
"""

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from dplda.core.errors import ReadError
from dplda.corpus.readers.extraction.package import Package

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MAIN_PART = "officeDocument"
_NOTE_PARTS = ("footnotes", "endnotes")
_PICTURE_PARTS = ("diagramData", "chart")
_REMOVED_TAGS = frozenset(
    {"del", "moveFrom", "delText", "delInstrText", "instrText", "pPrChange", "rPrChange"}
)
_OFF_VALUES = ("0", "false", "off", "none")
_BREAK_TAGS = frozenset(
    {"tab", "br", "cr", "ptab", "sym", "tc", "rt", "footnoteReference", "endnoteReference"}
)


def word_text(content: bytes, name: str = "the document") -> str:
    """Extract the shown text of a document: deletions, comments and hidden text are left out.

    In this order: body, headers, footers, notes, words of charts; with text boxes, fields and
    formulas.

    Args:
        content: bytes of the document.
        name: of the document, for a refusal.

    Raises:
        ReadError: a part of the document is another file, which only Word reads.
    """
    package = Package(content)
    main_part = package.related("", _MAIN_PART)[0]
    hidden_styles = _hidden_styles(package, main_part)
    body_element = package.tree(main_part)
    if next(body_element.iter("{*}altChunk", "{*}subDoc"), None) is not None:
        problem = "a part that is another file, which Word reads only when it opens the document"
        raise ReadError(name, problem, "Open it in Word and save it.")
    other_part_names = _shown_headers(package, main_part, body_element)
    for part_kind in _NOTE_PARTS:
        other_part_names += package.related(main_part, part_kind)
    texts = [_PartReader(body_element, hidden_styles).text()]
    texts += [
        _PartReader(package.tree(part_name), hidden_styles).text() for part_name in other_part_names
    ]
    picture_part_names = [
        part_name
        for part_kind in _PICTURE_PARTS
        for part_name in package.related(main_part, part_kind)
    ]
    texts += ["\n".join(_labels(package.tree(part_name))) for part_name in picture_part_names]
    return "\n".join(filter(None, texts))


def _hidden_styles(package: Package, main_part: str) -> frozenset[str]:
    """Identifiers of the styles whose own properties hide text.

    A style that only inherits this is not among them.
    """
    style_ids: set[str] = set()
    for part in package.related(main_part, "styles"):
        for style in package.tree(part).iterfind("{*}style"):
            properties = style.find("{*}rPr")
            if properties is not None and _is_on(properties.find("{*}vanish")):
                style_ids.add(_attribute(style, "styleId"))
    return frozenset(style_ids)


def _shown_headers(package: Package, main_part: str, body: "Element") -> list[str]:
    """Names of the parts that hold headers and footers, each once.

    Those of first and even pages only if they are shown.
    """
    has_even_pages = False
    for part_name in package.related(main_part, "settings"):
        switch = package.tree(part_name).find("{*}evenAndOddHeaders")
        has_even_pages = has_even_pages or _is_on(switch)
    references = package.references(main_part)
    header_names: list[str] = []
    for section in body.iter("{*}sectPr"):
        has_first_page = _is_on(section.find("{*}titlePg"))
        is_shown_by_page_kind = {"even": has_even_pages, "first": has_first_page}
        for element in section:
            if _tag_name(element) not in ("headerReference", "footerReference"):
                continue
            is_shown = is_shown_by_page_kind.get(_attribute(element, "type"), True)
            reference = references.get(_attribute(element, "id"))
            if is_shown and reference:
                header_names.append(reference[1])
    return list(dict.fromkeys(header_names))


class _PartReader:
    """Reads the text of one part in its order; text boxes come after the paragraph that holds them.

    Args:
        root: the part.
        hidden_styles: identifiers of styles whose text is hidden.
    """

    def __init__(self, root: "Element", hidden_styles: frozenset[str]) -> None:
        self._root = root
        self._hidden_styles = hidden_styles
        self._open_texts: list[list[str]] = [[]]  # pieces of the body and of each open text box
        self._box_texts: list[str] = []  # finished, and still to be added to the body
        self._results_begun: list[bool] = []  # for each open field
        self._has_whole_fields = _has_whole_fields(root)

    def text(self) -> str:
        """All text of the part that is shown; text boxes left over come last.

        It may be called once only.
        """
        from lxml import etree

        walk = etree.iterwalk(self._root, events=("start", "end"))
        for event, element in walk:
            if event == "end":
                self._leave(element)
            elif self._is_left_out(element):
                walk.skip_subtree()
            else:
                self._enter(element)
        return "".join([*self._open_texts[0], *self._box_texts])

    def _is_left_out(self, element: "Element") -> bool:
        """Whether Word shows nothing of an element.

        It shows nothing of what was removed, of alternatives after the first choice, of paragraphs
        of a hidden style, of hidden runs, of deleted rows and cells, and of separators of notes.
        """
        tag_name = _tag_name(element)
        if tag_name in _REMOVED_TAGS:
            return True
        if tag_name in ("Choice", "Fallback"):  # of several alternatives the first counts
            earlier_choices = element.itersiblings("{*}Choice", preceding=True)
            return next(earlier_choices, None) is not None
        if tag_name == "p":
            return self._has_hidden_style(element, "pPr", "pStyle")
        if tag_name == "r":
            return self._is_hidden_run(element)
        if tag_name == "tr":
            return _has_mark(element, "trPr", "del")
        if tag_name == "tc":
            return _has_mark(element, "tcPr", "cellDel")
        if tag_name not in ("footnote", "endnote"):
            return False
        separators = ("separator", "continuationSeparator", "continuationNotice")
        return _attribute(element, "type") in separators

    def _is_hidden_run(self, run: "Element") -> bool:
        """Whether a run of characters is hidden: by its own mark, or else by its style."""
        vanish = run.find("{*}rPr/{*}vanish")
        if vanish is not None:
            return _is_on(vanish)
        return self._has_hidden_style(run, "rPr", "rStyle")

    def _has_hidden_style(self, element: "Element", properties: str, style: str) -> bool:
        """Whether an element names a hidden style in its properties."""
        path = f"{{*}}{properties}/{{*}}{style}"
        style_element = element.find(path)
        if style_element is None:
            return False
        return _attribute(style_element, "val") in self._hidden_styles

    def _enter(self, element: "Element") -> None:
        """Begin an element: open a text box or field, or add text to the innermost open box.

        Text in the instruction of a field is left out, if every field of the part ends. Letters
        drawn as a picture count as a box. A break becomes a space, and a no-break hyphen becomes a
        plain one.
        """
        tag_name = _tag_name(element)
        if tag_name == "txbxContent":
            self._open_texts.append([])
        elif tag_name == "fldChar" and self._has_whole_fields:
            self._pass_field_mark(_attribute(element, "fldCharType"))
        elif tag_name == "textpath":  # letters drawn as a picture
            self._box_texts.append(f"{element.get('string', '')}\n")
        elif tag_name == "t":
            if all(self._results_begun):
                self._open_texts[-1].append(element.text or "")
        elif tag_name == "noBreakHyphen":
            self._open_texts[-1].append("-")
        elif tag_name in _BREAK_TAGS:
            self._open_texts[-1].append(" ")

    def _leave(self, element: "Element") -> None:
        """End an element: close a text box, or end a line, which the text of boxes in it follows.

        A line whose end was deleted goes on in the next one. A space ends a cell of a table and the
        reading of a word (``rt``).
        """
        tag_name = _tag_name(element)
        if tag_name == "txbxContent" and len(self._open_texts) > 1:
            self._box_texts.append("".join(self._open_texts.pop()))
        elif tag_name == "p" and not _is_joined_with_next(element):
            self._open_texts[-1].append("\n")
            if len(self._open_texts) == 1:
                self._open_texts[0] += self._box_texts
                self._box_texts = []
        elif tag_name in ("tc", "rt"):
            self._open_texts[-1].append(" ")

    def _pass_field_mark(self, mark: str) -> None:
        """Track open fields by a mark that begins a field, begins its result, or ends it.

        Of a field's instruction nothing is shown, not even results of fields in it.
        """
        if mark == "begin":
            self._results_begun.append(False)
        elif self._results_begun and mark == "separate":
            self._results_begun[-1] = True
        elif self._results_begun and mark == "end":
            self._results_begun.pop()


def _labels(root: "Element") -> Iterator[str]:
    """Yield the words in a chart or a diagram; numbers are left out."""
    for element in root.iter("{*}t", "{*}v"):
        is_word = _tag_name(element) == "t" or _is_inside(element, {"strCache"})
        if is_word and element.text:
            yield element.text


def _is_inside(element: "Element", tags: Set[str]) -> bool:
    """Whether an element is inside one of some others."""
    return any(_tag_name(ancestor) in tags for ancestor in element.iterancestors())


def _has_whole_fields(root: "Element") -> bool:
    """Whether every field that begins also ends, and none ends before it begins.

    Fields in removed text and in fallbacks of alternatives do not count. If it is False, marks of
    fields do not tell what is shown.
    """
    n_open_fields = 0
    for element in root.iter("{*}fldChar"):
        if _is_inside(element, {*_REMOVED_TAGS, "Fallback"}):
            continue
        mark = _attribute(element, "fldCharType")
        if mark == "begin":
            n_open_fields += 1
        elif mark == "end":
            n_open_fields -= 1
        if n_open_fields < 0:
            return False
    return n_open_fields == 0


def _is_joined_with_next(paragraph: "Element") -> bool:
    """Whether the end of a paragraph was deleted or moved away."""
    properties = paragraph.find("{*}pPr/{*}rPr")
    if properties is None:
        return False
    return any(_tag_name(element) in ("del", "moveFrom") for element in properties)


def _has_mark(element: "Element", properties: str, mark: str) -> bool:
    """Whether the properties of an element contain a mark."""
    return element.find(f"{{*}}{properties}/{{*}}{mark}") is not None


def _is_on(switch: "Element | None") -> bool:
    """Whether a switch is there and not set to off."""
    return switch is not None and _attribute(switch, "val") not in _OFF_VALUES


def _attribute(element: "Element", name: str) -> str:
    """Value of an attribute in any namespace; "" if there is none."""
    for attribute, value in element.attrib.items():
        if str(attribute).rpartition("}")[2] == name:
            return str(value)
    return ""


def _tag_name(element: "Element") -> str:
    """Name of an element without its namespace; "" for comments and instructions."""
    if isinstance(element.tag, str):
        return element.tag.rpartition("}")[2]
    return ""
