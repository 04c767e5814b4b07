"""Gzip, bzip2 and Zstandard files as a stream of bytes: bounded in memory and expansion, strict about damage."""

import gzip
import os
import zlib
from typing import BinaryIO, cast

from dplda.core.errors import ReadError

LARGEST_EXPANSION = 100  # how many times larger than the packed file its content may be; text is 3 to 10 times larger
_KINDS = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstd"}
PACKED = tuple(_KINDS)  # endings of names of packed files
_DAMAGED = "Copy or compress it again."


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
    """What a packed file holds, read once and left open; members or frames that follow each other are joined.

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
            self._read = gzip.GzipFile(fileobj=cast("BinaryIO", self._packed)).read1
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
