"""Gzip, bzip2 and Zstandard files as streams of bytes, with limits on memory and expansion."""

import os
import zlib
from typing import BinaryIO

from dplda.core.errors import ReadError
from dplda.core.optional_packages import requiring

MAX_EXPANSION = 100  # size of the content over that of the packed file; for text it is 3 to 10
_KIND_OF_ENDING = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstd"}
PACKED = tuple(_KIND_OF_ENDING)  # endings of names of packed files
_COPY_AGAIN = "Copy or compress it again."
_GZIP_SIGNATURE = b"\x1f\x8b"
_WITH_GZIP_HEADER = 31  # to zlib: its largest window, and a header as of gzip
_BLOCK_BYTES = 1 << 14  # of a gzip file: bytes after a member are copied, and members may be tiny


def remaining_bytes(binary: BinaryIO) -> int | None:
    """Number of bytes left to read; None if the file has no positions."""
    if not binary.seekable():
        return None
    current_position = binary.tell()
    end_position = binary.seek(0, os.SEEK_END)
    binary.seek(current_position)
    return end_position - current_position


def is_packed(name: str) -> bool:
    """Whether a file's name ends like that of a packed file."""
    return name.lower().endswith(PACKED)


def unpack_stream(name: str, binary: BinaryIO) -> "BinaryIO | Unpacked":
    """The content of a file whose name says that it is packed; else the file itself.

    Args:
        name: of the file.
        binary: the file, open for reading.

    Raises:
        MissingPackageError: the file is packed, and pyarrow is not installed.
    """
    if is_packed(name):
        return Unpacked(name, binary)
    return binary


class Unpacked:
    """Content of a packed file, read once; members or frames that follow each other are joined.

    The file is left open. Arrow unpacks all but gzip, because ``BZ2File`` silently leaves out what
    follows the last member.

    Args:
        name: of the file, whose ending is one of ``PACKED`` and tells the kind.
        binary: the file, open for reading.
    """

    def __init__(self, name: str, binary: BinaryIO) -> None:
        """Choose what unpacks the file: our own reader for gzip, Arrow for the other two endings.

        Nothing is read yet. Arrow is imported here, for gzip too, since that takes a while.

        Args:
            name: of the file; its ending says how it is packed.
            binary: the packed file, open; remains open.

        Raises:
            KeyError: the name has none of the endings of ``_KIND_OF_ENDING``.
            MissingPackageError: pyarrow is not installed.
        """
        with requiring("pyarrow", "Unpacking a compressed file"):
            from pyarrow import ArrowException, CompressedInputStream, PythonFile

        self._name = name
        self._kind = _KIND_OF_ENDING[os.path.splitext(name.lower())[1]]
        self._damage = (OSError, EOFError, zlib.error, ArrowException)
        self._packed = _CountingReader(binary)
        self._n_packed_bytes = remaining_bytes(binary)
        self._n_unpacked_bytes = 0
        if self._kind == "gzip":
            self._read = _GzipMembers(self._packed).read
        else:
            arrow_codec = self._kind.replace("bzip2", "bz2")
            packed_file = PythonFile(self._packed, mode="r")
            self._read = CompressedInputStream(packed_file, arrow_codec).read

    def read(self, size: int, /) -> bytes:
        """Read at most ``size`` bytes of the content; empty at the end.

        Raises:
            ReadError: the file is empty, damaged or of another kind, or its content is more than
                ``MAX_EXPANSION`` times larger.
            OSError: the file itself cannot be read.
        """
        try:
            unpacked_block = bytes(self._read(size))
        except self._damage as error:
            if getattr(error, "errno", None):  # an error of the file itself
                raise
            raise self._damage_error(error) from None
        if not self._packed.n_bytes:
            problem = f"an empty file where a {self._kind} file is expected"
            raise ReadError(self._name, problem, _COPY_AGAIN)
        self._n_unpacked_bytes += len(unpacked_block)
        n_packed_bytes = self._n_packed_bytes or self._packed.n_bytes
        if self._n_unpacked_bytes > MAX_EXPANSION * n_packed_bytes:
            problem = (
                f"its content is more than {MAX_EXPANSION} times larger than the {self._kind} file,"
                " the limit on expansion"
            )
            raise ReadError(self._name, problem, "Unpack it yourself if you trust it.")
        return unpacked_block

    def _damage_error(self, error: Exception) -> ReadError:
        """Error for a file that ends too early, is damaged, or is of another kind.

        A file is of another kind if nothing of it could be unpacked and zlib names no fault.
        A file of one byte ends too early.
        """
        n_packed_read = self._packed.n_bytes
        if isinstance(error, EOFError) or "Truncated" in str(error) or n_packed_read == 1:
            problem = f"a {self._kind} file that ends too early"
            return ReadError(self._name, problem, _COPY_AGAIN, offset=n_packed_read)
        is_of_kind = self._n_unpacked_bytes or isinstance(error, zlib.error)
        kind = "a damaged" if is_of_kind else "not a"
        return ReadError(self._name, f"{kind} {self._kind} file", _COPY_AGAIN)


class _GzipMembers:
    """Contents of a gzip file's members, one after the other.

    ``gzip.GzipFile`` reads names in headers a byte at a time, so a file that is one long name takes
    minutes. Here zlib skips headers, and checks sums and lengths.
    """

    def __init__(self, packed: "_CountingReader") -> None:
        self._packed = packed
        self._member: zlib._Decompress | None = None
        self._pending = b""  # bytes of the packed file that are read, and not unpacked yet
        self._n_members = 0

    def read(self, size: int, /) -> bytes:
        """Read at most ``size`` bytes; empty at the end.

        Raises:
            EOFError: the file ends within a member.
            OSError: bytes after a member are no member.
            zlib.error: a damaged member.
        """
        while self._member is not None or self._has_next_member():
            open_member = self._member or zlib.decompressobj(_WITH_GZIP_HEADER)
            packed_block = self._pending or self._packed.read(_BLOCK_BYTES)
            unpacked_block = open_member.decompress(packed_block, size)
            if not (packed_block or unpacked_block or open_member.eof):
                raise EOFError
            self._pending = (
                open_member.unused_data if open_member.eof else open_member.unconsumed_tail
            )
            self._member = None if open_member.eof else open_member
            if unpacked_block:
                return unpacked_block
        return b""

    def _has_next_member(self) -> bool:
        """Whether another member follows; zeros that pad the file after a member are skipped.

        Only its signature is checked, or what the file still holds of it.
        A file of no bytes has no member.

        Raises:
            OSError: other bytes come next.
        """
        while len(self._pending) < len(_GZIP_SIGNATURE):
            packed_block = self._packed.read(_BLOCK_BYTES)
            self._pending += packed_block
            if self._n_members:
                self._pending = self._pending.lstrip(b"\0")
            if not packed_block:
                break
        if self._n_members:
            self._pending = self._pending.lstrip(b"\0")
        if not self._pending:
            return False
        if not self._pending.startswith(_GZIP_SIGNATURE[: len(self._pending)]):
            raise OSError
        self._n_members += 1
        return True


class _CountingReader:
    """Counts the bytes read from a file; closing the reader leaves the file open.

    Attributes:
        n_bytes: bytes read so far.
        closed: whether it was closed.
    """

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
