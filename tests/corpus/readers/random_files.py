"""Files that nobody would write: every reader reads or refuses them, and nothing else.

Some examples are made by the rules of a format from odd parts, some are good files with bytes changed, cut or doubled.
"""

import gzip
import io
import json
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st
from scipy import sparse

from dplda.core.errors import DpldaError
from dplda.corpus import Label, Limits, Tokenisation, load
from tests.corpus.readers import samples

CANARY = "zanzibarcanary"
LIMITS = Limits(
    max_bytes=2_000_000, max_documents=500, max_field_chars=50_000, max_distinct_words=2_000
)
WORDS = st.sampled_from(
    [
        CANARY,
        "wolves",
        "deer",
        "it's",
        "東京",
        "\u202e",
        "e\u0301",
        "",
        "=1+1",
        "<b>",
        "007",
        "\ud800",
    ]
)
TEXT = st.lists(WORDS | st.text(max_size=8), max_size=8).map(" ".join)
PLAIN = TEXT.map(lambda text: text.encode("utf-8", "replace"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda it: st.lists(it, max_size=3),
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "text": st.sampled_from(["text", "who", "id", "a\0b", ""]),
        "person": st.sampled_from(["who", "From", "id", "text"]),
        "encoding": st.sampled_from(
            ["cp1252", "utf-16", "latin-1", "utf-7", "shift_jis", "idna", "punycode"]
        ),
        "vocabulary": st.just(["wolves", "deer", CANARY]),
        "tokenisation": st.sampled_from(
            [
                Tokenisation(pre_tokenised=True),
                Tokenisation(r"\w+"),
                Tokenisation(min_letters=1, lowercase=False),
            ]
        ),
    },
)


def _table(delimiter: str) -> st.SearchStrategy[bytes]:
    field = (
        TEXT
        | TEXT.map(lambda text: '"' + text.replace('"', '""') + '"')
        | st.sampled_from(['"', '""', "\r", "\n"])
    )
    rows = st.lists(st.lists(field, min_size=2, max_size=4).map(delimiter.join), max_size=6)
    return rows.map(
        lambda lines: f"who{delimiter}text\n{chr(10).join(lines)}".encode("utf-8", "replace")
    )


def _json_lines() -> st.SearchStrategy[bytes]:
    record = st.dictionaries(st.sampled_from(["text", "who", "id"]), JSON, max_size=3) | JSON
    return st.lists(record.map(json.dumps), max_size=6).map(lambda lines: "\n".join(lines).encode())


@st.composite
def _parquet(draw: st.DrawFn) -> bytes:
    n_rows = draw(st.integers(0, 4))
    kinds = st.sampled_from(
        [
            pa.string(),
            pa.large_string(),
            pa.int8(),
            pa.float32(),
            pa.binary(),
            pa.list_(pa.string()),
        ]
    )
    columns = {}
    for name in draw(
        st.lists(st.sampled_from(["text", "who", "id", ""]), min_size=1, max_size=3, unique=True)
    ):
        kind = draw(kinds)
        value_of_kind = {
            pa.int8(): 1,
            pa.float32(): 0.5,
            pa.binary(): b"\xff",
            pa.list_(pa.string()): ["wolves", None],
        }
        value = value_of_kind.get(kind, "wolves hunt")
        columns[name] = pa.array(
            [draw(st.sampled_from([value, None])) for _ in range(n_rows)], kind
        )
    out = io.BytesIO()
    pq.write_table(
        pa.table(columns),
        out,
        compression=draw(st.sampled_from(["snappy", "none", "gzip", "zstd"])),
    )
    return out.getvalue()


@st.composite
def _sheet(draw: st.DrawFn) -> bytes:
    """A workbook of one sheet, of parts that its format knows in odd places."""
    place = st.sampled_from(["A1", "B2", "XFD1", "ZZZZ9", "1", "A", ""])
    kind = st.sampled_from(["s", "n", "str", "inlineStr", "b", "d", "e", "x"])
    value = st.sampled_from(["0", "-1", "9e999", "x", "<f>1+1</f>", ""])
    cells = st.tuples(place, kind, value).map(
        lambda fields: f'<c r="{fields[0]}" t="{fields[1]}"><v>{fields[2]}</v></c>'
    )
    number = st.sampled_from(["1", "2", "-1", "x", "3000000"])
    rows = st.tuples(number, st.lists(cells, max_size=4)).map(
        lambda fields: f'<row r="{fields[0]}">{"".join(fields[1])}</row>'
    )
    parts = "".join(draw(st.lists(rows, max_size=4)))
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(samples.made("a.xlsx"))) as old_archive,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new_archive,
    ):
        for name in old_archive.namelist():
            content = old_archive.read(name)
            if name.endswith("sheet1.xml"):
                content = content.replace(b"</sheetData>", f"{parts}</sheetData>".encode())
            new_archive.writestr(name, content)
    return out.getvalue()


