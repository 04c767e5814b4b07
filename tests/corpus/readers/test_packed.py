"""Packed files: the same content, bounded in memory and expansion, damage refused."""

import bz2
import gzip
import io
import tracemalloc

import numpy as np
import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, load
from dplda.corpus.files.compression import MAX_EXPANSION, Unpacked
from tests.corpus.readers.samples import zstd

TEXT = b"wolves hunt deer\ndeer graze\nwolves howl\n"
NOISE = np.random.default_rng(0).integers(97, 123, 200_000).astype(np.uint8).tobytes()
CSV = b"id,text\n1,wolves hunt\n2,deer graze\n3,wolves graze\n"
JSON = b'{"id": 1, "text": "wolves hunt"}\n{"id": 2, "text": "deer graze"}\n{"id": 3, "text": "wolves graze"}\n'
PACK = {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstd}
KIND = {"gz": "gzip", "bz2": "bzip2", "zst": "zstd"}
TWO = ["gz", "zst"]  # bzip2 takes the way of zstd


def content(data: bytes, end: str = "gz", size: int = 1000) -> bytes:
    stream = Unpacked(f"notes.txt.{end}", io.BytesIO(data))
    return b"".join(iter(lambda: stream.read(size), b""))


def read(data: bytes, name: str, **options):
    return load((name, io.BytesIO(data)), label=Label.PUBLIC, **options)


@pytest.mark.parametrize("end", PACK)
@pytest.mark.parametrize("size", [1, 7, 1 << 18])
@pytest.mark.parametrize("original", [b"", b"a", TEXT, NOISE[:3000]])
def test_packed_file_gives_its_content_back(end, original, size) -> None:
    assert content(PACK[end](original), end, size) == original


def test_packed_members_are_joined_without_padding() -> None:
    assert (
        content(gzip.compress(TEXT) + gzip.compress(b"") + gzip.compress(NOISE) + b"\0" * 300)
        == TEXT + NOISE
    )
    assert content(bz2.compress(TEXT) + bz2.compress(NOISE), "bz2") == TEXT + NOISE
    skipped = b"\x50\x2a\x4d\x18" + (6).to_bytes(4, "little") + b"canary"
    assert content(zstd(TEXT) + zstd(b"") + skipped + zstd(NOISE), "zst") == TEXT + NOISE


@pytest.mark.parametrize("end", PACK)
def test_packed_open_file_reads_as_unpacked_without_being_closed(end) -> None:
    for name, data in (
        ("a.txt", TEXT),
        ("a.jsonl", JSON),
        ("a.csv", CSV),
        ("a.tsv", CSV.replace(b",", b"\t")),
    ):
        file = io.BytesIO(PACK[end](data))
        packed_corpus = load((f"{name}.{end}", file), label=Label.PUBLIC)
        assert packed_corpus.digest == read(data, name).digest
        assert packed_corpus.name == f"{name}.{end}"
        assert not file.closed


@pytest.mark.parametrize("end", PACK)
def test_packed_path_in_capitals_reads_as_unpacked(end, tmp_path) -> None:
    path = tmp_path / f"A.JSONL.{end.upper()}"
    path.write_bytes(PACK[end](JSON))
    assert load(path, label=Label.PUBLIC).digest == read(JSON, "a.jsonl").digest


@pytest.mark.parametrize("end", TWO)
@pytest.mark.parametrize("cut", [6, 15, 25, -9, -1])
@pytest.mark.parametrize("n_times", [False, True])
def test_truncated_packed_file_is_refused(end, cut, n_times) -> None:
    packed_text = PACK[end](TEXT) * n_times + PACK[end](TEXT)[:cut]
    with pytest.raises(ReadError, match=f"a {KIND[end]} file that ends too early") as caught:
        read(packed_text, f"notes.txt.{end}")
    assert caught.value.offset == len(packed_text)


@pytest.mark.parametrize("place", [1000, -6, -2])
def test_damaged_file_is_refused(place) -> None:
    packed_noise = bytearray(gzip.compress(NOISE))
    packed_noise[place] ^= 0xFF
    with pytest.raises(ReadError, match=r"a damaged gzip file|ends too early"):
        content(bytes(packed_noise))


@pytest.mark.parametrize("end", PACK)
def test_packed_file_of_another_kind_is_refused(end) -> None:
    name, kind = f"notes.txt.{end}", KIND[end]
    with pytest.raises(ReadError, match=f"a damaged {kind} file"):
        content(PACK[end](TEXT) + b"canary", end, len(TEXT))
    for data, reason in (
        (TEXT, f"not a {kind} file"),
        (b"", "an empty file"),
        (PACK[end](TEXT)[:1], "ends too early"),
        (PACK[end](PACK[end](TEXT)), f"a {kind}"),
    ):
        with pytest.raises(ReadError, match=reason):
            read(data, name)
    with pytest.raises(ReadError, match=rf"a {kind} file, which must be named \.{end}"):
        read(PACK[end](TEXT), "notes.txt")


@pytest.mark.parametrize("end", TWO)
@pytest.mark.parametrize("seekable", [True, False])
def test_file_that_expands_too_far_is_refused_early(end, seekable) -> None:
    packed_zeros = PACK[end](bytes(50_000_000)) + (NOISE[:50] if end == "zst" else b"")
    assert len(packed_zeros) * MAX_EXPANSION < 50_000_000
    file = io.BytesIO(packed_zeros)
    file.seekable = lambda: seekable
    stream = Unpacked(f"bomb.txt.{end}", file)
    tracemalloc.start()
    with pytest.raises(
        ReadError, match=rf"bomb\.txt\.{end}: .* 100 times larger .* the limit on expansion"
    ):
        list(iter(lambda: stream.read(1 << 16), b""))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * 2**20  # no more than was let through: 100 times 50 kB


def test_frame_that_asks_for_a_huge_window_is_refused() -> None:
    """Of a terabyte: the decoder keeps so much to look back on, whatever follows."""
    frame = b"\x28\xb5\x2f\xfd" + b"\x00" + bytes([30 << 3]) + b"\x01\x00\x00"
    with pytest.raises(ReadError, match="zstd file"):
        content(frame + zstd(TEXT), "zst")


def test_folders_may_hold_some(tmp_path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.txt.zst").write_bytes(zstd(TEXT))
    assert load(tmp_path, label=Label.PUBLIC).lengths.tolist() == [7, 7, 7]
