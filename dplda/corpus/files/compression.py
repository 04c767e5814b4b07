"""Gzip, bzip2 and Zstandard files as a stream of bytes: bounded in memory and expansion, strict about damage."""

import os
import zlib
from typing import BinaryIO

from dplda.core.errors import ReadError

LARGEST_EXPANSION = 100  # how many times larger than the packed file its content may be; text is 3 to 10 times larger
_KINDS = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstd"}
PACKED = tuple(_KINDS)  # endings of names of packed files
_DAMAGED = "Copy or compress it again."
_GZIP_SIGNATURE = b"\x1f\x8b"
_WITH_GZIP_HEADER = 31  # to zlib: its largest window, and a header as of gzip
_BLOCK = (
    1 << 14
)  # bytes of a gzip file at a time: what follows a member is copied, and members may be tiny


def remaining_bytes(binary: BinaryIO) -> int | None:
    """How much of a file is left to read, in bytes; None where the file cannot tell."""
    if not binary.seekable():
        return None
    here = binary.tell()
    end = binary.seek(0, os.SEEK_END)
    binary.seek(here)
    return end - here


def is_packed(name: str) -> bool:
    """Whether a file's name says that it is packed."""
    return name.lower().endswith(PACKED)


def unpacked(name: str, binary: BinaryIO) -> "BinaryIO | Unpacked":
    """The content of a file whose name says that it is packed, else the file itself."""
    return Unpacked(name, binary) if is_packed(name) else binary


class Unpacked:
    """Content of a packed file, read once and left open; members or frames that follow each other are joined.

    Arrow unpacks what is not gzip: ``BZ2File`` leaves out what follows the last member without a word.
    """

    def __init__(self, name: str, binary: BinaryIO) -> None:
        from pyarrow import (
            ArrowException,
            CompressedInputStream,
            PythonFile,
        )  # here, as it takes a while to import

        self._name, self._kind = name, _KINDS[os.path.splitext(name.lower())[1]]
        self._damage = (OSError, EOFError, zlib.error, ArrowException)
        self._packed = _Counted(binary)
        self._n_packed, self._n_out = remaining_bytes(binary), 0
        if self._kind == "gzip":
            self._read = _GzipMembers(self._packed).read
        else:
            codec = self._kind.replace("bzip2", "bz2")
            self._read = CompressedInputStream(PythonFile(self._packed, mode="r"), codec).read

    def read(self, size: int, /) -> bytes:
        """As ``Bytes.read``."""
        try:
            out = bytes(self._read(size))
        except self._damage as error:
            if getattr(error, "errno", None):  # of the file itself
                raise
            place = self._packed.n_bytes
            if isinstance(error, EOFError) or "Truncated" in str(error) or place == 1:
                problem = f"a {self._kind} file that ends too early"
                raise ReadError(self._name, problem, _DAMAGED, offset=place) from None
            kind = "a damaged" if self._n_out or isinstance(error, zlib.error) else "not a"
            raise ReadError(self._name, f"{kind} {self._kind} file", _DAMAGED) from None
        if not self._packed.n_bytes:
            raise ReadError(
                self._name, f"an empty file where a {self._kind} file is expected", _DAMAGED
            )
        self._n_out += len(out)
        if self._n_out > LARGEST_EXPANSION * (self._n_packed or self._packed.n_bytes):
            problem = f"its content is more than {LARGEST_EXPANSION} times larger than the {self._kind} file"
            fix = "Unpack it yourself if you trust it."
            raise ReadError(self._name, f"{problem}, the limit on expansion", fix)
        return out


class _GzipMembers:
    """Contents of a gzip file's members, one after the other.

    ``gzip.GzipFile`` reads names in headers a byte at a time, so a file that is one long name takes minutes. Here zlib
    passes over headers, and checks sums and lengths.
    """

    def __init__(self, packed: "_Counted") -> None:
        self._packed = packed
        self._member: zlib._Decompress | None = None
        self._pending = b""  # of the packed file, not unpacked yet
        self._n_members = 0

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes; empty at the end.

        Raises:
            EOFError: the file ends within a member.
            OSError: what follows is no member.
            zlib.error: a damaged member.
        """
        while self._member is not None or self._has_next_member():
            member = self._member or zlib.decompressobj(_WITH_GZIP_HEADER)
            block = self._pending or self._packed.read(_BLOCK)
            out = member.decompress(block, size)
            if not (block or out or member.eof):
                raise EOFError
            self._pending = member.unused_data if member.eof else member.unconsumed_tail
            self._member = None if member.eof else member
            if out:
                return out
        return b""

    def _has_next_member(self) -> bool:
        """Whether another member begins, after zeros that pad the file."""
        while len(self._pending) < len(_GZIP_SIGNATURE):
            block = self._packed.read(_BLOCK)
            self._pending += block
            if self._n_members:
                self._pending = self._pending.lstrip(b"\0")
            if not block:
                break
        if self._n_members:
            self._pending = self._pending.lstrip(b"\0")
        if not self._pending:
            return False
        if not self._pending.startswith(_GZIP_SIGNATURE[: len(self._pending)]):
            raise OSError
        self._n_members += 1
        return True


class _Counted:
    """Counts the bytes read from a file; closing this leaves the file open."""

    def __init__(self, binary: BinaryIO) -> None:
        self._binary = binary
        self.n_bytes = 0
        self.closed = False

    def read(self, size: int) -> bytes:
        block = self._binary.read(size)
        self.n_bytes += len(block)
        return block

    def close(self) -> None:
        self.closed = True