TAGS = st.sampled_from(
    [
        *(
            b"<p>",
            b"</p>",
            b"<br/>",
            b"<div style='display:none'>",
            b"</div>",
            b"<script>",
            b"<!--",
        ),
        *(
            b"-->",
            b"&eacute;",
            b"&#xd800;",
            b"<meta charset=",
            b"utf-16>",
            b"\xff\xfe",
            b"<![CDATA[",
        ),
    ]
)


def _mail_lines() -> st.SearchStrategy[list[bytes]]:
    kinds = [
        b"text/plain; charset=\xff",
        b"multipart/",
        b"multipart/mixed; boundary=b",
        b"multipart/alternative; boundary=b",
        b"message/rfc822",
        b"text/html",
        b"text/plain; charset=utf-16",
        b";;",
    ]
    codings = [b"base64", b"x-uuencode", b"quoted-printable"]
    senders = [b"From: a@b", b"From: a at b (c)", b"From: a via b <c@d>", b"Reply-To: \xe9@x"]
    blocks = [b"begin 644 a", b"-----BEGIN PGP MESSAGE-----", b"=ybegin ", b"A" * 60, b"end"]
    other_headers = [*senders, *blocks, b"Subject: =?utf-8?q?caf=E9?=", b"\xff\xfe: x", b"--b", b""]
    header = st.sampled_from(
        [
            *(b"Content-Type: " + value for value in kinds),
            *(b"Content-Transfer-Encoding: " + value for value in codings),
            *other_headers,
        ]
    )
    return st.lists(header | PLAIN | TAGS | st.just(b"From x"), max_size=14)


def _mailbox() -> st.SearchStrategy[bytes]:
    return _mail_lines().map(lambda lines: b"From x\n" + b"\n".join(lines))


def _message() -> st.SearchStrategy[bytes]:
    return _mail_lines().map(b"\n".join)


def _bag() -> st.SearchStrategy[bytes]:
    number = st.integers(-2, 5).map(str) | st.sampled_from(
        ["9999999999", "1.5", "nan", "1e3", "x", "", "٣"]
    )
    line = st.lists(number, min_size=1, max_size=4).map(" ".join)
    return st.lists(line, max_size=10).map(
        lambda lines: "\n".join(["4", "3", str(max(0, len(lines) - 1)), *lines]).encode()
    )


def _market() -> st.SearchStrategy[bytes]:
    kinds = st.tuples(
        st.sampled_from(["coordinate", "array", "x"]),
        st.sampled_from(["integer", "real", "complex", "pattern", "unsigned-integer"]),
        st.sampled_from(["general", "symmetric", "hermitian", "skew-symmetric"]),
    ).map(" ".join)
    return st.tuples(kinds, _bag()).map(
        lambda parts: f"%%MatrixMarket matrix {parts[0]}\n4 3 2\n".encode() + parts[1]
    )


@st.composite
def _npz(draw: st.DrawFn) -> bytes:
    number = st.integers(-3, 6) | st.sampled_from([2**31, 2**62, -(2**62)])
    kind = st.sampled_from([np.int8, np.int32, np.int64, np.uint64, np.float64, np.complex64])
    parts: dict[str, object] = {
        "format": draw(st.sampled_from([b"csr", b"csc", b"coo", b"dia", b"bsr", b"x"]))
    }
    names = ("shape", "data", "indices", "indptr", "row", "col", "offsets")
    for name in draw(st.lists(st.sampled_from(names), unique=True)) or names:
        values = draw(st.lists(number, max_size=5))
        parts[name] = np.array(values, dtype=np.int64).astype(
            draw(kind) if name == "data" else np.int64
        )
    parts["shape"] = np.array(
        draw(st.lists(st.integers(-1, 6) | st.just(2**40), min_size=2, max_size=2))
    )
    out = io.BytesIO()
    np.savez(out, **parts)
    return out.getvalue()


def _members() -> st.SearchStrategy[dict[str, bytes]]:
    names = st.sampled_from(
        [
            "a.txt",
            "b.csv",
            "c",
            "../d.txt",
            "/e",
            "f.zip",
            "docword.txt",
            "vocab.txt",
            "g.png",
            ".h",
            "i.gz",
        ]
    )
    return st.dictionaries(
        names | st.text(min_size=1, max_size=6).filter(lambda name: "\0" not in name),
        PLAIN,
        max_size=5,
    )


def _zip(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.encode("utf-8", "replace").decode(), content)
    return out.getvalue()


def _good_npz() -> bytes:
    out = io.BytesIO()
    sparse.save_npz(out, sparse.csr_array(np.eye(3, dtype=int)))
    return out.getvalue()


