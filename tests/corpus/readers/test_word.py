"""Word: every text that Word shows, once; what was deleted, moved away or hidden is out."""

import io
import zipfile

import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, load
from dplda.corpus.readers.extraction.word_text import word_text
from dplda.corpus.remarks import Remark
from tests.corpus.readers.samples import word

SPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "v": "urn:schemas-microsoft-com:vml",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    }.items()
)
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def paragraph(*inside: str) -> str:
    return f"<w:p>{''.join(inside)}</w:p>"


def box(text: str) -> str:
    inside = f"<w:txbxContent>{paragraph(run(text))}</w:txbxContent>"
    return (
        f"<w:r><mc:AlternateContent><mc:Choice><wps:txbx>{inside}</wps:txbx></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{inside}</v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )


def field(instruction: str, result: str) -> str:
    marks = [
        f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")
    ]
    return f"{marks[0]}{instruction}{marks[1]}{result}{marks[2]}"


def document(body: str, parts: dict[str, tuple[str, str]] | None = None) -> bytes:
    """A document with a body, and other parts by their identifiers: their kind and content."""
    out = io.BytesIO()
    parts = parts or {}
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(
            "_rels/.rels",
            f'<Relationships><Relationship Id="r" Type="{KINDS}/officeDocument"'
            ' Target="word/document.xml"/></Relationships>',
        )
        relationships = "".join(
            f'<Relationship Id="{name}" Type="{KINDS}/{kind}" Target="{name}.xml"/>'
            for name, (kind, _) in parts.items()
        )
        archive.writestr(
            "word/_rels/document.xml.rels", f"<Relationships>{relationships}</Relationships>"
        )
        archive.writestr(
            "word/document.xml", f"<w:document {SPACES}><w:body>{body}</w:body></w:document>"
        )
        for name, (_, content) in parts.items():
            archive.writestr(f"word/{name}.xml", f"<w:part {SPACES}>{content}</w:part>")
    return out.getvalue()


def words(body: str, parts: dict[str, tuple[str, str]] | None = None) -> list[str]:
    return word_text(document(body, parts)).split()


SHOWN_ONCE = {
    "insertion": f"<w:ins>{run('river')}</w:ins>",
    "moved here": f"<w:moveTo>{run('river')}</w:moveTo>",
    "control in a line": f"<w:sdt><w:sdtContent>{run('river')}</w:sdtContent></w:sdt>",
    "smart tag": f"<w:smartTag>{run('river')}</w:smartTag>",
    "tag of one's own": f"<w:customXml>{run('river')}</w:customXml>",
    "simple field": f'<w:fldSimple w:instr="AUTHOR">{run("river")}</w:fldSimple>',
    "field": field("<w:r><w:instrText>REF secret</w:instrText></w:r>", run("river")),
    "field in a field": field(field("", run("secret")), run("river")),
    "field that does not end": '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + run("river"),
    "link": f"<w:hyperlink>{run('river')}</w:hyperlink>",
    "text box": box("river"),
    "old text box": f"<w:r><w:pict><v:textbox><w:txbxContent>{paragraph(run('river'))}</w:txbxContent></v:textbox></w:pict></w:r>",
    "letters as a picture": '<w:r><w:pict><v:textpath string="river"/></w:pict></w:r>',
    "formula": "<m:oMath><m:r><m:t>river</m:t></m:r></m:oMath>",
    "words of a shape": "<w:r><w:drawing><a:p><a:r><a:t>river</a:t></a:r></a:p></w:drawing></w:r>",
    "two runs of a word": run("ri") + run("ver"),
    "shown although its style hides": run(
        "river", '<w:rStyle w:val="Ghost"/><w:vanish w:val="0"/>'
    ),
    "soft hyphen": "<w:r><w:t>ri</w:t><w:softHyphen/><w:t>ver</w:t></w:r>",
}
STYLES = ("styles", '<w:style w:styleId="Ghost"><w:rPr><w:vanish/></w:rPr></w:style>')


@pytest.mark.parametrize("inside", SHOWN_ONCE.values(), ids=SHOWN_ONCE)
def test_shown_text_is_read_once(inside) -> None:
    assert words(paragraph(inside), {"styles": STYLES}) == ["river"]


def test_word_document_symbol_parts_words() -> None:
    symbol = '<w:r><w:t>river</w:t><w:sym w:font="Wingdings" w:char="F0E0"/><w:t>boat</w:t></w:r>'
    assert words(paragraph(symbol)) == ["river", "boat"]


@pytest.mark.parametrize("element", ["altChunk", "subDoc"])
def test_text_in_another_file_of_the_document_is_refused(element) -> None:
    with pytest.raises(ReadError, match="which Word reads only when it opens"):
        words(f'<w:{element} r:id="x"/>' + paragraph(run("river")))


NOT_SHOWN = {
    "deletion": "<w:del><w:r><w:delText>secret</w:delText></w:r></w:del>",
    "deleted insertion": "<w:ins><w:del><w:r><w:t>secret</w:t></w:r></w:del></w:ins>",
    "moved away": f"<w:moveFrom>{run('secret')}</w:moveFrom>",
    "instruction": "<w:r><w:instrText>secret</w:instrText></w:r>",
    "hidden": run("secret", "<w:vanish/>"),
    "hidden by its style": run("secret", '<w:rStyle w:val="Ghost"/>'),
}


@pytest.mark.parametrize("inside", NOT_SHOWN.values(), ids=NOT_SHOWN)
def test_text_that_is_not_shown_is_out(inside) -> None:
    assert words(paragraph(run("river "), inside), {"styles": STYLES}) == ["river"]


def test_deleted_row_is_out() -> None:
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>".format
    gone = f"<w:tr><w:trPr><w:del/></w:trPr>{cell('secret')}</w:tr>"
    kept_row = (
        f"<w:sdt><w:sdtContent><w:tr>{cell('river')}{cell('water')}</w:tr></w:sdtContent></w:sdt>"
    )
    assert words(f"<w:tbl>{gone}{kept_row}</w:tbl>") == ["river", "water"]


def test_control_around_paragraphs_is_read() -> None:
    assert words(f"<w:sdt><w:sdtContent>{paragraph(run('river'))}</w:sdtContent></w:sdt>") == [
        "river"
    ]


def test_deleted_end_of_a_paragraph_joins_two() -> None:
    joined = paragraph("<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>", run("ri"))
    assert words(joined + paragraph(run("ver")) + paragraph(run("water"))) == ["river", "water"]


def test_text_box_in_a_word_does_not_part_it() -> None:
    assert words(paragraph(run("ri"), box("boat"), run("ver"))) == ["river", "boat"]


@pytest.mark.parametrize("kind", ["footnotes", "endnotes"])
def test_notes_are_read_without_their_separators(kind) -> None:
    note_name = kind.removesuffix("s")
    notes = (
        f'<w:{note_name} w:type="separator">{paragraph(run("secret"))}</w:{note_name}>'
        f"<w:{note_name}>{paragraph(run('boat'))}</w:{note_name}>"
    )
    assert words(paragraph(run("river")), {"notes": (kind, notes)}) == ["river", "boat"]


@pytest.mark.parametrize(
    ("pages", "switch", "is_shown"),
    [
        ("default", "", True),
        ("first", "", False),
        ("first", "<w:titlePg/>", True),
        ("even", "", False),
        ("even", "settings", True),
    ],
)
def test_header_is_read_where_pages_show_it(pages, switch, is_shown) -> None:
    parts = {"h": ("header", paragraph(run("boat")))}
    if switch == "settings":
        parts["s"] = ("settings", "<w:evenAndOddHeaders/>")
    section = f'<w:sectPr><w:headerReference w:type="{pages}" r:id="h"/>{switch}</w:sectPr>'
    words_found = words(paragraph(run("river")) + section, parts)
    assert words_found == (["river", "boat"] if is_shown else ["river"])


def test_words_of_charts_are_read_without_numbers() -> None:
    chart = (
        "<c:strCache><c:pt><c:v>boat</c:v></c:pt></c:strCache><c:numCache><c:v>7</c:v></c:numCache>"
    )
    assert words(paragraph(run("river")), {"c": ("chart", chart)}) == ["river", "boat"]


def test_comments_are_no_text_of_the_document() -> None:
    comments = f"<w:comment>{paragraph(run('secret'))}</w:comment>"
    assert words(paragraph(run("river")), {"c": ("comments", comments)}) == ["river"]


def test_word_document_entities_are_not_expanded() -> None:
    content = document(paragraph(run("river")))
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old_archive,
        zipfile.ZipFile(out, "w") as new_archive,
    ):
        for name in old_archive.namelist():
            part = old_archive.read(name).decode()
            if name == "word/document.xml":
                part = '<!DOCTYPE w [<!ENTITY e SYSTEM "file:///etc/hostname">]>' + part.replace(
                    "river", "&e;"
                )
            new_archive.writestr(name, part)
    assert word_text(out.getvalue()).split() == []


def test_document_without_text_is_said_with_a_number() -> None:
    files = [("a.docx", word("")), ("b.docx", word("river water")), ("c.docx", word("boat"))]
    corpus = load([(name, io.BytesIO(content)) for name, content in files], label=Label.PUBLIC)
    assert corpus.n_documents == 3
    (remark,) = corpus.intake.remarks
    assert remark == (Remark.FILE_WITHOUT_TEXT, 1, ("a.docx",))
