"""One file to read documents from, wherever it lies: its bytes, bounded, and its lines, strict about encodings."""

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import partial
from typing import BinaryIO, Protocol, cast

from dplda.core import checks
from dplda.core.errors import ReadError
from dplda.corpus.files.compression import PACKED
from dplda.corpus.files.encodings import likeliest, text_codec, whole_characters
from dplda.corpus.files.line_ends import LineEnds
from dplda.corpus.files.work_budget import WorkBudget
from dplda.corpus.remarks import RemarkCounter

_BLOCK = 1 << 18  # bytes read at a time
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
NOT_TEXT = {
    b"PK\x03\x04": "a zip archive or a workbook, which must be named .zip or .xlsx,",
    b"\x1f\x8b": "a gzip file, which must be named .gz,",
    b"BZh": "a bzip2 file, which must be named .bz2,",
    b"\x28\xb5\x2f\xfd": "a zstd file, which must be named .zst,",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF document",
    b"\xd0\xcf\x11\xe0": "an old Office file, or an encrypted one",
    b"{\\rtf": "a document in RTF",
    b"\x93NUMPY": "a NumPy array",
    b"\x89PNG\r\n": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF87a": "a picture",
    b"GIF89a": "a picture",
    b"II*\x00": "a picture",
    b"MM\x00*": "a picture",
    b"ID3\x03": "a recording",
    b"ID3\x04": "a recording",
    b"OggS\x00": "a recording",
    b"\x7fELF": "a program",
    b"SQLite format 3\x00": "a database",
}
_LONGEST_SIGNATURE = max(map(len, NOT_TEXT))
_CHOOSE = "Choose the encoding it was written in, such as cp1252 or utf-16-le, or save it as UTF-8."


@dataclass(frozen=True, slots=True)
class Limits:
    r"""Bounds on what is read. All refuse a file but ``max_words_per_document``, which cuts a document short.

    Attributes:
        max_field_chars: characters of one line, field or document, since these are held in memory whole.
        max_distinct_words: distinct words met while a vocabulary is taken from the data.
        max_words_per_document: ``L_max``, words of a document that are looked at, stop words included. It is part of
            the guarantee, so it must not follow from the data.
        max_seconds: that a DOCX, PDF or Excel file may take to be taken apart.
        max_seconds_per_megabyte: of processor time that reading may take in all; a smaller input counts as a megabyte.

    Example:
        >>> import dplda, io
        >>> text = io.BytesIO(b"green tea with milk\nblack tea with milk\nmilk without tea\n")
        >>> limits = dplda.corpus.Limits(max_words_per_document=2)
        >>> dplda.load(("cups.txt", text), label="public", limits=limits).lengths.tolist()
        [2, 2, 1]
    """

    max_bytes: int = 200_000_000
    max_documents: int = 1_000_000
    max_field_chars: int = 20_000_000
    max_distinct_words: int = 2_000_000
    max_words_per_document: int = 10_000
    max_seconds: int = 60
    max_seconds_per_megabyte: int = 8

    def __post_init__(self) -> None:
        for limit in fields(self):
            checks.integer_at_least(limit.name, getattr(self, limit.name), 1)


def over_size(name: str, limits: Limits) -> ReadError:
    """The refusal of what is too large."""
    fix = "Split the file, or read it from Python with a higher Limits.max_bytes."
    return ReadError(name, f"more than {limits.max_bytes:,} bytes, the limit", fix)


