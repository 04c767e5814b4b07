"""From what somebody gives, a path, an open file, several, a folder, a zip archive, to the files that are read.

Archives are listed and checked first, then streamed; nothing is unpacked to disk. Links in folders are not followed.
"""

import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import BinaryIO, TypeAlias, TypeVar, cast

from dplda.core.errors import InputError, ReadError
from dplda.core.safe_open import file_name, opened, refusal
from dplda.core.types import Report
from dplda.corpus.files.compression import is_packed, remaining_bytes, unpacked
from dplda.corpus.files.file import File, Limits, ending, over_size
from dplda.corpus.files.work_budget import WorkBudget
from dplda.corpus.files.zip_archives import AGAIN, DAMAGE, MOST_MEMBERS, UNPACK, checked_zip

Readable: TypeAlias = str | Path | tuple[str, BinaryIO]
"""A path, or the name of a file and the file, open for reading bytes."""
Sources: TypeAlias = Readable | Sequence[Readable]

ZIP = ".zip"  # the ending of archives that are read
_ARCHIVES = {ZIP, ".tar", ".tgz", ".tbz", ".7z", ".rar", ".jar", ".xz"}
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[/\\]")
_LEFT_BEHIND = {"thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"}  # by file managers
_LOCKS = ("~$", "~wrl", ".~lock.")  # how the names of an office's locks and drafts begin


Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Member:
    """One of several files.

    Attributes:
        name: of the file, without folders.
        opened: opens it.
        path: parts of its path in a folder or archive; the name alone for a file that was named.
    """

    name: str
    opened: Callable[[], AbstractContextManager[File]]
    path: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Gathered:
    """Files that are one corpus.

    Attributes:
        chosen: whether somebody named each of them, and not the folder or archive that they are in.
        budget: processor time that is left to read all of them.
    """

    name: str
    members: list[Member]
    source: Sources
    limits: Limits
    progress: "ReadProgress"
    chosen: bool = field(kw_only=True)
    budget: WorkBudget = field(kw_only=True)


class ReadProgress:
    """Share of a reading that is done, by the bytes of the files that are open."""

    def __init__(self, report: Report | None, n_files: int = 1) -> None:
        self._report, self._n_files = report, n_files
        self._n_begun, self._share, self._n_bytes = -1, 0.0, 0

    def begin(self, binary: BinaryIO) -> None:
        """Note that the next file is read."""
        self._n_begun += 1
        self._binary, self._n_bytes = binary, remaining_bytes(binary) or 0

    def say(self, line: str, *, done: bool = False) -> None:
        """Report a line with the share of bytes that are read, which never falls."""
        if self._report is None:
            return
        left = remaining_bytes(self._binary) if self._n_bytes and not self._binary.closed else None
        within = 0.0 if left is None else 1 - left / self._n_bytes
        share = (max(self._n_begun, 0) + within) / self._n_files
        self._share = 1.0 if done else max(self._share, min(share, 1.0))
        self._report(self._share, line)


def gathered(
    source: Sources,
    limits: Limits,
    encoding: str | None,
    stack: ExitStack,
    report: Report | None = None,
) -> Gathered:
    """List the files of a corpus."""
    alone = not isinstance(source, Sequence) or isinstance(source, str | bytes) or _is_pair(source)
    several = [cast("Readable", source)] if alone else list(cast("Sequence[Readable]", source))
    if not several:
        raise InputError("the documents", "at least one file", "none")
    progress = ReadProgress(report, len(several))
    if len(several) == 1 and isinstance(several[0], str | Path) and os.path.isdir(several[0]):
        folder = Path(several[0])
        found, n_bytes = _in_folder(folder, limits, encoding)
        name = file_name(folder.resolve())
        budget = _budget(n_bytes, limits)
        return Gathered(name, found, several[0], limits, progress, chosen=False, budget=budget)
    budget = _budget(_total_bytes(several), limits)
    listed = [single(it, limits, encoding, progress) for it in several]
    members = [it for it in listed if not is_left_behind(it.name)] or listed
    archive = next((it for it in members if is_archive(it.name)), None)
    name = members[0].name
    if archive is None:
        more = f" and {len(members) - 1} more" if len(members) > 1 else ""
        given = several[0] if not more else source
        return Gathered(name + more, members, given, limits, progress, chosen=True, budget=budget)
    if len(several) > 1:
        raise ReadError(
            archive.name, "an archive among several files", "Give it alone, or unpack it."
        )
    if ending(name) != ZIP:
        raise ReadError(
            name, "an archive of another kind than zip", "Unpack it, and use its files."
        )
    file = stack.enter_context(archive.opened())
    members = _in_archive(file)
    return Gathered(name, members, several[0], limits, progress, chosen=False, budget=budget)


def single(
    source: Readable,
    limits: Limits,
    encoding: str | None = None,
    progress: ReadProgress | None = None,
) -> Member:
    """One file, not opened yet."""
    if not isinstance(source, str | Path) and not _is_pair(source):
        got = f"a value of type {type(source).__name__}"
        raise InputError("the path of a file", "a path, or a name and an open binary file", got)
    name = file_name(source[0] if isinstance(source, tuple) else source)
    return Member(
        name,
        partial(_opened, name, source, limits, encoding, progress or ReadProgress(None)),
        (name,),
    )


