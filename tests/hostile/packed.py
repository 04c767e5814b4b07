"""Files that are larger than they look: archives, packed files, Parquet, counts of words."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.texts import GOOD, ROWS
from tests.hostile.trial import CANARY, Trial, file

WORDS = "wolves\ndeer\nsnow\n"
BAG = "4\n3\n5\n1 1 3\n2 2 3\n3 3 5\n4 1 2\n4 2 2\n"
MARKET = (
    "%%MatrixMarket matrix coordinate integer general\n4 3 5\n1 1 3\n2 2 3\n3 3 5\n4 1 2\n4 2 2\n"
)


def trials() -> Iterator[Trial]:
    """All of them."""
    for trial_name, content in _ZIPS.items():
        yield file("zip", trial_name, "a.zip", content)
    for trial_name, content in _TARS.items():
        yield file("tar", trial_name, "a.tar", content)
    for trial_name, (name, content) in _PACKED.items():
        yield file("packed", trial_name, name, content)
    for trial_name, content in _PARQUET.items():
        yield file("Parquet", trial_name, "a.parquet", content)
    for trial_name, header in _HEADS.items():
        body = BAG.split("\n", 3)[3]
        yield file(
            "bag of words",
            f"a header of {trial_name}",
            "docword.txt",
            f"{header}\n{body}".encode(),
            words=WORDS,
        )
    for trial_name, line in _LINES.items():
        yield file(
            "bag of words",
            trial_name,
            "docword.txt",
            f"4\n3\n6\n{BAG[6:]}{line}\n".encode(),
            words=WORDS,
        )
        if trial_name in _TOLD_APART:
            market = MARKET.replace(" 5\n", " 6\n", 1) + f"{line}\n"
            yield file(
                "Matrix Market", f"a count of {trial_name}", "a.mtx", market.encode(), words=WORDS
            )
    for trial_name, size in _MARKETS.items():
        yield file(
            "Matrix Market",
            trial_name,
            "a.mtx",
            f"%%MatrixMarket matrix {size}\n1 1 1\n".encode(),
            words=WORDS,
        )
    for trial_name, content in _MATRICES.items():
        yield file("npz", trial_name, "a.npz", content, words=WORDS)
    for trial_name, words in _LISTS.items():
        yield file("list of words", trial_name, "docword.txt", BAG.encode(), words=words)


def _zip(
    *members: tuple[str, bytes], change: Callable[[zipfile.ZipInfo], None] | None = None
) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            if change:
                change(info)
            archive.writestr(info, content)
    return out.getvalue()


def _link(info: zipfile.ZipInfo) -> None:
    info.create_system, info.external_attr = 3, 0o120777 << 16


def _large_zip(n_bytes: int) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("a.txt", "w") as member,
    ):
        for _ in range(n_bytes // len(block := GOOD * 2000)):
            member.write(block)
    return out.getvalue()


def _overlapping() -> bytes:
    """Many entries of the directory lead to one member."""
    archive = _zip(("a.txt", GOOD * 50_000))
    start = archive.index(b"PK\x01\x02")
    end = archive.index(b"PK\x05\x06")
    entry = archive[start:end]
    entries = b"".join(entry.replace(b"a.txt", b"%05d" % i) for i in range(60_000))
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 60_000, 60_000, len(entries), start, 0)
    return archive[:start] + entries + tail


def _lying(content: bytes) -> bytes:
    """The directory and the member's head give a size of three bytes."""
    archive = _zip(("a.txt", content))
    return archive.replace(struct.pack("<I", len(content)), struct.pack("<I", 3))


