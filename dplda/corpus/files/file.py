"""One file to read documents from, wherever it lies: on disk, in an upload, in an archive."""

import io
from dataclasses import dataclass, field
from typing import BinaryIO, cast

from dplda.core.errors import ReadError
from dplda.corpus.files.compression import PACKED
from dplda.corpus.files.decoding import Bytes, TextSource, over_size
from dplda.corpus.files.limits import Limits

_BLOCK = 1 << 18


@dataclass(slots=True, eq=False)
class File:
    """One file, read once.

    Attributes:
        encoding: name of a codec for text; None accepts UTF-8, and UTF-16 with a byte-order mark.
    """

    name: str
    binary: Bytes
    limits: Limits
    encoding: str | None = None
    alone: bool = field(default=True, kw_only=True)
    _text: TextSource | None = field(default=None, init=False)

    def text(self) -> TextSource:
        """The file as lines of text; the same object however often it is asked for."""
        if self._text is None:
            self._text = TextSource(self.name, self.binary, self.limits, self.encoding)
        return self._text

    def whole(self) -> bytes:
        """All bytes of the file.

        Raises:
            ReadError: more than the limit.
        """
        blocks, n_bytes = [], 0
        while block := self.binary.read(_BLOCK):
            n_bytes += len(block)
            if n_bytes > self.limits.max_bytes:
                raise over_size(self.name, self.limits)
            blocks.append(block)
        return b"".join(blocks)

    def seekable(self) -> BinaryIO:
        """The file, such that one can go to and fro in it: in memory where it cannot be done otherwise."""
        if isinstance(self.binary, io.BufferedReader | io.BytesIO | io.FileIO) and self.binary.seekable():
            return cast("BinaryIO", self.binary)
        return io.BytesIO(self.whole())


class Guarded:
    """Bytes out of an archive: damage is refused in words of ours, and so is more than the limit.

    Args:
        limits: ``max_bytes`` counts.
        damage: what ``binary`` raises where the archive is damaged.
    """

    def __init__(self, name: str, binary: Bytes, limits: Limits, damage: tuple[type[Exception], ...]) -> None:
        self._name, self._binary, self._limits, self._damage = name, binary, limits, damage
        self._n_bytes = 0

    def read(self, size: int, /) -> bytes:
        """The next bytes.

        Raises:
            ReadError: damage, or more bytes than the limit.
        """
        try:
            block = self._binary.read(size)
        except self._damage:
            raise ReadError(self._name, "a damaged part of an archive", "Pack or copy it again.") from None
        self._n_bytes += len(block)
        if self._n_bytes > self._limits.max_bytes:
            raise over_size(self._name, self._limits)
        return block


def ending(name: str) -> str:
    """The ending of a file's name in lower case, packing left out: ``.csv`` of ``Mail.CSV.gz``; may be empty."""
    plain = name.lower()
    for packed in PACKED:
        plain = plain.removesuffix(packed)
    stem, dot, last = plain.rpartition(".")
    return f".{last}" if dot and stem and last.strip() and not last.isdigit() else ""
