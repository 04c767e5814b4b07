"""Bytes to lines of text: streamed, strict about encodings, exact about where a wrong byte is."""

import codecs
import io
from collections.abc import Iterator
from typing import Protocol

from dplda.core.errors import InputError, ReadError
from dplda.corpus.files.limits import Limits

_BLOCK = 1 << 18  # bytes read at a time
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_NOT_TEXT = {
    b"PK\x03\x04": "a zip archive or a workbook, which must be named .zip or .xlsx,",
    b"\x1f\x8b": "a gzip file, which must be named .gz,",
    b"BZh": "a bzip2 file, which must be named .bz2,",
    b"\x28\xb5\x2f\xfd": "a zstd file, which must be named .zst,",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF document",
    b"\xd0\xcf\x11\xe0": "a document or workbook of an old office, or an encrypted one",
    b"{\\rtf": "a document in RTF",
    b"\x93NUMPY": "a NumPy array",
}
_LONGEST_SIGNATURE = 6
ENCODINGS = ("cp1252", "latin-1", "utf-16-le", "utf-16-be", "cp1251", "shift_jis", "gb18030", "big5", "euc-kr")
"""Those that files are often in beside UTF-8."""

_GUESSED_FROM = 1 << 16  # bytes
_CHOOSE = "Choose the encoding it was written in, such as cp1252 or utf-16-le, or save it as UTF-8."


class Bytes(Protocol):
    """What gives bytes one after the other."""

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes and at least one; empty at the end."""


class TextSource:
    """A file read once, line by line.

    Args:
        binary: read from its present position to its end and left open; of a packed file its content, where offsets
            and the limit on size are those of the content.
        encoding: name of a codec; None accepts UTF-8 with or without a byte-order mark and UTF-16 with one.
    """

    def __init__(self, name: str, binary: Bytes, limits: Limits, encoding: str | None = None) -> None:
        self.name = name
        self.limits = limits
        self.n_bytes_read = 0
        self._binary = binary
        self._encoding = None if encoding is None else _text_codec(encoding)
        self._block_start = 0
        self._stream = self._split()
        self._ahead: list[str] = []

    def first_line(self) -> str:
        """Look at the first line without taking it; empty where there is none."""
        if not self._ahead:
            self._ahead = [next(self._stream, "")]
        return self._ahead[0]

    def lines(self) -> Iterator[str]:
        r"""Yield lines with their ends, each of which is ``\n`` whatever it was in the file.

        Raises:
            ReadError: bytes that are not text in the encoding, with their offset; a line over the limit, with
                its number.
        """
        if self._ahead and self._ahead[0]:
            yield self._ahead[0]
        yield from self._stream

    def _split(self) -> Iterator[str]:
        rest, n_lines = "", 0  # of a line that has not ended
        for piece in self._decoded():
            *lines, rest = (rest + piece).split("\n")
            for line in lines:
                n_lines += 1
                self._check_line(len(line), n_lines)
                yield line + "\n"
            self._check_line(len(rest), n_lines + 1)
        if rest:
            yield rest

    def _decoded(self) -> Iterator[str]:
        block = self._read()
        while len(block) < _LONGEST_SIGNATURE and (more := self._read()):
            block += more
        for signature, kind in _NOT_TEXT.items():
            if block.startswith(signature):
                fix = "Give text, CSV or JSON lines; save a workbook as .xlsx."
                raise ReadError(self.name, f"this is {kind}, not text", fix)
        codec, mark = self._codec(block)
        self._block_start = self.n_bytes_read - len(block)
        decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(codec)("strict"), translate=True)
        block, self._block_start = block[len(mark) :], self._block_start + len(mark)
        refuses_nul = self._encoding is None and not mark
        while block:
            if refuses_nul and b"\0" in block:
                raise ReadError(
                    self.name,
                    "a zero byte, as in binary files or UTF-16 without a byte-order mark",
                    _CHOOSE,
                    offset=self._block_start + block.index(b"\0"),
                )
            yield self._decode(decoder, block, codec)
            self._block_start = self.n_bytes_read
            block = self._read()
        yield self._decode(decoder, b"", codec, final=True)

    def _decode(self, decoder: io.IncrementalNewlineDecoder, block: bytes, codec: str, *, final: bool = False) -> str:
        pending = decoder.getstate()[0]
        try:
            return decoder.decode(block, final)
        except UnicodeError as error:
            start = error.start if isinstance(error, UnicodeDecodeError) else 0
            offset = self._block_start - len(pending) + start
            fix = _CHOOSE if self._encoding else f"{_CHOOSE}{_looks_like(pending + block)}"
            raise ReadError(self.name, f"these bytes are not {codec}", fix, offset=offset) from None

    def _codec(self, block: bytes) -> tuple[str, bytes]:
        """The codec to use, and the byte-order mark to skip."""
        for mark, codec in _MARKS.items():
            if block.startswith(mark) and self._encoding in (None, codec, "utf-16", "utf-8-sig"):
                if block.startswith(codecs.BOM_UTF32_LE):
                    raise ReadError(self.name, "this is UTF-32", _CHOOSE, offset=0)
                return codec, mark
        return self._encoding or "utf-8", b""

    def _read(self) -> bytes:
        block = self._binary.read(_BLOCK)
        self.n_bytes_read += len(block)
        return block

    def _check_line(self, n_chars: int, row: int) -> None:
        if n_chars > self.limits.max_field_chars:
            raise ReadError(
                self.name,
                f"a line of more than {self.limits.max_field_chars:,} characters, the limit",
                "Put one document on each line.",
                row=row,
            )


def _looks_like(content: bytes) -> str:
    """A sentence on the encoding that some bytes are most likely in; to be looked at, not to be trusted."""
    from charset_normalizer import from_bytes  # here, as most files are UTF-8

    found = from_bytes(content[:_GUESSED_FROM], cp_isolation=list(ENCODINGS)).best()
    return "" if found is None else f" It looks like {found.encoding.replace('_', '-')}."


def _text_codec(encoding: str) -> str:
    try:
        found = codecs.lookup(encoding)
        "".encode(found.name)  # codecs between bytes and bytes refuse text
    except (LookupError, ValueError):
        raise InputError("encoding", "the name of a text encoding", "another name", "utf-8, say.") from None
    return found.name