LINES = b"wolves hunt deer\nzanzibarcanary grazes\nriver and snow\n"
MADE: dict[str, tuple[st.SearchStrategy[bytes], bytes]] = {
    "a.txt": (st.binary(max_size=200) | PLAIN, LINES),
    "a": (st.binary(max_size=200) | _json_lines(), LINES),
    "a.csv": (_table(",") | _table(";"), b'who,text\nann,"wolves, hunt"\nbo,deer\nann,snow\n'),
    "a.tsv": (_table("\t"), b"who\ttext\nann\twolves\nbo\tdeer\nann\tsnow\n"),
    "a.jsonl": (
        _json_lines(),
        b'{"text": "wolves", "who": 1}\n{"text": "deer", "who": 2}\n{"text": "", "who": 1}\n',
    ),
    "a.parquet": (_parquet(), b""),
    "a.mbox": (
        _mailbox(),
        b"From a\nFrom: a@b\nSubject: x\n\nwolves hunt\n\nFrom a\nFrom: c@d\n\ndeer\n\nFrom a\n\nsnow\n",
    ),
    "a.eml": (_message(), b"From: a@b\nSubject: x\nContent-Type: text/html\n\n<p>wolves hunt"),
    "a.html": (
        st.lists(PLAIN | TAGS, max_size=12).map(b"".join),
        b"<meta charset=utf-8><p>wolves <b>hunt</b><br>deer <style>x</style>",
    ),
    "a.xlsx": (_sheet(), b""),
    "a.docx": (st.just(b""), b""),
    "a.pdf": (st.binary(max_size=200).map(lambda it: b"%PDF-1.4\n" + it), b""),
    "docword.txt": (_bag(), b"4\n3\n4\n1 1 2\n2 2 1\n3 3 5\n4 1 1\n"),
    "a.mtx": (
        _market(),
        b"%%MatrixMarket matrix coordinate integer general\n4 3 3\n1 1 2\n2 2 1\n3 3 5\n",
    ),
    "a.npz": (_npz(), _good_npz()),
    "a.zip": (
        _members().map(_zip),
        _zip({"a.txt": b"wolves", "b.txt": b"deer", "c/d.csv": b"text\nsnow\n"}),
    ),
    "a.csv.gz": (_table(",").map(gzip.compress), gzip.compress(b"text\nwolves\ndeer\nsnow\n")),
    "a.txt.zst": (st.binary(max_size=100).map(lambda it: b"\x28\xb5\x2f\xfd" + it), b""),
    "a.txt.bz2": (st.binary(max_size=100).map(lambda it: b"BZh9" + it), b""),
}
OTHERS = dict.fromkeys(("a.docx", "a.pdf", "a.eml", "a.html"), ("b.txt", "c.txt"))
"""What lies beside a file that is one document or few."""

NAMES = tuple(MADE)


def good_file(name: str) -> bytes:
    """A good file; those that libraries write are written once, when they are needed."""
    return MADE[name][1] or samples.made(name)


def files(name: str) -> st.SearchStrategy[tuple[bytes, dict[str, object]]]:
    """Files of a name with options to read them with: made by the rules of the format, or good ones, damaged."""
    return st.tuples(MADE[name][0] | _damaged(good_file(name)), OPTIONS)


@st.composite
def _damaged(draw: st.DrawFn, original: bytes) -> bytes:
    content = bytearray(original)
    for _ in range(draw(st.integers(0, 4))):
        position = draw(st.integers(0, max(0, len(content) - 1)))
        length = draw(st.integers(1, 12))
        change = draw(st.sampled_from(["set", "cut", "insert", "double", "end"]))
        if change == "set":
            content[position : position + length] = draw(
                st.binary(min_size=length, max_size=length)
            )
        elif change == "cut":
            del content[position : position + length]
        elif change == "insert":
            content[position:position] = draw(st.binary(max_size=length))
        elif change == "double":
            content[position:position] = content[position : position + 8 * length]
        else:
            del content[position:]
    return bytes(content)


def outcome(name: str, example: tuple[bytes, dict[str, object]]) -> str:
    """What comes of reading a file: ``read`` or ``refused``, else the name of the error that came through.

    A refusal that quotes the file counts as an error of its own.
    """
    content, options = example
    word_list = (
        ("vocab.txt", io.BytesIO(b"wolves\ndeer\nsnow\n"))
        if name in ("docword.txt", "a.mtx", "a.npz")
        else None
    )
    try:
        files = [
            (name, io.BytesIO(content)),
            *((other_name, io.BytesIO(LINES)) for other_name in OTHERS.get(name, ())),
        ]
        load(files, words=word_list, label=Label.SENSITIVE, limits=LIMITS, n_words=50, **options)
    except DpldaError as refusal:
        return "quoted" if CANARY in str(refusal) else "refused"
    return "read"
