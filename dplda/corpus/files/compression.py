"""Gzip, bzip2 and Zstandard files as a stream of bytes: bounded in memory and expansion, strict about damage."""

import bz2
import os
import zlib
from typing import BinaryIO, Protocol

from dplda.core.errors import ReadError

LARGEST_EXPANSION = 100
"""How many times larger than the packed file its content may be; text is 3 to 10 times larger."""

PACKED = (".gz", ".bz2", ".zst")
"""Endings of names of packed files."""

_BLOCK = 1 << 16  # packed bytes read at a time
_GZIP = 16 + zlib.MAX_WBITS  # tells zlib to expect a gzip header and to check the checksum at the end
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


def unpacked(name: str, binary: BinaryIO) -> "BinaryIO | Inflated | Zstandard":
    """The content of a file whose name says that it is packed, else the file itself."""
    if name.lower().endswith(".zst"):
        return Zstandard(name, binary)
    return Inflated(name, binary) if is_packed(name) else binary


class _Member(Protocol):
    """One packed piece of a file, as bz2 gives it."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _GzipMember:
    """The same of zlib."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(_GZIP)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        out = self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)
        self.needs_input = not self._zlib.unconsumed_tail and len(out) < max_length
        return out


class Inflated:
    """What a gzip or bzip2 file holds, read once; members that follow each other are joined.

    The standard library's own files would let through what is refused here: ``BZ2File`` leaves out what follows the
    last member without a word, and ``GzipFile`` takes an empty file for an empty text.

    Args:
        name: shown in messages, without its folder; its ending says which of the two it is.
        binary: an open packed file, read from its present position to its end and left open.

    Attributes:
        n_bytes_read: packed bytes so far.
        n_bytes: packed; None where the file cannot tell.
    """

    def __init__(self, name: str, binary: BinaryIO) -> None:
        self.name = name
        self.n_bytes_read = 0
        self.n_bytes = remaining_bytes(binary)
        self._binary = binary
        self._kind = "bzip2" if name.lower().endswith(".bz2") else "gzip"
        self._member: _Member = self._new_member()
        self._waiting = b""  # packed bytes not yet taken
        self._inside = False  # a member has begun and not ended
        self._n_members = 0
        self._n_out = 0

    def read(self, size: int, /) -> bytes:
        """The next bytes, at most ``size`` of them and at least one; empty at the end.

        Args:
            size: at least 1.

        Raises:
            ReadError: no packed file, a damaged or truncated one, or one that expands beyond the limit.
        """
        while True:
            if not self._waiting and (not self._inside or self._member.needs_input):
                self._waiting = self._binary.read(_BLOCK)
                self.n_bytes_read += len(self._waiting)
                if not self._waiting and not self._inside:
                    self._require_members()
                    return b""
                ended = not self._waiting
            else:
                ended = False
            if not self._inside and not self._begin():
                continue
            if out := self._inflate(size, ended=ended):
                return out

    def _inflate(self, size: int, *, ended: bool) -> bytes:
        data, self._waiting = self._waiting, b""
        try:
            out = self._member.decompress(data, size)
        except (zlib.error, OSError, EOFError):
            kind = "a damaged" if self._n_out or self._n_members else "not a"
            raise ReadError(self.name, f"{kind} {self._kind} file", _DAMAGED) from None
        if self._member.eof:
            self._waiting = self._member.unused_data
            self._inside = False
            self._n_members += 1
        elif ended and not out:
            problem = f"a {self._kind} file that ends too early"
            raise ReadError(self.name, problem, _DAMAGED, offset=self.n_bytes_read)
        self._n_out += len(out)
        _require_expansion(self.name, self._kind, self._n_out, self.n_bytes or self.n_bytes_read)
        return out

    def _new_member(self) -> _Member:
        return bz2.BZ2Decompressor() if self._kind == "bzip2" else _GzipMember()

    def _begin(self) -> bool:
        """Start a member; False where only the zero bytes that may pad a file were there."""
        if self._n_members:
            self._waiting = self._waiting.lstrip(b"\0")
            if not self._waiting:
                return False
        self._member = self._new_member()
        self._inside = True
        return True

    def _require_members(self) -> None:
        if not self._n_members:
            raise ReadError(self.name, f"an empty file where a {self._kind} file is expected", _DAMAGED)


class Zstandard:
    """What a Zstandard file holds, read once; frames that follow each other are joined.

    Args:
        binary: an open packed file, read from its present position to its end and left open.
    """

    def __init__(self, name: str, binary: BinaryIO) -> None:
        from pyarrow import CompressedInputStream, PythonFile  # here, as it takes a while to import

        self._name = name
        self._packed = _Counted(binary)
        self._stream = CompressedInputStream(PythonFile(self._packed, mode="r"), "zstd")
        self._n_bytes = remaining_bytes(binary)
        self._n_out = 0

    def read(self, size: int, /) -> bytes:
        """The next bytes; as ``Inflated.read``."""
        try:
            out = bytes(self._stream.read(size))
        except OSError as error:
            if error.errno:  # of the file itself
                raise
            if "Truncated" in str(error):
                problem, place = "a zstd file that ends too early", self._packed.n_bytes
                raise ReadError(self._name, problem, _DAMAGED, offset=place) from None
            kind = "a damaged" if self._n_out else "not a"
            raise ReadError(self._name, f"{kind} zstd file", _DAMAGED) from None
        if not self._packed.n_bytes:
            raise ReadError(self._name, "an empty file where a zstd file is expected", _DAMAGED)
        self._n_out += len(out)
        _require_expansion(self._name, "zstd", self._n_out, self._n_bytes or self._packed.n_bytes)
        return out


class _Counted:
    """A file that is counted as it is read, and left open by whoever closes this."""

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


def _require_expansion(name: str, kind: str, n_out: int, n_packed: int) -> None:
    if n_out > LARGEST_EXPANSION * n_packed:
        raise ReadError(
            name,
            f"its content is more than {LARGEST_EXPANSION} times larger than the {kind} file, the limit on expansion",
            "Unpack it yourself if you trust it.",
        )
