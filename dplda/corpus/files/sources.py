"""Files of a corpus, from a path, an open file, several of them, a folder or a zip archive.

Archives are listed and checked first, then streamed; nothing is unpack_stream to disk. Links in
folders are not followed.
"""

import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import BinaryIO, TypeAlias, TypeVar, cast

from dplda.core.errors import InputError, ReadError
from dplda.core.safe_open import file_name, opened, refusal
from dplda.core.types import Report
from dplda.corpus.files.compression import is_packed, remaining_bytes, unpack_stream
from dplda.corpus.files.file import File, Limits, file_ending, too_large_error
from dplda.corpus.files.work_budget import WorkBudget
from dplda.corpus.files.zip_archives import (
    DAMAGE,
    MAX_MEMBERS,
    PACK_AGAIN,
    UNPACK_IT,
    open_checked_zip,
)

Readable: TypeAlias = str | Path | tuple[str, BinaryIO]
"""A path, or the name of a file and the file, open for reading bytes."""
Sources: TypeAlias = Readable | Sequence[Readable]

ZIP = ".zip"  # the file_ending of archives that are read
_ARCHIVES = {ZIP, ".tar", ".tgz", ".tbz", ".7z", ".rar", ".jar", ".xz"}
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[/\\]")
_LEFTOVERS = {"thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"}  # of file managers
_LOCK_PREFIXES = ("~$", "~wrl", ".~lock.")  # of locks and drafts of office programs

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Member:
    """One of several files, not opened yet.

    Attributes:
        name: name of the file, without folders.
        opened: opens it.
        path: parts of its path in a folder or archive; only the name for a file that was named.
    """

    name: str
    opened: Callable[[], AbstractContextManager[File]]
    path: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class CorpusFiles:
    """Files that together are one corpus.

    Attributes:
        name: for refusals, and for the corpus if it gets no other.
        members: the files, in order.
        source: as given; of several files of which one remains, that one.
        limits: bounds on what is read.
        progress: of reading all of them.
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
    """Share of a reading that is done, by the bytes of the files that are open.

    Args:
        report: called with the share and a line; None reports nothing.
        n_files: number of files to read.
    """

    def __init__(self, report: Report | None, n_files: int = 1) -> None:
        self._report = report
        self._n_files = n_files
        self._file_index = -1
        self._share = 0.0
        self._n_bytes = 0

    def begin(self, binary: BinaryIO) -> None:
        """Note that the next file is read."""
        self._file_index += 1
        self._binary = binary
        self._n_bytes = remaining_bytes(binary) or 0

    def say(self, line: str, *, done: bool = False) -> None:
        """Report a line with the share of bytes that are read, which never falls.

        Does nothing if nobody asked for progress. Files count alike, whatever their size.
        An open file that is closed again, or has no positions, counts as not begun.

        Args:
            line: words on the progress.
            done: whether all is read, so that the share is 1.
        """
        if self._report is None:
            return
        n_left = None
        if self._n_bytes and not self._binary.closed:
            n_left = remaining_bytes(self._binary)
        share_of_file = 0.0
        if n_left is not None:
            share_of_file = 1 - n_left / self._n_bytes
        n_files_before = max(self._file_index, 0)
        share = (n_files_before + share_of_file) / self._n_files
        self._share = max(self._share, min(share, 1.0))
        if done:
            self._share = 1.0
        self._report(self._share, line)


def gather_files(
    source: Sources,
    limits: Limits,
    encoding: str | None,
    stack: ExitStack,
    report: Report | None = None,
) -> CorpusFiles:
    """List the files of a corpus: those of one folder, those in one zip archive, or those named.

    An archive is opened for that, and every other file later. Leftovers of programs, such as locks,
    are left out unless nothing else was named.

    Args:
        source: a path of a file or folder, a name with an open file, or a list of those.
        limits: bounds on what is read.
        encoding: name of a codec for all files; None for UTF-8, or UTF-16 with a byte-order mark.
        stack: closes an archive that is opened here.
        report: called with the progress of reading.

    Raises:
        InputError: no file, or something that is neither a path nor a file.
        ReadError: a folder or archive that cannot be read, or an archive among several files.
    """
    sources = _as_list(source)
    progress = ReadProgress(report, len(sources))
    first_source = sources[0]
    is_path = isinstance(first_source, str | Path)
    if len(sources) == 1 and is_path and os.path.isdir(cast("str | Path", first_source)):
        return _gather_folder(Path(cast("str | Path", first_source)), limits, encoding, progress)
    budget = _work_budget(_total_bytes(sources), limits)
    all_members = [as_member(readable, limits, encoding, progress) for readable in sources]
    members = [
        member for member in all_members if not is_program_leftover(member.name)
    ] or all_members
    archive = next((member for member in members if is_archive(member.name)), None)
    if archive is not None:
        _check_archive(archive.name, n_sources=len(sources))
        archive_file = stack.enter_context(archive.opened())
        return CorpusFiles(
            name=archive.name,
            members=_archive_members(archive_file),
            source=first_source,
            limits=limits,
            progress=progress,
            chosen=False,
            budget=budget,
        )
    first_name = members[0].name
    n_more = len(members) - 1
    return CorpusFiles(
        name=f"{first_name} and {n_more} more" if n_more else first_name,
        members=members,
        source=source if n_more else first_source,
        limits=limits,
        progress=progress,
        chosen=True,
        budget=budget,
    )


def _as_list(source: Sources) -> list[Readable]:
    """The files or the folder that were given, as a list of at least one.

    A pair of a name and an open file is one file. What the list holds is not checked.

    Raises:
        InputError: an empty list, or more than ``MAX_MEMBERS`` files.
    """
    is_one = not isinstance(source, Sequence) or isinstance(source, str | bytes) or _is_pair(source)
    if is_one:
        return [cast("Readable", source)]
    sources = cast("Sequence[Readable]", source)
    if len(sources) > MAX_MEMBERS:  # as a range may be, which no memory holds
        raise InputError("the documents", f"at most {MAX_MEMBERS:,} files", f"{len(sources):,}")
    if not sources:
        raise InputError("the documents", "at least one file", "none")
    return list(sources)


def _check_archive(name: str, *, n_sources: int) -> None:
    """Refuse an archive among several files, and one of another kind than zip."""
    if n_sources > 1:
        raise ReadError(name, "an archive among several files", "Give it alone, or unpack it.")
    if file_ending(name) != ZIP:
        problem = "an archive of another kind than zip"
        raise ReadError(name, problem, "Unpack it, and use its files.")


def _gather_folder(
    folder: Path, limits: Limits, encoding: str | None, progress: ReadProgress
) -> CorpusFiles:
    """The files of a folder, as ``_folder_members`` lists them, with time to read them.

    Processor time is given by the bytes of all its files, with hidden ones.

    Raises:
        ReadError: as ``_folder_members``.
    """
    members, n_bytes = _folder_members(folder, limits, encoding)
    return CorpusFiles(
        name=file_name(folder.resolve()),
        members=members,
        source=folder,
        limits=limits,
        progress=progress,
        chosen=False,
        budget=_work_budget(n_bytes, limits),
    )


def as_member(
    source: Readable,
    limits: Limits,
    encoding: str | None = None,
    progress: ReadProgress | None = None,
) -> Member:
    """Describe one file without opening it.

    Args:
        source: a path, or a name with an open binary file.
        limits: bounds on what is read.
        encoding: name of a codec; None for UTF-8, or UTF-16 with a byte-order mark.
        progress: of a reading that the file is part of.

    Raises:
        InputError: neither a path nor a name with a file.
    """
    if not isinstance(source, str | Path) and not _is_pair(source):
        got_text = f"a value of type {type(source).__name__}"
        raise InputError(
            "the path of a file", "a path, or a name and an open binary file", got_text
        )
    shown_name = file_name(source[0] if isinstance(source, tuple) else source)
    progress = progress or ReadProgress(None)
    open_file = partial(_open_file, shown_name, source, limits, encoding, progress)
    return Member(shown_name, open_file, (shown_name,))


def is_program_leftover(name: str) -> bool:
    """Whether a file's name is that of a program's lock, draft or cache, which nobody wrote."""
    lowered = name.lower()
    return lowered in _LEFTOVERS or lowered.startswith(_LOCK_PREFIXES)


def is_archive(name: str) -> bool:
    """Whether a file's name ends like that of an archive, of any kind."""
    return file_ending(name) in _ARCHIVES


