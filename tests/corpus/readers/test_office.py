"""DOCX and PDF: each a document; what cannot be read is refused without a word of it."""

import io
import sys
import zipfile

import docx
import pypdf
import pytest

from dplda.corpus import Label, load
from dplda.errors import InputError, ReadError


def word(*paragraphs: str, cells: tuple[str, ...] = ()) -> bytes:
    made = docx.Document()
    for paragraph in paragraphs:
        made.add_paragraph(paragraph)
    if cells:
        for cell, text in zip(made.add_table(1, len(cells)).rows[0].cells, cells, strict=True):
            cell.text = text
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def pdf(text: str, password: str = "") -> bytes:
    """One page that shows a line of ASCII."""
    stream = f"BT /F1 12 Tf 20 700 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"xref\n0 5\n0000000000 65535 f \n%s" % table
    out += b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(out) - len(table) - 29)
    if not password:
        return out
    locked, result = pypdf.PdfWriter(clone_from=io.BytesIO(out)), io.BytesIO()
    locked.encrypt(password, algorithm="RC4-128")
    locked.write(result)
    return result.getvalue()


def read(files: dict[str, bytes], **options):
    return load([(name, io.BytesIO(content)) for name, content in files.items()], label=Label.PUBLIC, **options)


def test_each_file_is_a_document() -> None:
    files = {
        "a.docx": word("wolves hunt", "deer", cells=("snow", "river")),
        "b.pdf": pdf("wolves howl"),
        "c.txt": b"elk\ndeer",
    }
    corpus = read(files)
    assert corpus.n_documents == 3
    assert corpus.lengths.tolist() == [5, 2, 2]
    assert set(corpus.vocabulary) == {"wolves", "hunt", "deer", "snow", "river", "howl", "elk"}


@pytest.mark.parametrize("name", ["a.docx", "a.pdf"])
def test_what_is_no_such_document_is_refused(name, caplog, capfd) -> None:
    whole = word("canary") if name == "a.docx" else pdf("canary")
    half = zipfile.ZipFile(io.BytesIO(word("canary")))
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("canary.txt", half.read("word/document.xml"))
    for broken in (b"", b"canary", whole[: len(whole) // 2], other.getvalue()):
        with pytest.raises(ReadError, match=r"or a damaged one|a damaged or an encrypted one") as caught:
            read({name: broken, "b.txt": b"x", "c.txt": b"y"})
        assert "canary" not in str(caught.value)
    assert "canary" not in caplog.text + capfd.readouterr().err


def test_an_encrypted_pdf_is_refused() -> None:
    with pytest.raises(ReadError, match="encrypted"):
        read({"a.pdf": pdf("canary", "secret"), "b.txt": b"x"})


def test_a_docx_bomb_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(20_000_000))
    with pytest.raises(ReadError, match="100 times larger"):
        read({"a.docx": out.getvalue(), "b.txt": b"x"})


def test_a_document_has_no_column() -> None:
    for name, content in (("a.docx", word("x")), ("a.pdf", pdf("x"))):
        with pytest.raises(ReadError, match="no column that says whose"):
            read({name: content}, person="author")


@pytest.mark.parametrize(("name", "module"), [("a.docx", "docx"), ("a.pdf", "pypdf")])
def test_without_the_library_its_extra_is_named(name, module, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=r"pip install 'dplda\[documents\]'"):
        read({name: b"", "b.txt": b"x"})