TWO = (("a.txt", GOOD), ("b.csv", b"who,text\n" + ROWS))
_ZIPS: dict[str, bytes | Callable[[], bytes]] = {
    "zeros, 300 MB": lambda: _zip(("a.txt", bytes(300_000_000))),
    "text, 300 MB": partial(_large_zip, 300_000_000),
    "zips in zips": lambda: _zip(("b.zip", _zip(("c.zip", _zip(*TWO))))),
    "sixty thousand names for one": _overlapping,
    "seventy thousand empty members": lambda: _zip(*((f"{i}.txt", b"") for i in range(70_000))),
    "a size that lies": lambda: _lying(GOOD * 1000),
    "up and out": _zip(*TWO, ("../../c.txt", GOOD)),
    "from the root": _zip(*TWO, ("/etc/c.txt", GOOD)),
    "a drive": _zip(*TWO, ("C:\\c.txt", GOOD)),
    "names that do not print": _zip(*TWO, ("\x1b[2J\u202e\n.txt", GOOD)),
    "a name of 60,000 letters": _zip(*TWO, ("a" * 60_000 + ".txt", GOOD)),
    "a name of slashes": _zip(*TWO, ("/" * 9 + "a/" * 5000 + ".txt", GOOD)),
    "a name twice": _zip(*TWO).replace(b"b.csv", b"a.txt"),
    "a link": _zip(("a.txt", b"/etc/passwd"), change=_link),
    "locked": _zip(*TWO)
    .replace(b"PK\x03\x04\x14\0\0\0", b"PK\x03\x04\x14\0\1\0")
    .replace(b"\x14\0\0\0\x08", b"\x14\0\1\0\x08"),
    "an unknown method": _zip(*TWO).replace(b"\x14\0\0\0\x08\0", b"\x14\0\0\0\x63\0"),
    "cut": _zip(*TWO)[:-30],
    "its middle is gone": _zip(*TWO)[:60] + _zip(*TWO)[70:],
    "a directory alone": b"PK\x05\x06" + bytes(18),
    "a directory that lies": b"PK\x05\x06" + b"\xff" * 18,
    "a bad sum": _zip(*TWO).replace(struct.pack("<I", zipfile.crc32(GOOD)), b"\1\2\3\4"),  # type: ignore[attr-defined]
    "not one": GOOD,
}


def _tar(*members: tuple[str, bytes, dict[str, object]], style: int = tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=style) as archive:
        for name, content, changes in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            for field, value in changes.items():
                setattr(info, field, value)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