def _archive_members(file: File) -> list[Member]:
    """List the files in a zip archive, in order; hidden files and leftovers are left out.

    Raises:
        ReadError: a link among them, or what ``open_checked_zip`` or ``_accepted_members`` refuses.
    """
    archive = open_checked_zip(file)
    infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
    if any(stat.S_ISLNK(info.external_attr >> 16) for info in infos):
        raise ReadError(file.name, "a link instead of a file", f"{UNPACK_IT}, and use its files.")
    entries = [(info, info.filename, info.file_size) for info in infos]
    return [
        Member(
            file_name(info.filename),
            partial(_open_archive_member, file, archive, info),
            _path_parts(info.filename),
        )
        for info in _accepted_members(file.name, file.limits, entries)
    ]


def _work_budget(n_bytes: int | None, limits: Limits) -> WorkBudget:
    """Processor time for an input of so many bytes; for the largest one if None."""
    return WorkBudget(limits.max_seconds_per_megabyte, n_bytes, limits.max_bytes)


def _total_bytes(sources: list[Readable]) -> int | None:
    """Bytes of all files together; None if one of them cannot tell.

    Of an open file, the bytes from its position on count.
    """
    total = 0
    for source in sources:
        if _is_pair(source):
            n_bytes = remaining_bytes(cast("tuple[str, BinaryIO]", source)[1])
        else:
            n_bytes = _file_size(source)
        if n_bytes is None:
            return None
        total += n_bytes
    return total


