"""Zip archives that may be read: their directory is counted before it is parsed, their content before it is unpacked."""

import io
import lzma
import struct
import zipfile
import zlib
from typing import IO, BinaryIO, cast

from dplda.core.errors import ReadError
from dplda.corpus.files.compression import LARGEST_EXPANSION, remaining_bytes
from dplda.corpus.files.file import File, over_size

MOST_MEMBERS = 100_000
LONGEST_NAME = 4096  # bytes of a member's name with its folders, as of paths on Linux
UNPACK = "Unpack it yourself if you trust it"
AGAIN = "Pack or copy it again."
_LARGEST_DIRECTORY = 50_000_000  # bytes
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
"""What the library raises at a damaged archive."""


def checked_zip(file: File, *, bounded: bool = False) -> zipfile.ZipFile:
    """A zip archive that may be read; ``bounded`` where the limit on bytes holds for all that is in it."""
    binary = file.seekable()
    packed = remaining_bytes(binary) or 0
    guard = _DirectoryGuard(binary, file.name)
    try:
        archive = zipfile.ZipFile(cast("IO[bytes]", guard))
    except DAMAGE:
        raise ReadError(file.name, "not a zip archive, or a damaged one", AGAIN) from None
    guard.is_done = True
    if any(info.flag_bits & 1 for info in archive.infolist()):
        raise ReadError(file.name, "an encrypted member", "Pack it without a password.")
    n_bytes = sum(info.file_size for info in archive.infolist())
    if n_bytes > LARGEST_EXPANSION * packed:
        problem = f"its content is more than {LARGEST_EXPANSION} times larger than the archive, the limit on expansion"
        raise ReadError(file.name, problem, f"{UNPACK}.")
    if bounded and n_bytes > file.limits.max_bytes:
        raise over_size(file.name, file.limits)
    return archive


def small_zip(file: File) -> bytes:
    """All bytes of a file that is a zip archive inside, as workbooks are; refused where it is too large unpacked."""
    content = file.whole()
    if content.startswith(_OLD_OFFICE):
        problem = "an encrypted file, or an old Office format"
        raise ReadError(file.name, problem, "Save it as .xlsx or .docx, without a password.")
    checked_zip(File(file.name, io.BytesIO(content), file.limits), bounded=True)
    return content


class _DirectoryGuard:
    """An archive's file that counts the entries of the directory before the library parses them.

    An entry of 46 bytes becomes an object of a kilobyte, and the number of entries that an archive declares need not be
    true. The library reads the directory at once; nothing else that it reads meanwhile is as large.

    Attributes:
        is_done: whether the directory has been read, after which nothing is looked at.
    """

    def __init__(self, binary: BinaryIO, name: str) -> None:
        self.is_done = False
        self._binary = binary
        self._name = name

    def __getattr__(self, name: str) -> object:
        return getattr(self._binary, name)

    def read(self, size: int = -1) -> bytes:
        """Bytes of the archive."""
        if not self.is_done and size > _LARGEST_DIRECTORY:
            limit = f"a directory of more than {_LARGEST_DIRECTORY // 1_000_000} MB, the limit"
            raise ReadError(self._name, limit, f"{UNPACK}, and use its files.")
        block = self._binary.read(size)
        if not self.is_done and block.startswith(_SIGNATURE):
            self._check(block)
        return block

    def _check(self, directory: bytes) -> None:
        n_members = place = 0
        while directory.startswith(_SIGNATURE, place) and place + _ENTRY.size <= len(directory):
            n_name, n_extra, n_comment = _ENTRY.unpack_from(directory, place)[10:13]
            n_members += 1
            place += _ENTRY.size + n_name + n_extra + n_comment
            for is_broken, limit in (
                (n_members > MOST_MEMBERS, f"more than {MOST_MEMBERS:,} members, the limit"),
                (n_name > LONGEST_NAME, f"a name of more than {LONGEST_NAME:,} bytes, the limit"),
            ):
                if is_broken:
                    raise ReadError(self._name, limit, f"{UNPACK}, and use its files.")
