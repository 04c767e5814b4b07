"""Gzip files as a stream of bytes: bounded in memory and expansion, strict about damage."""

import os
import zlib
from typing import BinaryIO

from dplda.errors import ReadError

LARGEST_EXPANSION = 100
"""How many times larger than the gzip file its content may be; text is 3 to 10 times larger."""

_BLOCK = 1 << 16  # compressed bytes read at a time
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


class Inflated:
    """What a gzip file holds, read once; members that follow each other are joined.

    Args:
        name: shown in messages, without its folder.
        binary: an open gzip file, read from its present position to its end and left open.

    Attributes:
        name: as given.
        n_bytes_read: compressed bytes so far.
        n_bytes: compressed; None where the file cannot tell.
    """

    def __init__(self, name: str, binary: BinaryIO) -> None:
        self.name = name
        self.n_bytes_read = 0
        self.n_bytes = remaining_bytes(binary)
        self._binary = binary
        self._member = zlib.decompressobj(_GZIP)
        self._waiting = b""  # compressed bytes not yet taken
        self._inside = False  # a member has begun and not ended
        self._n_members = 0
        self._n_out = 0

    @property
    def share_read(self) -> float:
        """How much of the gzip file has been read, from 0 to 1; 0 where its size is not known."""
        return min(1.0, self.n_bytes_read / self.n_bytes) if self.n_bytes else 0.0

    def read(self, size: int) -> bytes:
        """The next bytes, at most ``size`` of them and at least one; empty at the end.

        Args:
            size: at least 1.

        Raises:
            ReadError: no gzip file, a damaged or truncated one, or one that expands beyond the limit.
        """
        while True:
            if not self._waiting:
                self._waiting = self._binary.read(_BLOCK)
                self.n_bytes_read += len(self._waiting)
            if not self._waiting and not self._inside:
                self._require_members()
                return b""
            if not self._inside and not self._begin():
                continue
            if out := self._inflate(size):
                return out

    def _inflate(self, size: int) -> bytes:
        ended = not self._waiting
        try:
            out = self._member.decompress(self._waiting, size)
        except zlib.error:
            kind = "a damaged gzip file" if self._n_out or self._n_members else "not a gzip file"
            raise ReadError(self.name, kind, _DAMAGED) from None
        self._waiting = self._member.unconsumed_tail
        if self._member.eof:
            self._waiting = self._member.unused_data
            self._inside = False
            self._n_members += 1
        elif ended and not out:
            raise ReadError(self.name, "a gzip file that ends too early", _DAMAGED, offset=self.n_bytes_read)
        self._n_out += len(out)
        self._check_expansion()
        return out

    def _begin(self) -> bool:
        """Start a member; False where only the zero bytes that may pad a file were there."""
        if self._n_members:
            self._waiting = self._waiting.lstrip(b"\0")
            if not self._waiting:
                return False
        self._member = zlib.decompressobj(_GZIP)
        self._inside = True
        return True

    def _check_expansion(self) -> None:
        if self._n_out > LARGEST_EXPANSION * (self.n_bytes or self.n_bytes_read):
            raise ReadError(
                self.name,
                f"its content is more than {LARGEST_EXPANSION} times larger than the gzip file, the limit on expansion",
                "Unpack it yourself if you trust it.",
            )

    def _require_members(self) -> None:
        if not self._n_members:
            raise ReadError(self.name, "an empty file where a gzip file is expected", _DAMAGED)
