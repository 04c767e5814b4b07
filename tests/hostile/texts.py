"""Files of text that hurt: encodings, Unicode, tables, JSON, mail, wiki markup, office documents."""

import base64
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator

from tests.hostile.trial import CANARY, LINES, Trial, file

GOOD = LINES.encode()
HEAD = b"who,text\n"
ROWS = "".join(f'ann{i % 4},"{line}"\n' for i, line in enumerate(LINES.splitlines())).encode()
OBJECTS = "".join(json.dumps({"text": line}) + "\n" for line in LINES.splitlines()).encode()
CODECS = "utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-32-be utf-7 cp1252 cp1251 cp037 shift_jis gb18030 big5 euc_kr"
LAUGHS = "<!DOCTYPE x [<!ENTITY a0 'wolves'>" + "".join(
    f"<!ENTITY a{i} '{f'&a{i - 1};' * 10}'>" for i in range(1, 10)
)


def trials() -> Iterator[Trial]:
    """All of them."""
    for codec in (*CODECS.split(), "iso2022_jp", "koi8-r", "cp437"):
        content = (LINES + f"café 東京 волки {CANARY}\n").encode(codec, "replace")
        yield file("encoding", codec, "a.txt", content)
        if codec in ("utf-16", "cp1252"):
            yield file(
                "encoding", f"{codec}, a table", "a.csv", (HEAD + ROWS).decode().encode(codec)
            )
    for name, content in _BROKEN.items():
        yield file("encoding", name, "a.txt", content)
    for codec in (
        "idna",
        "punycode",
        "zip",
        "rot13",
        "undefined",
        "unicode_escape",
        "utf-16",
        "x\ny",
        "",
        "a" * 5000,
    ):
        options = ("--encoding", codec)
        yield file(
            "encoding",
            f"read as {codec[:20]!r}",
            "a.txt",
            GOOD + b"\\x41 \\N{DASH}\n",
            options=options,
        )
    for name, text in _UNICODE.items():
        yield file(
            "unicode",
            name,
            "a.txt",
            lambda text=text: (LINES + text() + "\n").encode("utf-8", "surrogatepass"),
        )
    for name, text in _PLAIN.items():
        yield file("plain text", name, "a.txt", text)
    for name, content in _TABLES.items():
        yield file("table", name, "a.csv", content)
    yield file("table", "commas under the name of tabs", "a.tsv", HEAD + ROWS)
    for name, content in _JSON.items():
        yield file("JSON", name, "a.jsonl", content)
    yield file("JSON", "deep, without a name that says", "a", b'{"text":' + b"[" * 200_000)
    for name, content in _MAIL.items():
        yield file("mail", name, "a.mbox", content)
    for name, content in _WIKI.items():  # no reader is for these
        yield file("wiki", name, "a.xml", content)
    for name, content in _PDF.items():
        yield file("PDF", name, "a.pdf", content)
    for name, body in _WORD.items():
        yield file("DOCX", name, "a.docx", body)
    for name, magic in _OTHERS.items():
        yield file("another kind", name, "a.txt", magic + GOOD)


def _wiki(markup: str) -> bytes:
    page = f"<page><title>a</title><ns>0</ns><text>wolves {CANARY} {markup}</text></page>"
    return f"<mediawiki>{page * 4}</mediawiki>".encode()


def _word(body: str | bytes, name: str = "word/document.xml") -> Callable[[], bytes]:
    def made() -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            kinds = (
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
            )
            xmlns = "http://schemas.openxmlformats.org/package/2006"
            part = f'<Override PartName="/word/document.xml" ContentType="{kinds}"/>'
            rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            archive.writestr(
                "[Content_Types].xml", f'<Types xmlns="{xmlns}/content-types">{rels}{part}</Types>'
            )
            office = (
                "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
            )
            target = f'<Relationship Id="r1" Type="{office}" Target="word/document.xml"/>'
            archive.writestr(
                "_rels/.rels",
                f'<Relationships xmlns="{xmlns}/relationships">{target}</Relationships>',
            )
            archive.writestr(name, body)
        return out.getvalue()

    return made


