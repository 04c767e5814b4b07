"""The one place where a path that somebody gave is opened: regular files only, every refusal in words of ours."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from dplda.errors import InputError, ReadError

LARGEST_TEXT = 50_000_000
"""Bytes of a file that is read whole: a list of words, a specification."""

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
_HOW = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def file_name(path: str | Path) -> str:
    """The last part of a path as it may be shown: every character that does not print is a ``?``."""
    return printable(Path(path).name or str(path))


def printable(text: str) -> str:
    """A text with a ``?`` for every character that does not print."""
    return "".join(character if character.isprintable() else "?" for character in text)


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """Open a regular file for reading bytes; what the system refuses while it is read is a ``ReadError`` too.

    Nothing waits: a pipe that nobody writes to is refused, not opened.

    Raises:
        InputError: ``path`` is no path: of another type, or with a zero character.
        ReadError: there is no such file, it may not be read, or it is a folder, a pipe, a device or a socket.
    """
    if not isinstance(path, str | Path):
        raise InputError("the path of a file", "text or a Path", f"a {type(path).__name__}")
    try:
        descriptor = os.open(path, _HOW)
    except ValueError:
        raise InputError("the path of a file", "without zero characters and broken ones", "one with such") from None
    except OSError as error:
        raise _refused(path, error) from None
    kind = _KINDS.get(stat.S_IFMT(os.fstat(descriptor).st_mode))
    if kind is not None:
        os.close(descriptor)
        raise ReadError(file_name(path), f"this is {kind}, not a file", "Give the path of a file.")
    with os.fdopen(descriptor, "rb") as binary:
        try:
            yield binary
        except OSError as error:
            raise _refused(path, error) from None


def text_of(path: str | Path) -> str:
    """A small file of UTF-8 text, with or without a byte-order mark.

    Raises:
        InputError: as for ``opened``.
        ReadError: as for ``opened``; a file that is not UTF-8, with the byte, or of more than 50 MB.
    """
    with opened(path) as binary:
        content = binary.read(LARGEST_TEXT + 1)
    if len(content) > LARGEST_TEXT:
        raise ReadError(file_name(path), f"more than {LARGEST_TEXT:,} bytes, the limit", "Is this the right file?")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReadError(file_name(path), "this is not UTF-8", "Save it as UTF-8.", offset=error.start) from None


def write_text(path: Path, text: str) -> None:
    """Write a file, replacing what is there.

    Raises:
        ReadError: it cannot be written.
    """
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise ReadError(path.name, error.strerror or "cannot be written", "Choose another file.") from None


def _refused(path: str | Path, error: OSError) -> ReadError:
    return ReadError(file_name(path), error.strerror or "cannot be read", "Check the path.")
