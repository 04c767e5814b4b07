"""DOCX and PDF: each a document; what cannot be read is refused without a word of it."""

import io
import sys
import zipfile

import pytest

from dplda.core.errors import InputError, ReadError
from dplda.corpus import Label, Limits, load
from dplda.corpus.readers import reading_process
from tests.corpus.readers.samples import pdf, word


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


def test_a_document_that_takes_too_long_is_refused_and_the_next_one_is_read() -> None:
    """Of 31 kilobytes, which would take the library half a minute; nothing of it goes on."""
    endless = pdf("canary", times=300_000)
    assert len(endless) < 100_000
    with pytest.raises(ReadError, match=r"took longer than 1 seconds, the limit\. Save it as plain text") as caught:
        read({"a.pdf": endless, "b.txt": b"x"}, limits=Limits(max_seconds=1))
    assert "canary" not in str(caught.value)
    assert not reading_process.POOL._idle
    assert read({"a.pdf": pdf("wolves howl"), "b.txt": b"elk", "c.txt": b"deer"}).n_documents == 3


def hungry(content: bytes) -> str:
    return str(bytearray(2**33))


def test_what_takes_too_much_memory_is_not_called_damaged(monkeypatch) -> None:
    monkeypatch.setattr("dplda.corpus.readers.office._pdf", hungry)
    with pytest.raises(ReadError, match=r"more memory than it may\. Save it as plain text"):
        read({"a.pdf": pdf("canary"), "b.txt": b"x"})
