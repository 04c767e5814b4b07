"""Bad input of all formats, a file a row: what is accepted, what is refused and with which words; others by format."""

import codecs
import gzip
from pathlib import Path

import pytest

from dplda.core.errors import DpldaError
from dplda.corpus import Label, Limits, load
from tests.corpus.readers.test_archives import TEXTS, zipped
from tests.corpus.readers.test_matrices import market

CANARY = "zanzibarcanary"
GOOD = "wolves hunt deer\ndeer graze\nwolves howl in snow\n"
CSV = "id,text\n1,wolves hunt\n2,deer graze\n3,snow\n"

ACCEPTED = {
    "UTF-8": ("a.txt", GOOD.encode()),
    "UTF-8 with a mark": ("a.txt", codecs.BOM_UTF8 + GOOD.encode()),
    "UTF-16 with a mark": ("a.txt", GOOD.encode("utf-16")),
    "NA, null and 007 are text": ("a.csv", b"id,text\n1,NA wolves\n2,null wolves\n3,007 wolves\n"),
    "short documents": ("a.txt", (GOOD + "a\n\nof\n").encode()),
    "one huge document": ("a.txt", (GOOD + "wolves deer " * 9000).encode()),
    "duplicates": ("a.txt", (GOOD * 3).encode()),
    "right to left, combining, zero width and control": (
        "a.txt",
        "שלום עולם\nwol\u202eves cafe\u0301\nsn\u200bow\x07\nwolves\n".encode(),
    ),
    "markup, formulas": ("a.txt", b"<b>wolves</b>\n=cmd|' /C calc'!A0\n$\\alpha$ **deer**\n"),
    "lines like the begin of a message": (
        "a.txt",
        b"From time to time, at 10:00 in 2024\nNote it\n" * 3,
    ),
    "mac and version control's leavings": (
        "a.zip",
        zipped({**TEXTS, "__MACOSX/._a": b"\0", ".DS_Store": b"\0"}),
    ),
}

REFUSED = {
    "another encoding": (
        "a.txt",
        "wolves\ncafé zanzibarcanary\n".encode("cp1252"),
        r"a\.txt, byte 10: .*not utf-8",
    ),
    "UTF-16 without a mark": ("a.txt", GOOD.encode("utf-16-le"), "byte 1: a zero byte"),
    "a field over the limit": (
        "a.csv",
        (CSV + "4," + CANARY * 9 + "\n").encode(),
        "row 5: a .* of more than 100",
    ),
    "a shape that is not the vocabulary's": ("a.mtx", market(), "fewer words than the 4"),
    "an empty file": ("a.txt", b"", "holds no documents"),
    "stop words alone": ("a.txt", b"the of and\nthe\nof\n", "Nothing is left of the 3 documents"),
    "two documents": ("a.txt", b"wolves hunt\nzanzibarcanary\n", "The corpus has 2 documents"),
    "more bytes than the limit": (
        "a.txt",
        GOOD.encode() * 30_000,
        "more than 1,000,000 bytes, the limit",
    ),
    "more documents than the limit": (
        "a.txt",
        b"wolves\n" * 2000,
        "more than 1,000 documents, the limit",
    ),
    "another kind of file": (
        "a.txt",
        b"%PDF-1.7 zanzibarcanary",
        "this is a PDF document, not text",
    ),
}
ARCHIVE = (
    b"From ann at x.test  Mon Jan  1 10:00:00 2024\n"
    b"From: ann at x.test (Ann)\nSubject: [garden] wolves\n\nzanzibarcanary\n\n"
) * 3
REFUSED |= {
    "a mailbox of a public archive": ("2024-January.txt", ARCHIVE, r"a mailbox, .*Name it \.mbox"),
    "a mailbox of a mail program": (
        "Inbox",
        ARCHIVE.replace(b"ann at x.test  Mon", b"- Mon"),
        r"a mailbox, .*Name it \.mbox",
    ),
    "a packed mailbox": ("2024.txt.gz", gzip.compress(ARCHIVE), "a mailbox"),
    "mail of Apple": ("1.emlx", ARCHIVE, r"Export it as \.eml or \.mbox"),
    "a book": ("a.epub", b"PK\x03\x04", r"a book, .*Save it as \.docx"),
    "a zip archive as a table": ("a.csv", b"PK\x03\x04 ", r"named \.zip or \.xlsx, not text"),
}
LIMITS = Limits(max_bytes=1_000_000, max_documents=1_000, max_field_chars=100)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "vocab.txt").write_text("wolves\ndeer\n")
    return tmp_path


@pytest.mark.parametrize("row", ACCEPTED)
def test_odd_input_that_can_be_read_is_accepted(row, folder) -> None:
    name, content = ACCEPTED[row]
    (folder / name).write_bytes(content)
    assert load(folder / name, label=Label.SENSITIVE).n_documents >= 3


@pytest.mark.parametrize("row", REFUSED)
def test_bad_input_is_refused_with_its_place_without_a_word(row, folder) -> None:
    name, content, reason = REFUSED[row]
    (folder / name).write_bytes(content)
    with pytest.raises(DpldaError, match=reason) as caught:
        load(folder / name, label=Label.SENSITIVE, limits=LIMITS)
    assert CANARY not in str(caught.value)
    assert str(folder) not in str(caught.value)
    assert caught.value.fix


def test_text_that_was_changed_is_counted(folder) -> None:
    def intake(row: str):
        name, content = ACCEPTED[row]
        (folder / name).write_bytes(content)
        return load(folder / name, label=Label.SENSITIVE).intake

    assert intake("short documents").n_short == 4, "“deer graze” too has fewer than three words"
    assert intake("one huge document").n_truncated == 1
    assert intake("duplicates").n_duplicates == 6
    assert intake("right to left, combining, zero width and control").n_control_removed == 3
