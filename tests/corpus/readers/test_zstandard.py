"""Zstandard files: the same content, bounded in memory and expansion, damage refused."""

import io
import tracemalloc
import zipfile

import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, Limits, load
from dplda.corpus.files.compression import LARGEST_EXPANSION, Unpacked
from tests.corpus.readers.samples import zstd
from tests.corpus.readers.test_gzipped import NOISE, TEXT


def content(data: bytes, size: int = 1000) -> bytes:
    stream = Unpacked("notes.txt.zst", io.BytesIO(data))
    return b"".join(iter(lambda: stream.read(size), b""))


def read(data: bytes, name: str = "notes.txt.zst", **options):
    return load((name, io.BytesIO(data)), label=Label.PUBLIC, **options)


@pytest.mark.parametrize("size", [1, 7, 1 << 18])
@pytest.mark.parametrize("original", [b"", b"a", TEXT, NOISE[:3000]])
def test_the_content_comes_back(original, size) -> None:
    assert content(zstd(original), size) == original


def test_frames_are_joined_and_those_to_skip_are_passed_over() -> None:
    skipped = b"\x50\x2a\x4d\x18" + (6).to_bytes(4, "little") + b"canary"
    assert content(zstd(TEXT) + zstd(b"") + skipped + zstd(NOISE)) == TEXT + NOISE


def test_files_are_the_same_packed_or_not_and_left_open(tmp_path) -> None:
    csv = b"id,text\n1,wolves hunt\n2,deer graze\n3,wolves graze\n"
    for name, data in (("a.txt", TEXT), ("a.csv", csv)):
        file = io.BytesIO(zstd(data))
        packed = load((f"{name}.zst", file), label=Label.PUBLIC)
        assert packed.digest == read(data, name).digest
        assert packed.name == f"{name}.zst"
        assert not file.closed
    path = tmp_path / "A.CSV.ZST"
    path.write_bytes(zstd(csv))
    assert load(path, label=Label.PUBLIC).digest == read(csv, "a.csv").digest


@pytest.mark.parametrize("cut", [1, 4, 6, 15, -9, -1])
@pytest.mark.parametrize("before", [b"", zstd(TEXT)])
def test_a_truncated_file_is_refused(cut, before) -> None:
    packed = before + zstd(TEXT)[:cut]
    with pytest.raises(ReadError, match=r"notes\.txt\.zst.*: a zstd file that ends too early") as caught:
        read(packed)
    assert caught.value.offset == len(packed)


def test_a_damaged_file_is_refused() -> None:
    with pytest.raises(ReadError, match="a damaged zstd file"):
        content(zstd(TEXT) + b"canary", len(TEXT))
    with pytest.raises(ReadError, match="not a zstd file"):
        read(TEXT)
    with pytest.raises(ReadError, match="an empty file"):
        read(b"")
    with pytest.raises(ReadError, match=r"a zstd file, which must be named \.zst"):
        read(zstd(TEXT), "notes.txt")


@pytest.mark.parametrize("seekable", [True, False])
def test_a_file_that_expands_too_far_is_refused_early(seekable) -> None:
    packed = zstd(bytes(50_000_000)) + NOISE[:50]
    assert len(packed) * LARGEST_EXPANSION < 50_000_000
    file = io.BytesIO(packed)
    file.seekable = lambda: seekable
    stream = Unpacked("bomb.txt.zst", file)
    tracemalloc.start()
    with pytest.raises(ReadError, match=r"bomb\.txt\.zst: .* 100 times larger .* the limit on expansion"):
        list(iter(lambda: stream.read(1 << 16), b""))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * 2**20


def test_a_frame_that_asks_for_a_huge_window_is_refused() -> None:
    """Of a terabyte: the decoder keeps so much to look back on, whatever follows."""
    frame = b"\x28\xb5\x2f\xfd" + b"\x00" + bytes([30 << 3]) + b"\x01\x00\x00"
    with pytest.raises(ReadError, match="zstd file"):
        content(frame + zstd(TEXT))


def test_what_the_system_refuses_is_no_damage() -> None:
    class Broken(io.BytesIO):
        def read(self, size=-1, /):
            raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output"):
        Unpacked("notes.txt.zst", Broken(b"x")).read(10)


def test_the_limit_on_bytes_is_one_on_the_content() -> None:
    assert read(zstd(TEXT), limits=Limits(max_bytes=len(TEXT))).n_documents == 3
    with pytest.raises(ReadError, match=f"more than {len(TEXT) - 1} bytes"):
        read(zstd(TEXT), limits=Limits(max_bytes=len(TEXT) - 1))


def test_folders_may_hold_some_and_archives_may_not(tmp_path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.txt.zst").write_bytes(zstd(TEXT))
    assert load(tmp_path, label=Label.PUBLIC).lengths.tolist() == [7, 7, 7]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt.zst", zstd(TEXT))
    with pytest.raises(ReadError, match="an archive within the archive"):
        read(packed.getvalue(), "a.zip")
    with pytest.raises(ReadError, match="an archive that is no zip archive"):
        read(zstd(TEXT), "a.tar.zst")
