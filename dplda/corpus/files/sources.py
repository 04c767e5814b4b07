"""From what somebody gives, a path, an open file, several of them, a folder, to the files that are read."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

from dplda.core.errors import InputError, ReadError
from dplda.core.safe_open import file_name, opened
from dplda.core.types import Report
from dplda.corpus.counts_readers import uci
from dplda.corpus.files import folder, zipped
from dplda.corpus.files.compression import is_packed, remaining_bytes, unpacked
from dplda.corpus.files.file import File, ending
from dplda.corpus.files.limits import Limits, over_size
from dplda.corpus.files.members import Member, is_archive

Readable: TypeAlias = str | Path | tuple[str, BinaryIO]
"""A path, or the name of a file and the file, open for reading bytes."""

Sources: TypeAlias = Readable | Sequence[Readable]
"""One of them or several."""

ZIP = ".zip"
"""The ending of archives that are read."""


@dataclass(slots=True, eq=False)
class Gathered:
    """Files that are one corpus."""

    name: str
    members: list[Member]
    source: Sources
    limits: Limits
    progress: "ReadProgress"
    chosen: bool = field(kw_only=True)


class ReadProgress:
    """How far reading has come, by the bytes of what is open."""

    def __init__(self, report: Report | None, n_files: int = 1) -> None:
        self._report, self._n_files = report, n_files
        self._n_begun = self._n_bytes = 0
        self._share = 0.0
        self._binary: BinaryIO | None = None

    def begin(self, binary: BinaryIO) -> None:
        """Note that the next file is read."""
        self._n_begun += 1
        self._n_bytes = remaining_bytes(binary) or 0
        self._start = binary.tell() if self._n_bytes else 0
        self._binary = binary

    def say(self, line: str, *, done: bool = False) -> None:
        """Report a line with the share of bytes that are read, which never falls."""
        if self._report is None:
            return
        within = 0.0
        if self._binary is not None and self._n_bytes and not self._binary.closed:
            within = min(1.0, (self._binary.tell() - self._start) / self._n_bytes)
        share = (max(self._n_begun, 1) - 1 + within) / self._n_files
        self._share = 1.0 if done else max(self._share, min(share, 1.0))
        self._report(self._share, line)


def gathered(
    source: Sources, limits: Limits, encoding: str | None, stack: ExitStack, report: Report | None = None
) -> Gathered:
    """List the files of a corpus.

    Raises:
        ReadError: a path that cannot be opened, an archive that may not be read.
    """
    if isinstance(source, Sequence) and not isinstance(source, str | bytes) and not _is_pair(source):
        several = cast("Sequence[Readable]", source)
        if not several:
            raise InputError("the documents", "at least one file", "none")
        if len(several) > 1:
            return _several(several, source, limits, encoding, report)
        source = several[0]
    only = cast("Readable", source)
    progress = ReadProgress(report)
    if isinstance(only, str | Path) and os.path.isdir(only):
        found = folder.members(Path(only), limits, encoding)
        return Gathered(file_name(Path(only).resolve()), found, source, limits, progress, chosen=False)
    member = single(only, limits, encoding, progress)
    if not is_archive(member.name):
        return Gathered(member.name, [member], source, limits, progress, chosen=True)
    if ending(member.name) != ZIP:
        raise ReadError(member.name, "an archive that is no zip archive", "Unpack it, and give the folder.")
    file = stack.enter_context(member.opened())
    return Gathered(file.name, zipped.members(file), source, limits, progress, chosen=False)


def single(
    source: Readable,
    limits: Limits,
    encoding: str | None = None,
    progress: ReadProgress | None = None,
    *,
    alone: bool = True,
) -> Member:
    """One file, not opened yet; arguments as for ``gathered``, and whether it is the only one."""
    return Member(_name(source), partial(_file, source, limits, encoding, progress or ReadProgress(None), alone=alone))


def beside(source: Sources, name: str) -> Path | None:
    """Where the words of a file of counts are looked for: next to it, if it lies on disk."""
    if not isinstance(source, str | Path):
        return None
    path = Path(source)
    if uci.is_named(name):
        return uci.word_list_beside(path)
    return path.with_name("vocab.txt")


def _several(
    several: Sequence[Readable], source: Sources, limits: Limits, encoding: str | None, report: Report | None
) -> Gathered:
    progress = ReadProgress(report, len(several))
    members = [single(it, limits, encoding, progress, alone=False) for it in several]
    for member in members:
        if is_archive(member.name):
            raise ReadError(member.name, "an archive among several files", "Give it alone, or unpack it.")
    name = f"{members[0].name} and {len(members) - 1} more"
    return Gathered(name, members, source, limits, progress, chosen=True)


@contextmanager
def _file(
    source: Readable, limits: Limits, encoding: str | None, progress: ReadProgress, *, alone: bool
) -> Iterator[File]:
    with ExitStack() as stack:
        name = _name(source)
        binary = source[1] if isinstance(source, tuple) else stack.enter_context(opened(source))
        if not is_packed(name) and (remaining_bytes(binary) or 0) > limits.max_bytes:
            raise over_size(name, limits)
        progress.begin(binary)
        yield File(name, unpacked(name, binary), limits, encoding, alone=alone)


def _name(source: Readable) -> str:
    if not isinstance(source, str | Path) and not _is_pair(source):
        limit = "a path, or a name and an open binary file"
        raise InputError("the path of a file", limit, f"a value of type {type(source).__name__}")
    return file_name(source[0] if isinstance(source, tuple) else source)


def _is_pair(source: object) -> bool:
    return isinstance(source, tuple) and len(source) == 2 and isinstance(source[0], str) and hasattr(source[1], "read")