_ONE = ("a.txt", GOOD, {})
_TARS: dict[str, bytes | Callable[[], bytes]] = {
    "a link": _tar(_ONE, ("b.txt", b"", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"})),
    "up and out": _tar(_ONE, ("../b.txt", GOOD, {})),
    "cut": _tar(_ONE)[:700],
    "notes of 50 MB": lambda: _tar(("a.txt", GOOD, {"pax_headers": {"comment": "x" * 50_000_000}})),
    "tars in tars": _tar(("b.tar", _tar(_ONE), {})),
    "not one": GOOD,
}  # fmt: skip

_PACKED: dict[str, tuple[str, bytes | Callable[[], bytes]]] = {
    "2 GB of zeros, gzip": ("a.txt.gz", lambda: gzip.compress(bytes(10_000_000)) * 200),
    "2 GB of zeros, bzip2": ("a.txt.bz2", lambda: bz2.compress(bytes(40_000_000)) * 50),
    "300 MB of text, gzip": (
        "a.csv.gz",
        lambda: gzip.compress(b"text\n") + gzip.compress(GOOD * 3000, 1) * 260,
    ),
    "a hundred thousand empty parts": (
        "a.txt.gz",
        lambda: gzip.compress(GOOD) + gzip.compress(b"") * 100_000,
    ),
    "a hundred thousand empty parts, bzip2": (
        "a.txt.bz2",
        lambda: bz2.compress(GOOD) + bz2.compress(b"") * 100_000,
    ),
    "cut": ("a.txt.gz", gzip.compress(GOOD)[:-9]),
    "cut, bzip2": ("a.txt.bz2", bz2.compress(GOOD)[:-9]),
    "a bad sum": ("a.txt.gz", gzip.compress(GOOD)[:-8] + bytes(8)),
    "garbage after": ("a.txt.gz", gzip.compress(GOOD) + CANARY.encode() * 99),
    "garbage": ("a.txt.gz", b"\x1f\x8b" + GOOD),
    "a name without an end": ("a.txt.gz", b"\x1f\x8b\x08\x08" + bytes(6) + b"a" * 2_000_000),
    "twice": ("a.txt.gz.gz", gzip.compress(gzip.compress(GOOD))),
    "tar in gzip, a bomb": (
        "a.tar.gz",
        lambda: gzip.compress(_tar(("a.txt", bytes(10_000_000), {}))) * 99,
    ),
    "a Parquet file in gzip": (
        "a.parquet.gz",
        lambda: gzip.compress(_parquet({"text": ["wolves"] * 4})),
    ),
    "a matrix in gzip": ("a.npz.gz", lambda: gzip.compress(_npz())),
    "2 GB of zeros, Zstandard": (
        "a.txt.zst",
        lambda: pa.compress(bytes(10_000_000), "zstd", asbytes=True) * 200,
    ),
    "2 GB of zeros, xz": ("a.txt.xz", lambda: lzma.compress(bytes(10_000_000)) * 200),
    "lz4": ("a.txt.lz4", lambda: pa.compress(GOOD, "lz4", asbytes=True)),
}


def _parquet(columns: dict[str, object], **options: object) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **{"compression": "zstd", **options})
    return out.getvalue()


def _repeated(value: str, times: int) -> bytes:
    indices = pa.array(np.zeros(times, dtype=np.int8))
    return _parquet({"text": pa.DictionaryArray.from_arrays(indices, pa.array([value]))})


TEXTS = ["wolves hunt deer", f"deer {CANARY}", "snow wolves deer", "snow"] * 3
_PARQUET: dict[str, bytes | Callable[[], bytes]] = {
    "2 GB from one text": lambda: _repeated("wolves deer " * 800_000, 120),
    "2 GB from one text, twenty-five times": lambda: _repeated("wolves deer " * 800_000, 25),
    "thirty million rows": lambda: _repeated(f"wolves {CANARY} deer snow", 30_000_000),
    "thirty million rows without a value": lambda: _parquet(
        {"text": pa.nulls(30_000_000, pa.string())}
    ),
    "a long list": lambda: _parquet({"text": pa.array([["wolves"] * 5_000_000] * 3)}),
    "lists, deep": lambda: _parquet({"text": pa.array([[[[["wolves", CANARY]]]]] * 9)}),
    "three thousand columns": lambda: _parquet({f"c{i}": TEXTS for i in range(3000)}),
    "three thousand groups of rows": lambda: _parquet(
        {"text": ["wolves deer snow"] * 3000}, row_group_size=1
    ),
    "no rows": lambda: _parquet({"text": pa.array([], pa.string())}),
    "no columns": lambda: _parquet({}),
    "names that do not print": lambda: _parquet({"te\x1bxt\n": TEXTS, "\u202e": TEXTS}),
    "times": lambda: _parquet({"text": pa.array([2**62] * 9, pa.timestamp("us"))}),
    "decimals": lambda: _parquet({"text": pa.array([1] * 9).cast(pa.decimal128(30, 9))}),
    "NaN": lambda: _parquet({"text": [float("nan")] * 9}),
    "bytes": lambda: _parquet({"text": [b"\xff\xfe" + CANARY.encode()] * 9}),
    "bytes that are called text": lambda: _parquet(
        {"text": pa.array([b"\xff\xfe" + CANARY.encode()] * 9).view(pa.string())}
    ),
    "a structure": lambda: _parquet({"text": [{CANARY: "wolves"}] * 9}),
    "cut": lambda: _parquet({"text": TEXTS})[:-20],
    "a footer that lies": lambda: _parquet({"text": TEXTS})[:-8] + b"\xff\xff\xff\x7fPAR1",
    "a footer of noise": lambda: (
        b"PAR1" + bytes(range(256)) * 9 + struct.pack("<I", 2000) + b"PAR1"
    ),
    "pages of noise": lambda: (one := _parquet({"text": TEXTS}))[:20] + b"\xff" * 40 + one[60:],
    "locked": lambda: _parquet({"text": TEXTS})[:-4] + b"PARE",
    "not one": GOOD,
}

_HEADS = {
    "0": "0\n0\n0", "below 0": "-4\n-3\n-5", "10^18 documents": f"{10**18}\n3\n5", "10^12 words": f"4\n{10**12}\n5",
    "10^9 documents": f"{10**9}\n3\n5", "10^18 entries": f"4\n3\n{10**18}", "NaN": "nan\nnan\nnan",
    "a fraction": "4.5\n3\n5", "5,000 digits": "9" * 5000 + "\n3\n5", "words": f"{CANARY}\n3\n5", "nothing": "\n\n",
    "too few": "4\n3\n4", "too many": "4\n3\n6", "10^7 documents": f"{10**7}\n3\n5",
}  # fmt: skip
_LINES = {
    "NaN": "4 3 nan", "infinity": "4 3 inf", "1e300": "4 3 1e300", "10^30": f"4 3 {10**30}", "2^63": f"4 3 {2**63}",
    "below 0": "4 3 -1", "half": "4 3 0.5", "0": "4 3 0", "place 0": "0 0 1", "too far": "9 9 1", "once more": "1 1 2",
    "a word": f"4 3 {CANARY}", "too long": "4 3 1 1", "other digits": "4 3 ٣", "a low line": "4 3 1_0",
}  # fmt: skip
_TOLD_APART = ("NaN", "10^30", "below 0", "half", "too far", "a word")
_MARKETS = {
    "an array without an end": f"array real general\n{10**9} {10**9}",
    "an array of 40,000": "array real general\n40000 40000",
    "10^18 rows": f"coordinate integer general\n{10**18} 3 1",
    "10^9 rows": f"coordinate integer general\n{10**9} 3 1",
    "rows below 0": "coordinate integer general\n-4 3 1",
    "10^18 entries": f"coordinate integer general\n4 3 {10**18}",
    "complex": "coordinate complex hermitian\n3 3 1",
    "symmetric, not square": "coordinate integer symmetric\n4 3 1",
    "pattern": "coordinate pattern general\n4 3 1",
    "no size": "coordinate integer general\n",
    "a word for a size": f"coordinate integer general\n{CANARY} 3 1",
    "another kind": "graph real general\n4 3 1",
    "a hundred thousand notes": "coordinate integer general\n"
    + f"% {CANARY}\n" * 100_000
    + "4 3 1",
}
_NUMBERS = {
    "indptr": [0, 1, 2, 3, 5],
    "indices": [0, 1, 2, 0, 1],
    "data": [3, 3, 5, 2, 2],
    "shape": [4, 3],
}


def _npz(**changes: object) -> bytes:
    out = io.BytesIO()
    parts = {
        "format": b"csr",
        **{name: np.array(numbers) for name, numbers in _NUMBERS.items()},
        **changes,
    }
    np.savez_compressed(out, **{name: part for name, part in parts.items() if part is not None})  # type: ignore[arg-type]
    return out.getvalue()


def _npy(header: str) -> bytes:
    head = header.encode() + b"\n"
    return _zip(
        ("indptr.npy", b"\x93NUMPY\2\0" + struct.pack("<I", len(head)) + head + bytes(99)),
        ("data.npy", b""),
    )


_SHAPED = "{'descr': '<i8', 'fortran_order': False, 'shape': (%s,)}"
_MATRICES: dict[str, bytes | Callable[[], bytes]] = {
    **{
        f"data: {what}": partial(_npz, data=np.array(data))
        for what, data in (
            ("NaN", [np.nan] * 5), ("infinity", [np.inf] * 5), ("below 0", [-1] * 5), ("halves", [0.5] * 5),
            ("1e300", [1e300] * 5), ("2^63", np.array([2**63] * 5, np.uint64)), ("complex", [1j] * 5),
            ("words", [CANARY] * 5), ("truths", [True] * 5), ("a table", np.ones((5, 5))), ("a number", 1),
            ("too few", [1]), ("times", np.array([1] * 5, "M8[s]")),
        )
    },
    "objects": partial(_npz, data=np.array([{CANARY: 1}] * 5)),
    "a shape of 10^18": partial(_npz, shape=np.array([10**18, 3])),
    "a shape of 10^9 words": partial(_npz, shape=np.array([4, 10**9])),
    "a shape below 0": partial(_npz, shape=np.array([-4, -3])),
    "a shape of halves": partial(_npz, shape=np.array([4.5, 3.5])),
    "a shape of three": partial(_npz, shape=np.array([4, 3, 2])),
    "no shape": partial(_npz, shape=None),
    "places too far": partial(_npz, indices=np.array([99] * 5)),
    "places below 0": partial(_npz, indices=np.array([-1] * 5)),
    "places of halves": partial(_npz, indices=np.array([0.5] * 5)),
    "rows that go back": partial(_npz, indptr=np.array([0, 5, 2, 9, 5])),
    "rows below 0": partial(_npz, indptr=np.array([-9, 1, 2, 3, 5])),
    "no rows": partial(_npz, indptr=None),
    "another format": partial(_npz, format=CANARY.encode()),
    "no format": partial(_npz, format=None),
    "diagonals": partial(_npz, format=b"dia", offsets=np.array([10**9])),
    "blocks": partial(_npz, format=b"bsr", data=np.ones((5, 2, 2), int)),
    "2 GB of zeros": lambda: _npz(data=np.broadcast_to(np.zeros(1, np.int8), 250_000_000)),
    "a header of 10^12": lambda: _npy(_SHAPED % 10**12),
    "a header below 0": lambda: _npy(_SHAPED % -5),
    "a header, deep": lambda: _npy("(" * 9000),
    "a header that is code": lambda: _npy("__import__('os').abort()"),
    "not one": GOOD,
}  # fmt: skip
_LISTS = {
    "empty": "", "a word twice": "deer\ndeer\nsnow\n", "too few": "deer\n", "too many": WORDS * 9, "no words": "\n\n\n",
    "not UTF-8": "\udcff\ndeer\nsnow\n", "zero letters": "a\0b\ndeer\nsnow\n", "marks": "a" + "\u0301\u0316" * 100_000,
    "a word of 9 MB": "a" * 9_000_000 + "\ndeer\nsnow", "spaces": f"deer {CANARY}\nsnow ice\nwolves\n",
}  # fmt: skip
