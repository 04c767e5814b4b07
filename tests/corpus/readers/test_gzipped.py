"""Gzip files: the same content, bounded in memory and expansion, damage refused."""

import bz2
import gzip
import io
import tracemalloc

import numpy as np
import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, Limits, load
from dplda.corpus.files.compression import LARGEST_EXPANSION, Unpacked

TEXT = b"wolves hunt deer\ndeer graze\nwolves howl\n"
NOISE = np.random.default_rng(0).integers(97, 123, 200_000).astype(np.uint8).tobytes()


def content(data, size=1000, name="notes.txt.gz"):
    stream = Unpacked(name, io.BytesIO(data))
    return b"".join(iter(lambda: stream.read(size), b""))


def read(data, name, **options):
    return load((name, io.BytesIO(data)), label=Label.PUBLIC, **options)


@pytest.mark.parametrize("size", [1, 7, 1 << 18])
@pytest.mark.parametrize("original", [b"", b"a", TEXT, NOISE[:3000]])
def test_the_content_comes_back(original, size):
    assert content(gzip.compress(original), size) == original


def test_members_are_joined_and_padding_is_passed_over():
    packed = gzip.compress(TEXT) + gzip.compress(b"") + gzip.compress(NOISE) + b"\0" * 300
    assert content(packed) == TEXT + NOISE


def test_files_are_the_same_packed_or_not(tmp_path):
    jsonl = b'{"id": 1, "text": "wolves hunt"}\n{"id": 2, "text": "deer graze"}\n{"id": 3, "text": "wolves graze"}\n'
    csv = b"id,text\n1,wolves hunt\n2,deer graze\n3,wolves graze\n"
    for name, data in (("a.txt", TEXT), ("a.jsonl", jsonl), ("a.csv", csv), ("a.tsv", csv.replace(b",", b"\t"))):
        packed = read(gzip.compress(data), f"{name}.gz")
        assert packed.digest == read(data, name).digest
        assert packed.name == f"{name}.gz"
    path = tmp_path / "A.JSONL.GZ"
    path.write_bytes(gzip.compress(jsonl))
    assert load(path, label=Label.PUBLIC).digest == read(jsonl, "a.jsonl").digest
    assert read(gzip.compress(jsonl), "a.gz").digest == read(jsonl, "a").digest, "by content"


@pytest.mark.parametrize("cut", [1, 9, 15, 25, -9, -8, -1])
def test_a_truncated_file_is_refused(cut):
    with pytest.raises(ReadError, match=r"notes\.txt\.gz.*: a gzip file that ends too early") as caught:
        read(gzip.compress(TEXT)[:cut], "notes.txt.gz")
    assert caught.value.offset == len(gzip.compress(TEXT)[:cut])


@pytest.mark.parametrize("where", [1000, -6, -2])
def test_a_damaged_file_is_refused(where):
    packed = bytearray(gzip.compress(NOISE))
    packed[where] ^= 0xFF
    with pytest.raises(ReadError, match=r"a damaged gzip file|ends too early"):
        content(bytes(packed))


def test_what_follows_a_member_must_be_one():
    with pytest.raises(ReadError, match="a damaged gzip file"):
        content(gzip.compress(TEXT) + b"canary")


def test_what_is_no_gzip_file_is_refused():
    with pytest.raises(ReadError, match="not a gzip file"):
        read(TEXT, "notes.txt.gz")
    with pytest.raises(ReadError, match="an empty file"):
        read(b"", "notes.txt.gz")
    with pytest.raises(ReadError, match=r"a gzip file, which must be named \.gz"):
        read(gzip.compress(TEXT), "notes.txt")
    with pytest.raises(ReadError, match="a gzip file"):
        read(gzip.compress(gzip.compress(TEXT)), "notes.txt.gz")


@pytest.mark.parametrize("seekable", [True, False])
def test_a_file_that_expands_too_far_is_refused_early(seekable):
    packed = gzip.compress(bytes(50_000_000))
    assert len(packed) * LARGEST_EXPANSION < 50_000_000
    file = io.BytesIO(packed)
    file.seekable = lambda: seekable
    stream = Unpacked("bomb.txt.gz", file)
    tracemalloc.start()
    with pytest.raises(ReadError, match=r"bomb\.txt\.gz: .* 100 times larger .* the limit on expansion"):
        list(iter(lambda: stream.read(1 << 16), b""))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * 2**20  # no more than was let through: 100 times 50 kB


def test_an_expansion_just_below_the_limit_is_fine():
    original = NOISE[:1000] + bytes(50_000)
    packed = gzip.compress(original)
    assert 50 < len(original) / len(packed) < LARGEST_EXPANSION
    assert content(packed) == original


def test_the_limit_on_bytes_is_one_on_the_content():
    packed = gzip.compress(TEXT)
    assert len(packed) > len(TEXT)
    assert read(packed, "notes.txt.gz", limits=Limits(max_bytes=len(TEXT))).n_documents == 3
    with pytest.raises(ReadError, match=f"more than {len(TEXT) - 1} bytes"):
        read(packed, "notes.txt.gz", limits=Limits(max_bytes=len(TEXT) - 1))


def test_progress_follows_the_packed_bytes():
    words = np.random.default_rng(1).integers(97, 123, (20_000, 30)).astype(np.uint8)
    data = b"\n".join(bytes(row) for row in words)
    heard = []
    read(gzip.compress(data), "notes.txt.gz", report=lambda share, line: heard.append(share))
    assert heard == sorted(heard)
    assert 0 < heard[0] < 0.5
    assert heard[-1] == 1


def test_bzip2_members_are_joined_and_nothing_else_may_follow():
    packed = bz2.compress(TEXT) + bz2.compress(NOISE)
    assert content(packed, name="notes.txt.bz2") == TEXT + NOISE
    with pytest.raises(ReadError, match="a bzip2 file that ends too early"):
        content(packed[:-4], name="notes.txt.bz2")
    with pytest.raises(ReadError, match="a damaged bzip2 file"):
        content(packed + b"canary", name="notes.txt.bz2")