def _file_size(path: object) -> int | None:
    """Bytes of the file at a path; None if that cannot be told, as opening the file will explain.

    None for anything but a path, too.
    """
    if not isinstance(path, str | Path):  # a whole number would name a file that is open already
        return None
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return None


def _folder_members(folder: Path, limits: Limits, encoding: str | None) -> tuple[list[Member], int]:
    """List the files in a folder and below it, sorted by path.

    Links and devices are left out, and hidden files and leftovers of programs are no members.

    Returns:
        The members, and the bytes of all files with hidden ones.

    Raises:
        ReadError: the folder cannot be read, or holds too many files or bytes.
    """
    folder_name = file_name(folder.resolve())
    try:
        paths = sorted(islice(_walk_files(folder), MAX_MEMBERS + 1), key=lambda path: path.parts)
        entries = [
            (path, path.relative_to(folder).as_posix(), path.lstat().st_size) for path in paths
        ]
        accepted_paths = list(_accepted_members(folder_name, limits, entries, nested=False))
    except OSError as error:
        raise refusal(error, folder.resolve()) from None
    members = [
        Member(
            path.name,
            partial(
                _open_file, f"{folder_name}/{file_name(path.name)}", path, limits, encoding, None
            ),
            path.relative_to(folder).parts,
        )
        for path in accepted_paths
    ]
    return members, sum(n_file_bytes for _, _, n_file_bytes in entries)


def _walk_files(folder: Path) -> Iterator[Path]:
    """Yield all regular files below a folder, without recursion: folders may be nested deeply."""
    waiting_folders = [os.fspath(folder)]
    while waiting_folders:
        with os.scandir(waiting_folders.pop()) as folder_entries:
            for folder_entry in folder_entries:
                if folder_entry.is_dir(follow_symlinks=False):
                    waiting_folders.append(folder_entry.path)
                elif folder_entry.is_file(follow_symlinks=False):
                    yield Path(folder_entry.path)


