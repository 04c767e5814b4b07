"""Good files of formats that libraries write."""

import bz2
import functools
import io
import zlib

import docx
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pypdf


def zstd(content: bytes) -> bytes:
    """A Zstandard file of one frame, without a checksum."""
    return pa.compress(content, codec="zstd", asbytes=True)


def workbook(rows: list[list[object]], *more_sheets: list[list[object]]) -> bytes:
    """An Excel workbook of a sheet with these rows, and of others."""
    new_workbook, out = openpyxl.Workbook(), io.BytesIO()
    for number, sheet in enumerate((rows, *more_sheets)):
        new_sheet = new_workbook.active if number == 0 else new_workbook.create_sheet()
        for row in sheet:
            new_sheet.append(row)
    new_workbook.save(out)
    return out.getvalue()


def word(*paragraphs: str, cells: tuple[str, ...] = ()) -> bytes:
    """A DOCX document of paragraphs, and perhaps one row of a table."""
    new_document = docx.Document()
    for paragraph in paragraphs:
        new_document.add_paragraph(paragraph)
    if cells:
        for cell, text in zip(
            new_document.add_table(1, len(cells)).rows[0].cells, cells, strict=True
        ):
            cell.text = text
    out = io.BytesIO()
    new_document.save(out)
    return out.getvalue()


def pdf(text: str, password: str = "", *, times: int = 1) -> bytes:
    """A PDF document: one page that shows a line of ASCII, so many times."""
    stream = zlib.compress(f"BT /F1 12 Tf 20 700 Td ({text}) Tj ET\n".encode() * times)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 5\n0000000000 65535 f \n%s" % table
    out += b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % start
    if not password:
        return out
    locked, result = pypdf.PdfWriter(clone_from=io.BytesIO(out)), io.BytesIO()
    locked.encrypt(password, algorithm="RC4-128")
    locked.write(result)
    return result.getvalue()


@functools.cache
def made(name: str) -> bytes:
    """A good file of a name."""
    if name == "a.docx":
        return word("wolves hunt", "deer", cells=("snow",))
    if name == "a.pdf":
        return pdf("wolves hunt")
    if name == "a.txt.bz2":
        return bz2.compress(b"wolves\ndeer\nsnow\n")
    if name == "a.txt.zst":
        return zstd(b"wolves\ndeer\nsnow\n")
    if name == "a.xlsx":
        return workbook([["text", "who"], ["wolves", 1], ["deer", 2], ["snow", 1]])
    out = io.BytesIO()
    pq.write_table(pa.table({"text": ["wolves", "deer", "snow"], "who": ["a", "b", "a"]}), out)
    return out.getvalue()
