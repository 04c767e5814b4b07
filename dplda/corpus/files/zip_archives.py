"""Zip archives: the directory is counted before it is parsed, the content before it is unpacked."""

import io
import lzma
import struct
import zipfile
import zlib
from typing import IO, BinaryIO, cast

from dplda.core.errors import ReadError
from dplda.corpus.files.compression import MAX_EXPANSION, remaining_bytes
from dplda.corpus.files.file import File, too_large_error

MAX_MEMBERS = 100_000
MAX_NAME_BYTES = 4096  # bytes of a member's name with its folders, as of paths on Linux
UNPACK_IT = "Unpack it yourself if you trust it"
PACK_AGAIN = "Pack or copy it again."
_MAX_DIRECTORY_BYTES = 50_000_000  # bytes
_ENTRY = struct.Struct("<4s6H3L5H2L")
_SIGNATURE = b"PK\x01\x02"  # of an entry in the directory
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"  # which encrypted files begin with, too
_DAMAGED_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    RuntimeError,
)
DAMAGE = (*_DAMAGED_ZIP, ValueError, OverflowError, OSError)
"""Errors that the library raises at a damaged archive."""


def open_checked_zip(file: File, *, bounded: bool = False) -> zipfile.ZipFile:
    """Open a zip archive that may be read.

    Args:
        file: read in memory if it has no positions.
        bounded: whether all content together must be within the limit on bytes.

    Sizes are those that the archive declares.

    Raises:
        ReadError: no zip archive, damaged or encrypted, too many members, a name that is too long,
            a directory that is too large, or unpacked more than ``MAX_EXPANSION`` times larger
            or, if bounded, larger than the limit.
    """
    binary = file.seekable()
    n_packed_bytes = remaining_bytes(binary) or 0
    guard = _DirectoryGuard(binary, file.name)
    try:
        archive = zipfile.ZipFile(cast("IO[bytes]", guard))
    except DAMAGE:
        problem = "not a zip archive, or a damaged one"
        raise ReadError(file.name, problem, PACK_AGAIN) from None
    guard.is_done = True
    if any(info.flag_bits & 1 for info in archive.infolist()):
        raise ReadError(file.name, "an encrypted member", "Pack it without a password.")
    n_bytes = sum(info.file_size for info in archive.infolist())
    if n_bytes > MAX_EXPANSION * n_packed_bytes:
        problem = (
            f"its content is more than {MAX_EXPANSION} times larger than the archive,"
            " the limit on expansion"
        )
        raise ReadError(file.name, problem, f"{UNPACK_IT}.")
    if bounded and n_bytes > file.limits.max_bytes:
        raise too_large_error(file.name, file.limits)
    return archive


def read_bounded_zip(file: File) -> bytes:
    """Read all bytes of a file that is a zip archive inside, as workbooks are.

    Raises:
        ReadError: an old or encrypted Office file, or an archive that ``open_checked_zip`` refuses,
            because it is too large unpacked, say.
    """
    content = file.whole()
    if content.startswith(_OLD_OFFICE):
        problem = "an encrypted file, or an old Office format"
        raise ReadError(file.name, problem, "Save it as .xlsx or .docx, without a password.")
    open_checked_zip(File(file.name, io.BytesIO(content), file.limits), bounded=True)
    return content


class _DirectoryGuard:
    """File of an archive that counts the entries of the directory before the library parses them.

    An entry of 46 bytes becomes an object of a kilobyte, and the number of entries that an archive
    declares need not be true. The library reads the directory in one block; nothing else that it
    reads meanwhile is as large.

    Attributes:
        is_done: whether the directory has been read; then nothing is counted any more.
    """

    def __init__(self, binary: BinaryIO, name: str) -> None:
        self.is_done = False
        self._binary = binary
        self._name = name

    def __getattr__(self, name: str) -> object:
        return getattr(self._binary, name)

    def read(self, size: int = -1) -> bytes:
        """Read bytes of the archive.

        Raises:
            ReadError: the directory is too large, has too many entries, or a name in it is too
                long.
        """
        if not self.is_done and size > _MAX_DIRECTORY_BYTES:
            max_megabytes = _MAX_DIRECTORY_BYTES // 1_000_000
            problem = f"a directory of more than {max_megabytes} MB, the limit"
            raise ReadError(self._name, problem, f"{UNPACK_IT}, and use its files.")
        block = self._binary.read(size)
        if not self.is_done and block.startswith(_SIGNATURE):
            self._check(block)
        return block

    def _check(self, directory: bytes) -> None:
        """Refuse a directory with too many entries, or with a name that is too long.

        It is counted up to the first bytes that are no whole entry; they are not refused.

        Raises:
            ReadError: it is refused.
        """
        n_members = 0
        entry_offset = 0
        while directory.startswith(_SIGNATURE, entry_offset) and entry_offset + _ENTRY.size <= len(
            directory
        ):
            n_name_bytes, n_extra_bytes, n_comment_bytes = _ENTRY.unpack_from(
                directory, entry_offset
            )[10:13]
            n_members += 1
            entry_offset += _ENTRY.size + n_name_bytes + n_extra_bytes + n_comment_bytes
            if n_members > MAX_MEMBERS:
                problem = f"more than {MAX_MEMBERS:,} members, the limit"
                raise ReadError(self._name, problem, f"{UNPACK_IT}, and use its files.")
            if n_name_bytes > MAX_NAME_BYTES:
                problem = f"a name of more than {MAX_NAME_BYTES:,} bytes, the limit"
                raise ReadError(self._name, problem, f"{UNPACK_IT}, and use its files.")