def _accepted_members(
    source: str, limits: Limits, entries: Iterable[tuple[Entry, str, int]], *, nested: bool = True
) -> Iterator[Entry]:
    """Yield the entries to read; hidden files and leftovers of programs are left out.

    Those left out count as members and their paths are checked; their bytes do not count.

    Args:
        source: name of the archive or folder, for refusals.
        limits: bounds on what is read.
        entries: each with its path and bytes.
        nested: whether they lie in an archive, where packed files and archives are refused.

    Raises:
        ReadError: too many members or bytes, a path that leads outside or occurs twice, or an
            archive within the archive.
    """
    seen_paths: set[tuple[str, ...]] = set()
    n_bytes = 0
    for entry, path, n_entry_bytes in entries:
        problem = _problem_with_member(path, seen_paths, nested=nested)
        if problem:
            raise ReadError(source, problem, f"{UNPACK_IT}, and use its files.")
        path_parts = _path_parts(path)
        seen_paths.add(path_parts)
        if _is_skipped(path_parts):
            continue
        n_bytes += n_entry_bytes
        if n_bytes > limits.max_bytes:
            raise too_large_error(source, limits)
        yield entry


def _problem_with_member(path: str, seen_paths: Set[tuple[str, ...]], *, nested: bool) -> str:
    """Say why a member of an archive or folder cannot be accepted; empty if it can.

    Reasons are too many members, a path that is absolute or has ``..`` in it, one that was seen
    before, and a packed file or archive in an archive, unless it is hidden or a leftover.

    Args:
        path: of the member.
        seen_paths: parts of the paths of all members before it.
        nested: whether it lies in an archive, where packed files and archives are refused.
    """
    path_parts = _path_parts(path)
    if len(seen_paths) >= MAX_MEMBERS:
        return f"more than {MAX_MEMBERS:,} members, the limit"
    if ".." in path_parts:
        return "a member whose path points outside the archive"
    if _ABSOLUTE.match(path) is not None:
        return "a member with an absolute path"
    if path_parts in seen_paths:
        return "two members of the same name"
    if nested and not _is_skipped(path_parts) and _holds_files(path):
        return "an archive within the archive"
    return ""


def _is_skipped(parts: tuple[str, ...]) -> bool:
    """Whether a path is empty, hidden, macOS metadata or a program's leftover."""
    is_hidden = "__MACOSX" in parts or any(part.startswith(".") for part in parts)
    return not parts or is_hidden or is_program_leftover(parts[-1])


def _holds_files(path: str) -> bool:
    """Whether a path is that of a packed file or an archive."""
    return is_packed(path) or is_archive(_path_parts(path)[-1])


def _path_parts(path: str) -> tuple[str, ...]:
    """Folders and name of a path in an archive, with slashes or backslashes."""
    return PurePosixPath(path.replace("\\", "/")).parts


@contextmanager
def _open_file(
    name: str, source: Readable, limits: Limits, encoding: str | None, progress: ReadProgress | None
) -> Iterator[File]:
    """Open a file by its path for a ``with`` block, or take an open one, which stays open after it.

    A packed file is unpacked. With ``progress`` the file counts for it, and is refused with a
    ``ReadError`` if it is too large; a packed one is not refused here.
    """
    with ExitStack() as stack:
        binary = source[1] if isinstance(source, tuple) else stack.enter_context(opened(source))
        if progress is not None:
            n_bytes = remaining_bytes(binary) or 0
            if not is_packed(name) and n_bytes > limits.max_bytes:
                raise too_large_error(name, limits)
            progress.begin(binary)
        yield File(name, unpack_stream(name, binary), limits, encoding)


@contextmanager
def _open_archive_member(
    file: File, archive: zipfile.ZipFile, info: zipfile.ZipInfo
) -> Iterator[File]:
    """Open a member of a zip archive for a ``with`` block.

    A ``ReadError`` refuses one whose header is damaged.
    """
    name = f"{file.name}/{file_name(info.filename)}"
    try:
        binary = archive.open(info)
    except DAMAGE:
        raise ReadError(name, "a damaged part of an archive", PACK_AGAIN) from None
    with binary:
        yield File(name, binary, file.limits, file.encoding, damage=DAMAGE)


def _is_pair(source: object) -> bool:
    """Whether the source is a name with an open file."""
    return (
        isinstance(source, tuple)
        and len(source) == 2
        and isinstance(source[0], str)
        and hasattr(source[1], "read")
    )
