"""One odd file among many: read, or kept as an empty document that is counted; never the end of all others."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, Limits, load
from dplda.corpus.readers.formats import encodings, preview
from dplda.corpus.remarks import Remark
from tests.corpus.readers.samples import pdf, word
from tests.corpus.readers.test_archives import zipped

GOOD = {"a.txt": b"river water", "b.docx": word("garden flower"), "c.pdf": pdf("engine wheel")}
ODD = {
    "odd.pdf": pdf("canary", "secret"),
    "odd.docx": b"canary",
    "odd.txt": b"canary \xff\xfe\x00",
    "odd.html": "<p>caf\xe9".encode("cp1252"),
    "cut.docx": word("canary")[:-300],
}


def read(files: dict[str, bytes], **options):
    return load(("all.zip", io.BytesIO(zipped(files))), label=Label.PUBLIC, **options)


@pytest.mark.parametrize("name", ODD)
def test_odd_file_in_an_archive_is_an_empty_document_with_a_remark(name) -> None:
    corpus = read({**GOOD, name: ODD[name]})
    assert corpus.n_documents == 4
    (remark,) = corpus.intake.remarks
    assert (remark.remark, remark.n) == (Remark.UNREADABLE_FILE, 1)
    assert remark.places[0].startswith(f"all.zip/{name}: ")
    assert "canary" not in " ".join(text for _, text in corpus.intake.lines())


def test_odd_file_in_a_folder_is_an_empty_document_with_a_remark(tmp_path: Path) -> None:
    for name, content in {**GOOD, "odd.pdf": ODD["odd.pdf"]}.items():
        (tmp_path / name).write_bytes(content)
    corpus = load(tmp_path, label=Label.PUBLIC)
    assert (corpus.n_documents, corpus.intake.remarks[0].n) == (4, 1)


def test_archive_of_mostly_odd_files_is_refused() -> None:
    with pytest.raises(ReadError, match=r"all\.zip/cut\.docx"):
        read({"cut.docx": ODD["cut.docx"], **GOOD, **ODD, "z.docx": b"", "y.docx": b""})


def test_odd_file_that_somebody_chose_is_refused() -> None:
    files = [
        (name, io.BytesIO(content)) for name, content in {**GOOD, "odd.pdf": ODD["odd.pdf"]}.items()
    ]
    with pytest.raises(ReadError, match=r"odd\.pdf: not a PDF document"):
        load(files, label=Label.PUBLIC)


LEFT_BEHIND = ("~$b.docx", "~WRL0001.docx", ".~lock.b.docx#", "Thumbs.db", "desktop.ini", "._c.pdf")


@pytest.mark.parametrize("name", LEFT_BEHIND)
def test_lock_of_a_program_is_passed_over(name, tmp_path: Path) -> None:
    files = {**GOOD, name: b"canary"}
    for file_name, content in files.items():
        (tmp_path / file_name).write_bytes(content)
    for corpus in (read(files), load(tmp_path, label=Label.PUBLIC)):
        assert corpus.n_documents == 3
        assert not corpus.intake.remarks


def test_lock_among_chosen_files_is_passed_over() -> None:
    files = [
        (name, io.BytesIO(content)) for name, content in {"~$b.docx": b"canary", **GOOD}.items()
    ]
    assert load(files, label=Label.PUBLIC).n_documents == 3


def test_text_beside_a_picture_is_a_document_a_line() -> None:
    corpus = read({"all.txt": b"river\nwater\nboat\n", "cover.png": b"\x89PNG\xff\x00"})
    assert (corpus.n_documents, corpus.intake.n_files_dropped) == (3, 1)


def test_picture_does_not_ask_for_an_encoding() -> None:
    content = zipped({"all.txt": b"river\nwater\nboat\n", "cover.jpg": b"\xff\xd8\xff\xe0 \xe9"})
    assert encodings(("all.zip", io.BytesIO(content))) == ()


def test_archive_in_a_folder_is_skipped_with_a_number(tmp_path: Path) -> None:
    for name, content in {**GOOD, "backup.zip": zipped(GOOD)}.items():
        (tmp_path / name).write_bytes(content)
    corpus = load(tmp_path, label=Label.PUBLIC)
    assert (corpus.n_documents, corpus.intake.n_files_dropped) == (3, 1)


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("a.yaml", "JSON lines"),
        ("a.yml.gz", "JSON lines"),
        ("a.xls", "xlsx"),
        ("a.odt", "docx"),
        ("a.msg", r"\.eml"),
        ("a.md", r"name it \.txt"),
        ("a.xyz", r"Known are \.csv"),
        ("a.png", "recognize the text first"),
        ("a.pptx", "Save them as .pdf"),
        ("a.mp3", "write that down"),
    ],
)
def test_file_of_another_kind_is_refused_with_what_to_do(name, fix) -> None:
    content = b"canary: one\ncanary: two\ncanary: three\n"
    packed_content = gzip.compress(content) if name.endswith("gz") else content
    with pytest.raises(ReadError, match=f"(does not read|is not read).*{fix}") as caught:
        load((name, io.BytesIO(packed_content)), label=Label.PUBLIC)
    assert "canary" not in str(caught.value)


def test_file_without_an_ending_is_plain_text() -> None:
    for name in ("notes", "notes.2024", "a.b/notes"):
        assert (
            load((name, io.BytesIO(b"river\nwater\nboat\n")), label=Label.PUBLIC).n_documents == 3
        )


def test_files_of_one_message_are_documents_with_senders(tmp_path: Path) -> None:
    message = "From: {} <{}@x.test>\nSubject: news\n\nriver water\n".format
    for place, who in enumerate(("ann", "bob", "ann")):
        (tmp_path / f"{place}.eml").write_text(message(who.title(), who))
    corpus = load(tmp_path, label=Label.PUBLIC, person="From")
    assert corpus.persons.tolist() == [0, 1, 0]
    assert set(corpus.vocabulary) == {"news", "river", "water"}
    assert preview(tmp_path / "0.eml").names == ()


@pytest.mark.parametrize("name", ["a.txt", "a.docx", "a.html", "a.eml"])
def test_whole_file_keeps_to_the_limit_on_characters(name) -> None:
    long = "river " * 100
    content = {"a.txt": "\n" * 300 + long, "a.html": long, "a.eml": f"Subject: x\n\n{long}"}
    file_content = content[name].encode() if name in content else word(long)
    files = [(name, io.BytesIO(file_content)), ("b.txt", io.BytesIO(b"boat"))]
    with pytest.raises(ReadError, match=r"more than 500 characters, the limit"):
        load(files, label=Label.PUBLIC, limits=Limits(max_field_chars=500))


def test_bad_member_of_an_archive_is_an_odd_file() -> None:
    content = bytearray(zipped({"odd.txt": b"canary" * 50, **GOOD}, compression=zipfile.ZIP_STORED))
    content[content.index(b"canary")] ^= 1  # its sum does not fit any more
    corpus = load(("all.zip", io.BytesIO(bytes(content))), label=Label.PUBLIC)
    assert (corpus.n_documents, corpus.intake.remarks[0].n) == (4, 1)
