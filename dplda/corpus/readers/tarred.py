"""Tar archives, packed or not: one pass from front to back, never unpacked to disk."""

import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from tarfile import HeaderError
from typing import IO, cast

from dplda.corpus.readers.file import File, Guarded
from dplda.corpus.readers.members import Member, Rules, shown_name
from dplda.errors import ReadError
from dplda.opening import file_name

_DAMAGE = (tarfile.TarError, zlib.error, EOFError, ValueError, OverflowError, KeyError, IndexError, OSError)


class _Whole(tarfile.TarInfo):
    """A header that must be there: where it is broken or missing, tarfile would take the archive to have ended."""

    @classmethod
    def fromtarfile(cls, tarfile: tarfile.TarFile) -> "_Whole":
        try:
            return super().fromtarfile(tarfile)
        except HeaderError as error:
            if type(error).__name__ == "EOFHeaderError":  # the mark at the end of an archive
                raise
            raise ValueError from None


def members(file: File) -> Iterator[Member]:
    """The files in a tar archive, in their order; each is to be read before the next one is asked for.

    Raises:
        ReadError: no tar archive or a damaged one; members over the limit in number or size; nested, absolute,
            duplicate or linked ones, and whatever is no file.
    """
    stream = cast("IO[bytes]", Guarded(file.name, file.binary, file.limits))
    rules = Rules(file.name, file.limits)
    try:
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Whole) as archive:
            for info in archive:
                if info.isdir():
                    continue
                if rules.admit(info.name, info.size, link=not info.isreg()):
                    yield Member(file_name(info.name), partial(_opened, file, archive, info))
    except _DAMAGE:
        raise ReadError(file.name, "not a tar archive, or a damaged one", "Pack or copy it again.") from None


@contextmanager
def _opened(file: File, archive: tarfile.TarFile, info: tarfile.TarInfo) -> Iterator[File]:
    name = shown_name(file.name, info.name)
    binary = archive.extractfile(info)
    if binary is None:
        raise ReadError(name, "a member that is no file", "Pack it again without it.")
    yield File(name, Guarded(name, binary, file.limits, _DAMAGE), file.limits, file.encoding, alone=False)