def _document(inner: str, prolog: str = "") -> str:
    ns = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    return f'<?xml version="1.0"?>{prolog}<w:document xmlns:w="{ns}"><w:body>{inner}</w:body></w:document>'


def _pdf(*objects: bytes) -> bytes:
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, start=1))
    return b"%PDF-1.4\n" + body + b"trailer << /Size 9 /Root 1 0 R >>\nstartxref\n0\n%%EOF"


def _stream(content: bytes, filters: bytes = b"/FlateDecode") -> bytes:
    return b"<< /Length %d /Filter %s >>\nstream\n%s\nendstream" % (len(content), filters, content)


_BROKEN = {
    "empty": b"",
    "one byte": b"a",
    "marks alone": b"\xef\xbb\xbf" * 9,
    "half a mark": b"\xff\xfe",
    "an odd byte of UTF-16": GOOD.decode().encode("utf-16") + b"x",
    "a lone surrogate": GOOD + b"\xed\xa0\x80\n",
    "too long a form": GOOD + b"\xc0\xaf\n",
    "beyond Unicode": GOOD + b"\xf4\x90\x80\x80\n",
    "cut within a letter": GOOD + "é".encode()[:1],
    "zero bytes": GOOD + bytes(1_000_000),
    "any bytes": bytes(range(256)) * 4000,
    "one stray byte after 2 MB": GOOD * 15_000 + CANARY.encode() + b"\xff\n",
}
_UNICODE: dict[str, Callable[[], str]] = {
    "marks": lambda: "a" + "\u0301" * 1_000_000,
    "marks of two classes in turn": lambda: "a" + "\u0301\u0316" * 108_000,
    "marks of two classes in turn, 2 MB": lambda: "a" + "\u0301\u0316" * 500_000,
    "marks, one run a line": lambda: "\n".join(["a" + "\u0316\u0301" * 200] * 4000),
    "Tibetan marks": lambda: "\u0f40" + "\u0f71\u0f72\u0f74" * 100_000,
    "Hangul in parts": lambda: "\u1100\u1161\u11a8" * 300_000,
    "signs that grow when lowered": lambda: "İ" * 1_000_000,
    "signs that grow when normalised": lambda: "ﷺ\u1d15e\ufb2c" * 300_000,
    "right to left and back": lambda: "\u202e\u202d" * 300_000,
    "zero width": lambda: "wolves\u200b\u200d\ufeff" * 100_000,
    "families": lambda: "👨‍👩‍👧‍👦" * 100_000,
    "letters far out": lambda: "𝔚𝔬𝔩𝔣 " * 100_000,
    "unspaced Chinese": lambda: "狼群在雪地里追赶鹿" * 100_000,
    "Thai without spaces": lambda: "หมาป่าล่ากวาง" * 60_000,
    "lines parted in other ways": lambda: "wolves\u2028deer\x85snow\x0b\x0c\x1c" * 60_000,
    "escapes of terminals": lambda: "\x1b[2J\x1b]0;wolves\x07 \x9b31m " * 20_000,
    "tags and private signs": lambda: "\U000e0041\ue000\U0010ffff" * 100_000,
}
_PLAIN: dict[str, Callable[[], bytes]] = {
    "one word of 19 MB": lambda: GOOD + b"a" * 19_000_000,
    "one line of 25 MB": lambda: GOOD + b"wolves " * 3_600_000,
    "apostrophes": lambda: GOOD + b"a'" * 1_000_000,
    "apostrophes, alone": lambda: GOOD + b"'" * 3_000_000,
    "hyphens": lambda: GOOD + b"a-" * 1_000_000,
    "spaces": lambda: GOOD + b" " * 15_000_000,
    "lines without a word": lambda: GOOD + b"\n" * 2_000_000,
    "half a million words": lambda: GOOD + b" ".join(b"w%s" % _letters(i) for i in range(500_000)),
    "half a million documents": lambda: b"".join(
        b"wolves w%s\n" % _letters(i) for i in range(500_000)
    ),
    "returns alone": lambda: GOOD.replace(b"\n", b"\r"),
    "HTML": lambda: (
        b"<html><body>" + b"<p class='x'>" + GOOD.replace(b"\n", b"</p>\n<p>") + b"</body></html>"
    ),
    "HTML, never closed": lambda: GOOD + b"<div><a href='" * 200_000,
    "mail": lambda: b"From: a@b.c\nSubject: wolves\nContent-Type: text/html\n\n<p>" + GOOD,
    "base64": lambda: GOOD + base64.encodebytes(bytes(range(256)) * 8000),
    "comparisons": lambda: GOOD + b"<" * 2_000_000 + b">" * 2_000_000,
    "formulas": lambda: b"=cmd|' /C calc'!A0\n@SUM(1)\n" + GOOD,
}
_TABLES: dict[str, bytes | Callable[[], bytes]] = {
    "a row too long": HEAD + ROWS + f"a,{CANARY},c\n".encode(),
    "a row too short": HEAD + ROWS + f"{CANARY}\n".encode(),
    "a quotation mark without a second": HEAD + ROWS + f'a,"{CANARY}\n'.encode(),
    "text after a quotation": HEAD + ROWS + f'a,"x"{CANARY}\n'.encode(),
    "marks within": HEAD + ROWS + f'a,b"{CANARY}"c\n'.encode(),
    "a quotation of 25 MB": lambda: HEAD + ROWS + b'a,"' + b"wolves,\n" * 3_100_000 + b'"\n',
    "two million marks": lambda: HEAD + b'a,"' + b'"' * 2_000_000,
    "an odd number of marks": lambda: HEAD + b'a,"' + b'"' * 2_000_001 + b"\n",
    "a header alone": HEAD,
    "no header": ROWS,
    "a header with a document": f"{CANARY},{CANARY} deer\n".encode() + ROWS,
    "an empty header": b"\n" + ROWS,
    "names twice": b"text,text\n" + ROWS,
    "names without a letter": b",\n" + ROWS,
    "a million columns": lambda: (
        b",".join(b"c%d" % i for i in range(1_000_000)) + b"\n" + b"," * 999_999 + b"\n"
    ),
    "a million empty lines": lambda: HEAD + b"\n" * 1_000_000 + ROWS,
    "two million commas": lambda: HEAD + ROWS + b"," * 2_000_000 + b"\n",
    "a zero byte": HEAD + ROWS + f"a,{CANARY}\0\n".encode(),
    "returns alone": (HEAD + ROWS).replace(b"\n", b"\r"),
    "returns within": HEAD + ROWS + f'a,"{CANARY}\r\r\n\n"\r'.encode(),
    "semicolons": (HEAD + ROWS).replace(b",", b";"),
    "a hundred thousand persons": lambda: (
        HEAD + b"".join(b"p%d,wolves deer snow\n" % i for i in range(100_000))
    ),
    "an escape": HEAD + ROWS + f'a,"\\"{CANARY}\n'.encode(),
}
_JSON: dict[str, bytes | Callable[[], bytes]] = {
    "deep arrays": lambda: OBJECTS + b'{"text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    "deep objects": lambda: OBJECTS + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n",
    "NaN and Infinity": OBJECTS + b'{"text": NaN}\n{"text": -Infinity}\n',
    "a number of 5,000 digits": OBJECTS + b'{"text": "a", "n": ' + b"9" * 5000 + b"}\n",
    "a number beyond all": OBJECTS + b'{"text": 1e999999}\n',
    "a key twice": OBJECTS + f'{{"text": "a", "text": "{CANARY}"}}\n'.encode(),
    "half a pair": OBJECTS + b'{"text": "\\ud800 wolves"}\n',
    "a zero letter": OBJECTS + b'{"text": "\\u0000"}\n',
    "an array at the top": b"[" + OBJECTS.replace(b"\n", b",") + b"{}]",
    "an object over lines": json.dumps({"text": LINES}, indent=4).encode(),
    "a text that is a list": OBJECTS + f'{{"text": ["{CANARY}"]}}\n'.encode(),
    "a text that is an object": OBJECTS + f'{{"text": {{"{CANARY}": 1}}}}\n'.encode(),
    "a text that is nothing": OBJECTS + b'{"text": null}\n',
    "no object": OBJECTS + f'"{CANARY}"\n'.encode(),
    "another key": f'{{"{CANARY}": "wolves"}}\n'.encode() * 4,
    "a string without an end": OBJECTS + f'{{"text": "{CANARY}\n'.encode(),
    "a comma too many": OBJECTS + f'{{"text": "{CANARY}",}}\n'.encode(),
    "a text of 19 MB": lambda: OBJECTS + b'{"text": "' + b"wolves " * 2_700_000 + b'"}\n',
    "escapes alone": lambda: OBJECTS + b'{"text": "' + b"\\u0301\\u0316" * 100_000 + b'"}\n',
    "two hundred thousand keys": lambda: (
        json.dumps({f"k{i}": "wolves" for i in range(200_000)}).encode() + b"\n"
    ),
    "empty objects": lambda: b"{}\n" * 300_000,
}
_MAIL: dict[str, bytes | Callable[[], bytes]] = {
    "garbage": b"\xff\xfe\0" * 1000,
    "parts in parts": lambda: (
        b"From a\n"
        + b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(3000)
        )
    ),
    "mails in mails": lambda: b"From a\n" + b"Content-Type: message/rfc822\n\n" * 3000 + GOOD,
    "a hundred thousand parts": lambda: (
        b"From a\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nwolves\n" * 100_000
    ),
    "encoded words": lambda: (
        b"From a\nSubject: " + b"=?utf-8?q?caf=C3=A9?= " * 50_000 + b"\n\n" + GOOD
    ),
    "a header of 5 MB": lambda: b"From a\nSubject: " + b"wolves\n " * 600_000 + b"\n\n" + GOOD,
    "a hundred thousand headers": lambda: b"From a\n" + b"X: y\n" * 100_000 + b"\n" + GOOD,
    "addresses": lambda: b"From a\nFrom: " + b'<("@' * 100_000 + b"\n\n" + GOOD,
    "parameters": lambda: (
        b"From a\nContent-Type: text/plain" + b"; a*0*=x''y" * 50_000 + b"\n\n" + GOOD
    ),
    "unknown codecs": b"From a\nContent-Type: text/plain; charset=\xff\n\n" + GOOD,
    "bad base64": b"From a\nContent-Transfer-Encoding: base64\n\n"
    + GOOD
    + b"From b\n\nx\nFrom c\n\ny\n",
    "uuencoded": b"From a\nContent-Transfer-Encoding: x-uuencode\n\nbegin 666 x\n" + GOOD,
    "HTML that is open": lambda: (
        b"From a\nContent-Type: text/html\n\n" + b"<div><!--" * 100_000 + GOOD
    ),
    "a date of another world": b"From a\nDate: 99 Foo 99999 99:99\n\n"
    + GOOD
    + b"From b\n\nx\nFrom c\n\ny\n",
    "separators alone": b"From \n" * 100_000,
}
_WIKI: dict[str, bytes | Callable[[], bytes]] = {
    "a laugh": f"<?xml version='1.0'?>{LAUGHS}]><mediawiki><page><text>&a9;</text></page></mediawiki>".encode(),
    "a file of mine": b"<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>" + _wiki("&e;"),
    "deep": lambda: b"<mediawiki>" + b"<page>" * 200_000,
    "curly over and over": lambda: _wiki("{{" * 8000),
}
_PAGE = b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 9 9] >>"
_TREE = (b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
_PDF: dict[str, bytes | Callable[[], bytes]] = {
    "garbage": b"%PDF-1.7 " + GOOD,
    "a head alone": b"%PDF-1.7\n",
    "not one": GOOD,
    "a tree that bites its tail": _pdf(
        _TREE[0], b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 99 >>"
    ),
    "a billion pages": _pdf(_TREE[0], b"<< /Type /Pages /Kids [] /Count 1000000000 >>"),
    "a stream of 500 MB": lambda: _pdf(
        *_TREE,
        _PAGE,
        _stream(
            zlib.compress(zlib.compress(bytes(500_000_000), 1), 1), b"[/FlateDecode /FlateDecode]"
        ),
    ),
    "a stream that runs long": lambda: _pdf(
        *_TREE, _PAGE, _stream(zlib.compress(b"BT (wolves) Tj ET\n" * 400_000))
    ),
    "a length that lies": _pdf(*_TREE, _PAGE, b"<< /Length 999999999 >>\nstream\nBT (wolves) Tj"),
    "a length that names itself": _pdf(
        *_TREE, _PAGE, b"<< /Length 4 0 R >>\nstream\nBT\nendstream"
    ),
    "deep arrays": lambda: _pdf(*_TREE, b"[" * 100_000),
    "deep dictionaries": lambda: _pdf(*_TREE, b"<< /A " * 50_000),
    "a form that draws itself": _pdf(
        *_TREE,
        _PAGE[:-3] + b"/Resources << /XObject << /X 5 0 R >> >> >>",
        b"<< /Length 5 >>\nstream\n/X Do\nendstream",
        b"<< /Subtype /Form /Resources << /XObject << /X 5 0 R >> >> /Length 5 >>\nstream\n/X Do\nendstream",
    ),
    "locked by nobody": _pdf(*_TREE).replace(
        b"/Root", b"/Encrypt << /Filter /Standard /V 9 >> /Root"
    ),
}
_WORD: dict[str, bytes | Callable[[], bytes]] = {
    "garbage": b"PK\x03\x04" + GOOD,
    "not one": GOOD,
    "nothing in it": _word("", "word/other.xml"),
    "empty": _word(""),
    "a laugh": _word(_document("<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>", LAUGHS + "]>")),
    "a file of mine": _word(
        _document(
            "<w:p><w:r><w:t>&e;</w:t></w:r></w:p>",
            "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>",
        )
    ),
    "deep": _word(_document("<w:p>" * 100_000)),
    "tables in tables": _word(
        _document("<w:tbl><w:tr><w:tc>" * 2000 + "</w:tc></w:tr></w:tbl>" * 2000)
    ),
    "300 MB of text": lambda: _word(
        _document("<w:p><w:r><w:t>wolves</w:t></w:r></w:p>" * 7_000_000)
    )(),
    "a paragraph of marks": _word(
        _document(f"<w:p><w:r><w:t>{'a' + chr(0x301) * 200_000}</w:t></w:r></w:p>")
    ),
}
_OTHERS = {
    "PNG": b"\x89PNG\r\n\x1a\n",
    "ELF": b"\x7fELF\x02\x01\x01\0",
    "SQLite": b"SQLite format 3\0",
    "gzip": b"\x1f\x8b\x08\0",
    "zip": b"PK\x03\x04",
    "Zstandard": b"\x28\xb5\x2f\xfd",
    "xz": b"\xfd7zXZ\0",
    "pickle": b"\x80\x04\x95",
    "RTF": b"{\\rtf1\\ansi ",
    "PostScript": b"%!PS-Adobe-3.0\n",
    "old Word": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "7z": b"7z\xbc\xaf\x27\x1c",
}


def _letters(number: int) -> bytes:
    out = b""
    while number:
        number, digit = divmod(number, 26)
        out += b"%c" % (97 + digit)
    return out or b"a"
