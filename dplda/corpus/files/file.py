"""One file to read documents from: its bytes, bounded, and its lines, strict about encodings."""

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import partial
from typing import BinaryIO, Protocol, cast

from dplda.core import checks
from dplda.core.errors import ReadError
from dplda.corpus.files.compression import PACKED
from dplda.corpus.files.encodings import likeliest_encoding, text_codec, whole_characters
from dplda.corpus.files.line_ends import LineEnds
from dplda.corpus.files.work_budget import WorkBudget
from dplda.corpus.remarks import RemarkCounter

_BLOCK_BYTES = 1 << 18  # bytes read at a time
_CODEC_OF_MARK = {
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
_CHOOSE_ENCODING = (
    "Choose the encoding it was written in, such as cp1252 or utf-16-le, or save it as UTF-8."
)


@dataclass(frozen=True, slots=True)
class Limits:
    r"""Bounds on what is read.

    All but ``max_words_per_document``, which cuts a document, refuse a file.

    Attributes:
        max_bytes: bytes of all files together, after unpacking.
        max_documents: documents of all files together.
        max_field_chars: characters of one line, field or document, since these are held in memory.
        max_distinct_words: distinct words met while a vocabulary is taken from the data.
        max_words_per_document: ``L_max``, number of a document's words that count, stop words
            included. It is part of the guarantee, so it must not depend on the data.
        max_seconds: seconds for parsing one DOCX, PDF or Excel file.
        max_seconds_per_megabyte: processor seconds for reading all files; a smaller input counts as
            one megabyte.

    Raises:
        InputError: a limit is no whole number of at least 1.

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
            number = checks.integer_at_least(limit.name, getattr(self, limit.name), 1)
            object.__setattr__(self, limit.name, number)


def too_large_error(name: str, limits: Limits) -> ReadError:
    """Error for a file of more bytes than allowed."""
    fix = "Split the file, or read it from Python with a higher Limits.max_bytes."
    return ReadError(name, f"more than {limits.max_bytes:,} bytes, the limit", fix)


class Bytes(Protocol):
    """Source of bytes that is read from beginning to end."""

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes and at least one; empty at the end."""


@dataclass(slots=True, eq=False)
class File:
    """One file, read once.

    Attributes:
        name: for refusals, with the archive or folder that it is in.
        binary: its bytes, those of the content for a packed file; offsets and limits refer to them.
        limits: bounds on what is read.
        encoding: name of a codec; None for UTF-8, or UTF-16 with a byte-order mark.
        alone: whether no other file is read beside it.
        damage: errors that ``binary`` raises if the archive that holds it is damaged.
        remarks: counter of unusual things that readers meet.
        budget: processor time left to read this file and all beside it; None for the usual limit.
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
        """Read the next bytes, at most ``size``; empty at the end.

        Raises:
            ReadError: a damaged archive, too many bytes, or no processor time left.
        """
        try:
            block = self.binary.read(size)
        except self.damage:
            problem = "a damaged part of an archive"
            raise ReadError(self.name, problem, "Pack or copy it again.") from None
        self._n_bytes += len(block)
        if self.budget is not None:
            self.budget.check(self.name)
        if self._n_bytes > self.limits.max_bytes:
            raise too_large_error(self.name, self.limits)
        return block

    def whole(self) -> bytes:
        """Read all bytes that are left.

        Raises:
            ReadError: as ``read``.
        """
        return b"".join(iter(partial(self.read, _BLOCK_BYTES), b""))

    def seekable(self) -> BinaryIO:
        """The file as one with positions: itself if it has them, else its bytes in memory.

        What is read from the file itself then counts against no limit.

        Raises:
            ReadError: as ``read``, if it has none.
        """
        binary = self.binary
        if isinstance(binary, io.BufferedReader | io.BytesIO | io.FileIO) and binary.seekable():
            return cast("BinaryIO", binary)
        return io.BytesIO(self.whole())

    def lines(self, encoding: str | None = None) -> Iterator[str]:
        r"""Yield lines with their ends, each of which becomes ``\n`` (``LineEnds``).

        Args:
            encoding: name of a codec, in place of the file's own; None for the file's own.

        Raises:
            InputError: there is no text codec of this name.
            ReadError: no text, bytes that do not fit the encoding, or a line that is too long.
        """
        encoding = encoding or self.encoding
        codec = None if encoding is None else text_codec(encoding)
        unfinished_line = ""
        line_number = 1
        for piece in self._decoded(codec):
            *lines, unfinished_line = (unfinished_line + piece).split("\n")
            for line in lines:
                self._check_line(len(line), line_number)
                yield line + "\n"
                line_number += 1
            self._check_line(len(unfinished_line), line_number)
        if unfinished_line:
            yield unfinished_line

    def _decoded(self, chosen_codec: str | None) -> Iterator[str]:
        r"""Yield pieces of decoded text with lines ended by ``\n``.

        Halves of characters in UTF-16, as a program cuts them, are replaced.

        Args:
            chosen_codec: codec to use; None takes UTF-8, or UTF-16 if a byte-order mark says so.

        Raises:
            ReadError: a file that begins like one of another kind, bytes that do not fit the codec,
                a zero byte without a chosen codec or a mark, or as ``read``.
        """
        block = self._first_block()
        codec, mark = self._codec(block, chosen_codec)
        may_hold_halves = codec.startswith("utf-16")
        decoder = codecs.getincrementaldecoder(codec)(
            "surrogatepass" if may_hold_halves else "strict"
        )
        line_ends = LineEnds()
        block_offset = len(mark)
        block = block[block_offset:]
        is_last = False
        while not is_last:
            is_last = not block
            if chosen_codec is None and not mark:
                self._check_no_zero(block, block_offset)
            undecoded_bytes = decoder.getstate()[0]
            try:
                piece = decoder.decode(block, is_last)
            except UnicodeError as error:
                place_in_block = _place_of_error(error) - len(undecoded_bytes)
                likely_codec = ""
                if chosen_codec is None:
                    likely_codec = likeliest_encoding(undecoded_bytes + block)
                fault_offset = block_offset + place_in_block
                raise self._codec_error(codec, fault_offset, likely_codec) from None
            if may_hold_halves:
                piece = whole_characters(piece)
            yield line_ends.translate(piece, is_last=is_last)
            block_offset += len(block)
            block = b"" if is_last else self.read(_BLOCK_BYTES)

    def _check_no_zero(self, block: bytes, block_offset: int) -> None:
        """Refuse a block with a zero byte, and say where it is."""
        if b"\0" in block:
            problem = "a zero byte, as in binary files or UTF-16 without a byte-order mark"
            zero_offset = block_offset + block.index(b"\0")
            raise ReadError(self.name, problem, _CHOOSE_ENCODING, offset=zero_offset)

    def _codec_error(self, codec: str, offset: int, likely_codec: str) -> ReadError:
        """Error for bytes that do not fit a codec; names a likely one unless that is empty."""
        fix = _CHOOSE_ENCODING
        if likely_codec:
            fix = f"{_CHOOSE_ENCODING} It looks like {likely_codec}."
        return ReadError(self.name, f"these bytes are not {codec}", fix, offset=offset)

    def _first_block(self) -> bytes:
        """Read at least as many bytes as the longest signature of a file that is no text has.

        Fewer only if the file has no more.

        Raises:
            ReadError: the file begins with such a signature.
        """
        block = self.read(_BLOCK_BYTES)
        while len(block) < _LONGEST_SIGNATURE and (next_bytes := self.read(_BLOCK_BYTES)):
            block += next_bytes
        for signature, kind in NOT_TEXT.items():
            if block.startswith(signature):
                fix = (
                    "Give text, CSV or JSON lines, or the file under the name that fits it"
                    " (.pdf, .docx, .xlsx)."
                )
                raise ReadError(self.name, f"this is {kind.removesuffix(',')}, not text", fix)
        return block

    def _codec(self, block: bytes, chosen_codec: str | None) -> tuple[str, bytes]:
        """The codec to use, and the byte-order mark to skip; no bytes if no mark counts.

        A mark counts if no codec was chosen, or the codec of the mark.
        Any mark overrides a choice of ``utf-16`` or ``utf-8-sig``.
        Without choice and mark the codec is UTF-8.

        Raises:
            ReadError: the mark that counts is that of little-endian UTF-32.
        """
        is_utf_32 = block.startswith(codecs.BOM_UTF32_LE)
        for mark, codec in _CODEC_OF_MARK.items():
            may_use_mark = chosen_codec in (None, codec, "utf-16", "utf-8-sig")
            if not (may_use_mark and block.startswith(mark)):
                continue
            if is_utf_32:
                raise ReadError(self.name, "this is UTF-32", _CHOOSE_ENCODING, offset=0)
            return codec, mark
        return chosen_codec or "utf-8", b""

    def _check_line(self, n_characters: int, row: int) -> None:
        """Refuse a line of too many characters."""
        if n_characters > self.limits.max_field_chars:
            problem = f"a line of more than {self.limits.max_field_chars:,} characters, the limit"
            raise ReadError(self.name, problem, "Put one document on each line.", row=row)


def _place_of_error(error: UnicodeError) -> int:
    """Index of the first byte that does not fit, among those decoded; 0 if the codec tells none."""
    return error.start if isinstance(error, UnicodeDecodeError) else 0


def file_ending(name: str) -> str:
    """The ending of a file's name in lower case, packing left out: ``.csv`` of ``Mail.CSV.gz``.

    Empty if there is none, and if it consists of digits or is blank. Empty for a name whose only
    dot is its first character: ``.csv`` has no ending.
    """
    base_name = name.lower().rpartition("/")[2]  # of a file in a folder or an archive
    for packed_ending in PACKED:
        base_name = base_name.removesuffix(packed_ending)
    stem, dot, last_part = base_name.rpartition(".")
    has_ending = dot and stem and last_part.strip() and not last_part.isdigit()
    return f".{last_part}" if has_ending else ""
