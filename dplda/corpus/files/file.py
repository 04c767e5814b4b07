"""One file to read documents from, wherever it lies: on disk, in an upload, in an archive."""

import io
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO, cast

from dplda.core.errors import ReadError
from dplda.corpus.files.compression import PACKED
from dplda.corpus.files.decoding import Bytes, TextSource
from dplda.corpus.files.limits import Limits, over_size

_BLOCK = 1 << 18


@dataclass(slots=True, eq=False)
class File:
    """One file, read once.

    Attributes:
        encoding: name of a codec for text; None accepts UTF-8, and UTF-16 with a byte-order mark.
        damage: what ``binary`` raises where the archive that it comes out of is damaged.
    """

    name: str
    binary: Bytes
    limits: Limits
    encoding: str | None = None
    alone: bool = field(default=True, kw_only=True)
    damage: tuple[type[Exception], ...] = field(default=(), kw_only=True)
    _n_bytes: int = field(default=0, init=False)
    _text: TextSource | None = field(default=None, init=False)

    def read(self, size: int, /) -> bytes:
        """The next bytes.

        Raises:
            ReadError: damage, or more bytes than the limit.
        """
        try:
            block = self.binary.read(size)
        except self.damage:
            raise ReadError(self.name, "a damaged part of an archive", "Pack or copy it again.") from None
        self._n_bytes += len(block)
        if self._n_bytes > self.limits.max_bytes:
            raise over_size(self.name, self.limits)
        return block

    def text(self) -> TextSource:
        """The file as lines of text; the same object however often it is asked for."""
        if self._text is None:
            self._text = TextSource(self.name, self, self.limits, self.encoding)
        return self._text

    def whole(self) -> bytes:
        """All bytes of the file."""
        return b"".join(iter(partial(self.read, _BLOCK), b""))

    def seekable(self) -> BinaryIO:
        """The file, such that one can go to and fro in it: in memory where it cannot be done otherwise."""
        if isinstance(self.binary, io.BufferedReader | io.BytesIO | io.FileIO) and self.binary.seekable():
            return cast("BinaryIO", self.binary)
        return io.BytesIO(self.whole())


def ending(name: str) -> str:
    """The ending of a file's name in lower case, packing left out: ``.csv`` of ``Mail.CSV.gz``; may be empty."""
    plain = name.lower()
    for packed in PACKED:
        plain = plain.removesuffix(packed)
    stem, dot, last = plain.rpartition(".")
    return f".{last}" if dot and stem and last.strip() and not last.isdigit() else ""
