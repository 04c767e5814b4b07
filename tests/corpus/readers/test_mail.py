"""Mailboxes: a document a message, headers as columns."""

import io

import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, load

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


def read(content: bytes, name: str = "in.mbox", **options):
    return load((name, io.BytesIO(content)), label=Label.PUBLIC, **options)


def test_messages_are_documents_of_their_subject_and_plain_text() -> None:
    corpus = read(BOX)
    assert corpus.n_documents == 3
    assert set(corpus.vocabulary) == {"wolves", "hunt", "deer", "snow", "café", "glacé", "badger"}
    assert corpus.counts.toarray()[0, corpus.vocabulary.index("wolves")] == 2
    assert read(BOX.replace(b"\n", b"\r\n")).digest == corpus.digest


def test_a_header_says_whose_a_message_is() -> None:
    assert read(BOX, person="From").persons.tolist() == [0, 1, 0], "by address, not by name"
    with pytest.raises(ReadError, match="document 3 does not say whose it is"):
        read(BOX, person="Subject")


def test_an_encoding_may_be_chosen_for_text_that_names_none() -> None:
    bad = PLAIN.replace(b"hunt", b"caf\xe9")
    with pytest.raises(ReadError, match="row 4: text that is not in the encoding that it names") as caught:
        read(BOX + bad)
    assert "wolves" not in str(caught.value)
    assert "café" in read(BOX + bad, encoding="cp1252").vocabulary


@pytest.mark.parametrize("content", [b"wolves\n", b"\nFrom a\n", b"Subject: x\n\nFrom a\n"])
def test_what_is_no_mailbox_is_refused(content) -> None:
    with pytest.raises(ReadError, match="not a mailbox"):
        read(content)
