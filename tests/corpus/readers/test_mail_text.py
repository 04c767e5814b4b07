"""What counts as the text of a message: what its author wrote, once, and nothing that was attached."""

import base64
import binascii
import io

import pytest

from dplda.corpus import Label, load
from dplda.corpus.readers.mail.encoded_blocks import without_encoded_blocks
from dplda.corpus.remarks import Remark

PLAIN = "Content-Type: text/plain; charset=utf-8\n\nriver water\n"
HTML = "Content-Type: text/html; charset=utf-8\n\n<p>gar<b>den</b> flower</p><style>css</style>\n"
BLANK = "Content-Type: text/plain\n\n \n\n"
WHOLE = "Content-Type: message/rfc822\n\nFrom: z@y.test\nSubject: secret\n\nmerger tribunal\n"
NAMED = 'Content-Type: text/plain; name="notes.txt"\n\nsecret merger\n'
INLINE = "Content-Type: text/plain\nContent-Disposition: inline; filename=a.txt\n\nsecret\n"
ATTACHED = "Content-Type: text/plain\nContent-Disposition: attachment\n\nsecret\n"
REPORT = "Content-Type: message/delivery-status\n\nReporting-MTA: dns; secret.test\n"
CALENDAR = "Content-Type: text/calendar\n\nBEGIN:SECRET\n"


def multipart(kind: str, *parts: str, boundary: str = "b") -> str:
    inside = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{inside}--{boundary}--\n'


def words(content: str) -> tuple[str, dict[Remark, int]]:
    """The words of one message among others, and what was said of it."""
    other_messages = "From x\nSubject: engine\n\nwheel\n\n" * 2
    box = f"From x\nMIME-Version: 1.0\nSubject: news\n{content}\n\n{other_messages}".encode()
    corpus = load(("in.mbox", io.BytesIO(box)), label=Label.PUBLIC)
    row = corpus.counts.toarray()[0]
    met = sorted(corpus.vocabulary[i] for i in range(row.size) for _ in range(row[i]))
    return " ".join(met), {
        counted_remark.remark: counted_remark.n for counted_remark in corpus.intake.remarks
    }


@pytest.mark.parametrize(
    "extra", [WHOLE, NAMED, INLINE, ATTACHED, REPORT, CALENDAR, multipart("digest", WHOLE)]
)
def test_mail_attachment_is_passed_over(extra) -> None:
    assert words(multipart("mixed", PLAIN, extra)) == ("news river water", {})


def test_html_alone_is_read_as_text() -> None:
    assert words(HTML) == ("flower garden news", {})


def test_html_in_the_encoding_of_its_head_is_read() -> None:
    body = 'Content-Type: text/html\n\n<meta charset="cp1252"><p>caf'
    box = f"From x\n{body}".encode() + b"\xe9\n\n" + b"From x\n\nwheel boat\n\n" * 2
    corpus = load(("in.mbox", io.BytesIO(box)), label=Label.PUBLIC)
    assert "café" in corpus.vocabulary


@pytest.mark.parametrize(
    "body",
    [
        multipart("alternative", PLAIN, HTML),
        multipart("alternative", HTML, PLAIN),
        multipart("mixed", PLAIN, HTML),
        multipart("alternative", PLAIN, multipart("related", HTML, boundary="c")),
    ],
)
def test_plain_text_counts_where_html_repeats_it(body) -> None:
    assert words(body) == ("news river water", {})


@pytest.mark.parametrize(
    "body",
    [
        multipart("alternative", BLANK, HTML),
        multipart("alternative", BLANK, multipart("related", HTML, boundary="c")),
        multipart("mixed", multipart("alternative", BLANK, HTML, boundary="c"), ATTACHED),
    ],
)
def test_html_counts_where_plain_text_is_blank(body) -> None:
    assert words(body) == ("flower garden news", {})


def test_html_before_a_footer_in_plain_text_is_read() -> None:
    assert words(multipart("mixed", HTML, PLAIN))[0] == "flower garden news river water"


@pytest.mark.parametrize(
    "body",
    [
        multipart("mixed", WHOLE),
        ATTACHED,
        WHOLE,
        "Content-Type: text/html\n\n<img src='a.png'>\n",
        "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nc2VjcmV0\n",
        "Content-Type: text/plain\n\nbegin 644 a.txt\n%<V5C<F5T\n`\nend\n",
    ],
)
def test_message_without_own_text_is_said(body) -> None:
    assert words(body) == ("news", {Remark.MAIL_WITHOUT_TEXT: 1})


def test_message_of_very_many_parts_is_kept_without_text() -> None:
    body = PLAIN
    for depth in range(150):
        body = multipart("mixed", body, boundary=f"b{depth}")
    assert words(body) == ("news", {Remark.MAIL_WITHOUT_TEXT: 1})


def uuencoded(content: bytes) -> str:
    lines = [binascii.b2a_uu(content[i : i + 45]).decode() for i in range(0, len(content), 45)]
    return f"begin 644 secret.bin\n{''.join(lines)}`\nend"


BYTES = bytes(range(256)) * 2
BASE64 = base64.encodebytes(BYTES).decode().strip()
BLOCKS = {
    "uuencoded": uuencoded(BYTES),
    "uuencoded, cut off": uuencoded(BYTES).removesuffix("`\nend"),
    "base64": BASE64,
    "base64 on one line": base64.b64encode(BYTES).decode(),
    "base64 with a head": f"begin-base64 644 secret.bin\n{BASE64}\n====",
    "key": f"-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: secret\n\n{BASE64}\n=abcd\n"
    "-----END PGP PUBLIC KEY BLOCK-----",
    "signature": "-----BEGIN PGP SIGNATURE-----\n\niQsecret\n=ab\n-----END PGP SIGNATURE-----",
    "certificate": f"-----BEGIN CERTIFICATE-----\n{BASE64}\n-----END CERTIFICATE-----",
    "yEnc": "=ybegin line=128 size=3 name=secret\nsecret ÿ\n=yend size=3",
    "BinHex": "(This file must be converted with BinHex 4.0)\n\n:secret\nsecret:",
}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
@pytest.mark.parametrize("quote", ["", "> ", ">> "])
def test_encoded_block_is_taken_out(block, quote) -> None:
    quoted = "\n".join(f"{quote}{line}" for line in block.split("\n"))
    remaining_text = without_encoded_blocks(f"river water\n\n{quoted}\n\ngarden")
    assert remaining_text.split() == ["river", "water", "garden"]


def test_uuencoded_line_of_thirty_bytes_is_no_quotation() -> None:
    for n_bytes in range(1, 100):
        block = uuencoded(BYTES[:n_bytes])
        assert without_encoded_blocks(f"river\n{block}\ngarden").split() == ["river", "garden"]


def test_mail_with_a_signature_keeps_its_text() -> None:
    signed = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nriver water\n"
        f"{BLOCKS['signature']}\ngarden"
    )
    assert without_encoded_blocks(signed).split()[2:] == ["river", "water", "garden"]


@pytest.mark.parametrize(
    "text",
    [
        "begin 644 words\nand go on like this for a while, until the day ends\nend",
        "https://x.test/" + "a" * 90 + "\nhttps://x.test/" + "b" * 90,
        "-----BEGIN PGP MESSAGE----- is how it starts",
        "a\n" + "x" * 70 + "\nb",
        "one\ntwo\n\nthree",
    ],
)
def test_mail_without_encoded_blocks_keeps_its_lines(text) -> None:
    remaining_words = without_encoded_blocks(text).split()
    assert remaining_words[-1] == text.split()[-1]
    assert len(remaining_words) >= len(text.split()) - 4