class Bytes(Protocol):
    """A source of bytes, one after the other."""

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes and at least one; empty at the end."""


@dataclass(slots=True, eq=False)
class File:
    """One file, read once.

    Attributes:
        binary: of a packed file its content, where offsets and the limit on size are those of the content.
        alone: whether no other file is read beside it.
        damage: what ``binary`` raises where the archive that it comes out of is damaged.
        remarks: counts what readers meet that is not read as usual.
        budget: processor time that is left to read this file and all beside it; None for the usual limit.
    """

    name: str
    binary: Bytes
    limits: Limits
    encoding: str | None = None
    alone: bool = field(default=True, kw_only=True)
    damage: tuple[type[Exception], ...] = field(default=(), kw_only=True)
    remarks: RemarkCounter = field(default_factory=RemarkCounter, kw_only=True)
    budget: WorkBudget | None = field(default=None, kw_only=True)
    _n_bytes: int = field(default=0, init=False)

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        try:
            block = self.binary.read(size)
        except self.damage:
            raise ReadError(
                self.name, "a damaged part of an archive", "Pack or copy it again."
            ) from None
        self._n_bytes += len(block)
        if self.budget is not None:
            self.budget.check(self.name)
        if self._n_bytes > self.limits.max_bytes:
            raise over_size(self.name, self.limits)
        return block

    def whole(self) -> bytes:
        """All bytes of the file."""
        return b"".join(iter(partial(self.read, _BLOCK), b""))

    def seekable(self) -> BinaryIO:
        """The file, such that one can go to and fro in it: in memory where it cannot be done otherwise."""
        if (
            isinstance(self.binary, io.BufferedReader | io.BytesIO | io.FileIO)
            and self.binary.seekable()
        ):
            return cast("BinaryIO", self.binary)
        return io.BytesIO(self.whole())

    def lines(self, encoding: str | None = None) -> Iterator[str]:
        r"""Lines with their ends, each of which is ``\n`` whatever it was in the file (``LineEnds``).

        Args:
            encoding: in the place of the file's own.
        """
        encoding = encoding or self.encoding
        rest = ""  # of a line that has not ended
        row = 1
        for piece in self._decoded(None if encoding is None else text_codec(encoding)):
            *lines, rest = (rest + piece).split("\n")
            for line in lines:
                self._check_line(len(line), row)
                yield line + "\n"
                row += 1
            self._check_line(len(rest), row)
        if rest:
            yield rest

    def _decoded(self, chosen: str | None) -> Iterator[str]:
        block = self.read(_BLOCK)
        while len(block) < _LONGEST_SIGNATURE and (more := self.read(_BLOCK)):
            block += more
        for signature, kind in NOT_TEXT.items():
            if block.startswith(signature):
                fix = "Give text, CSV or JSON lines, or the file under the name that fits it (.pdf, .docx, .xlsx)."
                raise ReadError(self.name, f"this is {kind}, not text", fix)
        codec, mark = self._codec(block, chosen)
        may_hold_halves = codec.startswith("utf-16")  # of characters that a program cut
        errors = "surrogatepass" if may_hold_halves else "strict"
        decoder = codecs.getincrementaldecoder(codec)(errors)
        line_ends = LineEnds()
        block, start, at_end = block[len(mark) :], len(mark), False
        while not at_end:
            at_end = not block
            if chosen is None and not mark and b"\0" in block:
                problem = "a zero byte, as in binary files or UTF-16 without a byte-order mark"
                raise ReadError(self.name, problem, _CHOOSE, offset=start + block.index(b"\0"))
            pending = decoder.getstate()[0]
            try:
                piece = decoder.decode(block, at_end)
            except UnicodeError as error:
                offset = (
                    start
                    - len(pending)
                    + (error.start if isinstance(error, UnicodeDecodeError) else 0)
                )
                likely = "" if chosen else likeliest(pending + block)
                fix = f"{_CHOOSE} It looks like {likely}." if likely else _CHOOSE
                raise ReadError(
                    self.name, f"these bytes are not {codec}", fix, offset=offset
                ) from None
            if may_hold_halves:
                piece = whole_characters(piece)
            yield line_ends.translate(piece, is_last=at_end)
            start += len(block)
            block = b"" if at_end else self.read(_BLOCK)

    def _codec(self, block: bytes, chosen: str | None) -> tuple[str, bytes]:
        """The codec to use, and the byte-order mark to skip."""
        for mark, codec in _MARKS.items():
            if block.startswith(mark) and chosen in (None, codec, "utf-16", "utf-8-sig"):
                if block.startswith(codecs.BOM_UTF32_LE):
                    raise ReadError(self.name, "this is UTF-32", _CHOOSE, offset=0)
                return codec, mark
        return chosen or "utf-8", b""

    def _check_line(self, n_chars: int, row: int) -> None:
        if n_chars > self.limits.max_field_chars:
            problem = f"a line of more than {self.limits.max_field_chars:,} characters, the limit"
            raise ReadError(self.name, problem, "Put one document on each line.", row=row)


def ending(name: str) -> str:
    """The ending of a file's name in lower case, packing left out: ``.csv`` of ``Mail.CSV.gz``; may be empty."""
    plain = name.lower().rpartition("/")[2]  # of a file in a folder or an archive
    for packed in PACKED:
        plain = plain.removesuffix(packed)
    stem, dot, last = plain.rpartition(".")
    return f".{last}" if dot and stem and last.strip() and not last.isdigit() else ""
