"""Limits before work: directories are counted before they are parsed, and time grows with the size of the input."""

import gzip
import io
import struct
import time
import tracemalloc
import zipfile

import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, Limits, load
from dplda.corpus.files import zip_archives
from dplda.corpus.files.compression import Unpacked
from dplda.corpus.files.work_budget import TooMuchWorkError, WorkBudget
from dplda.corpus.readers.counting import DocumentCounter
from tests.corpus.readers.samples import pdf
from tests.corpus.readers.test_archives import zipped

ENTRY = struct.Struct("<4s6H3L5H2L")
END = struct.Struct("<4s4H2LH")


def directory(n_entries: int, name: bytes = b"", declared: int | None = None) -> bytes:
    """A zip archive that is nothing but a directory."""
    entry = ENTRY.pack(b"PK\x01\x02", *(0,) * 9, len(name), 0, 0, 0, 0, 0, 0) + name
    all_entries = entry * n_entries
    n = (n_entries if declared is None else declared) % 65536
    return all_entries + END.pack(b"PK\x05\x06", 0, 0, n, n, len(all_entries), 0, 0)


def read(content: bytes, name: str, **options):
    return load((name, io.BytesIO(content)), label=Label.PUBLIC, **options)


@pytest.mark.parametrize("declared", [None, 1])
@pytest.mark.parametrize("name", ["a.zip", "a.xlsx", "a.docx"])
def test_directory_of_too_many_members_is_refused_before_it_is_parsed(
    name, declared, monkeypatch
) -> None:
    monkeypatch.setattr(zip_archives, "MAX_MEMBERS", 5_000)
    content = directory(50_000, declared=declared)
    tracemalloc.start()
    with pytest.raises(ReadError, match="more than 5,000 members, the limit"):
        read(content, name)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * len(content) + 2_000_000, "an object for each takes twenty times as much"


def test_directory_of_200_000_members_is_refused_within_five_seconds() -> None:
    content = directory(200_000, declared=1)
    started = time.process_time()
    with pytest.raises(ReadError, match="more than 100,000 members, the limit"):
        read(content, "a.zip")
    assert time.process_time() - started < 5


def test_directory_in_the_longer_form_is_counted_too(monkeypatch) -> None:
    monkeypatch.setattr(zip_archives, "MAX_MEMBERS", 3)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for place in range(5):
            archive.writestr(f"{place}.txt", b"river")
    plain = out.getvalue()
    at = plain.index(b"PK\x05\x06")
    n_bytes = at - plain.index(b"PK\x01\x02")
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 5, 5, n_bytes, at - n_bytes)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    end = END.pack(b"PK\x05\x06", 0, 0, 65535, 65535, 2**32 - 1, 2**32 - 1, 0)
    for content in (plain, plain[:at] + record + locator + end, plain[:-2] + b"\x03\x00PK\x05"):
        with pytest.raises(ReadError, match="more than 3 members"):
            read(content, "a.zip")


def test_huge_directory_is_refused_before_it_is_read(monkeypatch) -> None:
    monkeypatch.setattr(zip_archives, "_MAX_DIRECTORY_BYTES", 1000)
    with pytest.raises(ReadError, match=r"a directory of more than .* MB, the limit"):
        read(directory(50), "a.zip")


def test_long_name_of_a_member_is_refused() -> None:
    with pytest.raises(ReadError, match="a name of more than 4,096 bytes, the limit"):
        read(directory(2, name=b"a" * 5000), "a.zip")
    assert (
        read(zipped({f"{'a' * 200}{i}.txt": b"river water" for i in range(3)}), "a.zip").n_documents
        == 3
    )


@pytest.mark.parametrize("flag", [8, 16])
def test_long_name_in_a_gzip_header_takes_no_time(flag) -> None:
    """A name, or a comment, of which the library of Python reads a byte at a time."""
    head = b"\x1f\x8b\x08" + bytes([flag]) + b"\0\0\0\0\0\xff"
    packed_river = gzip.compress(b"river")
    content = head + b"a" * 20_000_000 + b"\0" + packed_river[10:]
    started = time.process_time()
    assert Unpacked("a.txt.gz", io.BytesIO(content)).read(100) == b"river"
    assert time.process_time() - started < 2


def test_gzip_of_many_members_takes_linear_time() -> None:
    content = gzip.compress(b"") * 100_000 + gzip.compress(b"river")
    started = time.process_time()
    assert Unpacked("a.txt.gz", io.BytesIO(content)).read(100) == b"river"
    assert time.process_time() - started < 5


def test_budget_grows_with_the_input() -> None:
    for n_bytes, megabytes in ((10, 1), (1_000_000, 1), (5_000_000, 5), (None, 7)):
        budget = WorkBudget(8, n_bytes, max_bytes=7_000_000)
        assert 8 * megabytes - 1 < budget.seconds_left <= 8 * megabytes


def test_budget_counts_time_of_other_processes() -> None:
    budget = WorkBudget(8, 10, max_bytes=10)
    budget.spend(7.9)
    budget.check("a.txt")
    budget.spend(0.2)
    with pytest.raises(TooMuchWorkError, match="more than 8 seconds of processor time a megabyte"):
        budget.check("a.txt")


def test_input_that_takes_too_long_is_refused(monkeypatch) -> None:
    """However many files share the time: it is that of the whole input."""
    content = zipped({f"{place}.txt": b"river water" for place in range(5)})
    limits = Limits(max_seconds_per_megabyte=1)
    assert read(content, "a.zip", limits=limits).n_documents == 5
    add, thread_time, seconds_spent = DocumentCounter.add, time.thread_time, []

    def slow(self, document) -> None:
        seconds_spent.append(0.3)
        add(self, document)

    monkeypatch.setattr(DocumentCounter, "add", slow)
    monkeypatch.setattr(time, "thread_time", lambda: thread_time() + sum(seconds_spent))
    with pytest.raises(TooMuchWorkError, match=r"a\.zip: reading takes more than 1 seconds"):
        read(content, "a.zip", limits=limits)


def test_documents_of_slow_libraries_share_the_time_of_the_archive() -> None:
    slow = pdf("canary", times=300_000)
    content = zipped({f"{place}.pdf": slow for place in range(8)} | {"b.txt": b"river"})
    assert len(content) < 1_000_000
    with pytest.raises(TooMuchWorkError, match="more than 1 seconds of processor time"):
        read(content, "a.zip", limits=Limits(max_seconds_per_megabyte=1))


def test_counts_that_take_too_long_are_refused(monkeypatch) -> None:
    """Entries of a few bytes, a hundred times larger than the file that they come in."""
    monkeypatch.setattr(time, "thread_time", iter(range(0, 100_000, 10)).__next__)
    n_entries = 100_000
    content = b"3\n2\n%d\n" % n_entries + b"1 1 1\n" * n_entries
    words = ("vocab.txt", io.BytesIO(b"river\nwater\n"))
    with pytest.raises(TooMuchWorkError, match=r"docword\.txt: reading takes more than 8 seconds"):
        load([("docword.txt", io.BytesIO(content)), words], label=Label.PUBLIC)
