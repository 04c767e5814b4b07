"""Opening and writing of paths that people give, with system errors turned into dplda's."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from dplda.core.errors import InputError, ReadError

LARGEST_TEXT = 50_000_000  # bytes of a file that is read whole: a word list, a sweep
NOWHERE = Path(os.devnull, "no home folder")  # a folder in which nothing can be kept
_PATH = "valid text without zero characters"
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)


def file_name(path: str | Path) -> str:
    """The last part of a path, with a ``?`` for every character that does not print."""
    return printable(Path(path).name or str(path))


def printable(text: str) -> str:
    """A text with a ``?`` for every character that does not print."""
    return "".join(character if character.isprintable() else "?" for character in text)


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """Open an ordinary file for reading bytes, and close it when the block ends.

    Raises:
        InputError: the path is neither text nor a ``Path``, or no valid path.
        ReadError: it cannot be opened, or is a folder, a pipe, a device or made up by the system;
            none of them is waited for. Any ``OSError`` of the block is raised as this, too.
    """
    if not isinstance(path, str | Path):
        raise InputError("the path of a file", "text or a Path", f"a {type(path).__name__}")
    try:
        descriptor = os.open(path, _OPEN_FLAGS)
    except ValueError:
        raise InputError("the path of a file", _PATH, "another one") from None
    except OSError as error:
        raise refusal(error, path) from None
    special_kind = _special_kind(descriptor)
    if special_kind:
        os.close(descriptor)
        problem_clause = f"this is {special_kind}, not a file"
        raise ReadError(file_name(path), problem_clause, "Give the path of a file.")
    with os.fdopen(descriptor, "rb") as opened_file:
        try:
            yield opened_file
        except OSError as error:
            raise refusal(error, path) from None


def _special_kind(descriptor: int) -> str:
    """Name the kind of what is open, such as *a folder*; empty for an ordinary file.

    Other kinds are a pipe, a device and what is *made up by the system*.
    The last is a file of no bytes that gives some, or refuses to be read, as in ``/proc``.
    """
    file_status = os.fstat(descriptor)
    if stat.S_ISDIR(file_status.st_mode):
        return "a folder"
    if stat.S_ISFIFO(file_status.st_mode):
        return "a pipe"
    if not stat.S_ISREG(file_status.st_mode):
        return "a device"
    if file_status.st_size == 0 and _gives_more_than_its_size(descriptor):
        return "made up by the system"  # as in /proc: reading may wait, or never end
    return ""


def _gives_more_than_its_size(descriptor: int) -> bool:
    """Whether a file of no bytes gives some, or might later."""
    try:
        return bool(os.read(descriptor, 1))
    except OSError:  # nothing now, or not for us
        return True


def text_of(path: str | Path) -> str:
    """Read the text of a UTF-8 file of at most 50 MB, without its byte-order mark.

    Raises:
        InputError: as ``opened``.
        ReadError: it cannot be read, is longer, or is not UTF-8.
    """
    with opened(path) as opened_file:
        content = opened_file.read(LARGEST_TEXT + 1)
    if len(content) > LARGEST_TEXT:
        raise ReadError(
            file_name(path), f"more than {LARGEST_TEXT:,} bytes, the limit", "Give another file."
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReadError(
            file_name(path), "this is not UTF-8", "Save it as UTF-8.", offset=error.start
        ) from None


def write(path: Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8, whole or not at all: if this fails, the old content stays.

    A link is followed, and the old file's mode is kept; a device or pipe is written to directly.

    Args:
        path: the file.
        content: all of it.

    Raises:
        InputError: the path is no path.
        ReadError: the system refuses it.
    """
    content_bytes = content.encode() if isinstance(content, str) else content
    with _written_to(path) as (target, mode):
        if mode is not None and not stat.S_ISREG(mode):
            target.write_bytes(content_bytes)
            return
        with _beside(target) as partial_file:
            partial_file.write_bytes(content_bytes)
            if mode is not None:
                partial_file.chmod(stat.S_IMODE(mode))
            os.replace(partial_file, target)


def check_writable(path: Path, folder: Path | None = None) -> None:
    """Refuse a file that ``write`` could not write, before its content is computed.

    Makes and removes an empty file beside it. A device or a pipe is not tested.

    Args:
        path: the file.
        folder: a folder that is read, in which the file must not lie; None for none.

    Raises:
        ReadError: the system would refuse it, or it is a folder.
        InputError: it lies in the folder that is read, or its path is no path.
    """
    with _written_to(path) as (target, mode):
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if mode is None or stat.S_ISREG(mode):
            with _beside(target) as partial_file:
                partial_file.touch()
    if folder is not None and Path(os.path.realpath(folder)) in target.parents:
        raise InputError("the file to write", "outside the folder that is read", file_name(path))


def home() -> Path:
    """The user's home folder; ``NOWHERE`` if there is none."""
    try:
        return Path.home()
    except RuntimeError:  # no HOME, and no account with this number
        return NOWHERE


def refusal(
    error: BaseException, path: str | Path | None = None, fix: str = "Check the path."
) -> ReadError:
    """Turn an error of the system or of Python, whose text is never shown, into one of dplda's.

    Lack of memory and nesting that is too deep have their own texts; so has an error without a
    path, which asks for space.

    Args:
        error: of the system or of Python.
        path: the file that was read or written; None takes the one that the error names.
        fix: sentence on what to do.
    """
    if isinstance(error, MemoryError):
        return ReadError(
            "memory", "there is not enough", "Use fewer words, topics or documents, or more memory."
        )
    if isinstance(error, RecursionError):
        return ReadError(
            "the documents" if path is None else file_name(path),
            "nested too deep",
            "Make it flatter.",
        )
    problem_clause = getattr(error, "strerror", None) or "the system refused it"
    if path is None:
        path = getattr(error, "filename", None)
    if isinstance(path, str | Path):
        return ReadError(file_name(path), problem_clause, fix)
    return ReadError("input or output", problem_clause, "Free some space, or choose another place.")


@contextmanager
def _written_to(path: Path) -> Iterator[tuple[Path, int | None]]:
    """Yield a file, links followed, and its mode: kind and permissions, None if there is no file.

    Raises:
        InputError: the path is none that a system can have, or the block raises a ValueError.
        ReadError: the system refuses it, or something within the block.
    """
    try:
        target_path = Path(os.path.realpath(path))
        mode = None
        with suppress(FileNotFoundError):
            mode = target_path.stat().st_mode
        yield target_path, mode
    except ValueError:
        raise InputError("the path of a file", _PATH, "another one") from None
    except OSError as error:
        raise refusal(error, path, "Choose another file.") from None


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A name for a temporary file in the same folder, which is removed when the block ends."""
    temporary_file = target.parent / f".{secrets.token_hex(8)}.part"
    try:
        yield temporary_file
    finally:
        with suppress(OSError):
            temporary_file.unlink()
