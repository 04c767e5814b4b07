"""Zip archives: listed and checked first, then streamed, never unpacked to disk."""

import io
import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from dplda.core.errors import ReadError
from dplda.core.safe_open import file_name
from dplda.corpus.files.compression import LARGEST_EXPANSION, remaining_bytes
from dplda.corpus.files.file import File
from dplda.corpus.files.limits import over_size
from dplda.corpus.files.members import Member, Rules, shown_name

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    OSError,
)


def members(file: File) -> list[Member]:
    """The files in a zip archive, in their order.

    Raises:
        ReadError: no zip archive or a damaged one; members over the limit in number, size or expansion; encrypted,
            nested, absolute, duplicate or linked ones.
    """
    archive = checked(file)
    listed = [info for info in archive.infolist() if not info.filename.endswith("/")]
    rules = Rules(file.name, file.limits)
    admitted = [info for info in listed if rules.admit(info.filename, info.file_size, link=_is_link(info))]
    return [
        Member(file_name(info.filename), partial(_opened, file, archive, info, alone=len(admitted) == 1))
        for info in admitted
    ]


def checked(file: File) -> zipfile.ZipFile:
    """A zip archive that may be read.

    Raises:
        ReadError: no zip archive or a damaged one, encrypted members, or more than a hundred times larger inside.
    """
    binary = file.seekable()
    packed = remaining_bytes(binary) or 0
    try:
        archive = zipfile.ZipFile(binary)
    except _DAMAGE:
        raise ReadError(file.name, "not a zip archive, or a damaged one", "Pack or copy it again.") from None
    if any(info.flag_bits & 1 for info in archive.infolist()):
        raise ReadError(file.name, "an encrypted member", "Pack it without a password.")
    if sum(info.file_size for info in archive.infolist()) > LARGEST_EXPANSION * packed:
        raise ReadError(
            file.name,
            f"its content is more than {LARGEST_EXPANSION} times larger than the archive, the limit on expansion",
            "Unpack it yourself if you trust it.",
        )
    return archive


def require_small(file: File, content: bytes) -> None:
    """Refuse a file that is no zip archive, as workbooks and others are, or too large once unpacked."""
    archive = checked(File(file.name, io.BytesIO(content), file.limits))
    if sum(info.file_size for info in archive.infolist()) > file.limits.max_bytes:
        raise over_size(file.name, file.limits)


@contextmanager
def _opened(file: File, archive: zipfile.ZipFile, info: zipfile.ZipInfo, *, alone: bool) -> Iterator[File]:
    name = shown_name(file.name, info.filename)
    try:
        binary = archive.open(info)
    except _DAMAGE:
        raise ReadError(name, "a damaged part of an archive", "Pack or copy it again.") from None
    with binary:
        yield File(name, binary, file.limits, file.encoding, alone=alone, damage=_DAMAGE)


def _is_link(info: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(info.external_attr >> 16)
