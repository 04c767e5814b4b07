"""DOCX, PDF and mailboxes: documents, or refusals without a word of them."""

import io
import time
import zipfile
from pathlib import Path

import pytest

from dplda.core.errors import ReadError
from dplda.core.worker_pool import reading_process
from dplda.corpus import Label, Limits, load
from dplda.corpus.remarks import Remark
from tests.corpus.readers.samples import pdf, word


def read(files: dict[str, bytes], **options):
    return load(
        [(name, io.BytesIO(content)) for name, content in files.items()],
        label=Label.PUBLIC,
        **options,
    )


def test_office_file_is_one_document() -> None:
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
def test_office_file_of_another_kind_is_refused(name, caplog, capfd) -> None:
    whole_file = word("canary") if name == "a.docx" else pdf("canary")
    half = zipfile.ZipFile(io.BytesIO(word("canary")))
    other_archive = io.BytesIO()
    with zipfile.ZipFile(other_archive, "w") as archive:
        archive.writestr("canary.txt", half.read("word/document.xml"))
    for broken in (b"", b"canary", whole_file[: len(whole_file) // 2], other_archive.getvalue()):
        with pytest.raises(
            ReadError, match=r"or a damaged one|a damaged or an encrypted one"
        ) as caught:
            read({name: broken, "b.txt": b"x", "c.txt": b"y"})
        assert "canary" not in str(caught.value)
    assert "canary" not in caplog.text + capfd.readouterr().err


def test_encrypted_pdf_is_refused() -> None:
    with pytest.raises(ReadError, match="encrypted"):
        read({"a.pdf": pdf("canary", "secret"), "b.txt": b"x"})


def test_docx_bomb_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(20_000_000))
    with pytest.raises(ReadError, match="100 times larger"):
        read({"a.docx": out.getvalue(), "b.txt": b"x"})


def test_office_libraries_are_in_the_lock() -> None:
    locked = (Path(__file__).parents[3] / "requirements.lock").read_text("utf-8")
    assert all(f"\n{library}==" in locked for library in ("openpyxl", "pypdfium2", "lxml"))


def endless(content: bytes) -> str:
    time.sleep(600)
    return str(content)


def test_document_that_takes_too_long_is_refused_without_harm_to_the_next(monkeypatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("dplda.corpus.readers.office.pdf_text", endless)
        with pytest.raises(
            ReadError, match=r"took longer than 1 seconds, the limit\. Save it as plain text"
        ) as caught:
            read({"a.pdf": pdf("canary"), "b.txt": b"x"}, limits=Limits(max_seconds=1))
    assert "canary" not in str(caught.value)
    assert not reading_process.POOL._idle
    assert read({"a.pdf": pdf("wolves howl"), "b.txt": b"elk", "c.txt": b"deer"}).n_documents == 3


def test_document_that_grows_in_the_library_is_refused_by_time_or_memory() -> None:
    """Of some 300 kilobytes; which limit it meets first depends on the machine."""
    growing = pdf("canary", times=2_400_000)
    assert len(growing) < 400_000
    with pytest.raises(
        ReadError, match=r"longer than 1 seconds, the limit|needs more memory than allowed"
    ) as caught:
        read({"a.pdf": growing, "b.txt": b"x"}, limits=Limits(max_seconds=1))
    assert "canary" not in str(caught.value)


def hungry(content: bytes) -> str:
    return str(bytearray(2**33))


def test_office_file_beyond_memory_is_not_called_damaged(monkeypatch) -> None:
    monkeypatch.setattr("dplda.corpus.readers.office.pdf_text", hungry)
    with pytest.raises(ReadError, match=r"more memory than allowed\. Save it as plain text"):
        read({"a.pdf": pdf("canary"), "b.txt": b"x"})


PLAIN = b"From ann@x.org Mon Jan  1 00:00:00 2001\nFrom: Ann <Ann@x.org>\nSubject: the wolves\n\nwolves hunt deer\n\n"
LATIN = (
    b"From bo@x.org Mon Jan  1 00:00:00 2001\nFrom: bo@x.org\nSubject: snow\nMIME-Version: 1.0\n"
    b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9 glac=E9\n\n"
)
PARTS = (
    b'From x Mon Jan  1 00:00:00 2001\nFrom: "Ann B." <ann@x.org>\nMIME-Version: 1.0\n'
    b'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain; charset=utf-8\n\nbadger\n'
    b"--b\nContent-Type: text/html\n\n<p>markup</p>\n"
    b"--b\nContent-Type: text/plain\nContent-Disposition: attachment\n\nattached\n--b--\n\n"
)
BOX = PLAIN + LATIN + PARTS


def mailbox(content: bytes, name: str = "in.mbox", **options):
    return load((name, io.BytesIO(content)), label=Label.PUBLIC, **options)


def test_mailbox_message_is_a_document_of_subject_with_plain_text() -> None:
    corpus = mailbox(BOX)
    assert corpus.n_documents == 3
    assert set(corpus.vocabulary) == {"wolves", "hunt", "deer", "snow", "café", "glacé", "badger"}
    assert corpus.counts.toarray()[0, corpus.vocabulary.index("wolves")] == 2
    assert mailbox(BOX.replace(b"\n", b"\r\n")).digest == corpus.digest


def test_mail_header_says_whose_a_message_is() -> None:
    assert mailbox(BOX, person="From").persons.tolist() == [0, 1, 0], "by address, not by name"
    with pytest.raises(ReadError, match="document 3 does not name its person"):
        mailbox(BOX, person="Subject")


def test_sender_counts_by_the_address_however_the_name_beside_it_is_written() -> None:
    ways = [
        "Doe, Jane <jane@x.org>",
        "jane@x.org",
        '"Doe, Jane" <jane@x.org>',
        "Jane <mailto:Jane@x.org>",
    ]
    ways += [
        "<jane@x.org>",
        "=?us-ascii?q?jane=40x=2Eorg?=",
        "Jane jane@x.org",
        "Doe, John <john@x.org>",
    ]
    for header in ("From", "Cc", "Return-Path"):
        box = "".join(f"From x\n{header}: {way}\n\nmilk tea\n\n" for way in ways)
        assert mailbox(box.encode(), person=header).persons.tolist() == [0] * 7 + [1]
    unreadable_senders = b"".join(
        b"From x\nFrom: %s@x.org\n\nmilk tea\n\n" % letter for letter in (b"\xe9", b"\xfc", b"a")
    )
    with pytest.raises(ReadError, match="not in the encoding"):
        mailbox(unreadable_senders, person="From")
    assert mailbox(unreadable_senders, person="From", encoding="cp1252").persons.tolist() == [
        0,
        1,
        2,
    ]


def test_headers_are_read_in_the_encoding_that_they_name() -> None:
    coded = (
        "utf-8?b?Y2Fmw6k=",
        "iso-8859-1?q?caf=E9",
        "unheard-of?q?caf=C3=A9",
        "utf-8?q?caf=C3?= =?utf-8?q?=A9",
    )
    ways = ("café", "caf\u200dé", *(f"=?{encoded}?=" for encoded in coded))
    coded_box = "".join(f"From x\nX-Author: {way}\nSubject: {way}\n\nmilk tea\n\n" for way in ways)
    corpus = mailbox(coded_box.encode(), person="X-Author")
    assert set(corpus.vocabulary) == {"café", "milk", "tea"}
    assert set(corpus.persons.tolist()) == {0}
    name_beside = ("Jörg =?utf-8?b?bWlsaw==?=", "Jörg milk", "bo")
    box = "".join(f"From x\nX-Author: {way}\nSubject: {way}\n\ntea\n\n" for way in name_beside)
    assert mailbox(box.encode(), person="X-Author").persons.tolist() == [0, 0, 1]
    assert not [word for word in mailbox(box.encode()).vocabulary if "bw" in word], (
        "letters of base64"
    )
    wrong = mailbox(coded_box.encode().replace(b"Y2Fmw6k=", b"wolvx"), person="X-Author")
    assert wrong.persons.tolist() == [0, 0, 1, 0, 0, 0]
    assert "wolvx" in wrong.vocabulary, "as it stands"


def test_text_in_an_unknown_encoding_is_left_out_until_one_is_chosen() -> None:
    bad = PLAIN.replace(b"hunt", b"caf\xe9")
    corpus = mailbox(BOX + bad)
    assert (corpus.n_documents, corpus.lengths.tolist()[3]) == (4, 1), "its subject is there"
    (remark,) = corpus.intake.remarks
    assert (remark.remark, remark.n) == (Remark.UNKNOWN_ENCODING, 1)
    assert remark.places == ("in.mbox, message 4",)
    corpus_by_choice = mailbox(BOX + bad, encoding="cp1252")
    assert "café" in corpus_by_choice.vocabulary
    assert not corpus_by_choice.intake.remarks


@pytest.mark.parametrize("content", [b"wolves\n", b"\nFrom a\n", b"Subject: x\n\nFrom a\n"])
def test_mailbox_of_another_kind_is_refused(content) -> None:
    with pytest.raises(ReadError, match="not a mailbox"):
        mailbox(content)