def is_left_behind(name: str) -> bool:
    """Whether a file's name is that of a program's lock, draft or cache, which nobody wrote."""
    lowered = name.lower()
    return lowered in _LEFT_BEHIND or lowered.startswith(_LOCKS)


def is_archive(name: str) -> bool:
    """Whether a file's name is that of an archive."""
    return ending(name) in _ARCHIVES


def _in_archive(file: File) -> list[Member]:
    """The files in a zip archive, in their order."""
    archive = checked_zip(file)
    listed = [
        (it, it.filename, it.file_size)
        for it in archive.infolist()
        if not it.filename.endswith("/")
    ]
    if any(stat.S_ISLNK(info.external_attr >> 16) for info, _, _ in listed):
        raise ReadError(file.name, "a link instead of a file", f"{UNPACK}, and use its files.")
    found = _admitted(file.name, file.limits, listed)
    return [
        Member(file_name(it.filename), partial(_part, file, archive, it), _parts(it.filename))
        for it in found
    ]


def _budget(n_bytes: int | None, limits: Limits) -> WorkBudget:
    return WorkBudget(limits.max_seconds_per_megabyte, n_bytes, limits.max_bytes)


def _total_bytes(several: list[Readable]) -> int | None:
    """The bytes of some files; None where one cannot tell."""
    total = 0
    for source in several:
        if _is_pair(source):
            n_bytes = remaining_bytes(cast("tuple[str, BinaryIO]", source)[1])
        else:
            n_bytes = _file_size(source)
        if n_bytes is None:
            return None
        total += n_bytes
    return total


def _file_size(path: object) -> int | None:
    """The bytes of a file; None where it cannot be told, as opening the file will say."""
    if not isinstance(path, str | Path):  # a whole number would name a file that is open already
        return None
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return None


def _in_folder(folder: Path, limits: Limits, encoding: str | None) -> tuple[list[Member], int]:
    """The files in a folder and below it, sorted by their path, and their bytes; links and devices are passed over."""
    name = file_name(folder.resolve())
    try:
        listed = sorted(islice(_files(folder), MOST_MEMBERS + 1), key=lambda it: it.parts)
        sizes = [(it, it.relative_to(folder).as_posix(), it.lstat().st_size) for it in listed]
        found = list(_admitted(name, limits, sizes, nested=False))
    except OSError as error:
        raise refusal(error, folder.resolve()) from None
    members = [
        Member(
            it.name,
            partial(_opened, f"{name}/{file_name(it.name)}", it, limits, encoding, None),
            it.relative_to(folder).parts,
        )
        for it in found
    ]
    return members, sum(size for _, _, size in sizes)


def _files(folder: Path) -> Iterator[Path]:
    """Without recursion: folders may lie deeper than Python's stack."""
    waiting = [os.fspath(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    yield Path(entry.path)


def _admitted(
    source: str, limits: Limits, listed: Iterable[tuple[Entry, str, int]], *, nested: bool = True
) -> Iterator[Entry]:
    """Those of the files listed with path and bytes that are not hidden.

    Args:
        nested: whether they lie in an archive, where packed files and archives are refused.
    """
    seen: set[tuple[str, ...]] = set()
    n_bytes = 0
    for entry, path, size in listed:
        parts = _parts(path)
        hidden = "__MACOSX" in parts or any(part.startswith(".") for part in parts)
        passed_over = not parts or hidden or is_left_behind(parts[-1])
        inside = nested and not passed_over and (is_packed(path) or is_archive(parts[-1]))
        for rule, broken in (
            (f"more than {MOST_MEMBERS:,} members, the limit", len(seen) >= MOST_MEMBERS),
            ("a member whose path points outside the archive", ".." in parts),
            ("a member with an absolute path", _ABSOLUTE.match(path) is not None),
            ("two members of the same name", parts in seen),
            ("an archive within the archive", inside),
        ):
            if broken:
                raise ReadError(source, rule, f"{UNPACK}, and use its files.")
        seen.add(parts)
        if passed_over:
            continue
        n_bytes += size
        if n_bytes > limits.max_bytes:
            raise over_size(source, limits)
        yield entry


def _parts(path: str) -> tuple[str, ...]:
    """Folders and name of a file in an archive."""
    return PurePosixPath(path.replace("\\", "/")).parts


@contextmanager
def _opened(
    name: str, source: Readable, limits: Limits, encoding: str | None, progress: ReadProgress | None
) -> Iterator[File]:
    with ExitStack() as stack:
        binary = source[1] if isinstance(source, tuple) else stack.enter_context(opened(source))
        if progress is not None:
            if not is_packed(name) and (remaining_bytes(binary) or 0) > limits.max_bytes:
                raise over_size(name, limits)
            progress.begin(binary)
        yield File(name, unpacked(name, binary), limits, encoding)


@contextmanager
def _part(file: File, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[File]:
    name = f"{file.name}/{file_name(info.filename)}"
    try:
        binary = archive.open(info)
    except DAMAGE:
        raise ReadError(name, "a damaged part of an archive", AGAIN) from None
    with binary:
        yield File(name, binary, file.limits, file.encoding, damage=DAMAGE)


def _is_pair(source: object) -> bool:
    return (
        isinstance(source, tuple)
        and len(source) == 2
        and isinstance(source[0], str)
        and hasattr(source[1], "read")
    )
